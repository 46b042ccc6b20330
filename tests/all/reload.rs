//! What changes while the host serves: components and host.json.

use std::{
    fs::{self, File},
    io::Write,
    os::unix::fs::symlink,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant, SystemTime},
};

use serde_json::{Value, json};

use crate::harness::{Builder, Host, modern, program, version, version_text};

/// How long a change may take to be served before the test fails. The host compiles, beside other tests.
const BOUND: Duration = Duration::from_mins(1);

fn builder() -> Builder {
    Host::builder().file("functions/versioned.wasm", version(1))
}

/// As build tools do: beside, then renamed.
fn put(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) {
    let beside = folder.join("beside");
    fs::write(&beside, bytes).expect("a file is written");
    fs::rename(beside, folder.join(name)).expect("a file is renamed");
}

fn put_version(host: &Host, n: u8) {
    put(host.folder(), "functions/versioned.wasm", version(n));
}

async fn until_version(host: &Host, n: u8) {
    let since = Instant::now();
    while host.call_text("version", json!({})).await != version_text(n) {
        assert!(since.elapsed() < BOUND, "version {n} is not served");
        tokio::task::yield_now().await;
    }
}

async fn tools(host: &Host) -> Vec<String> {
    let listed = host.post_modern("tools/list", json!({})).await;
    let tools = listed.body["result"]["tools"].as_array().expect("a list").iter();
    tools.map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
}

fn reloads(host: &Host) -> usize {
    host.log_lines().iter().filter(|line| line.contains("reloaded in")).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_component_is_replaced_while_clients_call_it() {
    let host = builder().start().await;
    let done = Arc::new(AtomicBool::new(false));
    let mut clients = Vec::new();
    for _ in 0..8 {
        let (mut connection, done) = (host.connect().await, Arc::clone(&done));
        clients.push(tokio::spawn(async move {
            let call = modern("tools/call", json!({ "name": "version", "arguments": {} }));
            let mut n_calls = 0;
            while !done.load(Ordering::Relaxed) {
                let response = connection.send(&call).await;
                let result = &response.body["result"];
                assert_ne!(result["isError"], true, "{}", response.text);
                let text = result["content"][0]["text"].as_str().unwrap_or(&response.text);
                assert!((1..=4).any(|n| text == version_text(n)), "{text}");
                n_calls += 1;
            }
            n_calls
        }));
    }
    for n in 2..=4 {
        put_version(&host, n);
        until_version(&host, n).await;
    }
    done.store(true, Ordering::Relaxed);
    for client in clients {
        assert!(client.await.expect("no call fails") > 0);
    }
    host.logged_again("replaced `slow_version`, `version`", 3).await;
}

#[tokio::test]
async fn a_call_in_flight_ends_in_the_version_in_which_it_began() {
    let host = Arc::new(builder().start().await);
    let slow = tokio::spawn({
        let host = Arc::clone(&host);
        async move { host.call_text("slow_version", json!({ "ms": 8000 })).await }
    });
    host.logged("waiting").await;
    put_version(&host, 2);
    until_version(&host, 2).await;
    assert_eq!(slow.await.expect("it is answered"), version_text(1));
}

#[tokio::test]
async fn a_broken_component_keeps_its_last_good_version_and_a_mended_one_is_served() {
    let host = builder().start().await;
    put(host.folder(), "functions/versioned.wasm", "this is text");
    let line = host.logged("its last good version still serves").await;
    for part in ["functions/versioned.wasm", "it is not a WebAssembly component"] {
        assert!(line.contains(part), "`{part}` is not in: {line}");
    }
    // The same again, and something else: the fault was told.
    put(host.folder(), "functions/versioned.wasm", "this is text");
    put(host.folder(), "functions/echo.wasm", fs::read(program("echo")).expect("a program"));
    host.logged("added `echo`").await;
    assert_eq!(host.call_text("version", json!({})).await, version_text(1));
    put_version(&host, 2);
    until_version(&host, 2).await;
    let told = host.log_lines().iter().filter(|line| line.contains("still serves")).count();
    assert_eq!(told, 1);
}

#[tokio::test]
async fn a_component_whose_function_cannot_be_served_keeps_the_others_going() {
    let host = builder().start().await;
    let bad = fs::read(program("no_such_argument")).expect("a program");
    put(host.folder(), "functions/bad.wasm", bad);
    let line = host.logged("it is not served").await;
    assert!(line.contains("functions/bad.wasm") && line.contains("`title`"), "{line}");
    put_version(&host, 2);
    until_version(&host, 2).await;
}

#[tokio::test]
async fn a_file_that_is_written_in_two_parts_fails_no_call() {
    let host = builder().start().await;
    let bytes = version(2);
    let (first, rest) = bytes.split_at(bytes.len() / 2);
    let mut file = File::create(host.folder().join("functions/versioned.wasm")).expect("a file");
    file.write_all(first).expect("it is written");
    host.logged("its last good version still serves").await;
    assert_eq!(host.call_text("version", json!({})).await, version_text(1));
    file.write_all(rest).expect("it is written");
    drop(file);
    until_version(&host, 2).await;
}

#[tokio::test]
async fn a_file_that_is_copied_over_another_is_served() {
    let host = builder().start().await;
    fs::write(host.folder().join("functions/versioned.wasm"), version(2)).expect("it is written");
    until_version(&host, 2).await;
}

#[tokio::test]
async fn components_are_added_and_removed() {
    let host = builder().start().await;
    assert_eq!(tools(&host).await, ["slow_version", "version"]);
    fs::copy(program("sleepy"), host.folder().join("functions/sleepy.wasm")).expect("a copy");
    host.logged("added `sleeps`").await;
    assert_eq!(tools(&host).await, ["sleeps", "slow_version", "version"]);
    fs::remove_file(host.folder().join("functions/versioned.wasm")).expect("it is removed");
    host.logged("removed `slow_version`, `version`").await;
    assert_eq!(tools(&host).await, ["sleeps"]);
    let response = host.post_modern("tools/call", json!({ "name": "version" })).await;
    assert_eq!(response.body["error"]["code"], -32602, "{}", response.text);
}

#[tokio::test]
async fn a_folder_that_is_removed_and_made_again_is_followed() {
    let host = builder().start().await;
    let functions = host.folder().join("functions");
    for n in 2..=4 {
        fs::remove_dir_all(&functions).expect("it is removed");
        fs::create_dir(&functions).expect("it is made again");
        host.logged_again("removed `slow_version`, `version`", usize::from(n) - 1).await;
        put_version(&host, n);
        host.logged_again("added `slow_version`, `version`", usize::from(n) - 1).await;
        assert_eq!(host.call_text("version", json!({})).await, version_text(n));
    }
}

#[tokio::test]
async fn a_fault_that_is_over_by_itself_is_told_once_and_tried_again() {
    let host = builder().start().await;
    // What a link leads to is not watched.
    let elsewhere = host.folder().join("elsewhere.bin");
    symlink(&elsewhere, host.folder().join("functions/sleepy.wasm")).expect("a link");
    host.logged("functions/sleepy.wasm cannot be read").await;
    // Looked at again for another reason, and for none.
    fs::copy(program("echo"), host.folder().join("functions/echo.wasm")).expect("a copy");
    host.logged("added `echo`").await;
    // So long that it was tried again in vain.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    fs::copy(program("sleepy"), &elsewhere).expect("a copy");
    host.logged("added `sleeps`").await;
    let told = host.log_lines().iter().filter(|line| line.contains("cannot be read")).count();
    assert_eq!(told, 1, "{:?}", host.log_lines());
}

#[tokio::test]
async fn a_broken_host_json_is_waited_for_and_not_read_again_and_again() {
    let host = builder().start().await;
    // A file that is written to all the time keeps the host looking, and meanwhile its settings break.
    let mut file = File::create(host.folder().join("functions/half.wasm")).expect("a file");
    let done = Arc::new(AtomicBool::new(false));
    let writer = thread::spawn({
        let done = Arc::clone(&done);
        move || {
            while !done.load(Ordering::Relaxed) {
                file.write_all(b"half").expect("it is written");
                thread::sleep(Duration::from_millis(10));
            }
        }
    });
    tokio::time::sleep(Duration::from_secs(2)).await;
    put(host.folder(), "host.json", r#"{ "version": "#);
    host.logged("not reloaded, and the last good version still serves").await;
    done.store(true, Ordering::Relaxed);
    writer.join().expect("it does not panic");
    tokio::time::sleep(Duration::from_secs(1)).await;
    let before = reads(host.pid());
    tokio::time::sleep(Duration::from_secs(1)).await;
    let n_reads = reads(host.pid()) - before;
    assert!(n_reads < 20, "{n_reads} reads in a second in which nothing happened");
}

/// How often a process has read from a file.
fn reads(pid: u32) -> u64 {
    let counts = fs::read_to_string(format!("/proc/{pid}/io")).expect("a process");
    let count = counts.lines().find_map(|line| line.strip_prefix("syscr: ")).expect("a count");
    count.parse().expect("a number")
}

#[tokio::test]
async fn the_compiled_code_of_what_was_replaced_is_removed() {
    let host = builder().start().await;
    let cache = host.folder().join(".mcpfn/cache");
    let n_files = || fs::read_dir(&cache).expect("the cache").count();
    let before = n_files();
    for n in 2..=4 {
        put_version(&host, n);
        host.logged_again("replaced `slow_version`, `version`", usize::from(n) - 1).await;
        assert_eq!(host.call_text("version", json!({})).await, version_text(n));
    }
    let since = Instant::now();
    while n_files() > before {
        assert!(since.elapsed() < BOUND, "{} files instead of {before}", n_files());
        tokio::task::yield_now().await;
    }
    assert_eq!(n_files(), before);
}

#[tokio::test]
async fn the_folder_may_be_replaced_as_a_whole() {
    let host = builder().start().await;
    let folder = host.folder();
    fs::create_dir(folder.join("built")).expect("a folder");
    fs::copy(program("sleepy"), folder.join("built/sleepy.wasm")).expect("a copy");
    fs::rename(folder.join("functions"), folder.join("old")).expect("renamed");
    host.logged("cannot be read").await;
    assert_eq!(host.call_text("version", json!({})).await, version_text(1));
    fs::rename(folder.join("built"), folder.join("functions")).expect("renamed");
    host.logged("added `sleeps`").await;
    put_version(&host, 2);
    host.logged("added `slow_version`, `version`").await;
}

#[tokio::test]
async fn components_that_clash_keep_the_last_good_version_of_all() {
    let host = Host::start(&["clash_a"]).await;
    fs::copy(program("clash_b"), host.folder().join("functions/clash_b.wasm")).expect("a copy");
    let line = host.logged("not reloaded, and the last good version still serves").await;
    for part in ["functions/clash_a.wasm", "functions/clash_b.wasm", "`clash`"] {
        assert!(line.contains(part), "`{part}` is not in: {line}");
    }
    assert_eq!(host.call_text("clash", json!({})).await, "a");
    fs::remove_file(host.folder().join("functions/clash_a.wasm")).expect("it is removed");
    host.logged("added `Clash`; removed `clash`").await;
    assert_eq!(host.call_text("clash", json!({})).await, "b");
}

fn described(description: &str) -> String {
    json!({ "version": "2.0", "functions": { "version": { "bindings": [
        { "type": "mcpToolTrigger", "direction": "in", "name": "c", "description": description }
    ] } } })
    .to_string()
}

async fn description(host: &Host) -> Value {
    let listed = host.post_modern("tools/list", json!({})).await;
    listed.body["result"]["tools"][1]["description"].clone()
}

#[tokio::test]
async fn a_changed_host_json_is_applied() {
    let host = builder().start().await;
    put(host.folder(), "host.json", described("Changed."));
    host.logged_again("applied the settings", 1).await;
    assert_eq!(description(&host).await, "Changed.");
    put(host.folder(), "host.json", r#"{ "version": "2.0", "functionTimeout": "#);
    let line = host.logged("not reloaded, and the last good version still serves").await;
    assert!(line.contains("host.json:1"), "{line}");
    assert_eq!(description(&host).await, "Changed.");
    put(host.folder(), "host.json", described("Mended."));
    host.logged_again("applied the settings", 2).await;
    assert_eq!(description(&host).await, "Mended.");
}

#[tokio::test]
async fn another_path_of_a_binding_is_applied_and_memory_is_kept() {
    let with = |path: &str| {
        json!({ "version": "2.0", "connections": { "AzureWebJobsStorage": { "url": "memory:" } },
                "functions": { "save_snippet": { "bindings": [
                    { "type": "blob", "direction": "out", "name": "$return", "path": path } ] } } })
    };
    let there = "snippets/{mcptoolargs.snippetname}.json";
    let host = Host::builder().programs(&["snippets"]).host_json(with(there)).start().await;
    let save = json!({ "snippetname": "a", "snippet": "kept" });
    host.call_text("save_snippet", save.clone()).await;
    put(host.folder(), "host.json", with("elsewhere/x").to_string());
    host.logged("applied the settings").await;
    host.call_text("save_snippet", json!({ "snippetname": "a", "snippet": "lost" })).await;
    let read = host.call_text("get_snippets", json!({ "snippetname": "a" })).await;
    assert_eq!(read, "kept");
}

#[tokio::test]
async fn what_counts_only_from_the_next_start_on_is_told() {
    let host = builder().start().await;
    put(host.folder(), "host.json", r#"{ "version": "2.0", "bodyLimitMiB": 8 }"#);
    host.logged("`bodyLimitMiB` of host.json takes effect at the next start").await;
}

#[tokio::test]
async fn what_is_touched_or_written_again_as_it_was_is_not_reloaded() {
    let host = builder().start().await;
    let file = host.folder().join("functions/versioned.wasm");
    let open = File::options().append(true).open(&file).expect("the component");
    open.set_modified(SystemTime::UNIX_EPOCH).expect("it is touched");
    fs::write(host.folder().join("host.json"), r#"{"version":"2.0"}"#).expect("it is written");
    put_version(&host, 1);
    // Storage and the cache lie beside host.json.
    fs::create_dir_all(host.folder().join(".mcpfn/storage/x")).expect("a folder");
    fs::copy(program("sleepy"), host.folder().join("functions/sleepy.wasm")).expect("a copy");
    let line = host.logged("added `sleeps`").await;
    // Nothing else: neither the component nor the settings are other ones.
    let (_, changes) = line.split_once("reloaded in ").expect("it says what changed");
    let (_, changes) = changes.split_once(": ").expect("the changes follow the time");
    assert_eq!(changes.trim_end(), "added `sleeps`");
    assert_eq!(reloads(&host), 1, "{:?}", host.log_lines());
}

fn watches(pid: u32) -> bool {
    let open = fs::read_dir(format!("/proc/{pid}/fd")).expect("a process");
    open.filter_map(|file| fs::read_link(file.ok()?.path()).ok())
        .any(|file| file.ends_with("anon_inode:inotify"))
}

#[tokio::test]
async fn nothing_is_watched_when_nobody_wants_it() {
    assert!(watches(builder().start().await.pid()));
    assert!(!watches(builder().argument("--no-watch").start().await.pid()));
}

fn legacy(id: u64, method: &str, params: Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
}

fn initialize() -> String {
    legacy(0, "initialize", json!({ "protocolVersion": "2025-11-25", "capabilities": {} }))
}

#[tokio::test]
async fn a_client_on_a_stream_is_told_that_the_list_changed() {
    let mut host = builder().start_stdio();
    host.send(&initialize()).await;
    let capabilities = host.receive().await["result"]["capabilities"].clone();
    assert_eq!(capabilities["tools"], json!({ "listChanged": true }));
    host.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    // Another version with the same list is no news.
    put(host.folder(), "functions/versioned.wasm", version(2));
    let since = Instant::now();
    loop {
        host.send(&legacy(1, "tools/call", json!({ "name": "version" }))).await;
        if host.receive().await["result"]["content"][0]["text"] == version_text(2) {
            break;
        }
        assert!(since.elapsed() < BOUND, "version 2 is not served");
    }
    put(host.folder(), "functions/sleepy.wasm", fs::read(program("sleepy")).expect("a program"));
    assert_eq!(host.receive().await["method"], "notifications/tools/list_changed");
    host.send(&legacy(2, "tools/list", json!({}))).await;
    assert_eq!(host.receive().await["result"]["tools"][0]["name"], "sleeps");
}

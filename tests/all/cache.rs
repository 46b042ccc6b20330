//! What is kept from one start to the next: compiled code, and what components say of themselves.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::json;
use tempfile::TempDir;

use crate::harness::{Builder, Host};

const CALL: &[&str] = &["call", "echo", "--arg", "text=on"];

#[tokio::test]
async fn a_start_with_everything_cached_runs_no_guest() {
    let first = Host::builder().programs(&["echo", "tells"]).run(&["check"]).await;
    assert!(first.stderr.contains("compiling functions/tells.wasm (2 of 2)"), "{}", first.stderr);
    assert!(first.stderr.contains("describing"), "{}", first.stderr);
    let again = Builder::again(first.folder).run(&["check"]).await;
    assert_eq!((again.code, again.stderr.as_str()), (Some(0), ""));
    let host = Builder::again(again.folder).start().await;
    assert_eq!(host.call_text("tells", json!({ "text": "on" })).await, "on");
    let ran = host.log_lines().iter().any(|line| line.contains("describing"));
    assert!(!ran, "a guest ran before it was called");
}

#[tokio::test]
async fn the_cache_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let finished = Host::builder().programs(&["echo"]).run(&["check"]).await;
    let cache = finished.folder.path().join(".mcpfn/cache");
    assert_eq!(fs::metadata(&cache).expect("the cache").permissions().mode() & 0o777, 0o700);
    for file in entries(&cache) {
        let mode = fs::metadata(&file).expect("a file").permissions().mode();
        assert_eq!(mode & 0o077, 0, "{} has mode {mode:o}", file.display());
    }
}

#[tokio::test]
async fn what_is_damaged_is_made_again() {
    type Damage = fn(&Path, &Path);
    let damages: [(&str, Damage); 9] = [
        ("code with another byte", |code, _| change(code, |bytes| flip(bytes))),
        ("half of the code", |code, _| change(code, |bytes| bytes.truncate(bytes.len() / 2))),
        ("empty code", |code, _| change(code, Vec::clear)),
        ("longer code", |code, _| change(code, |bytes| bytes.push(0))),
        ("no code", |code, _| fs::remove_file(code).expect("it is removed")),
        ("an entry with another byte", |_, entry| change(entry, |bytes| flip(bytes))),
        ("half of an entry", |_, entry| change(entry, |bytes| bytes.truncate(bytes.len() / 2))),
        ("an empty entry", |_, entry| change(entry, Vec::clear)),
        ("no entry", |_, entry| fs::remove_file(entry).expect("it is removed")),
    ];
    let mut folder = Host::builder().programs(&["echo"]).run(CALL).await.folder;
    for (what, damage) in damages {
        let cache = folder.path().join(".mcpfn/cache");
        damage(&only(&cache, "cwasm"), &only(&cache, "entry"));
        folder = rebuilt(folder, what).await;
    }
}

#[tokio::test]
async fn an_entry_in_the_place_of_another_is_made_again() {
    let folder = Host::builder().programs(&["echo", "snippets"]).run(CALL).await.folder;
    let cache = folder.path().join(".mcpfn/cache");
    let with = |ending: &str| -> Vec<PathBuf> {
        entries(&cache).into_iter().filter(|path| path.extension().unwrap() == ending).collect()
    };
    for ending in ["entry", "cwasm"] {
        let files = with(ending);
        let [first, second] = files.as_slice() else { panic!("{files:?}") };
        let between = cache.join("between");
        fs::rename(first, &between).expect("renamed");
        fs::rename(second, first).expect("renamed");
        fs::rename(&between, second).expect("renamed");
    }
    rebuilt(folder, "swapped").await;
}

#[tokio::test]
async fn compiled_code_of_another_user_is_compiled_anew() {
    let mine = TempDir::new().expect("a folder");
    let theirs = TempDir::new().expect("a folder");
    let home = |folder: &TempDir| folder.path().display().to_string();
    let command = ["check"];
    let builder = Host::builder().programs(&["echo"]).environment("HOME", &home(&theirs));
    let first = builder.environment("XDG_DATA_HOME", "").run(&command).await;
    assert!(first.stderr.contains("compiling functions/echo.wasm"), "{}", first.stderr);
    let again = Builder::again(first.folder).environment("HOME", &home(&theirs));
    let again = again.environment("XDG_DATA_HOME", "").run(&command).await;
    assert!(!again.stderr.contains("compiling"), "{}", again.stderr);
    // The folder is handed to someone else, cache and all.
    let builder = Builder::again(again.folder).environment("HOME", &home(&mine));
    let before = contents(builder.folder());
    let handed = builder.environment("XDG_DATA_HOME", "").run(&command).await;
    assert_eq!(handed.code, Some(0), "{}", handed.stderr);
    assert_ne!(contents(handed.folder.path()), before, "their code was taken for ours");
}

#[tokio::test]
async fn two_hosts_start_on_one_cold_cache() {
    let first = Host::builder().programs(&["echo", "blocks", "typed"]);
    let host_json = first.folder().join("host.json").display().to_string();
    let check = ["check", "--host-json", &host_json];
    let (one, two) = tokio::join!(Host::builder().run(&check), Host::builder().run(&check));
    for finished in [one, two] {
        assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    }
    let after = first.run(&["check"]).await;
    assert_eq!((after.code, after.stderr.as_str()), (Some(0), ""));
}

#[tokio::test]
async fn a_cached_component_that_starts_too_large_for_a_lowered_limit_is_refused() {
    let roomy = json!({ "version": "2.0", "limits": { "memoryMiB": 256 } });
    let first = Host::builder().programs(&["greedy"]).host_json(roomy).run(&["check"]).await;
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    let again = Builder::again(first.folder).host_json(json!({ "version": "2.0" }));
    let again = again.run(&["check"]).await;
    assert_eq!(again.code, Some(1), "{}", again.stderr);
    assert!(again.stderr.contains("`limits.memoryMiB`"), "{}", again.stderr);
    assert!(!again.stderr.contains("compiling"), "{}", again.stderr);
}

#[tokio::test]
async fn without_a_place_for_the_cache_the_host_works_and_says_so() {
    let finished = Host::builder().programs(&["echo"]).file(".mcpfn", "a file").run(CALL).await;
    assert_eq!((finished.code, finished.stdout.as_str()), (Some(0), "on\n"), "{}", finished.stderr);
    let notices = finished.stderr.lines().filter(|line| line.contains("not cached")).count();
    assert_eq!(notices, 1, "{}", finished.stderr);
}

#[tokio::test]
async fn many_components_are_loaded_at_once_and_listed_in_order() {
    let builder = Host::builder().programs(&["typed", "echo", "snippets", "sleepy", "clash_a"]);
    let cold = builder.run(&["list", "--json"]).await;
    for place in 1..=5 {
        assert!(cold.stderr.contains(&format!("({place} of 5)")), "{}", cold.stderr);
    }
    let cached = Builder::again(cold.folder).run(&["list", "--json"]).await;
    assert_eq!(cold.stdout, cached.stdout);
    let broken = Builder::again(cached.folder)
        .file("functions/m.wasm", "this is text")
        .file("functions/d.wasm", "this is text")
        .file("functions/f.wasm", "this is text");
    let finished = broken.run(&["check"]).await;
    assert!(finished.stderr.contains("functions/d.wasm"), "{}", finished.stderr);
}

/// What the cache of a folder holds.
fn contents(folder: &Path) -> Vec<Vec<u8>> {
    let files = entries(&folder.join(".mcpfn/cache")).into_iter();
    files.map(|file| fs::read(file).expect("a file")).collect()
}

/// The files of the cache, in the order of their names.
fn entries(cache: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(cache).expect("the cache");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("an entry").path()).collect();
    files.sort();
    files
}

fn only(cache: &Path, ending: &str) -> PathBuf {
    let files = entries(cache).into_iter();
    // The newest: what was rebuilt leaves nothing behind, but code that differs has another name.
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == ending))
        .max_by_key(|path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok())
        .expect("the cache has one")
}

fn change(file: &Path, how: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(file).expect("a file of the cache");
    how(&mut bytes);
    fs::write(file, bytes).expect("it is changed");
}

fn flip(bytes: &mut [u8]) {
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
}

/// Calls twice: the first call finds a cache that is no good, the second one that is.
async fn rebuilt(folder: TempDir, what: &str) -> TempDir {
    let first = Builder::again(folder).run(CALL).await;
    assert_eq!((first.code, first.stdout.as_str()), (Some(0), "on\n"), "{what}: {}", first.stderr);
    assert!(first.stderr.contains("compiling functions/echo.wasm"), "{what} was taken");
    let again = Builder::again(first.folder).run(CALL).await;
    assert_eq!((again.code, again.stdout.as_str()), (Some(0), "on\n"), "{what}: {}", again.stderr);
    assert!(!again.stderr.contains("compiling"), "{what} was not made again");
    again.folder
}

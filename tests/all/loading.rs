//! What stops a start, and the one line that says why.

use serde_json::json;

use crate::harness::{Builder, Host};

async fn refused(builder: Builder, code: i32, expected: &[&str]) {
    let folder = builder.folder().to_owned();
    let finished = builder.run(&["start", "--port", "0"]).await;
    assert_eq!(finished.code, Some(code), "{}{}", finished.stdout, finished.stderr);
    let last = finished.stderr.lines().last().unwrap_or_default();
    assert!(last.starts_with("error: "), "{}", finished.stderr);
    for part in expected {
        assert!(last.contains(part), "`{part}` is not in: {last}");
    }
    let checked = Builder::again(finished.folder).run(&["check"]).await;
    assert_eq!(checked.code, Some(code), "check differs from start in {}", folder.display());
    assert_eq!(checked.stderr.lines().last().unwrap_or_default(), last);
}

#[tokio::test]
async fn a_component_that_is_not_ours_is_named() {
    let builder = Host::builder().programs(&["echo", "nothing_of_ours"]);
    refused(builder, 1, &["functions/nothing_of_ours.wasm", "it exports nothing of mcpfn"]).await;
}

#[tokio::test]
async fn a_file_that_is_no_component_is_named() {
    let builder = Host::builder().programs(&["echo"]).file("functions/broken.wasm", "this is text");
    refused(builder, 1, &["functions/broken.wasm", "it is not a WebAssembly component"]).await;
}

#[tokio::test]
async fn two_components_with_one_tool_are_both_named() {
    let builder = Host::builder().programs(&["clash_a", "clash_b"]);
    refused(builder, 1, &["`clash`", "functions/clash_a.wasm", "functions/clash_b.wasm"]).await;
}

#[tokio::test]
async fn a_component_that_starts_too_large_names_the_setting() {
    let builder = Host::builder().programs(&["greedy"]);
    refused(builder, 1, &["functions/greedy.wasm", "64 MiB", "`limits.memoryMiB`"]).await;
}

#[tokio::test]
async fn a_component_that_starts_large_runs_with_a_higher_limit() {
    let host = Host::builder()
        .programs(&["greedy"])
        .host_json(json!({ "version": "2.0", "limits": { "memoryMiB": 256 } }))
        .start()
        .await;
    host.call("greedy", json!({})).await;
}

#[tokio::test]
async fn a_path_that_names_no_argument_is_found_at_load() {
    let builder = Host::builder().programs(&["no_such_argument"]);
    refused(builder, 1, &["functions/no_such_argument.wasm", "`no_such_argument`", "`title`"])
        .await;
}

#[tokio::test]
async fn an_input_of_what_is_returned_is_refused() {
    let builder = Host::builder().programs(&["bad_declarations"]);
    refused(builder, 1, &["functions/bad_declarations.wasm", "`$return`", "can only be an output"])
        .await;
}

#[tokio::test]
async fn a_name_of_a_tool_that_clients_refuse_is_refused() {
    misconfigured(
        "{ \"version\": \"2.0\", \"functions\": { \"save_snippet\": { \"bindings\": [\n\
         { \"type\": \"mcpToolTrigger\", \"direction\": \"in\", \"name\": \"c\", \"toolName\": \"my tool\" } ] } } }",
        &["host.json:2", "/functions/save_snippet/bindings/0/toolName"],
    )
    .await;
}

#[tokio::test]
async fn a_functions_folder_that_does_not_exist_is_named() {
    let finished = Host::builder().run(&["start", "--port", "0", "--functions", "nowhere"]).await;
    assert_eq!(finished.code, Some(1));
    assert!(
        finished
            .stderr
            .contains("the functions folder `nowhere` cannot be read (run `mcpfn build`"),
        "{}",
        finished.stderr
    );
}

#[tokio::test]
async fn a_port_that_is_taken_is_named() {
    let host = Host::start(&[]).await;
    let finished = Host::builder().run(&["start", "--port", &host.port().to_string()]).await;
    assert_eq!(finished.code, Some(1));
    assert!(finished.stderr.contains("cannot be listened on"), "{}", finished.stderr);
}

#[tokio::test]
async fn an_address_that_others_can_reach_needs_a_key() {
    let finished = Host::builder().run(&["start", "--address", "0.0.0.0"]).await;
    assert_eq!(finished.code, Some(2));
    assert!(finished.stderr.contains("needs a key or OAuth"), "{}", finished.stderr);
}

async fn misconfigured(host_json: &str, expected: &[&str]) {
    refused(Host::builder().programs(&["snippets"]).file("host.json", host_json), 2, expected)
        .await;
}

#[tokio::test]
async fn an_unknown_key_names_its_place_and_the_nearest_key() {
    misconfigured(
        "{\n  \"version\": \"2.0\",\n  \"conections\": {}\n}",
        &["host.json:3", "/conections", "`connections`"],
    )
    .await;
}

#[tokio::test]
async fn an_unknown_key_deep_inside_names_its_pointer() {
    misconfigured(
        "{ \"version\": \"2.0\",\n \"extensions\": {\n  \"mcp\": { \"servrName\": \"x\" } } }",
        &["host.json:3", "/extensions/mcp/servrName", "`serverName`"],
    )
    .await;
}

#[tokio::test]
async fn broken_json_names_the_line() {
    misconfigured("{\n  \"version\": \"2.0\",\n}", &["host.json:3"]).await;
}

#[tokio::test]
async fn a_function_that_no_component_declares_names_the_nearest() {
    misconfigured(
        "{ \"version\": \"2.0\", \"functions\": {\n \"save_snipet\": { \"bindings\": [] } } }",
        &["host.json:2", "/functions/save_snipet", "`save_snippet`"],
    )
    .await;
}

#[tokio::test]
async fn an_unknown_binding_type_names_the_known_ones() {
    misconfigured(
        "{ \"version\": \"2.0\", \"functions\": { \"save_snippet\": { \"bindings\": [\n\
         { \"type\": \"blobb\", \"direction\": \"out\", \"name\": \"$return\", \"path\": \"a/b\" } ] } } }",
        &["host.json:2", "/functions/save_snippet/bindings/0", "`blobb`", "`blob`"],
    )
    .await;
}

#[tokio::test]
async fn a_template_in_host_json_that_names_no_argument_is_found_at_load() {
    misconfigured(
        "{ \"version\": \"2.0\", \"functions\": { \"save_snippet\": { \"bindings\": [\n\
         { \"type\": \"blob\", \"direction\": \"out\", \"name\": \"$return\", \"path\": \"a/{mcptoolargs.nam}\" } ] } } }",
        &["host.json:2", "/functions/save_snippet/bindings/0", "nam"],
    )
    .await;
}

#[tokio::test]
async fn a_binding_in_the_other_direction_than_the_components_is_refused() {
    misconfigured(
        "{ \"version\": \"2.0\", \"functions\": { \"get_snippets\": { \"bindings\": [\n\
         { \"type\": \"blob\", \"direction\": \"out\", \"name\": \"snippet\", \"path\": \"abc/x\" } ] } } }",
        &["host.json:2", "/functions/get_snippets/bindings/0/direction", "an input"],
    )
    .await;
}

#[tokio::test]
async fn a_binding_that_the_component_does_not_name_is_told_with_the_nearest() {
    let host_json = json!({ "version": "2.0", "functions": { "get_snippets": { "bindings": [
        { "type": "blob", "direction": "in", "name": "snipet", "path": "abc/x" } ] } } });
    let finished =
        Host::builder().programs(&["snippets"]).host_json(host_json).run(&["check"]).await;
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    let notice = "/functions/get_snippets/bindings/0: the component declares no binding `snipet` \
                  (did you mean `snippet`?)";
    assert!(finished.stderr.contains(notice), "{}", finished.stderr);
}

#[tokio::test]
async fn tool_properties_that_lack_an_argument_of_a_path_are_blamed_on_host_json() {
    misconfigured(
        "{ \"version\": \"2.0\", \"functions\": { \"get_snippets\": { \"bindings\": [\n\
         { \"type\": \"mcpToolTrigger\", \"direction\": \"in\", \"name\": \"c\", \"toolProperties\": [] } ] } } }",
        &["host.json:2", "/functions/get_snippets/bindings/0/toolProperties", "snippetname"],
    )
    .await;
}

#[tokio::test]
async fn a_connection_that_nothing_defines_is_named_where_it_is_asked_for() {
    misconfigured(
        "{ \"version\": \"2.0\", \"connections\": { \"AzureWebJobsStorage\": { \"url\": \"memory:\" } },\n\
         \"functions\": { \"save_snippet\": { \"bindings\": [\n\
         { \"type\": \"blob\", \"direction\": \"out\", \"name\": \"$return\", \"path\": \"abc/x\",\n\
           \"connection\": \"Stroage\" } ] } } }",
        &["host.json:4", "/functions/save_snippet/bindings/0/connection", "Stroage"],
    )
    .await;
}

#[tokio::test]
async fn a_timeout_below_a_second_is_refused() {
    misconfigured(
        "{ \"version\": \"2.0\", \"functionTimeout\": \"00:00:00\" }",
        &["/functionTimeout"],
    )
    .await;
}

#[tokio::test]
async fn what_would_need_the_gate_is_refused() {
    let builder = Host::builder().programs(&["destructive"]);
    refused(builder, 1, &["functions/destructive.wasm", "needs the gate"]).await;
}

#[tokio::test]
async fn compiled_code_of_another_user_is_compiled_anew() {
    let mine = tempfile::TempDir::new().expect("a folder");
    let theirs = tempfile::TempDir::new().expect("a folder");
    let home = |folder: &tempfile::TempDir| folder.path().display().to_string();
    let command = ["check"];
    let builder = Host::builder().programs(&["echo"]).environment("HOME", &home(&theirs));
    let first = builder.environment("XDG_DATA_HOME", "").run(&command).await;
    assert!(first.stderr.contains("compiling functions/echo.wasm"), "{}", first.stderr);
    let again = Builder::again(first.folder).environment("HOME", &home(&theirs));
    let again = again.environment("XDG_DATA_HOME", "").run(&command).await;
    assert!(!again.stderr.contains("compiling"), "{}", again.stderr);
    // The folder is handed to someone else, cache and all.
    let builder = Builder::again(again.folder).environment("HOME", &home(&mine));
    let before = entries(builder.folder());
    let handed = builder.environment("XDG_DATA_HOME", "").run(&command).await;
    assert_eq!(handed.code, Some(0), "{}", handed.stderr);
    assert_ne!(entries(handed.folder.path()), before, "their code was taken for ours");
}

/// What the cache of a folder holds.
fn entries(folder: &std::path::Path) -> Vec<Vec<u8>> {
    let files = std::fs::read_dir(folder.join(".mcpfn/cache")).expect("the cache");
    files.map(|file| std::fs::read(file.expect("an entry").path()).expect("a file")).collect()
}

#[tokio::test]
async fn a_wasm_that_is_no_file_is_named() {
    let builder = Host::builder().programs(&["echo"]);
    std::os::unix::fs::symlink("nowhere", builder.folder().join("functions/lost.wasm"))
        .expect("a link");
    refused(builder, 1, &["functions/lost.wasm cannot be read"]).await;
}

#[tokio::test]
async fn a_real_azure_host_json_starts_with_notices() {
    let host = Host::builder()
        .programs(&["snippets"])
        .host_json(json!({
            "version": "2.0",
            "logging": { "applicationInsights": { "samplingSettings": { "isEnabled": true, "excludedTypes": "Request" },
                         "enableLiveMetricsFilters": true } },
            "extensionBundle": { "id": "Microsoft.Azure.Functions.ExtensionBundle", "version": "[4.0.0, 5.0.0)" },
            "extensions": { "mcp": { "ServerName": "Azure", "serverVersion": "2.0.0", "encryptClientState": true,
                            "messageOptions": { "useAbsoluteUriForEndpoint": false },
                            "system": { "webhookAuthorizationLevel": "System" } } }
        }))
        .start()
        .await;
    host.logged("logging").await;
    host.logged("extensionBundle").await;
    let discovered = host.post_modern("server/discover", json!({})).await;
    let info = &discovered.body["result"]["_meta"]["io.modelcontextprotocol/serverInfo"];
    assert_eq!(info["name"], "Azure");
    assert_eq!(info["version"], "2.0.0");
}

#[tokio::test]
async fn compiled_code_is_cached_for_its_owner_alone_and_never_trusted_when_changed() {
    use std::{fs, os::unix::fs::PermissionsExt};
    let host = Host::start(&["echo"]).await;
    host.logged("compiling functions/echo.wasm").await;
    let cache = host.folder().join(".mcpfn/cache");
    assert_eq!(fs::metadata(&cache).expect("the cache").permissions().mode() & 0o777, 0o700);
    let entry =
        fs::read_dir(&cache).expect("the cache").map(|entry| entry.expect("an entry").path());
    let entry = entry
        .into_iter()
        .find(|path| path.extension().is_some_and(|e| e == "cwasm"))
        .expect("one entry");
    let mut bytes = fs::read(&entry).expect("compiled code");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    fs::write(&entry, &bytes).expect("it is changed");
    let (_, stopped) = host.stop().await;
    let host = stopped.start().await;
    assert_eq!(host.call_text("echo", json!({ "text": "rebuilt" })).await, "rebuilt");
    assert_ne!(fs::read(&entry).expect("compiled code"), bytes, "the changed entry was kept");
}

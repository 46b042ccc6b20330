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
async fn an_optional_argument_in_a_path_is_told_once() {
    let finished = Host::builder().programs(&["named_outputs"]).run(&["check"]).await;
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    let notice = "named_outputs.wasm: function `writes_maybe`: binding `file`: path `outputs/{mcptoolargs.maybe}`: \
                  argument `maybe` is optional, and without it nothing can be written (give it a default: \
                  `{mcptoolargs.maybe=..}`)";
    assert_eq!(finished.stderr.matches(notice).count(), 1, "{}", finished.stderr);
    assert_eq!(finished.stderr.matches("is optional").count(), 1, "{}", finished.stderr);
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

//! The commands that do not serve.

use serde_json::{Value, json};

use crate::harness::{Builder, Host};

#[tokio::test]
async fn call_runs_one_invocation_and_prints_what_it_came_to() {
    let finished = Host::builder()
        .programs(&["snippets"])
        .run(&["call", "save_snippet", "--arg", "snippetname=a", "--arg", "snippet=b=c"])
        .await;
    assert_eq!(
        (finished.code, finished.stdout.as_str()),
        (Some(0), "b=c\n"),
        "{}",
        finished.stderr
    );
    let blob = finished.folder.path().join(".mcpfn/storage/snippets/a.json");
    assert_eq!(std::fs::read(blob).expect("the blob"), b"b=c");
    let finished = Builder::again(finished.folder)
        .run_with_input(&["call", "get_snippets", "--json", "-"], r#"{ "snippetname": "a" }"#)
        .await;
    assert_eq!(
        (finished.code, finished.stdout.as_str()),
        (Some(0), "b=c\n"),
        "{}",
        finished.stderr
    );
}

#[tokio::test]
async fn call_takes_the_type_of_an_argument_from_the_schema() {
    let finished =
        Host::builder().programs(&["sleepy"]).run(&["call", "sleeps", "--arg", "ms=1"]).await;
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
}

#[tokio::test]
async fn call_of_a_tool_that_fails_ends_with_1_and_its_message() {
    let finished =
        Host::builder().programs(&["fails"]).run(&["call", "fails", "--arg", "message=no"]).await;
    assert_eq!(finished.code, Some(1));
    assert!(finished.stderr.lines().any(|line| line == "no"), "{}", finished.stderr);
    assert_eq!(finished.stdout, "");
}

#[tokio::test]
async fn call_with_arguments_that_do_not_fit_says_which() {
    let finished = Host::builder().programs(&["snippets"]).run(&["call", "save_snippet"]).await;
    assert_eq!(finished.code, Some(1));
    assert!(
        finished.stderr.contains("Please provide: snippetname, snippet"),
        "{}",
        finished.stderr
    );
}

#[tokio::test]
async fn call_with_an_argument_that_the_tool_has_not_names_the_nearest() {
    let builder = Host::builder().programs(&["snippets"]);
    let finished = builder.run(&["call", "save_snippet", "--arg", "snipetname=a"]).await;
    assert_eq!(finished.code, Some(2));
    assert!(
        finished
            .stderr
            .contains("the tool has no argument `snipetname` (did you mean `snippetname`?)"),
        "{}",
        finished.stderr
    );
}

#[tokio::test]
async fn call_of_an_unknown_tool_lists_the_known_ones() {
    let finished = Host::builder().programs(&["fails"]).run(&["call", "fail"]).await;
    assert_eq!(finished.code, Some(1));
    assert!(
        finished.stderr.contains("unknown tool `fail` (there are: fails, replies_with_error)"),
        "{}",
        finished.stderr
    );
}

#[tokio::test]
async fn list_shows_where_each_part_was_declared() {
    let host_json = json!({ "version": "2.0", "functions": { "get_snippets": { "bindings": [
        { "type": "mcpToolTrigger", "direction": "in", "name": "c", "description": "Mine.", "toolProperties": [
            { "propertyName": "snippetname", "propertyType": "string", "isRequired": true } ] },
        { "type": "blob", "direction": "in", "name": "snippet", "path": "mine/{mcptoolargs.snippetname}" } ] } } });
    let finished =
        Host::builder().programs(&["snippets"]).host_json(host_json).run(&["list", "--json"]).await;
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    let functions: Value = serde_json::from_str(&finished.stdout).expect("JSON");
    let get = functions
        .as_array()
        .into_iter()
        .flatten()
        .find(|f| f["name"] == "get_snippets")
        .expect("it is listed");
    assert_eq!(get["origin"]["description"], "host.json");
    assert_eq!(get["origin"]["toolName"], "component");
    assert_eq!(get["bindings"][0]["origin"], "host.json");
    let finished = Builder::again(finished.folder).run(&["list"]).await;
    for part in [
        "get_snippets",
        "snippetname: string",
        "in  snippet = blob mine/{mcptoolargs.snippetname} (host.json)",
    ] {
        assert!(finished.stdout.contains(part), "`{part}` is not in:\n{}", finished.stdout);
    }
}

#[tokio::test]
async fn schema_prints_a_json_schema_that_the_repositorys_host_json_fits() {
    let finished = Host::builder().run(&["schema"]).await;
    assert_eq!(finished.code, Some(0));
    let schema: Value = serde_json::from_str(&finished.stdout).expect("JSON");
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let text =
        std::fs::read_to_string(crate::harness::repository().join("host.json")).expect("host.json");
    let host_json: Value = serde_json::from_str(&text).expect("JSON");
    assert!(validator.is_valid(&host_json));
}

#[tokio::test]
async fn check_of_a_good_folder_says_how_many_functions_there_are() {
    let finished = Host::builder().programs(&["echo"]).run(&["check"]).await;
    assert_eq!(
        (finished.code, finished.stdout.as_str()),
        (Some(0), "ok: 2 functions\n"),
        "{}",
        finished.stderr
    );
}

#[tokio::test]
async fn check_of_connections_tries_each_and_fails_if_one_cannot_be_reached() {
    let host_json = json!({
        "version": "2.0",
        "connections": {
            "AzureWebJobsStorage": { "url": "file:./storage" },
            "Spare": { "url": "memory:" }
        }
    });
    let command = Host::builder().programs(&["snippets"]).host_json(host_json);
    let good = command.run(&["check", "--connections"]).await;
    assert_eq!(good.code, Some(0), "{}", good.stderr);
    let rows: Vec<Vec<&str>> =
        good.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["CONNECTION", "KIND", "WHERE", "FOUND"]);
    let (storage, spare) = (rows[1].join(" "), rows[2].join(" "));
    assert!(storage.starts_with("AzureWebJobsStorage folder "), "{storage}");
    let found = "snippets: not there yet (it is made at the first write)";
    assert!(storage.ends_with(found), "{storage}");
    assert_eq!(spare, "Spare memory this process not tried: nothing uses it");
    assert!(!good.folder.path().join("storage").exists());

    // A file in the place of the container.
    std::fs::create_dir(good.folder.path().join("storage")).expect("a folder");
    std::fs::write(good.folder.path().join("storage/snippets"), "").expect("a file");
    let bad = Builder::again(good.folder).run(&["check", "--connections"]).await;
    assert_eq!(bad.code, Some(1), "{}", bad.stderr);
    assert!(
        bad.stdout.contains("snippets: FAILED: storage failed (not a directory)"),
        "{}",
        bad.stdout
    );
    assert_eq!(bad.stderr.lines().filter(|line| line.starts_with("error")).count(), 0);
}

#[tokio::test]
async fn start_prints_the_tools_and_a_client_configuration() {
    let host = Host::builder()
        .programs(&["snippets"])
        .host_json(
            json!({ "version": "2.0", "extensions": { "mcp": { "serverName": "Snippets" } } }),
        )
        .start()
        .await;
    host.logged("out $return = blob snippets/{mcptoolargs.snippetname}.json").await;
    host.logged(&format!("\"url\": \"{}/mcp\"", host.url())).await;
    host.logged("\"Snippets\": {").await;
}

#[tokio::test]
async fn call_says_how_far_the_work_is() {
    let command = Host::builder().programs(&["everything"]);
    let finished = command.run(&["call", "test_tool_with_progress"]).await;
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    assert!(finished.stderr.contains("50 of 100"), "{}", finished.stderr);
    assert_eq!(finished.stdout, "Tool with progress executed successfully\n");
}

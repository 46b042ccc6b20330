//! What a tool answers, as a client sees it.

use serde_json::{Value, json};

use crate::harness::Host;

#[tokio::test]
async fn every_kind_of_block_reaches_the_client() {
    let host = Host::start(&["blocks"]).await;
    let first = async |tool: &str| host.call(tool, json!({})).await["content"][0].clone();
    let image = first("returns_image").await;
    assert_eq!((&image["type"], &image["mimeType"]), (&json!("image"), &json!("image/png")));
    assert!(image["data"].as_str().is_some_and(|data| data.starts_with("iVBORw0KGgo")), "{image}");
    let audio = first("returns_audio").await;
    assert_eq!((&audio["type"], &audio["mimeType"]), (&json!("audio"), &json!("audio/wav")));
    assert_eq!(
        first("returns_resource").await,
        json!({ "type": "resource", "resource": {
            "uri": "test://blocks/text", "mimeType": "text/plain", "text": "embedded" } })
    );
    assert_eq!(first("returns_resource_bytes").await["resource"]["blob"], "AP8=");
    assert_eq!(first("returns_link").await["type"], "resource_link");
}

#[tokio::test]
async fn blocks_keep_their_order_annotations_and_meta() {
    let host = Host::start(&["blocks"]).await;
    let result = host.call("returns_mixed", json!({})).await;
    let kinds: Vec<&Value> =
        result["content"].as_array().expect("blocks").iter().map(|block| &block["type"]).collect();
    assert_eq!(kinds, ["text", "image", "text"]);
    assert_eq!(result["content"][1]["annotations"]["priority"], 0.5);
    assert_eq!(result["content"][2]["_meta"]["example.com/block"], 1);
    assert_eq!(result["_meta"]["example.com/reply"], true);
}

#[tokio::test]
async fn nothing_is_no_content() {
    let host = Host::start(&["blocks"]).await;
    assert_eq!(host.call("returns_nothing", json!({})).await["content"], json!([]));
    assert_eq!(host.call_text("returns_nothing", json!({ "text": "" })).await, "");
}

#[tokio::test]
async fn a_value_is_structured_content_and_its_text() {
    let host = Host::start(&["structured"]).await;
    let result = host.call("by_serde", json!({})).await;
    assert_eq!(result["structuredContent"], json!({ "x": 1, "y": -1 }));
    assert_eq!(result["content"], json!([{ "type": "text", "text": "{\"x\":1,\"y\":-1}" }]));
}

#[tokio::test]
async fn a_structured_result_fits_the_schema_that_is_listed() {
    let host = Host::start(&["structured", "greeting"]).await;
    let listed = host.post_modern("tools/list", json!({})).await;
    for (tool, arguments) in
        [("structured", json!({ "windy": true })), ("greet", json!({ "name": "Ada" }))]
    {
        let tools = listed.body["result"]["tools"].as_array().expect("tools");
        let schema = &tools.iter().find(|t| t["name"] == tool).expect("the tool")["outputSchema"];
        let validator = jsonschema::validator_for(schema).expect("a schema");
        let result = host.call(tool, arguments).await;
        assert!(validator.is_valid(&result["structuredContent"]), "{tool}: {result}");
    }
}

#[tokio::test]
async fn a_result_that_does_not_fit_its_schema_is_a_tool_error_that_names_the_path() {
    let host = Host::start(&["structured"]).await;
    let result = host.call("off_schema", json!({})).await;
    assert_eq!(result["isError"], true);
    assert!(result["structuredContent"].is_null());
    let text = result["content"][0]["text"].as_str().expect("a text");
    assert!(
        text.starts_with(
            "the tool returned structured content that does not fit its output schema: \
             `/n` expected integer, got string"
        ),
        "{text}"
    );
    let line = host.logged("the result does not fit the output schema").await;
    assert!(line.contains("`/n` expected integer, got string"), "{line}");
}

#[tokio::test]
async fn what_the_protocol_does_not_know_is_passed_on_as_it_is() {
    let host = Host::start(&["structured"]).await;
    let params = json!({ "name": "returns_unknown" });
    let modern = host.post_modern("tools/call", params.clone()).await;
    let legacy = host.post_legacy("tools/call", params).await;
    for response in [&modern, &legacy] {
        for part in [
            r#""content":[{"aUnknown":{"b":[1.5,null]},"text":"t","type":"text","zUnknown":""}]"#,
            r#""structuredContent":{"z":1.0,"a":[null]}"#,
            r#""_meta":{"a.example/y":{"c":1},"b.example/x":[]"#,
        ] {
            assert!(response.text.contains(part), "{part} is not in {}", response.text);
        }
    }
}

#[tokio::test]
async fn a_schema_of_a_list_is_shown_to_modern_clients_only() {
    let host = Host::start(&["structured"]).await;
    let modern = host.post_modern("tools/list", json!({})).await;
    let legacy = host.post_legacy("tools/list", json!({})).await;
    let schema = |body: &Value| {
        let tools = body["result"]["tools"].as_array().expect("tools").clone();
        let tool = tools.into_iter().find(|tool| tool["name"] == "listed").expect("the tool");
        tool.get("outputSchema").cloned()
    };
    assert_eq!(schema(&modern.body).expect("a schema")["type"], "array");
    assert_eq!(schema(&legacy.body), None);
    let result = host.post_legacy("tools/call", json!({ "name": "listed" })).await.body;
    assert_eq!(result["result"], json!({ "content": [{ "type": "text", "text": "[1,2]" }] }));
    assert_eq!(host.call("listed", json!({})).await["structuredContent"], json!([1, 2]));
}

#[tokio::test]
async fn a_structured_result_may_be_nothing() {
    let host = Host::start(&["structured"]).await;
    let nothing = host.call("maybe_structured", json!({ "any": false })).await;
    assert_eq!((&nothing["content"], nothing["isError"] == true), (&json!([]), false));
    let weather = host.call("maybe_structured", json!({ "any": true })).await;
    assert!(weather["structuredContent"].is_object(), "{weather}");
}

#[tokio::test]
async fn legacy_clients_get_structured_content_only_as_an_object() {
    let host = Host::start(&["structured"]).await;
    let call = async |tool| {
        let response = host.post_legacy("tools/call", json!({ "name": tool })).await;
        response.body["result"].clone()
    };
    assert_eq!(call("by_serde").await["structuredContent"], json!({ "x": 1, "y": -1 }));
    let reply = call("structured_reply").await;
    assert!(reply["structuredContent"].is_null(), "{reply}");
    assert_eq!(reply["content"][0]["text"], "two points");
    let modern = host.call("structured_reply", json!({})).await;
    assert_eq!(modern["structuredContent"], json!([{ "x": 0, "y": 0 }, { "x": 1, "y": 1 }]));
}

#[tokio::test]
async fn arguments_of_every_type_reach_the_tool() {
    let host = Host::start(&["typed"]).await;
    let flat = json!({
        "text": "t", "count": -3, "ratio": 0.5, "flag": true, "tags": ["a", "b"], "priority": "very-high",
        "extra": { "b": 1, "a": 2 }
    });
    let result = host.call("takes_flat", flat).await;
    assert_eq!(
        result["structuredContent"],
        json!({ "text": "t", "count": -3, "ratio": 0.5, "flag": true, "tags": ["a", "b"], "priority": "High",
                "priorities": "None", "extra": { "b": 1, "a": 2 }, "plain": null })
    );
}

#[tokio::test]
async fn nested_arguments_defaults_and_constraints_hold() {
    let host = Host::start(&["typed"]).await;
    let order = json!({ "itemName": "tea pot", "place": { "town": "Oslo", "floor": 3 } });
    let result = host.call("takes_order", order).await;
    assert_eq!(
        result["structuredContent"],
        json!({ "itemName": "tea pot", "nItems": 1, "place": ["Oslo", 3], "otherPlaces": null,
                "priority": "Normal", "email": null })
    );
    let wrong = json!({ "itemName": "TEA", "nItems": 100, "place": { "town": "Oslo", "floor": "tall" },
                        "priority": "urgent", "email": "nobody" });
    let error = host.call_error("takes_order", wrong).await;
    let paths: Vec<&str> = error.lines().filter_map(|line| line.split(':').next()).collect();
    for path in ["/itemName", "/nItems", "/place/floor", "/priority", "/email"] {
        assert!(paths.contains(&path), "{path} is not named in:\n{error}");
    }
    for value in ["TEA", "100", "tall", "urgent", "nobody"] {
        assert!(!error.contains(value), "a value is repeated in:\n{error}");
    }
}

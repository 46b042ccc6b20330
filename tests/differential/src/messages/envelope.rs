//! What JSON-RPC knows: ids, versions, batches, notifications, responses; and what is no message.

use serde_json::{Value, json};

use super::{Era, Message, nothing, with_meta};

/// Deeper than any parser wants to go, and deeper than some stacks are.
const DEPTHS: [(&str, usize); 3] = [("deep-100", 100), ("deep-1000", 1000), ("deep-20000", 20_000)];

pub(super) fn add(era: Era, all: &mut Vec<Message>) {
    ids(era, all);
    versions(era, all);
    bodies(era, all);
    notifications(era, all);
    responses(era, all);
}

/// A request for the list of tools, to be changed.
fn list(era: Era) -> Value {
    let params = with_meta(era, nothing());
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params })
}

fn ids(era: Era, all: &mut Vec<Message>) {
    for (variant, id) in [
        ("text", json!("one")),
        ("text-empty", json!("")),
        ("zero", json!(0)),
        ("negative", json!(-1)),
        ("large", json!(9_007_199_254_740_993_u64)),
        ("fraction", json!(1.5)),
        ("null", Value::Null),
        ("bool", json!(true)),
        ("array", json!([1])),
        ("object", json!({})),
    ] {
        let mut body = list(era);
        body["id"] = id;
        all.push(Message::posted(era, &format!("id/{variant}"), "tools/list", &body));
    }
}

fn versions(era: Era, all: &mut Vec<Message>) {
    for (variant, version) in
        [("1.0", json!("1.0")), ("number", json!(2.0)), ("null", Value::Null), ("text", json!("2"))]
    {
        let mut body = list(era);
        body["jsonrpc"] = version;
        all.push(Message::posted(era, &format!("jsonrpc/{variant}"), "tools/list", &body));
    }
    for member in ["jsonrpc", "method"] {
        let mut body = list(era);
        body.as_object_mut().expect("a request is an object").remove(member);
        all.push(Message::posted(era, &format!("{member}/missing"), "tools/list", &body));
    }
    for (variant, method) in [("null", Value::Null), ("number", json!(1)), ("array", json!([]))] {
        let mut body = list(era);
        body["method"] = method;
        all.push(Message::posted(era, &format!("method/{variant}"), "tools/list", &body));
    }
    let mut body = list(era);
    body["extra"] = json!(1);
    all.push(Message::posted(era, "envelope/unknown-member", "tools/list", &body));
    body["result"] = nothing();
    all.push(Message::posted(era, "envelope/request-and-response", "tools/list", &body));
}

fn bodies(era: Era, all: &mut Vec<Message>) {
    let list = list(era).to_string();
    let mut add = |variant: &str, body: Vec<u8>| {
        all.push(Message::raw(era, &format!("body/{variant}"), "tools/list", body));
    };
    for (variant, body) in [
        ("empty", ""),
        ("space", "  \n"),
        ("text", "hello"),
        ("cut", &list[..list.len() - 2]),
        ("null", "null"),
        ("number", "1"),
        ("string", "\"tools/list\""),
        ("object-empty", "{}"),
        ("batch-empty", "[]"),
        ("trailing-comma", "{\"jsonrpc\":\"2.0\",}"),
    ] {
        add(variant, body.into());
    }
    add("batch-of-one", format!("[{list}]").into());
    add("batch-of-two", format!("[{list},{list}]").into());
    add("twice", format!("{list}{list}").into());
    add("space-around", format!(" \n{list}\n ").into());
    add("byte-order-mark", format!("\u{feff}{list}").into());
    add("not-utf8", [list.replace("tools/list", "tools/").as_bytes(), b"\xff"].concat());
    add("duplicate-id", list.replacen("\"id\":1", "\"id\":1,\"id\":2", 1).into());
    add(
        "duplicate-method",
        list.replacen("\"method\"", "\"method\":\"ping\",\"method\"", 1).into(),
    );
    for (variant, depth) in DEPTHS {
        let deep = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let body = list.replacen("\"params\":{", &format!("\"params\":{{\"deep\":{deep},"), 1);
        // Without other parameters the comma has to go.
        add(variant, body.replace(",}", "}").into());
    }
}

fn notifications(era: Era, all: &mut Vec<Message>) {
    for (variant, method, params) in [
        ("initialized", "notifications/initialized", nothing()),
        ("cancelled", "notifications/cancelled", json!({ "requestId": 77 })),
        ("cancelled-without-id", "notifications/cancelled", nothing()),
        ("cancelled-id-object", "notifications/cancelled", json!({ "requestId": {} })),
        ("progress", "notifications/progress", json!({ "progressToken": 1, "progress": 1 })),
        ("roots", "notifications/roots/list_changed", nothing()),
        ("of-servers", "notifications/tools/list_changed", nothing()),
        ("unknown", "notifications/unknown", nothing()),
        ("no-notification", "hello", nothing()),
        ("of-a-request", "tools/list", nothing()),
    ] {
        let params = with_meta(era, params);
        let body = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        all.push(Message::posted(era, &format!("notification/{variant}"), method, &body));
    }
    for (variant, params) in [("params-null", Value::Null), ("params-array", json!([]))] {
        let method = "notifications/initialized";
        let body = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        all.push(Message::posted(era, &format!("notification/{variant}"), method, &body));
    }
}

fn responses(era: Era, all: &mut Vec<Message>) {
    let error = json!({ "code": -32603, "message": "no" });
    for (variant, body) in [
        ("result", json!({ "jsonrpc": "2.0", "id": 77, "result": {} })),
        ("result-null", json!({ "jsonrpc": "2.0", "id": 77, "result": null })),
        ("result-without-id", json!({ "jsonrpc": "2.0", "result": {} })),
        ("error", json!({ "jsonrpc": "2.0", "id": 77, "error": error })),
        ("error-without-id", json!({ "jsonrpc": "2.0", "error": error })),
        ("error-and-result", json!({ "jsonrpc": "2.0", "id": 77, "error": error, "result": {} })),
    ] {
        all.push(
            Message::posted(era, &format!("response/{variant}"), "", &body).without("Mcp-Method"),
        );
    }
}

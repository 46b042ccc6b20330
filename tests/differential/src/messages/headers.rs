//! What HTTP carries beside the message: the headers of MCP, media types, origins, other verbs.

use serde_json::{Value, json};

use super::{Era, Message, nothing};

/// The longest that any header is.
const LONG: usize = 4000;

pub(super) fn add(era: Era, all: &mut Vec<Message>) {
    media_types(era, all);
    origins(era, all);
    verbs(era, all);
    match era {
        Era::Modern => {
            routing(all);
            meta(all);
        }
        Era::Legacy => sessions(all),
    }
}

fn list(era: Era, name: &str) -> Message {
    Message::request(era, name, "tools/list", nothing())
}

fn media_types(era: Era, all: &mut Vec<Message>) {
    for (variant, value) in [
        ("json", "application/json"),
        ("events", "text/event-stream"),
        ("anything", "*/*"),
        ("html", "text/html"),
        ("weighted", "application/json;q=0.5, text/event-stream;q=0.1"),
        ("other-case", "Application/JSON, TEXT/event-stream"),
    ] {
        all.push(list(era, &format!("accept/{variant}")).header("Accept", value));
    }
    all.push(list(era, "accept/missing").without("Accept"));
    for (variant, value) in [
        ("charset", "application/json; charset=utf-8"),
        ("other-case", "APPLICATION/JSON"),
        ("text", "text/plain"),
        ("form", "application/x-www-form-urlencoded"),
    ] {
        all.push(list(era, &format!("content-type/{variant}")).header("Content-Type", value));
    }
    all.push(list(era, "content-type/missing").without("Content-Type"));
}

fn origins(era: Era, all: &mut Vec<Message>) {
    for (variant, value) in [
        ("evil", "http://evil.example"),
        ("null", "null"),
        ("localhost", "http://localhost:6274"),
        ("no-origin", "localhost"),
    ] {
        all.push(list(era, &format!("origin/{variant}")).header("Origin", value));
    }
    for (variant, value) in
        [("evil", "evil.example"), ("address", "127.0.0.1:80"), ("nonsense", "a b")]
    {
        all.push(list(era, &format!("host/{variant}")).header("Host", value));
    }
}

fn verbs(era: Era, all: &mut Vec<Message>) {
    for verb in ["GET", "DELETE", "PUT", "PATCH", "OPTIONS"] {
        let mut message = list(era, &format!("verb/{verb}"));
        message.verb = verb;
        if verb == "GET" || verb == "DELETE" {
            message.body.clear();
        }
        all.push(message);
    }
}

/// The headers that repeat what the body says.
fn routing(all: &mut Vec<Message>) {
    let era = Era::Modern;
    let call = |name: &str| {
        Message::request(era, name, "tools/call", json!({ "name": "test_simple_text" }))
    };
    for (variant, value) in
        [("other", "tools/call"), ("other-case", "TOOLS/LIST"), ("space", "  tools/list  ")]
    {
        all.push(list(era, &format!("mcp-method/{variant}")).header("Mcp-Method", value));
    }
    all.push(list(era, "mcp-method/missing").without("Mcp-Method"));
    for (variant, value) in [
        ("other", "greet"),
        ("other-case", "Test_Simple_Text"),
        ("base64", "=?base64?dGVzdF9zaW1wbGVfdGV4dA==?="),
        ("base64-broken", "=?base64?!!?="),
        ("base64-other-case", "=?BASE64?dGVzdF9zaW1wbGVfdGV4dA==?="),
        ("empty", ""),
    ] {
        all.push(call(&format!("mcp-name/{variant}")).header("Mcp-Name", value));
    }
    all.push(call("mcp-name/missing").without("Mcp-Name"));
    all.push(list(era, "mcp-name/unasked").header("Mcp-Name", "x"));
    for (variant, arguments, header) in [
        ("same", json!({ "value": "a" }), Some("a")),
        ("other", json!({ "value": "a" }), Some("b")),
        ("missing", json!({ "value": "a" }), None),
        ("unasked", json!({}), Some("a")),
        ("null", json!({ "value": null }), None),
        ("base64", json!({ "value": "a" }), Some("=?base64?YQ==?=")),
    ] {
        let params = json!({ "name": "test_custom_header", "arguments": arguments });
        let name = format!("mcp-param/{variant}");
        let message = Message::request(era, &name, "tools/call", params);
        all.push(match header {
            Some(value) => message.header("Mcp-Param-Value", value),
            None => message,
        });
    }
    for (variant, value) in [
        ("older", "2025-11-25"),
        ("oldest", "2024-11-05"),
        ("unknown", "2099-01-01"),
        ("nonsense", "latest"),
        ("empty", ""),
    ] {
        let message = list(era, &format!("version-header/{variant}"));
        all.push(message.header("MCP-Protocol-Version", value));
    }
    all.push(list(era, "version-header/missing").without("MCP-Protocol-Version"));
    all.push(list(era, "header/session-id").header("Mcp-Session-Id", "nonsense"));
    all.push(list(era, "header/last-event-id").header("Last-Event-ID", "1"));
    all.push(list(era, "header/long").header("X-Long", &"x".repeat(LONG)));
}

/// What each request says about itself.
fn meta(all: &mut Vec<Message>) {
    let version = "io.modelcontextprotocol/protocolVersion";
    let capabilities = "io.modelcontextprotocol/clientCapabilities";
    let info = "io.modelcontextprotocol/clientInfo";
    let level = "io.modelcontextprotocol/logLevel";
    for (variant, member, value) in [
        ("version-missing", version, None),
        ("version-number", version, Some(json!(1))),
        ("version-unknown", version, Some(json!("2099-01-01"))),
        ("version-older", version, Some(json!("2025-11-25"))),
        ("capabilities-missing", capabilities, None),
        ("capabilities-null", capabilities, Some(Value::Null)),
        ("capabilities-array", capabilities, Some(json!([]))),
        ("capabilities-text", capabilities, Some(json!("all"))),
        ("capabilities-unknown", capabilities, Some(json!({ "telepathy": {} }))),
        ("info-text", info, Some(json!("me"))),
        ("info-whole", info, Some(json!({ "name": "me", "version": "1" }))),
        ("level-known", level, Some(json!("info"))),
        ("level-unknown", level, Some(json!("loud"))),
        ("progress-token-object", "progressToken", Some(json!({}))),
        ("progress-token-text", "progressToken", Some(json!("t"))),
        ("traceparent", "traceparent", Some(json!("00-0-0-00"))),
    ] {
        let message = list(Era::Modern, &format!("meta/{variant}"));
        let mut body: Value = serde_json::from_slice(&message.body).expect("it was made here");
        let meta = body["params"]["_meta"].as_object_mut().expect("it was made here");
        match &value {
            Some(value) => meta.insert(member.to_owned(), value.clone()),
            None => meta.remove(member),
        };
        let mut message = Message { body: body.to_string().into(), ..message };
        if let (true, Some(Value::String(value))) = (member == version, &value) {
            message = message.header("MCP-Protocol-Version", value);
        }
        all.push(message);
    }
    for (variant, meta) in [("null", Value::Null), ("array", json!([])), ("text", json!("x"))] {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list",
            "params": { "_meta": meta } });
        all.push(Message::posted(Era::Modern, &format!("meta/{variant}"), "tools/list", &body));
    }
}

/// Sessions and what is negotiated for them.
fn sessions(all: &mut Vec<Message>) {
    let era = Era::Legacy;
    all.push(list(era, "session/unknown").header("Mcp-Session-Id", "nonsense"));
    all.push(list(era, "session/empty").header("Mcp-Session-Id", ""));
    for (variant, value) in [
        ("older", "2025-06-18"),
        ("oldest", "2024-11-05"),
        ("unknown", "2099-01-01"),
        ("nonsense", "latest"),
    ] {
        let message = list(era, &format!("version-header/{variant}"));
        all.push(message.header("MCP-Protocol-Version", value));
    }
    all.push(list(era, "version-header/missing").without("MCP-Protocol-Version"));
    all.push(list(era, "header/mcp-method-other").header("Mcp-Method", "tools/call"));
    all.push(list(era, "header/last-event-id").header("Last-Event-ID", "1"));
    for (variant, version) in [
        ("2024-11-05", json!("2024-11-05")),
        ("2025-03-26", json!("2025-03-26")),
        ("2025-06-18", json!("2025-06-18")),
        ("2026-07-28", json!("2026-07-28")),
        ("unknown", json!("1999-01-01")),
        ("number", json!(1)),
        ("null", Value::Null),
    ] {
        let params = json!({ "protocolVersion": version, "capabilities": {},
            "clientInfo": { "name": "differential", "version": "0" } });
        let name = format!("initialize/version-{variant}");
        let message = Message::request(era, &name, "initialize", params);
        all.push(message.without("MCP-Protocol-Version"));
    }
    for member in ["capabilities", "clientInfo", "protocolVersion"] {
        let mut params = json!({ "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "differential", "version": "0" } });
        params.as_object_mut().expect("it was made here").remove(member);
        let name = format!("initialize/{member}-missing");
        let message = Message::request(era, &name, "initialize", params);
        all.push(message.without("MCP-Protocol-Version"));
    }
}

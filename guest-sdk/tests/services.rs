//! What a function declares of services and queues.

use mcpfn_sdk::{
    Delete, Out, http_input, http_output, mcp_tool, queue_output,
    runtime::Function,
    serde_json::{self, Value, json},
    testing,
    wit::Direction,
};

/// Has every form.
#[mcp_tool]
#[http_output(connection = "Weather", path = "/log", content_type = "text/plain", timeout = 5)]
#[queue_output(
    name = "above",
    queue_name = "jobs",
    connection = "Other",
    visibility_timeout = 0,
    time_to_live = -1
)]
fn forms(
    town: String,
    language: Option<String>,
    above: Out<String>,
    #[http_input(
        connection = "Weather",
        path = "/{mcptoolargs.town}?units={mcptoolargs.language=en}",
        headers(accept_language = "{mcptoolargs.language}"),
        max_bytes = 10
    )]
    text: Option<String>,
    #[http_input(connection = "Weather")] bytes: Option<Vec<u8>>,
    #[http_input(connection = "Weather")] json: Option<Value>,
    #[http_output(connection = "Weather", method = "PUT")] as_text: Out<String>,
    #[http_output(connection = "Weather")] as_bytes: Out<Vec<u8>>,
    #[http_output(connection = "Weather")] as_json: Out<Value>,
    #[http_output(connection = "Weather", path = "/{mcptoolargs.town}")] gone: Out<Delete>,
    #[queue_output(
        queue_name = "jobs",
        encoding = "none",
        visibility_timeout = 60,
        time_to_live = 3600
    )]
    job: Out<Vec<u8>>,
) -> &'static str {
    drop((town, language, above, text, bytes, json, as_text, as_bytes, as_json, gone, job));
    "done"
}

#[test]
fn attributes_become_what_the_host_reads() {
    let function = testing::describe::<forms>();
    let check = |name: &str, kind: &str, direction: Direction, expected: Value| {
        let found = function.bindings.iter().find(|own| own.name == name).expect("the binding");
        assert_eq!((found.kind.as_str(), found.direction), (kind, direction), "{name}");
        let config: Value = serde_json::from_str(&found.config).expect("JSON");
        assert_eq!(config, expected, "{name}");
    };
    let (input, output) = (Direction::Input, Direction::Output);
    check(
        "$return",
        "http",
        output,
        json!({"connection": "Weather", "path": "/log", "contentType": "text/plain", "timeout": 5}),
    );
    check(
        "text",
        "http",
        input,
        json!({
            "connection": "Weather", "path": "/{mcptoolargs.town}?units={mcptoolargs.language=en}",
            "headers": {"accept-language": "{mcptoolargs.language}"}, "maxBytes": 10,
        }),
    );
    check("bytes", "http", input, json!({"connection": "Weather", "dataType": "binary"}));
    check("json", "http", input, json!({"connection": "Weather"}));
    check(
        "as_text",
        "http",
        output,
        json!({"connection": "Weather", "method": "PUT", "dataType": "string"}),
    );
    check("as_bytes", "http", output, json!({"connection": "Weather", "dataType": "binary"}));
    check("as_json", "http", output, json!({"connection": "Weather", "dataType": "json"}));
    check(
        "gone",
        "http",
        output,
        json!({"connection": "Weather", "path": "/{mcptoolargs.town}", "method": "DELETE"}),
    );
    check(
        "above",
        "queue",
        output,
        json!({
            "queueName": "jobs", "connection": "Other", "visibilityTimeout": 0, "timeToLive": -1,
        }),
    );
    check(
        "job",
        "queue",
        output,
        json!({"queueName": "jobs", "encoding": "none", "visibilityTimeout": 60, "timeToLive": 3600}),
    );
    assert_eq!(forms::NAME, "forms");
}

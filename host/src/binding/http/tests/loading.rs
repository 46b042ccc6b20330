//! What a load says of declarations and connections that cannot work.

use serde_json::{Value as JsonValue, json};

use super::{Given, registry, weather};
use crate::{
    binding::{
        Scope,
        contract::{declaration, schema},
        scope::Root,
    },
    function::Direction,
};

#[track_caller]
fn check(direction: Direction, config: JsonValue, message: &str) {
    let connections: [Given<'_>; 2] =
        [("Weather", "%SERVICE%", &[("X-Own", "a")]), ("Store", "memory:", &[])];
    let registry = registry(&connections).unwrap();
    let declared = weather(direction, config);
    let schema = schema();
    let scope = Scope::new(Root::Tool, &schema);
    let made = match direction {
        Direction::Input => registry.input(&declared, &scope).map(|_| ()),
        Direction::Output => registry.output(&declared, &scope).map(|_| ()),
    };
    assert_eq!(made.unwrap_err().to_string(), message);
}

#[track_caller]
fn input(config: JsonValue, message: &str) {
    check(Direction::Input, config, message);
}

#[track_caller]
fn output(config: JsonValue, message: &str) {
    check(Direction::Output, config, message);
}

#[test]
fn declarations_that_cannot_work_are_errors() {
    input(
        json!({"connection": ""}),
        "`connection`: is missing (expected a name in `connections` of host.json)",
    );
    input(
        json!({"connection": "Wether"}),
        "connection `Wether`: does not exist (did you mean `Weather`?): define it in `connections` of host.json, with \
         its `url`",
    );
    // Or else a component could name any setting that holds an address.
    input(
        json!({"connection": "SettingOnly"}),
        "connection `SettingOnly`: does not exist (expected `Weather`): define it in `connections` of host.json, with \
         its `url`",
    );
    input(
        json!({"connection": "Store"}),
        "connection `Store`: leads to storage (expected an `https:` or `http:` url)",
    );
    input(
        json!({"url": "https://evil.example"}),
        "`url`: unknown key (expected `connection`, `path`, `method`, `headers`, `dataType`, `maxBytes`, `timeout`)",
    );
    input(json!({"method": "HEAD"}), "`method`: unknown `HEAD` (expected `GET`)");
    output(
        json!({"method": "GET"}),
        "`method`: unknown `GET` (expected `POST`, `PUT`, `PATCH`, `DELETE`)",
    );
    input(
        json!({"dataType": "stream"}),
        "`dataType`: unknown `stream` (expected `string`, `binary`, `json`)",
    );
    input(json!({"maxBytes": 0}), "`maxBytes`: expected a number from 1 to 67108864");
    input(json!({"timeout": 3601}), "`timeout`: expected a number from 1 to 3600");
    output(json!({"method": "DELETE", "contentType": "a/b"}), "`contentType`: a deletion has none");
    output(
        json!({"contentType": "text"}),
        "`contentType`: media type `text` is none (expected something like `text/plain`)",
    );
    output(json!({"contentType": "a/b; c=é"}), "`contentType`: media type `a/b; c=é` is not ASCII");
}

#[test]
fn paths_that_cannot_work_are_errors() {
    let path = |path: &str, reason: &str| {
        input(json!({"path": path}), &format!("path `{path}`: {reason}"));
    };
    for begins in [
        "x",
        "{mcptoolargs.name}",
        "{mcptoolargs.name}/x",
        "@evil.example",
        ":80/x",
        ".evil.example",
    ] {
        path(begins, "expected `/` or `?` at its beginning, and before any expression");
    }
    path("/a/../b", "has a path segment `.` or `..`");
    path("/a/.", "has a path segment `.` or `..`");
    path("/..%2Fb", "has a path segment `.` or `..`");
    path("/a/{mcptoolargs.name}/../b", "has a path segment `.` or `..`");
    path("/%2e%2E/b", "has a `%2E`, which some servers take for a `.` (write `.`)");
    let percent = "has a `%` without two hexadecimal digits (a setting belongs in `url` or `headers` of the \
                   connection, `%` itself is `%25`)";
    path("/%TOKEN%", percent);
    path("/x%", percent);
    path("/x%+1", percent);
    path("/x#y", "holds a `#` (write `%23`)");
    path("/x y", "holds a ` ` (write `%20`)");
    path("/x\\y", "holds a `\\` (write `%5C`)");
    path("/x?$filter=name eq 'x'", "holds a ` ` (write `%20`)");
    path("/x?'", "holds a `'` (write `%27`)");
    path("/{{x}}", "holds a `{` (write `%7B`)");
    path("/x\ny", "holds a control character");
    path("/é", "holds a `é` (percent-encode its UTF-8)");
    path("/{mcptoolargs.nam}", "the function has no argument `nam` (did you mean `name`?)");
}

#[test]
fn headers_that_no_declaration_may_send_are_errors() {
    let header = |name: &str, value: JsonValue, reason: &str| {
        input(json!({"headers": {name: value}}), &format!("`headers/{name}`: {reason}"));
    };
    let secret = "belongs in the connection: no declaration holds a secret";
    for name in ["Authorization", "x-api-key", "Cookie", "X-Auth-Token", "Proxy-Authorization"] {
        header(name, json!("a"), secret);
    }
    for name in ["Host", "content-length", "Connection", "Transfer-Encoding"] {
        header(name, json!("a"), "is set by the host alone");
    }
    for name in ["X-Forwarded-Host", "x-original-url", "X-HTTP-Method-Override"] {
        header(
            name,
            json!("a"),
            "may change where a request goes, so only the connection sends it",
        );
    }
    header("Content-Type", json!("a"), "is `contentType` of an output");
    header("x-own", json!("b"), "is sent by the connection `Weather` already");
    header("a b", json!("b"), "is no name of a header (expected letters, digits, `-` and `_`)");
    header(
        "X-Leak",
        json!("%TOKEN%"),
        "a component's header may hold no `%` (a setting belongs in `headers` of the connection)",
    );
    input(
        json!({"headers": {"A": "b", "a": "c"}}),
        "`headers/a`: is there twice (case is ignored)",
    );
    input(json!({"headers": {"A": 1}}), "`headers`: `A` is not a text");
    input(json!({"headers": []}), "`headers`: expected an object of names and texts");
}

#[test]
fn connections_that_cannot_work_are_errors_that_hold_no_secret() {
    let check = |url: &str, headers: &[(&str, &str)], message: &str| {
        let error = registry(&[("A", url, headers)]).unwrap_err().to_string();
        assert_eq!(error, format!("connection `A`: {message}"));
        assert!(!error.contains("s3cret"));
    };
    let url = "https://api.example.com";
    check("https://", &[], "the url is none: empty host");
    check("https://a b", &[], "the url is none: invalid international domain name");
    check("https://x/#y", &[], "a url of a service has no `#`");
    check(
        "https://me:s3cret@x",
        &[],
        "a name or a password does not belong in a url: use `headers`, with `%SETTING%` for the secret",
    );
    check(
        "https://x/?units=metric&appid=s3cret",
        &[],
        "a key does not belong in host.json: put the value of `appid` into a setting and write `appid=%SETTING%`",
    );
    check(
        "https://%MISSING%",
        &[],
        "the setting `MISSING` has no value (define it in local.settings.json or the environment)",
    );
    let open = "looks like a secret, and a secret does not belong in host.json: put it into a setting and write \
                `%SETTING%`";
    check(url, &[("Authorization", "Bearer s3cret")], &format!("header `Authorization` {open}"));
    check(url, &[("x-api-key", "s3cret")], &format!("header `x-api-key` {open}"));
    check(
        url,
        &[("Authorization", "%MISSING%")],
        "header `Authorization` cannot be made: the setting `MISSING` has no value (define it in local.settings.json \
         or the environment)",
    );
    check(
        url,
        &[("Authorization", "%BROKEN%")],
        "header `Authorization` holds what no header may: a control character, or what is not ASCII",
    );
    check(url, &[("Host", "x")], "header `Host` is set by the host alone");
    check(url, &[("A", "b"), ("a", "c")], "header `a` is there twice (case is ignored)");
    check(
        "memory:",
        &[("A", "b")],
        "header `A` is for a service only (expected an `https:` or `http:` url)",
    );
    let registry = registry(&[("A", "https://x/v1?key=%TOKEN%", &[("X-Key", "%TOKEN%")])]).unwrap();
    assert!(!format!("{registry:?}").contains("s3cret"), "{registry:?}");
    let blob = declaration("blob", Direction::Input, json!({"path": "abc/x", "connection": "A"}));
    let error = registry.input(&blob, &Scope::new(Root::Tool, &schema())).unwrap_err();
    let error = error.to_string();
    assert!(
        error.starts_with(
            "connection `A`: leads to a service, which keeps no blobs (expected `file:PATH`"
        ),
        "{error}"
    );
}

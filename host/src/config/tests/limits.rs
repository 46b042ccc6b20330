//! What host.json may say of limits, for all functions and for one.

use std::time::Duration;

use super::{check_members, load};
use crate::function::{Concurrency, Limits};

#[test]
fn what_a_function_says_of_limits_goes_before_what_all_are_told() {
    let config = load(
        r#"{"version":"2.0","functionTimeout":"00:01:00","maxQueue":7,
            "limits":{"memoryMiB":32,"cpuTimeMs":500,"logKiB":1},
            "functions":{"f":{"functionTimeout":"-1","maxConcurrency":2,
                "limits":{"memoryMiB":128,"handles":10,"argumentsKiB":2}}}}"#,
    )
    .unwrap();
    let all = Limits {
        time: Some(Duration::from_mins(1)),
        cpu_time: Some(Duration::from_millis(500)),
        memory: 32 << 20,
        log: 1 << 10,
        ..Limits::default()
    };
    assert_eq!(config.limits, all);
    let one =
        Limits { time: None, memory: 128 << 20, handles: 10, arguments: Some(2 << 10), ..all };
    assert_eq!(config.functions[0].limits, one);
    assert_eq!(config.functions[0].concurrency, Concurrency { running: Some(2), waiting: 7 });
}

#[test]
fn limits_out_of_their_range_are_errors_wherever_they_stand() {
    for (limits, message) in [
        (r#""memoryMiB":5000"#, "memoryMiB: expected at most 4096, got 5000"),
        (r#""memoryMiB":0"#, "memoryMiB: expected at least 1, got 0"),
        (r#""memoryMiB":"64""#, "memoryMiB: expected integer, got string"),
        (r#""cpuTimeMs":5"#, "cpuTimeMs: expected at least 10, got 5"),
        (r#""tableElements":-1"#, "tableElements: expected at least 1, got -1"),
        (r#""memory":64"#, "memory: unknown key (did you mean `memoryMiB`?)"),
    ] {
        check_members(&format!(r#""limits":{{{limits}}}"#), &format!("/limits/{message}"));
        check_members(
            &format!(r#""functions":{{"f":{{"limits":{{{limits}}}}}}}"#),
            &format!("/functions/f/limits/{message}"),
        );
    }
    check_members(
        r#""functions":{"f":{"functionTimeout":"00:00:00"}}"#,
        "/functions/f/functionTimeout: expected at least `00:00:01`, got `00:00:00`",
    );
    check_members(
        r#""functions":{"f":{"warm":{"idle":"-1"}}}"#,
        "/functions/f/warm/idle: expected `hh:mm:ss`, got `-1`",
    );
    check_members(
        r#""functions":{"f":{"warm":{"idle":"00:00:00"}}}"#,
        "/functions/f/warm/idle: expected at least `00:00:01`, got `00:00:00`",
    );
    check_members(r#""maxConcurrency":0"#, "/maxConcurrency: expected at least 1, got 0");
    check_members(
        r#""engine":{"pooling":"auto"}"#,
        "/engine/pooling: expected boolean, got string",
    );
}

//! Instances that are kept between the calls of one function.

use std::sync::Arc;

use mcpfn::{
    config::{Config, Environment},
    function::{Caller, ComponentName, Invocation, Outcome, TransportKind},
    host::{Loader, Progress},
};
use serde_json::{Value, json, value::RawValue};

use crate::harness::{Builder, Host};

/// A tool that answers how often its instance was called before.
fn remembers(warm: Value) -> Builder {
    Host::builder().programs(&["remembers"]).host_json(json!({
        "version": "2.0",
        "functions": { "remembers": { "warm": warm } }
    }))
}

async fn counts(host: &Host, n_calls: usize) -> Vec<String> {
    let mut counts = Vec::new();
    for _ in 0..n_calls {
        counts.push(host.call_text("remembers", json!({})).await);
    }
    counts
}

#[tokio::test]
async fn an_instance_is_kept_for_the_next_call() {
    let host = remembers(json!({})).start().await;
    assert_eq!(counts(&host, 4).await, ["0", "1", "2", "3"]);
}

#[tokio::test]
async fn an_instance_is_thrown_away_after_its_uses() {
    let host = remembers(json!({ "maxUses": 2 })).start().await;
    assert_eq!(counts(&host, 5).await, ["0", "1", "0", "1", "0"]);
}

#[tokio::test]
async fn an_instance_that_nobody_uses_is_thrown_away() {
    let builder = remembers(json!({ "idle": "00:00:01" }));
    let host = builder.environment("MCPFN_LOG", "info,mcpfn::guest=debug").start().await;
    assert_eq!(counts(&host, 2).await, ["0", "1"]);
    host.logged("idle instances are thrown away n_instances=1").await;
    assert_eq!(counts(&host, 1).await, ["0"]);
}

#[tokio::test]
async fn an_instance_that_failed_is_not_kept() {
    let host = remembers(json!({})).start().await;
    for _ in 0..3 {
        assert_eq!(counts(&host, 2).await, ["0", "1"]);
        let error = host.call_error("remembers", json!({ "fails": true })).await;
        assert!(error.starts_with("the tool failed ("), "{error}");
    }
    assert_eq!(counts(&host, 1).await, ["0"]);
}

#[tokio::test]
async fn calls_at_the_same_time_have_an_instance_each() {
    let host = remembers(json!({ "max": 2 })).start().await;
    let calls = async || {
        // Long enough that they are there together, on a busy machine too.
        let call = || host.call_text("remembers", json!({ "ms": 2000 }));
        let (one, two, three) = tokio::join!(call(), call(), call());
        let mut counts = [one, two, three];
        counts.sort();
        counts
    };
    assert_eq!(calls().await, ["0", "0", "0"]);
    // Two of the three were kept.
    assert_eq!(calls().await, ["0", "1", "1"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_instance_serves_one_caller_only() {
    let builder = remembers(json!({ "max": 2 }));
    let config = Config::load(&builder.folder().join("host.json"), &Environment::default())
        .expect("a host.json");
    let folder = builder.folder().join("functions");
    let load = move || Loader::new(&config, &folder, &Silent)?.load(&Arc::new(config), &Silent);
    let host = tokio::task::spawn_blocking(load).await.expect("it does not panic").expect("a host");
    let call = async |principal: Option<&str>| {
        let function = host.catalog().tool("remembers").expect("the tool");
        let arguments = RawValue::from_string("{}".to_owned()).expect("JSON");
        let caller = Caller {
            principal: principal.map(str::to_owned),
            ..Caller::unknown(TransportKind::Http)
        };
        let invocation = Arc::new(Invocation::new(Arc::clone(function), arguments, caller));
        match host.invoke(&invocation).await.expect("an outcome") {
            Outcome::Text(text) => text,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(call(Some("ann")).await, "0");
    assert_eq!(call(Some("bob")).await, "0");
    assert_eq!(call(None).await, "0");
    // There is room for two, so the one that was idle for longest is gone.
    assert_eq!(call(Some("bob")).await, "1");
    assert_eq!(call(None).await, "1");
    assert_eq!(call(Some("ann")).await, "0");
}

struct Silent;

impl Progress for Silent {
    fn notice(&self, _: &str) {}

    fn compiling(&self, _: &ComponentName, _: usize, _: usize) {}
}

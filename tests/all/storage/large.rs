//! A gibibyte through a binding, either way, in a host that never holds it.

use serde_json::json;

use super::backend::Backend;
use crate::harness::peak_resident_kib;

const MIB: u64 = 1024;

/// How much the host may grow, in KiB.
const MAX_GROWTH: u64 = 64 * 1024;

async fn a_gibibyte_passes_in_little_memory(backend: Backend) {
    let more = json!({ "functionTimeout": "00:10:00" });
    let host = backend.builder(more).start().await;
    // What the first of each call needs, whatever its size.
    host.call("big_write", json!({ "name": "warm", "mib": 1 })).await;
    host.call("big_read", json!({ "name": "warm" })).await;
    let before = peak_resident_kib(host.pid());
    let written = host.call("big_write", json!({ "name": "big", "mib": MIB })).await;
    assert_eq!(written["structuredContent"]["size"], MIB << 20, "{written}");
    let after_write = peak_resident_kib(host.pid());
    let read = host.call("big_read", json!({ "name": "big" })).await;
    assert_eq!(read["structuredContent"], written["structuredContent"], "{read}");
    let after = peak_resident_kib(host.pid());
    let (write_growth, growth) = (after_write - before, after - before);
    assert!(growth < MAX_GROWTH, "it grew by {write_growth} KiB, then {growth} KiB in all");
}

#[tokio::test]
async fn a_gibibyte_passes_through_a_folder_in_little_memory() {
    a_gibibyte_passes_in_little_memory(Backend::folder()).await;
}

#[tokio::test]
async fn a_gibibyte_passes_through_s3_in_little_memory() {
    a_gibibyte_passes_in_little_memory(Backend::s3().await).await;
}

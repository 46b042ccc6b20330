//! The servers that are measured answer, and the client tells right answers from wrong ones.

use std::{env, fs, path::Path, process::Command, time::Duration};

use bench::{
    cores,
    exchange::{Calls, Lists},
    folder::Folder,
    load::{Load, ask},
    programs::Programs,
    server::Server,
};
use serde_json::json;

const BRIEF: Load = Load {
    n_connections: 4,
    warm_up: Duration::from_millis(50),
    duration: Duration::from_millis(200),
};

fn programs() -> Programs {
    let floor = Path::new(env!("CARGO_BIN_EXE_floor"));
    let components = env::var_os("MCPFN_TEST_PROGRAMS").expect("run it by `cargo xtask test`");
    Programs {
        programs: floor.parent().expect("it is in a folder").to_owned(),
        components: components.into(),
    }
}

#[test]
fn the_floor_answers_its_tool_and_no_other() {
    let mut command = Command::new(programs().program("floor").unwrap());
    let floor = Server::start(&mut command, Some(cores::SERVER)).unwrap();
    let measured = BRIEF.run(&floor, &Calls::new(["trivial_0000"])).unwrap();
    assert_eq!(measured.first_failure, None);
    assert!(measured.n_answers > 0 && measured.server_us() > 0.0, "{measured:?}");

    let other = BRIEF.run(&floor, &Calls::new(["other"])).unwrap();
    assert!(other.n_answers == 0 && other.n_failures > 0, "{other:?}");
}

#[test]
fn the_host_answers_in_a_folder_of_its_own() {
    let programs = programs();
    let folder = Folder::new(&json!({ "version": "2.0" })).unwrap();
    folder.copy(&programs.component("trivial").unwrap()).unwrap();
    let host = folder.start(&programs.program("mcpfn").unwrap(), Some(cores::SERVER)).unwrap();
    ask(host.port(), 1, &Lists { n_tools: 1 }).unwrap();
    let measured = BRIEF.run(&host, &Calls::new(["trivial_0000"])).unwrap();
    assert_eq!(measured.first_failure, None);
    assert!(measured.n_answers > 0 && measured.sample.rss_kib > 0, "{measured:?}");
}

#[test]
fn the_whole_bench_runs_and_writes_its_page() {
    let programs = programs();
    let node_modules =
        env::var_os("MCPFN_TEST_NODE_MODULES").expect("run it by `cargo xtask test`");
    let docs = tempfile::tempdir().unwrap();
    let output = Command::new(programs.program("bench").unwrap())
        .arg("--quick")
        .args([&*programs.components, Path::new(&node_modules), docs.path()])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = fs::read_to_string(docs.path().join("benchmarks.md")).unwrap();
    assert!(page.contains("No answer was wrong."), "{page}");
    for subject in ["floor", "host, Rust"] {
        let start = format!("| {subject} | 16 | ");
        let row = page.lines().find_map(|line| line.strip_prefix(&start)).expect("a row");
        let per_second = row.split(' ').next().and_then(|number| number.parse::<u64>().ok());
        assert!(per_second.is_some_and(|number| number > 0), "{row}");
    }
    assert!(page.contains("No answer and no blob was wrong."), "{page}");
    for row in ["host, folder", "object_store, folder, synced", "host, Azurite"] {
        let start = format!("| save 64 KiB | 16 | {row} | ");
        let row = page.lines().find_map(|line| line.strip_prefix(&start)).expect("a row");
        let per_second = row.split(' ').next().and_then(|number| number.parse::<u64>().ok());
        assert!(per_second.is_some_and(|number| number > 0), "{row}");
    }
    let plot = fs::read_to_string(docs.path().join("benchmarks.svg")).unwrap();
    assert!(plot.contains("host, Rust"), "{plot}");
}

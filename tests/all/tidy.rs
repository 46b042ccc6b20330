//! The walls between the modules of the host, kept.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::harness::repository;

/// Which module may use which: the arrows of ARCHITECTURE.md. A new one is a decision, not a detail.
const MAY_USE: &[(&str, &[&str])] = &[
    ("function", &[]),
    ("json", &[]),
    ("local_key", &[]),
    ("media_type", &[]),
    ("nearest", &[]),
    ("properties", &[]),
    ("schema_error", &[]),
    ("shutdown", &[]),
    ("telemetry", &[]),
    ("watch", &[]),
    ("config", &["function"]),
    ("binding", &["function"]),
    ("guest", &["function"]),
    ("gate", &["function"]),
    ("invoke", &["binding", "function", "gate", "guest"]),
    ("state", &["function"]),
    ("host", &["binding", "config", "function", "guest", "invoke"]),
    ("protocol", &["function", "host", "invoke", "state"]),
    ("transport", &["function", "protocol"]),
];

/// Leaves that everyone may use.
const LEAVES: &[&str] = &[
    "json",
    "local_key",
    "media_type",
    "nearest",
    "properties",
    "schema_error",
    "shutdown",
    "telemetry",
];

/// Names that only these places may know; a place is a folder or a file, without its ending.
const ONLY: &[(&str, &[&str])] = &[
    ("wasmtime::", &["guest"]),
    ("wasmtime_wasi::", &["guest"]),
    // `queue/azure` has requests signed and sent that the crate has no function for.
    ("object_store::", &["binding/blob", "binding/queue/azure"]),
    ("reqwest::", &["binding/http"]),
    ("hyper::", &["transport/http"]),
    ("hyper_util::", &["transport/http"]),
    ("http_body::", &["transport/http"]),
    (
        "jsonschema::",
        &["config/check", "config/tests", "invoke/arguments", "invoke/check", "schema_error"],
    ),
    ("\"jsonrpc\"", &["protocol"]),
    ("env::var", &["config/settings"]),
    ("unsafe {", &["guest/cache"]),
    ("anyhow", &["cli"]),
    // What a component says of itself is kept in the cache.
    ("serde::", &["config", "guest/bindings", "guest/cache", "json", "protocol"]),
    ("notify::", &["watch"]),
    ("wasmparser::", &["guest"]),
    ("chacha20poly1305::", &["state/seal"]),
    (
        "chrono::",
        &["binding/blob/input", "binding/contract/lists", "binding/expression", "protocol/tasks"],
    ),
    ("serde_saphyr::", &["guest/convert/skill"]),
    ("sha2::", &["guest/convert/skill"]),
    ("arc_swap::", &["protocol/live"]),
    // A wall is walked round by going up twice.
    ("super::super::", &[]),
];

/// Longer than this, a file has more than one noun as its subject.
const MAX_LINES: usize = 600;

#[test]
fn modules_use_what_the_table_allows_and_nothing_else() {
    let mut unused: Vec<(&str, &str)> = MAY_USE
        .iter()
        .flat_map(|(module, allowed)| allowed.iter().map(|used| (*module, *used)))
        .collect();
    for (file, text) in sources("host/src") {
        let module = module_of(&file);
        if ["main", "lib", "cli"].contains(&module.as_str()) {
            continue;
        }
        let allowed = MAY_USE.iter().find(|(name, _)| *name == module).map(|(_, allowed)| *allowed);
        let allowed = allowed
            .unwrap_or_else(|| panic!("{file}: `{module}` has no row in the table of tidy.rs"));
        for used in used_modules(&text) {
            let fine = used == module
                || allowed.contains(&used.as_str())
                || LEAVES.contains(&used.as_str());
            assert!(
                fine,
                "{file} uses `crate::{used}`, which the table of tidy.rs does not allow to `{module}`"
            );
            unused.retain(|arrow| *arrow != (module.as_str(), used.as_str()));
        }
    }
    assert!(unused.is_empty(), "the table of tidy.rs has arrows that are none: {unused:?}");
}

#[test]
fn every_name_has_its_places() {
    for (file, text) in sources("host/src") {
        let path =
            file.strip_prefix("host/src/").expect("a file of the host").trim_end_matches(".rs");
        for (name, places) in ONLY {
            let here = places.iter().any(|place| {
                path.strip_prefix(place)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            });
            assert!(
                here || !code(&text).contains(name),
                "{file} names `{name}`, which only {places:?} may"
            );
        }
    }
}

#[test]
fn the_sdk_refuses_the_headers_that_the_host_refuses() {
    let list = |file: &str| {
        let text = fs::read_to_string(repository().join(file)).expect("a source");
        let rest = text
            .split("const SECRET_HEADERS")
            .nth(1)
            .or(text.split("const FORBIDDEN_HEADERS").nth(1));
        let rest = rest.unwrap_or_else(|| panic!("{file} has no list of headers"));
        let list =
            rest.split(";\n").next().unwrap_or_default().split('=').nth(1).unwrap_or_default();
        let mut names: Vec<String> =
            list.split('"').skip(1).step_by(2).map(str::to_owned).collect();
        names.sort();
        names
    };
    let host = list("host/src/function/mod.rs");
    assert!(!host.is_empty());
    assert_eq!(list("guest-sdk/macros/src/about.rs"), host);
}

#[test]
fn every_file_says_what_it_owns() {
    for folder in [
        "host/src",
        "guest-sdk/src",
        "guest-sdk/macros/src",
        "xtask/src",
        "samples",
        "tests/all",
        "tests/bench",
        "tests/differential",
        "tests/programs",
        "tests/storage",
    ] {
        for (file, text) in sources(folder) {
            assert!(
                text.starts_with("//!"),
                "{file} does not begin with a line that says what it owns"
            );
        }
    }
}

#[test]
fn no_file_is_too_long() {
    for folder in [
        "host/src",
        "guest-sdk/src",
        "guest-sdk/macros/src",
        "xtask/src",
        "tests/all",
        "tests/bench",
        "tests/differential",
        "tests/storage",
    ] {
        for (file, text) in sources(folder) {
            let n_lines = text.lines().count();
            assert!(n_lines <= MAX_LINES, "{file} has {n_lines} lines (at most {MAX_LINES})");
        }
    }
}

#[test]
fn every_program_is_used_by_a_test() {
    let tests: String = sources("tests/all").into_iter().map(|(_, text)| text).collect();
    for (file, _) in sources("tests/programs/src/bin") {
        // A program is a file, or a folder of them.
        let name = file.rsplit_once("/bin/").expect("a program is in bin").1;
        let name = name.split('/').next().unwrap_or_default().trim_end_matches(".rs");
        assert!(tests.contains(&format!("\"{name}\"")), "{file} is a program that no test starts");
    }
}

#[test]
fn the_host_knows_no_fixture_by_name() {
    let suite = fs::read_to_string(repository().join("tests/clients/suite.mjs")).expect("a source");
    let (_, rest) = suite.split_once("FIXTURES").expect("the suite names its fixtures");
    let (fixtures, _) = rest.split_once("\n};").expect("the list has an end");
    let names: Vec<&str> = fixtures
        .split('\'')
        .skip(1)
        .step_by(2)
        // This one is a word like any other.
        .filter(|name| *name != "greet")
        .collect();
    assert!(names.len() > 30, "{names:?}");
    for (file, text) in sources("host/src") {
        for name in &names {
            assert!(!text.contains(name), "{file} names the fixture `{name}`");
        }
    }
}

#[test]
fn a_module_that_uses_another_is_found() {
    assert_eq!(used_modules("use crate::{a::B, c};\nlet x = crate::d::E;"), ["a", "c", "d"]);
    assert_eq!(used_modules("use crate::{\n    a::{B, C},\n    c::D,\n};"), ["a", "c"]);
}

/// The modules named after `crate::`, alone or in braces.
fn used_modules(text: &str) -> Vec<String> {
    let mut modules = Vec::new();
    let code = code(text);
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            None => modules.extend(name(rest)),
            Some(rest) => {
                let mut depth = 1;
                let mut part = String::new();
                for c in rest.chars() {
                    match c {
                        '{' => depth += 1,
                        '}' => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 || (depth == 1 && c == ',') {
                        modules.extend(name(part.trim_start()));
                        part.clear();
                    } else {
                        part.push(c);
                    }
                    if depth == 0 {
                        break;
                    }
                }
            }
        }
    }
    modules
}

fn name(text: &str) -> Option<String> {
    let name: String = text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (!name.is_empty()).then_some(name)
}

/// The text without its comments.
fn code(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// `host/src/guest/cache.rs` is of `guest`, `host/src/invoke.rs` of `invoke`.
fn module_of(file: &str) -> String {
    let rest = file.strip_prefix("host/src/").expect("a file of the host");
    rest.split('/').next().unwrap_or(rest).trim_end_matches(".rs").to_owned()
}

/// Every Rust file below a folder, by its path from the repository.
fn sources(folder: &str) -> Vec<(String, String)> {
    let root = repository();
    let mut files = Vec::new();
    collect(&root.join(folder), &mut files);
    assert!(!files.is_empty(), "there are no sources in {folder}");
    files.sort();
    files
        .into_iter()
        .map(|file| {
            let text = fs::read_to_string(&file).expect("a source is text");
            (file.strip_prefix(&root).expect("below the repository").display().to_string(), text)
        })
        .collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
    {
        let path = entry.expect("a folder can be read").path();
        if path.is_dir() {
            if path
                .file_name()
                .is_some_and(|name| name != "target" && name != "templates" && name != "ui")
            {
                collect(&path, files);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

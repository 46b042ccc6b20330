//! What `cargo xtask test` prepared: guests, and the tools of real clients.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

/// The repository.
pub(crate) fn repository() -> PathBuf {
    // At run time: two clones that share a target folder share the tests.
    Path::new(&variable("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the host crate lies in the repository")
        .to_owned()
}

/// A test program or a sample, compiled.
pub(crate) fn program(name: &str) -> PathBuf {
    let path = PathBuf::from(variable("MCPFN_TEST_PROGRAMS")).join(format!("{name}.wasm"));
    assert!(path.exists(), "there is no test program `{name}` (see tests/programs)");
    path
}

/// Version `n` (1 to 9) of the program `versioned`.
pub(crate) fn version(n: u8) -> Vec<u8> {
    let mut bytes = std::fs::read(program("versioned")).expect("a program is read");
    let text = version_text(1);
    let places: Vec<usize> = bytes
        .windows(text.len())
        .enumerate()
        .filter(|(_, window)| *window == text.as_bytes())
        .map(|(at, _)| at)
        .collect();
    assert!(!places.is_empty(), "the program does not have its text");
    for at in places {
        bytes[at..at + text.len()].copy_from_slice(version_text(n).as_bytes());
    }
    bytes
}

/// What version `n` of the program `versioned` answers.
pub(crate) fn version_text(n: u8) -> String {
    format!("this is version {n} of the program")
}

/// A Python that has the packages of tests/clients/requirements.txt.
pub(crate) fn python() -> PathBuf {
    variable("MCPFN_TEST_PYTHON").into()
}

/// The packages of tests/clients/package.json.
pub(crate) fn node_modules() -> PathBuf {
    variable("MCPFN_TEST_NODE_MODULES").into()
}

/// A program of tests/differential or tests/storage.
pub(crate) fn peer(name: &str) -> PathBuf {
    PathBuf::from(variable("MCPFN_TEST_PEERS")).join(name)
}

fn variable(name: &str) -> OsString {
    std::env::var_os(name)
        .unwrap_or_else(|| panic!("{name} is not set: run the tests by `cargo xtask test`"))
}

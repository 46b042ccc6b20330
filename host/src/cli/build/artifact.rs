//! The components among what cargo reports to have built.

use std::{
    io::{self, BufRead},
    path::PathBuf,
};

use serde_json::Value;

/// A component that cargo has built.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Artifact {
    /// Where cargo put it.
    pub(super) path: PathBuf,
}

/// Reads cargo's messages to their end and keeps the components of the given packages.
///
/// Every message is read even when an early one is of no use: cargo would wait for its reader.
pub(super) fn read(messages: impl BufRead, package_ids: &[&str]) -> io::Result<Vec<Artifact>> {
    let mut artifacts = Vec::new();
    for line in messages.lines() {
        // A build script or macro may write to stdout, too: such a line is not a message.
        let Ok(message) = serde_json::from_str::<Value>(&line?) else { continue };
        artifacts.extend(component(&message, package_ids));
    }
    Ok(artifacts)
}

/// The component of one `compiler-artifact` message: a `cdylib` or a program, not a dependency.
fn component(message: &Value, package_ids: &[&str]) -> Option<Artifact> {
    if message["reason"] != "compiler-artifact" {
        return None;
    }
    package_ids.iter().find(|&&id| message["package_id"] == id)?;
    let kinds = message["target"]["kind"].as_array()?;
    kinds.iter().find(|kind| *kind == "cdylib" || *kind == "bin")?;
    let files = message["filenames"].as_array()?;
    let mut paths = files.iter().filter_map(Value::as_str).map(PathBuf::from);
    let path = paths.find(|path| path.extension().is_some_and(|ext| ext == "wasm"))?;
    Some(Artifact { path })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(messages: &[Value], expected: &[&str]) {
        let text = messages.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
        let artifacts = read(text.as_bytes(), &["path+file:///w/a#0.1.0"]).unwrap();
        let paths: Vec<_> = artifacts.iter().map(|artifact| artifact.path.to_str()).collect();
        assert_eq!(paths, expected.iter().copied().map(Some).collect::<Vec<_>>());
    }

    fn built(package: &str, kinds: &[&str], files: &[&str]) -> Value {
        json!({
            "reason": "compiler-artifact",
            "package_id": format!("path+file:///w/{package}#0.1.0"),
            "target": { "kind": kinds, "name": "a" },
            "filenames": files,
        })
    }

    #[test]
    fn libraries_and_programs_of_the_package_are_components() {
        check(
            &[
                built("a", &["cdylib", "rlib"], &["/t/liba.rlib", "/t/a_b.wasm"]),
                built("a", &["bin"], &["/t/tool.wasm"]),
            ],
            &["/t/a_b.wasm", "/t/tool.wasm"],
        );
    }

    #[test]
    fn dependencies_macros_and_build_scripts_are_not() {
        check(
            &[
                built("dependency", &["cdylib"], &["/t/dependency.wasm"]),
                built("a", &["proc-macro"], &["/t/liba.so"]),
                built("a", &["custom-build"], &["/t/build-script-build"]),
                built("a", &["lib"], &["/t/liba.rlib"]),
                json!({ "reason": "build-finished", "success": true }),
            ],
            &[],
        );
    }

    #[test]
    fn a_line_that_is_no_message_is_passed_over() {
        assert_eq!(read(&b"hello from a macro\n{}\n3\n"[..], &["a"]).unwrap(), []);
    }
}

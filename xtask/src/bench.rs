//! `cargo xtask bench`: everything that is measured, in one run.

use std::path::Path;

use anyhow::{Result, bail};

use crate::{needs, packages, step::Step, test, workspace::Workspace};

/// The contract that guests in other languages are compiled against.
const WIT: &str = "wit";

/// Where the guests in other languages are.
const SOURCES: &str = "tests/bench/guests";

/// What was written by hand about where the time goes.
const PROFILE: &str = "tests/bench/profile.md";

/// Builds everything, measures it, and writes the page.
pub(crate) fn run(workspace: &Workspace, args: &[String]) -> Result<()> {
    let is_quick = match args {
        [] => false,
        [quick] if quick == "--quick" => true,
        [brief] if brief == "--brief" => false,
        _ => bail!("usage: cargo xtask bench [--quick | --brief]"),
    };
    needs::check()?;
    let cargo = |name| Step::new(name, workspace, "cargo").args(["build", "--release"]);
    // By itself, so that it is the very program that is released.
    cargo("host").args(["--package", "mcpfn"]).run()?;
    // By itself, since its dependencies turn on features of what the others share with the host.
    cargo("peer")
        .args(["--package", "bench", "--bin", "rmcp_native"])
        .args(["--no-default-features", "--features", "peers"])
        .run()?;
    cargo("programs").args(["--package", "bench", "--bins"]).run()?;
    let components = test::guests(workspace, "release")?;
    interpreted(workspace, &components)?;

    // Figures of a quick run are no figures.
    let docs = if is_quick {
        workspace.target_directory.join("docs")
    } else {
        workspace.root.join("docs")
    };
    Step::new("bench", workspace, workspace.target_directory.join("release/bench"))
        .args(args)
        .args([&*components, &*docs, &*workspace.root.join(PROFILE)])
        .run()
}

/// The tool in JavaScript and in Python.
fn interpreted(workspace: &Workspace, components: &Path) -> Result<()> {
    let compilers = packages::install(workspace, packages::COMPILERS)?;
    let script = format!("{SOURCES}/tool.js");
    Step::new("javascript", workspace, compilers.node_modules.join(".bin/componentize-qjs"))
        .args(["--js", &script, "--wit", WIT, "--world", "function"])
        .args(["--sync", "--opt-size", "--minify", "--output"])
        .args([components.join("tool_js.wasm")])
        .run()?;
    // Beside the Python that it was installed for.
    Step::new("python", workspace, compilers.python.with_file_name("componentize-py"))
        // It would be a folder of the repository.
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .args(["--wit-path", WIT, "--world", "function", "componentize"])
        .args(["--python-path", SOURCES, "tool", "--output"])
        .args([components.join("tool_py.wasm")])
        .run()
}

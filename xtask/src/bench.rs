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
    let has = |option| args.iter().any(|arg| arg == option);
    let (is_quick, is_storage) = (has("--quick"), has("--storage"));
    let known = ["--quick", "--brief", "--storage"];
    if args.iter().any(|arg| !known.contains(&&**arg)) || (is_quick && has("--brief")) {
        bail!("usage: cargo xtask bench [--quick | --brief] [--storage]");
    }
    needs::check()?;
    let cargo = |name| Step::new(name, workspace, "cargo").args(["build", "--release"]);
    // By itself, so that it is the very program that is released.
    cargo("host").args(["--package", "mcpfn"]).run()?;
    let components = if is_storage {
        // The others would take minutes to link.
        cargo("programs").args(["--package", "bench", "--bin", "bench"]).run()?;
        test::guests(workspace, "release")?
    } else {
        // By itself, since its dependencies turn on features of what the others share with the host.
        cargo("peer")
            .args(["--package", "bench", "--bin", "rmcp_native"])
            .args(["--no-default-features", "--features", "peers"])
            .run()?;
        cargo("programs").args(["--package", "bench", "--bins"]).run()?;
        let components = test::guests(workspace, "release")?;
        interpreted(workspace, &components)?;
        components
    };
    // Azurite is among them.
    let node_modules = packages::install(workspace, packages::CLIENTS)?.node_modules;

    // Figures of a quick run are no figures.
    let docs = if is_quick {
        workspace.target_directory.join("docs")
    } else {
        workspace.root.join("docs")
    };
    Step::new("bench", workspace, workspace.target_directory.join("release/bench"))
        .args(args)
        .args([&*components, &*node_modules, &*docs, &*workspace.root.join(PROFILE)])
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

//! `mcpfn build`: compiles Rust tools to components and puts them into the functions folder.

mod artifact;
mod debian;
mod error;
mod lock;
mod out_folder;
mod process;
mod project;
mod rustup;
mod target_folder;
mod toolchain;
mod trial;

use std::{
    io::{BufReader, Write},
    path::{Path, PathBuf},
    process::Stdio,
};

use clap::ValueEnum;

pub(crate) use error::Error;

use self::{artifact::Artifact, project::Project, toolchain::Toolchain};
use super::program::Program;

/// The target that every guest is compiled for: a finished WASI 0.2 component.
const TARGET: &str = "wasm32-wasip2";

/// Compile Rust tools to WebAssembly components.
///
/// Makes the `wasm32-wasip2` target ready first, where it is not: by rustup, or, where Rust's
/// release server cannot be reached, from Debian's own packages.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// The Cargo.toml of the tools [default: the one of this folder or of a parent]
    #[arg(long, value_name = "PATH")]
    pub manifest_path: Option<PathBuf>,

    /// Build only this package of a workspace; may be given more than once
    #[arg(short, long = "package", value_name = "NAME")]
    pub packages: Vec<String>,

    /// The cargo profile to build with
    #[arg(long, value_name = "NAME", default_value = "release")]
    pub profile: String,

    /// The folder that the components are put into
    #[arg(long, value_name = "FOLDER", default_value = "functions")]
    pub out: PathBuf,

    /// Where the compiler for WebAssembly comes from
    #[arg(long, value_name = "WAY", value_enum, default_value_t)]
    pub wasm_toolchain: WasmToolchain,
}

/// Where the compiler for WebAssembly comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum WasmToolchain {
    /// The first of the two that works
    #[default]
    Auto,
    /// The active Rust toolchain, with the target added by rustup
    Rustup,
    /// A toolchain of its own, made once from Debian's packages
    Debian,
}

/// Builds the selected packages and puts each component into the functions folder.
///
/// What it does is told line by line on `out`; cargo's own progress and the compiler's errors go
/// to stderr as they come. A component replaces the one of the same name in one step, so a host
/// that serves the folder never sees half a file. A toolchain that we make is kept in `data_folder`,
/// outside of every project.
///
/// # Errors
/// Where no compiler for the target can be had, where the project cannot be read or does not
/// compile, and where nothing in it is a component.
pub(crate) fn run(
    args: &Args,
    data_folder: Option<&Path>,
    program: &Program,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let project = Project::load(args.manifest_path.as_deref())?;
    let packages = project.select(&args.packages)?;
    let data_folder = data_folder.ok_or(Error::NoHome)?;
    let toolchain = Toolchain::find(args.wasm_toolchain, data_folder, out)?;

    // Held to the end: another build must not clear the folder under this one.
    let _lock = target_folder::prepare(&project.target_directory, &toolchain, out)?;
    let artifacts = compile(args, &project.manifest_path, &packages, &toolchain)?;
    if artifacts.is_empty() {
        return Err(Error::NoComponent {
            packages: packages.iter().map(|package| package.name.clone()).collect(),
        });
    }
    for artifact in artifacts {
        let component = out_folder::put(&args.out, &artifact)?;
        writeln!(out, "{component}")?;
        if let Err(fault) = trial::describe(&component.path) {
            writeln!(out, "warning: a host will not load it: {fault}")?;
        }
    }
    writeln!(out, "next: {program} start{}", functions_flag(&args.out))?;
    Ok(())
}

/// What `start` must be told to find the folder; nothing for the one that it takes anyway.
fn functions_flag(out: &Path) -> String {
    if out == Path::new("functions") {
        return String::new();
    }
    format!(" --functions {}", Program::from_argv0(Some(out.into())))
}

/// Runs cargo and collects the components that it names.
fn compile(
    args: &Args,
    manifest_path: &Path,
    packages: &[&project::Package],
    toolchain: &Toolchain,
) -> Result<Vec<Artifact>, Error> {
    let mut cargo = toolchain.cargo();
    cargo
        .args(["build", "--target", TARGET, "--message-format=json-render-diagnostics"])
        .args(["--profile", &args.profile])
        .arg("--manifest-path")
        .arg(manifest_path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    for package in packages {
        cargo.args(["--package", &package.id]);
    }

    let failed = |source| Error::Program { program: "cargo".into(), source };
    let mut child = cargo.spawn().map_err(failed)?;
    let stdout = child.stdout.take().expect("stdout was asked for above");
    let package_ids: Vec<_> = packages.iter().map(|package| &*package.id).collect();
    let artifacts = artifact::read(BufReader::new(stdout), &package_ids);
    // Waited for before the messages are judged, so that no cargo is left behind.
    let status = child.wait().map_err(failed)?;
    if !status.success() {
        return Err(Error::Compile { status });
    }
    artifacts.map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_command_names_a_folder_that_is_not_the_usual_one() {
        assert_eq!(functions_flag(Path::new("functions")), "");
        assert_eq!(functions_flag(Path::new("my tools")), " --functions 'my tools'");
    }
}

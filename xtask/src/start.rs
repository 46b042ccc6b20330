//! `cargo xtask start`: builds, then becomes the host, with the `host.json` of the repository.

use anyhow::Result;

use crate::{build, step::Step, workspace::Workspace};

/// Builds and starts; what is not understood here is the host's.
pub(crate) fn run(workspace: &Workspace, args: &[String]) -> Result<()> {
    build::run(workspace)?;
    // `cargo xtask start -- --port 0` and `cargo xtask start --port 0` mean the same.
    let args = args.iter().skip_while(|arg| *arg == "--");
    let host = Step::new("start", workspace, workspace.mcpfn("release"));
    Err(host.args(["start"]).args(args).become_it())
}

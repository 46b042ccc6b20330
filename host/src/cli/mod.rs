//! The command line: what each command takes, and the exit codes.

mod build;
mod call;
mod check;
mod list;
mod new;
mod program;
mod schema;
mod start;
mod table;

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use clap::{Args, Parser, Subcommand};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::runtime::Runtime;

use self::program::Program;
use crate::{
    config::{Config, ConfigError, Environment, FILE_NAME},
    function::ComponentName,
    host::{Host, LoadError, Loader, Progress},
    telemetry,
};

/// A serverless-style function host for MCP tools.
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the functions to MCP clients, over HTTP or on standard input and output.
    Start(start::Args),
    /// Show every function as it would be served, and where each part was declared.
    List(list::Args),
    /// Call one tool in this process.
    Call(call::Args),
    /// Load everything and say what is wrong, without serving.
    Check(check::Args),
    /// Make a new tool project.
    New(new::Args),
    /// Compile a tool project to a component and put it into the functions folder.
    Build(build::Args),
    /// Print the JSON Schema of host.json.
    Schema,
}

/// What is loaded.
#[derive(Args, Clone, Debug)]
struct Sources {
    /// The configuration file [default: host.json, or the defaults of every setting when there is none]
    #[arg(long, value_name = "FILE")]
    host_json: Option<PathBuf>,
    /// The folder of components [default: `functions` beside host.json]
    #[arg(long, value_name = "FOLDER")]
    functions: Option<PathBuf>,
}

/// Why a command ended early; the exit code tells which.
#[derive(Debug)]
enum Failure {
    /// It could not run: exit code 1.
    Run(anyhow::Error),
    /// What it was given is wrong: exit code 2.
    Configuration(anyhow::Error),
    /// It ran, what it ran failed, and that has been printed: exit code 1.
    Reported,
}

/// Runs the program.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Reported) => ExitCode::from(1),
        Err(Failure::Run(error)) => report(&error, 1),
        Err(Failure::Configuration(error)) => report(&error, 2),
    }
}

fn run(command: Command) -> Result<(), Failure> {
    let environment = Environment::read();
    let _log =
        telemetry::install(environment.log_filter(), !environment.no_color()).map_err(|error| {
            Failure::Configuration(anyhow::anyhow!(
                "`MCPFN_LOG` cannot be read as a log filter: {error}"
            ))
        })?;
    match command {
        Command::Start(args) => start::run(args, &environment),
        Command::List(args) => list::run(args, &environment),
        Command::Call(args) => call::run(args, &environment),
        Command::Check(args) => check::run(&args, &environment),
        Command::New(args) => new::run(&args, &program(), &mut io::stdout())
            .map_err(|error| Failure::Run(error.into())),
        Command::Build(args) => {
            let data_folder = environment.data_home().map(|home| home.join("mcpfn"));
            build::run(&args, data_folder.as_deref(), &program(), &mut io::stdout())
                .map_err(|error| Failure::Run(error.into()))
        }
        Command::Schema => schema::run(),
    }
}

/// One line; a cause is part of it, so that it can be read and searched for as one.
fn report(error: &anyhow::Error, code: u8) -> ExitCode {
    let text = format!("{error:#}");
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // A closed standard error leaves nobody to tell.
    let _ = writeln!(io::stderr(), "error: {line}");
    ExitCode::from(code)
}

impl Sources {
    fn config(&self, environment: &Environment) -> Result<Config, ConfigError> {
        match &self.host_json {
            Some(path) => Config::load(path, environment),
            None => Config::load_default(Path::new("."), environment),
        }
    }

    fn functions(&self, config: &Config) -> PathBuf {
        self.functions.clone().unwrap_or_else(|| config.root.join("functions"))
    }

    /// host.json, whether or not it is there.
    fn host_json(&self) -> PathBuf {
        self.host_json.clone().unwrap_or_else(|| PathBuf::from(FILE_NAME))
    }

    /// Loads the one version that is wanted.
    fn load(&self, config: Config, runtime: &Runtime) -> Result<Arc<Host>, LoadError> {
        let _entered = runtime.enter();
        Ok(self.loader(&Arc::new(config))?.1)
    }

    /// Loads the first version of more. Blocks, in a runtime.
    fn loader(&self, config: &Arc<Config>) -> Result<(Loader, Arc<Host>), LoadError> {
        let mut loader = Loader::new(config, &self.functions(config), &Terminal)?;
        let host = loader.load(config, &Terminal)?;
        Ok((loader, host))
    }
}

/// Tells the terminal how loading goes.
struct Terminal;

impl Progress for Terminal {
    fn notice(&self, text: &str) {
        say(&format!("note: {text}"));
    }

    fn compiling(&self, component: &ComponentName, place: usize, of: usize) {
        say(&format!("compiling {component} ({place} of {of})"));
    }
}

/// For people, on standard error: standard output may belong to the protocol, or to another program.
fn say(line: &str) {
    // A closed standard error leaves nobody to tell.
    let _ = writeln!(io::stderr(), "{line}");
}

/// What a guest wrote, without what a terminal would act on.
fn printable(text: &str) -> String {
    let mut printable = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() && !matches!(c, '\n' | '\t') {
            printable.extend(c.escape_default());
        } else {
            printable.push(c);
        }
    }
    printable
}

/// The tokio runtime that every serving or calling command uses.
fn runtime() -> Result<Runtime, Failure> {
    raise_file_limit();
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    // A guest takes up to 5 ms at first; by default 61 of them would pass before sockets and timers are looked at.
    builder.event_interval(8).enable_all();
    builder.build().map_err(|error| {
        Failure::Run(anyhow::Error::new(error).context("the runtime could not be started"))
    })
}

/// Every component and every connection holds a file open, and many systems give a process 1,024 at first.
fn raise_file_limit() {
    let limits = getrlimit(Resource::Nofile);
    // Refused, it is as it was.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limits.maximum, ..limits });
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::Configuration(error.into())
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Config(error) => error.into(),
            error => Self::Run(error.into()),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Run(error.into())
    }
}

/// The program as the user called it, for commands to print that work when they are pasted.
fn program() -> Program {
    Program::from_argv0(std::env::args_os().next())
}

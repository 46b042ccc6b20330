//! How a component can fail to load, and how a guest can fail to answer, told apart.

use std::time::Duration;

use thiserror::Error;

/// Why a component cannot serve. [`Display`](std::fmt::Display) says it for the one who wrote the component.
#[derive(Debug, Error)]
pub enum LoadError {
    /// No engine can be made on this machine.
    #[error("the WebAssembly engine could not be made")]
    Engine(#[source] wasmtime::Error),
    /// Not a component: a core module, text, or a partial file.
    #[error("it is not a WebAssembly component (build it for wasm32-wasip2)")]
    NotAComponent(#[source] wasmtime::Error),
    /// A component that is not ours.
    #[error(
        "it exports nothing of mcpfn (expected the interface `mcpfn:function/handler@0.1.0`; in Rust, `mcpfn_sdk::functions![..]` makes it)"
    )]
    NothingOfOurs,
    /// It wants something that no host function offers, or another shape of one.
    #[error("it does not link")]
    Link(#[source] wasmtime::Error),
    /// Its compiled code was there and cannot be read any more.
    #[error("its compiled code is gone or damaged (start the host again)")]
    Code,
    /// Its first instance failed.
    #[error("asked for its functions, it did not answer")]
    Describe(#[source] GuestError),
    /// Its memory starts larger than it may ever be.
    #[error(
        "it needs more memory to start than its limit of {} MiB (raise `{setting}` in host.json)",
        .limit >> 20
    )]
    InitialMemory {
        /// The limit in bytes.
        limit: usize,
        /// The setting that raises it.
        setting: &'static str,
    },
    /// It declares something that this host cannot serve.
    #[error("it declares {reason}")]
    Declaration {
        /// What, and what is expected.
        reason: String,
    },
}

/// How a guest failed without choosing to. [`Display`](std::fmt::Display) is what a client may read,
/// after the word "it".
#[derive(Debug, Error)]
pub enum GuestError {
    /// It ran past its deadline.
    #[error("timed out after {}", seconds(*.0))]
    Timeout(Duration),
    /// It computed for longer than it may.
    #[error("used more than {} of processor time", seconds(*.0))]
    CpuTime(Duration),
    /// It wanted more memory than its limit.
    #[error("ran out of memory ({} MiB)", .limit >> 20)]
    OutOfMemory {
        /// The limit in bytes.
        limit: usize,
    },
    /// It wanted more table elements than its limit.
    #[error("ran out of table elements ({limit})")]
    TablesFull {
        /// The limit.
        limit: usize,
    },
    /// It opened more handles than its limit.
    #[error("opened too many handles ({limit})")]
    TooManyHandles {
        /// The limit.
        limit: usize,
    },
    /// It called itself too deeply.
    #[error("overflowed its stack ({} KiB)", .limit >> 10)]
    StackOverflow {
        /// The limit in bytes.
        limit: usize,
    },
    /// It ended its process.
    #[error("exited before it answered")]
    Exit,
    /// It trapped: a panic, an access out of bounds and the like.
    #[error("failed")]
    Trap(#[source] wasmtime::Error),
    /// There is no place for one more instance.
    #[error("found no place to run (try again later)")]
    NoPlace,
    /// No instance of it can be made any more.
    #[error("cannot be run")]
    Unloadable(#[source] Box<LoadError>),
    /// What it returned is not what the contract allows.
    #[error("returned {reason}")]
    Contract {
        /// What is wrong.
        reason: String,
    },
}

impl From<LoadError> for GuestError {
    fn from(error: LoadError) -> Self {
        Self::Unloadable(Box::new(error))
    }
}

/// `30 s`, `1.5 s`.
pub(crate) fn seconds(duration: Duration) -> String {
    format!("{} s", duration.as_secs_f64())
}

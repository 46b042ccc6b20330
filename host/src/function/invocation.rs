//! One run of one function: what it is given and who asks.

use std::{cell::RefCell, fmt, sync::Arc};

use serde_json::value::RawValue;

use super::Function;

/// Finds an invocation in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvocationId(Box<str>);

impl InvocationId {
    /// A fresh one: 128 random bits as hex digits.
    pub fn new() -> Self {
        let bits = RANDOM.with_borrow_mut(Random::next);
        Self(format!("{bits:032x}").into())
    }

    /// The hex digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for InvocationId {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for InvocationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

thread_local! {
    static RANDOM: RefCell<Random> = const { RefCell::new(Random { bytes: [0; 1024], n_left: 0 }) };
}

/// Random bits of the operating system, fetched for 64 ids at a time: asking for each costs as much as all the rest of
/// making an id.
struct Random {
    bytes: [u8; 1024],
    n_left: usize,
}

impl Random {
    fn next(&mut self) -> u128 {
        if self.n_left == 0 {
            getrandom::fill(&mut self.bytes).expect("the operating system gives randomness");
            self.n_left = self.bytes.len();
        }
        let bytes = self.bytes[..self.n_left].last_chunk().expect("the length is a multiple of 16");
        self.n_left -= bytes.len();
        u128::from_be_bytes(*bytes)
    }
}

/// One run of one function.
#[derive(Debug)]
pub struct Invocation {
    /// Finds it in the log.
    pub id: InvocationId,
    /// What is to run.
    pub function: Arc<Function>,
    /// The arguments, a JSON object as the client wrote it.
    pub arguments: Box<RawValue>,
    /// Who asks.
    pub caller: Caller,
}

/// How a request came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransportKind {
    /// Streamable HTTP.
    Http,
    /// Standard input and output.
    Stdio,
    /// The web console.
    Console,
    /// `mcpfn call`.
    CommandLine,
}

/// The client program, as far as it said.
#[derive(Clone, Debug, Default)]
pub struct Client {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// Who asks, and how.
#[derive(Debug)]
pub struct Caller {
    /// How the request came.
    pub transport: TransportKind,
    /// The client program.
    pub client: Option<Client>,
    /// The legacy session.
    pub session: Option<String>,
    /// The authenticated caller.
    pub principal: Option<String>,
    /// The request headers that the function lists, names in lower case.
    pub headers: Vec<(String, String)>,
    /// `_meta` of the request.
    pub meta: Option<Box<RawValue>>,
}

impl Caller {
    /// A caller of whom nothing is known but how the request came.
    pub fn unknown(transport: TransportKind) -> Self {
        Self {
            transport,
            client: None,
            session: None,
            principal: None,
            headers: Vec::new(),
            meta: None,
        }
    }
}

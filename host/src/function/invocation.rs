//! One run of one function: what it is given and who asks.

use std::{cell::RefCell, fmt, sync::Arc};

use serde_json::value::RawValue;

use super::{Function, Json, Listener};

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
    /// What it is to do.
    pub entry: Entry,
    /// The arguments, a JSON object as the client wrote it.
    pub arguments: Box<RawValue>,
    /// Set when this continues an invocation that asked for input.
    pub resume: Option<Resumption>,
    /// Who asks.
    pub caller: Caller,
    /// Who hears what the function says while it runs.
    pub listener: Option<Arc<dyn Listener>>,
}

impl Invocation {
    /// A call under a fresh id, which continues nothing and which nobody listens to.
    pub fn new(function: Arc<Function>, arguments: Box<RawValue>, caller: Caller) -> Self {
        Self {
            id: InvocationId::new(),
            function,
            entry: Entry::Call,
            arguments,
            resume: None,
            caller,
            listener: None,
        }
    }

    /// What continues this one, under an id of its own.
    #[must_use]
    pub fn resumed(&self, resume: Resumption) -> Self {
        Self {
            id: InvocationId::new(),
            function: Arc::clone(&self.function),
            entry: self.entry.clone(),
            arguments: self.arguments.clone(),
            resume: Some(resume),
            caller: self.caller.clone(),
            listener: self.listener.clone(),
        }
    }
}

/// What a function is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Run.
    Call,
    /// Suggest values for an argument; those that are known already are the arguments, unchecked.
    Complete {
        /// The argument that is being typed.
        argument: String,
        /// What was typed so far.
        value: String,
    },
}

/// The second part of an invocation that asked for input.
#[derive(Clone, Debug)]
pub struct Resumption {
    /// What the function wanted to be given back.
    pub state: Vec<u8>,
    /// One answer for each question.
    pub answers: Vec<Answer>,
}

/// One answer to one question.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The key of the question.
    pub key: String,
    /// What came back.
    pub value: AnswerValue,
}

/// What became of a question.
#[derive(Clone, Debug)]
pub enum AnswerValue {
    /// The content of a form, or the client's result, as a JSON object.
    Accepted(Json),
    /// The person said no.
    Declined,
    /// The person closed the question.
    Cancelled,
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
#[derive(Clone, Debug)]
pub struct Caller {
    /// How the request came.
    pub transport: TransportKind,
    /// The client program.
    pub client: Option<Client>,
    /// What the client can do: `ClientCapabilities` of the protocol, a JSON object.
    pub capabilities: Option<Json>,
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
            capabilities: None,
            session: None,
            principal: None,
            headers: Vec::new(),
            meta: None,
        }
    }
}

//! Who calls a function, and how.

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{Arguments, Capabilities, wit::context};

/// The client program, as far as it said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// The name that the client gave itself.
    pub name: String,
    /// The version that the client gave itself.
    pub version: String,
}

/// How a call came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// Over HTTP.
    Http,
    /// Over the host's standard input.
    Stdio,
    /// From the web console.
    Console,
    /// From `mcpfn call`.
    CommandLine,
}

/// Who calls, and how: a parameter of any tool, resource or prompt that wants to know.
///
/// Everything but the arguments is asked of the host when it is read. In a test, [`ToolContext::for_test`] makes one.
///
/// ```
/// use mcpfn_sdk::{ToolContext, mcp_tool};
///
/// /// Says who you are.
/// #[mcp_tool(headers = ["x-team"])]
/// fn who(context: ToolContext) -> String {
///     format!("{} of {}", context.principal().unwrap_or_default(), context.header("X-Team").unwrap_or_default())
/// }
///
/// # fn main() {
/// let context = ToolContext::for_test("who", "{}").with_principal("ada").with_header("x-team", "red");
/// assert_eq!(who(context), "ada of red");
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct ToolContext {
    invocation_id: String,
    arguments: String,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    Host,
    Fixed(Box<Fixed>),
}

#[derive(Clone, Debug, Default)]
struct Fixed {
    name: String,
    client: Option<Client>,
    session: Option<String>,
    principal: Option<String>,
    meta: Option<String>,
    capabilities: Capabilities,
    headers: Vec<(String, String)>,
}

impl ToolContext {
    pub(crate) fn of_host(invocation_id: &str, arguments: &str) -> Self {
        Self {
            invocation_id: invocation_id.to_owned(),
            arguments: arguments.to_owned(),
            source: Source::Host,
        }
    }

    /// A context for a test, with a JSON object of arguments. It comes over HTTP and has ten seconds left.
    pub fn for_test(name: &str, arguments: &str) -> Self {
        Self {
            invocation_id: String::from("test"),
            arguments: arguments.to_owned(),
            source: Source::Fixed(Box::new(Fixed { name: name.to_owned(), ..Fixed::default() })),
        }
    }

    /// The id that finds this invocation in the host's log.
    pub fn invocation_id(&self) -> &str {
        &self.invocation_id
    }

    /// The tool, resource or prompt, by the name that the client used.
    pub fn name(&self) -> String {
        match &self.source {
            Source::Host => context::name(),
            Source::Fixed(fixed) => fixed.name.clone(),
        }
    }

    /// All arguments, as the text of a JSON object.
    pub fn arguments(&self) -> &str {
        &self.arguments
    }

    /// All arguments, read by serde.
    pub fn arguments_as<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(&self.arguments)
    }

    /// One argument, as JSON text, unless it is missing or null.
    pub fn argument(&self, name: &str) -> Option<&str> {
        Arguments::parse(&self.arguments).ok()?.get(name)
    }

    /// The legacy session, if the client has one.
    pub fn session(&self) -> Option<String> {
        match &self.source {
            Source::Host => context::session(),
            Source::Fixed(fixed) => fixed.session.clone(),
        }
    }

    /// The client program, if it said.
    pub fn client(&self) -> Option<Client> {
        match &self.source {
            Source::Host => context::client()
                .map(|client| Client { name: client.name, version: client.version }),
            Source::Fixed(fixed) => fixed.client.clone(),
        }
    }

    /// How the call came.
    pub fn transport(&self) -> Transport {
        let Source::Host = &self.source else { return Transport::Http };
        match context::transport() {
            context::TransportKind::Http => Transport::Http,
            context::TransportKind::Stdio => Transport::Stdio,
            context::TransportKind::Console => Transport::Console,
            context::TransportKind::CommandLine => Transport::CommandLine,
        }
    }

    /// The authenticated caller.
    pub fn principal(&self) -> Option<String> {
        match &self.source {
            Source::Host => context::principal(),
            Source::Fixed(fixed) => fixed.principal.clone(),
        }
    }

    /// What the client can do, as it declared.
    pub fn capabilities(&self) -> Capabilities {
        match &self.source {
            Source::Host => Capabilities::parse(&context::capabilities()),
            Source::Fixed(fixed) => fixed.capabilities.clone(),
        }
    }

    /// `_meta` of the request.
    pub fn meta(&self) -> Option<Value> {
        let json = match &self.source {
            Source::Host => context::meta(),
            Source::Fixed(fixed) => fixed.meta.clone(),
        };
        serde_json::from_str(&json?).ok()
    }

    /// A request header, case ignored, if the tool lists it in `headers = [..]`.
    pub fn header(&self, name: &str) -> Option<String> {
        match &self.source {
            Source::Host => context::header(name),
            Source::Fixed(fixed) => {
                let (_, value) =
                    fixed.headers.iter().find(|(header, _)| header.eq_ignore_ascii_case(name))?;
                Some(value.clone())
            }
        }
    }

    /// How long the invocation may still run.
    pub fn remaining(&self) -> Duration {
        match &self.source {
            Source::Host => Duration::from_millis(context::remaining_ms()),
            Source::Fixed(_) => Duration::from_secs(10),
        }
    }
}

/// What a test sets; on a context of the host these change nothing.
impl ToolContext {
    /// The same context with a client.
    #[must_use]
    pub fn with_client(self, name: &str, version: &str) -> Self {
        let client = Client { name: name.to_owned(), version: version.to_owned() };
        self.fixed(|fixed| fixed.client = Some(client))
    }

    /// The same context with a session.
    #[must_use]
    pub fn with_session(self, session: &str) -> Self {
        self.fixed(|fixed| fixed.session = Some(session.to_owned()))
    }

    /// The same context with an authenticated caller.
    #[must_use]
    pub fn with_principal(self, principal: &str) -> Self {
        self.fixed(|fixed| fixed.principal = Some(principal.to_owned()))
    }

    /// The same context with `_meta`.
    #[must_use]
    pub fn with_meta(self, meta: &Value) -> Self {
        self.fixed(|fixed| fixed.meta = Some(meta.to_string()))
    }

    /// The same context with a client that can do this: `ClientCapabilities` of the protocol.
    #[must_use]
    pub fn with_capabilities(self, capabilities: &Value) -> Self {
        self.fixed(|fixed| fixed.capabilities = Capabilities::parse(&capabilities.to_string()))
    }

    /// The same context with one more request header.
    #[must_use]
    pub fn with_header(self, name: &str, value: &str) -> Self {
        self.fixed(|fixed| fixed.headers.push((name.to_owned(), value.to_owned())))
    }

    fn fixed(mut self, change: impl FnOnce(&mut Fixed)) -> Self {
        if let Source::Fixed(fixed) = &mut self.source {
            change(fixed);
        }
        self
    }
}

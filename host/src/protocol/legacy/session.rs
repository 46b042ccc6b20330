//! What a legacy client said of itself at `initialize`, and never says again.
//!
//! On HTTP the session id itself carries it, signed: whichever host gets the next request, and however often it was
//! started anew, can read it. A stream keeps it for as long as it lasts.

#[cfg(test)]
mod properties;

use std::sync::{
    OnceLock,
    atomic::{AtomicBool, AtomicU8, Ordering},
};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{
    function::{Client, Json, LogLevel},
    protocol::{
        Context, raw,
        revision::{LEGACY, MODERN},
    },
    state::Sealer,
};

/// The header that has the id, and the one with the revision.
const HEADER: &str = "mcp-session-id";
const VERSION: &str = "mcp-protocol-version";

/// The longest id that is read; ours are shorter.
const MAX_LENGTH: usize = 4096;

/// What of a client an id may carry, in bytes: the client sends it with every request.
const MAX_NAME: usize = 128;
const MAX_CAPABILITIES: usize = 1024;

/// A legacy client.
#[derive(Clone, Debug)]
pub(in crate::protocol) struct Peer {
    /// Names its session: nobody else can know it.
    pub(in crate::protocol) id: String,
    /// The revision that was agreed on.
    pub(in crate::protocol) version: &'static str,
    /// The client program.
    pub(in crate::protocol) client: Option<Client>,
    /// What it can do, an object.
    pub(in crate::protocol) capabilities: Json,
}

/// The form in which an id carries it.
#[derive(Deserialize, Serialize)]
struct Carried<'a> {
    version: String,
    name: Option<String>,
    program_version: Option<String>,
    #[serde(borrow)]
    capabilities: &'a RawValue,
    principal: Option<String>,
    random: String,
}

impl Peer {
    /// A client that introduces itself. Its id is signed for who asks.
    pub(super) fn introduce(
        sealer: &Sealer,
        version: &'static str,
        client: Option<Client>,
        capabilities: Option<&RawValue>,
        principal: Option<&str>,
    ) -> Self {
        let cut = |text: &str| text[..text.floor_char_boundary(MAX_NAME)].to_owned();
        let client =
            client.map(|client| Client { name: cut(&client.name), version: cut(&client.version) });
        let capabilities = reduced(capabilities);
        let known = Carried {
            version: version.to_owned(),
            name: client.as_ref().map(|client| client.name.clone()),
            program_version: client.as_ref().map(|client| client.version.clone()),
            capabilities: &capabilities,
            principal: principal.map(str::to_owned),
            random: random(),
        };
        let content = serde_json::to_vec(&known).expect("texts have a JSON text");
        Self { id: sealer.sign(&content), version, client, capabilities }
    }

    /// What functions know the session by: whoever has the id itself could answer for the client.
    pub(super) fn pseudonym(&self) -> String {
        blake3::hash(self.id.as_bytes()).to_hex()[..32].to_owned()
    }

    /// Reads the id that a request came with. None: there is none, or it is not ours; then a client is served as one
    /// of whom nothing is known.
    pub(in crate::protocol) fn of_request(context: &Context<'_>, sealer: &Sealer) -> Option<Self> {
        let headers = context.headers?;
        // The modern era has no sessions, whatever else a request brings (2026-07-28, streamable-http).
        if headers.get(VERSION).ok().flatten() == Some(MODERN) {
            return None;
        }
        let id = headers.get(HEADER).ok()??;
        if id.len() > MAX_LENGTH {
            return None;
        }
        let carried = sealer.verify(id)?;
        let known: Carried<'_> = serde_json::from_slice(&carried).ok()?;
        // A session is of the one who began it.
        if known.principal.as_deref() != context.principal {
            return None;
        }
        Some(Self {
            id: id.to_owned(),
            version: LEGACY.into_iter().find(|version| *version == known.version)?,
            client: known
                .name
                .map(|name| Client { name, version: known.program_version.unwrap_or_default() }),
            capabilities: known.capabilities.to_owned(),
        })
    }
}

/// As much of the capabilities as an id has room for: all of them, or those that we know.
fn reduced(capabilities: Option<&RawValue>) -> Json {
    let empty = || RawValue::from_string("{}".to_owned()).expect("an empty object is JSON");
    let Some(capabilities) = capabilities.filter(|it| it.get().starts_with('{')) else {
        return empty();
    };
    if capabilities.get().len() <= MAX_CAPABILITIES {
        return capabilities.to_owned();
    }
    let mut members = Vec::new();
    for name in ["elicitation", "sampling", "roots"] {
        let known = raw::member(capabilities.get(), name);
        members.extend(known.map(|value| format!("\"{name}\":{value}")));
    }
    let text = format!("{{{}}}", members.join(","));
    if text.len() > MAX_CAPABILITIES {
        return empty();
    }
    RawValue::from_string(text).unwrap_or_else(|_| empty())
}

/// 128 random bits as hex digits.
pub(super) fn random() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the operating system gives randomness");
    format!("{:032x}", u128::from_be_bytes(bytes))
}

/// The session of a stream, for as long as it lasts.
#[derive(Debug)]
pub struct Session {
    id: String,
    peer: OnceLock<Peer>,
    ready: AtomicBool,
    log_level: AtomicU8,
}

impl Default for Session {
    fn default() -> Self {
        Self {
            id: random(),
            peer: OnceLock::new(),
            ready: AtomicBool::new(false),
            log_level: AtomicU8::new(level_number(None)),
        }
    }
}

impl Session {
    /// Whether the client has finished the handshake, before which it is told nothing (2025-11-25, basic/lifecycle).
    pub fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Relaxed)
    }

    /// Names it.
    pub(in crate::protocol) fn id(&self) -> &str {
        &self.id
    }

    /// Takes note of `initialize`. The first one stays: a stream is initialized once (2025-11-25, basic/lifecycle).
    pub(super) fn begin(&self, peer: Peer) {
        _ = self.peer.set(Peer { id: self.id.clone(), ..peer });
    }

    /// Takes note that the client has finished the handshake.
    pub(super) fn finish(&self) {
        if self.peer.get().is_some() {
            self.ready.store(true, Ordering::Relaxed);
        }
    }

    /// The client, once it has introduced itself.
    pub(in crate::protocol) fn peer(&self) -> Option<&Peer> {
        self.peer.get()
    }

    /// Takes note of which lines of the log the client wants.
    pub(super) fn set_log_level(&self, level: Option<LogLevel>) {
        self.log_level.store(level_number(level), Ordering::Relaxed);
    }

    /// Which lines of the log the client wants.
    pub(super) fn log_level(&self) -> Option<LogLevel> {
        level_of_number(self.log_level.load(Ordering::Relaxed))
    }
}

const LEVELS: [LogLevel; 5] =
    [LogLevel::Trace, LogLevel::Debug, LogLevel::Info, LogLevel::Warn, LogLevel::Error];

/// A level as one byte: its place among all, and after them for none.
pub(super) fn level_number(level: Option<LogLevel>) -> u8 {
    let place = level.and_then(|level| LEVELS.iter().position(|known| *known == level));
    u8::try_from(place.unwrap_or(LEVELS.len())).expect("there are five")
}

/// The level of a byte.
pub(super) fn level_of_number(number: u8) -> Option<LogLevel> {
    LEVELS.get(usize::from(number)).copied()
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::{MAX_CAPABILITIES, MAX_LENGTH, Peer, reduced};
    use crate::{
        function::{Client, TransportKind},
        protocol::{Context, Headers, Unreadable},
        state::Sealer,
    };

    #[derive(Debug)]
    struct WithSession<'a>(&'a str);

    impl Headers for WithSession<'_> {
        fn get(&self, name: &str) -> Result<Option<&str>, Unreadable> {
            Ok((name == "mcp-session-id").then_some(self.0))
        }

        fn joined(&self, _: &str) -> Option<String> {
            None
        }
    }

    pub(super) fn read(sealer: &Sealer, id: &str, principal: Option<&str>) -> Option<Peer> {
        let headers = WithSession(id);
        let context = Context { principal, ..Context::of(TransportKind::Http, Some(&headers)) };
        Peer::of_request(&context, sealer)
    }

    pub(super) fn raw(text: &str) -> Box<RawValue> {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn an_id_says_who_the_client_is_to_every_host_with_the_key() {
        let client = Client { name: "c".repeat(1000), version: "1".to_owned() };
        let capabilities = raw(r#"{"sampling":{}}"#);
        let peer = Peer::introduce(
            &Sealer::with_secret("s"),
            "2025-06-18",
            Some(client),
            Some(&capabilities),
            None,
        );
        assert!(peer.id.len() < MAX_LENGTH && peer.id.bytes().all(|byte| byte.is_ascii_graphic()));
        let read_again = read(&Sealer::with_secret("s"), &peer.id, None).unwrap();
        assert_eq!(read_again.version, "2025-06-18");
        assert_eq!(read_again.client.unwrap().name, "c".repeat(128));
        assert_eq!(read_again.capabilities.get(), capabilities.get());
        assert!(read(&Sealer::with_secret("t"), &peer.id, None).is_none());
        assert!(read(&Sealer::with_secret("s"), &peer.id, Some("somebody")).is_none());
        assert!(read(&Sealer::with_secret("s"), &peer.id[1..], None).is_none());
    }

    #[test]
    fn no_two_sessions_have_one_id() {
        let sealer = Sealer::random();
        let id = || Peer::introduce(&sealer, "2025-11-25", None, None, None).id;
        assert_ne!(id(), id());
    }

    #[test]
    fn large_capabilities_are_cut_to_what_we_know() {
        let padding = "x".repeat(MAX_CAPABILITIES);
        let large = raw(&format!(r#"{{"roots":{{}},"experimental":{{"x":"{padding}"}}}}"#));
        assert_eq!(reduced(Some(&large)).get(), r#"{"roots":{}}"#);
        let larger = raw(&format!(r#"{{"roots":{{"x":"{padding}"}}}}"#));
        assert_eq!(reduced(Some(&larger)).get(), "{}");
        assert_eq!(reduced(Some(&raw("[]"))).get(), "{}");
        assert_eq!(reduced(None).get(), "{}");
    }
}

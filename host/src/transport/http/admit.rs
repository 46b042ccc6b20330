//! What a request must be before its body is read. The order is: who asks, then what for.

use std::net::{IpAddr, SocketAddr};

use hyper::{
    HeaderMap, Method, Uri,
    header::{ACCEPT, CONTENT_TYPE, GetAll, HOST, HeaderName, HeaderValue, ORIGIN},
};
use thiserror::Error;

use super::Config;

/// Where messages go: our own path, and the one of Azure Functions.
const PATHS: [&str; 2] = ["/mcp", "/runtime/webhooks/mcp"];

/// Where the transport of 2024-11-05 is: its stream, and what is posted to it.
const STREAM_PATHS: [&str; 2] = ["/sse", "/runtime/webhooks/mcp/sse"];
const POST_PATHS: [&str; 2] = ["/message", "/runtime/webhooks/mcp/message"];

/// A request that is refused before the protocol sees it. [`Display`](std::fmt::Display) is what the client reads.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub(super) enum Rejection {
    /// None, several or an unreadable one (RFC 9112, 3.2).
    #[error("exactly one Host header is needed")]
    HostCount,
    /// A name that leads here and is not ours: DNS rebinding.
    #[error("the Host header names another host (use localhost, 127.0.0.1 or [::1])")]
    Host,
    /// A page of another site.
    #[error("the Origin header names a page that is not on this machine")]
    Origin,
    /// Nothing is there.
    #[error("nothing is here (messages go to /mcp)")]
    Path,
    /// Among others, the end of a session, which is not offered, and the stream of a client that has none.
    #[error("this path takes only {allow}")]
    Method {
        /// The methods that it takes, as the Allow header lists them.
        allow: &'static str,
    },
    /// A revision that is not served, or a header that cannot be read.
    #[error("the MCP-Protocol-Version header names no revision that is served")]
    Version,
    /// The body is not JSON.
    #[error("the Content-Type header must be application/json")]
    ContentType,
    /// The client takes nothing that we could send.
    #[error("the Accept header must allow application/json")]
    Accept,
    /// The body is too long.
    #[error("the body is longer than {limit} bytes")]
    TooLong {
        /// The longest that is taken.
        limit: usize,
    },
    /// The body took too long.
    #[error("the body did not arrive in time")]
    Slow,
    /// The body could not be read.
    #[error("the body is broken")]
    Body,
    /// No stream of 2024-11-05 has this id.
    #[error("no stream is open under this sessionId (open one at /sse)")]
    Stream,
    /// As many clients listen as may.
    #[error("too many clients are listening (try again later)")]
    Listeners,
    /// No room for one more message.
    #[error("too many messages are waiting (try again later)")]
    Full,
    /// Nothing is kept that would come after this event.
    #[error("the Last-Event-ID header names no event from which could be read on")]
    Event,
}

/// Where a request goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Route {
    /// `/healthz`, `/readyz`
    Probe,
    /// A browser asks whether a page may send a message.
    Preflight,
    /// A message for the protocol.
    Message,
    /// A client wants to listen.
    Listen,
    /// A client of 2024-11-05 opens its stream.
    OldStream,
    /// A client of 2024-11-05 posts a message.
    OldMessage,
}

/// The rules of one listener.
#[derive(Debug)]
pub(super) struct Admission {
    // The address that was bound counts as a name of this host.
    bound: Option<IpAddr>,
    /// Whether the transport of 2024-11-05 is served.
    legacy_sse: bool,
}

impl Admission {
    pub(super) fn new(bound: Option<SocketAddr>, config: &Config) -> Self {
        Self { bound: bound.map(|address| address.ip()), legacy_sse: config.legacy_sse }
    }

    /// Decides over a request by its head.
    pub(super) fn admit(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<Route, Rejection> {
        let path = uri.path();
        // Probes come by whatever address the orchestrator knows, and learn nothing but that the host lives.
        if matches!(path, "/healthz" | "/readyz") {
            return if matches!(*method, Method::GET | Method::HEAD) {
                Ok(Route::Probe)
            } else {
                Err(Rejection::Method { allow: "GET, HEAD" })
            };
        }
        self.check_host(uri, headers)?;
        check_origin(headers)?;
        let path = path.strip_suffix('/').unwrap_or(path);
        if self.legacy_sse && STREAM_PATHS.contains(&path) {
            return match *method {
                Method::GET => Ok(Route::OldStream),
                Method::OPTIONS => Ok(Route::Preflight),
                // Newer clients try a POST first, and take this for an answer (2025-03-26, basic/transports).
                _ => Err(Rejection::Method { allow: "GET" }),
            };
        }
        if self.legacy_sse && POST_PATHS.contains(&path) {
            return match *method {
                Method::POST => {
                    check_content_type(headers)?;
                    Ok(Route::OldMessage)
                }
                Method::OPTIONS => Ok(Route::Preflight),
                _ => Err(Rejection::Method { allow: "POST" }),
            };
        }
        if !PATHS.contains(&path) {
            return Err(Rejection::Path);
        }
        match *method {
            Method::POST => {}
            Method::OPTIONS => return Ok(Route::Preflight),
            // Without a session it is refused as any other method: clients look for a 405.
            Method::GET => return Ok(Route::Listen),
            _ => return Err(Rejection::Method { allow: "GET, POST" }),
        }
        check_content_type(headers)?;
        check_accept(headers)?;
        Ok(Route::Message)
    }

    /// A name of this machine only: a page whose name was turned to point here still says its own name.
    fn check_host(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Rejection> {
        let host = single(headers, HOST)
            .map_err(|Several| Rejection::HostCount)?
            .ok_or(Rejection::HostCount)?;
        // A target in absolute form outweighs the header (RFC 9112, 3.2.2).
        let named = uri.authority().map_or(host, |authority| authority.as_str());
        if self.is_ours(host) && self.is_ours(named) { Ok(()) } else { Err(Rejection::Host) }
    }

    fn is_ours(&self, authority: &str) -> bool {
        let Some(host) = without_port(authority) else { return false };
        let address =
            host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        is_loopback(host) || self.bound.is_some_and(|bound| address.parse() == Ok(bound))
    }
}

/// The origin of the page that asks and may read what it gets, be it a rejection: one on this machine. A page whose
/// name was turned to point here still says its own.
pub(super) fn reader(headers: &HeaderMap) -> Option<HeaderValue> {
    check_origin(headers).ok()?;
    headers.get(ORIGIN).cloned()
}

/// A page on this machine, by any port; other programs send no Origin. `null` is any sandboxed page of any site.
fn check_origin(headers: &HeaderMap) -> Result<(), Rejection> {
    let Some(origin) = single(headers, ORIGIN).map_err(|Several| Rejection::Origin)? else {
        return Ok(());
    };
    let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    let host = authority.and_then(without_port);
    if host.is_some_and(is_loopback) { Ok(()) } else { Err(Rejection::Origin) }
}

struct Several;

/// The one value of a header; not readable as text counts as several.
fn single(headers: &HeaderMap, name: HeaderName) -> Result<Option<&str>, Several> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| Several),
        _ => Err(Several),
    }
}

/// The host of `host[:port]`. None: what follows is no port.
fn without_port(authority: &str) -> Option<&str> {
    let end = if authority.starts_with('[') {
        authority.find(']')? + 1
    } else {
        authority.find(':').unwrap_or(authority.len())
    };
    let (host, port) = authority.split_at(end);
    let is_port =
        port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
    is_port.then_some(host)
}

fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || host == "127.0.0.1" || host == "[::1]"
}

fn check_content_type(headers: &HeaderMap) -> Result<(), Rejection> {
    let content_type = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .ok_or(Rejection::ContentType)?;
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") {
        Ok(())
    } else {
        Err(Rejection::ContentType)
    }
}

/// Clients must list both types that a server may choose (streamable-http, Sending Messages). Many list one, or
/// none: only one that takes neither is refused.
fn check_accept(headers: &HeaderMap) -> Result<(), Rejection> {
    let mut values = headers.get_all(ACCEPT).iter().peekable();
    if values.peek().is_none() {
        return Ok(());
    }
    let mut ranges =
        values.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    if ranges.any(is_acceptable) { Ok(()) } else { Err(Rejection::Accept) }
}

/// Whether a client takes events. One that says nothing, or anything, may be a simple one.
pub(super) fn takes_events(values: GetAll<'_, HeaderValue>) -> bool {
    let mut ranges =
        values.iter().filter_map(|value| value.to_str().ok()).flat_map(|it| it.split(','));
    ranges.any(|range| {
        let mut parts = range.split(';').map(str::trim);
        let media = parts.next().unwrap_or_default();
        media.eq_ignore_ascii_case("text/event-stream") && !parts.any(is_zero_quality)
    })
}

fn is_acceptable(range: &str) -> bool {
    let mut parts = range.split(';').map(str::trim);
    let media = parts.next().unwrap_or_default();
    let ours = ["application/json", "application/*", "text/event-stream", "text/*", "*/*"];
    ours.iter().any(|ours| media.eq_ignore_ascii_case(ours)) && !parts.any(is_zero_quality)
}

fn is_zero_quality(parameter: &str) -> bool {
    let Some((name, value)) = parameter.split_once('=') else { return false };
    name.trim().eq_ignore_ascii_case("q") && value.trim().parse() == Ok(0.0)
}

#[cfg(test)]
mod tests {
    use hyper::{HeaderMap, Method, header::HeaderName};

    use super::{Admission, Config, Rejection, Route};

    fn admit(method: Method, path: &str, headers: &[(&str, &str)]) -> Result<Route, Rejection> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(HeaderName::from_bytes(name.as_bytes()).unwrap(), value.parse().unwrap());
        }
        let admission = Admission::new(Some("10.1.2.3:80".parse().unwrap()), &Config::default());
        admission.admit(&method, &path.parse().unwrap(), &map)
    }

    fn check(headers: &[(&str, &str)], expected: Result<Route, Rejection>) {
        let mut all = vec![("content-type", "application/json")];
        all.extend_from_slice(headers);
        assert_eq!(admit(Method::POST, "/mcp", &all), expected, "{headers:?}");
    }

    const HOST: (&str, &str) = ("host", "localhost");

    #[test]
    fn host_must_be_a_name_of_this_machine() {
        for host in [
            "localhost",
            "LocalHost:1",
            "127.0.0.1",
            "127.0.0.1:7071",
            "[::1]",
            "[::1]:7071",
            "10.1.2.3:7071",
        ] {
            check(&[("host", host)], Ok(Route::Message));
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil",
            "localhost:x",
            "user@localhost",
            "::1",
            "",
            "[::1",
            "10.1.2.4",
        ] {
            check(&[("host", host)], Err(Rejection::Host));
        }
        check(&[], Err(Rejection::HostCount));
        check(&[HOST, HOST], Err(Rejection::HostCount));
        let headers = [("host", "localhost"), ("content-type", "application/json")];
        assert_eq!(admit(Method::POST, "http://evil.example/mcp", &headers), Err(Rejection::Host));
        assert_eq!(admit(Method::POST, "http://localhost/mcp", &headers), Ok(Route::Message));
    }

    #[test]
    fn origin_must_be_absent_or_on_this_machine() {
        for origin in
            ["http://localhost:6274", "https://localhost", "http://127.0.0.1:1", "http://[::1]:80"]
        {
            check(&[HOST, ("origin", origin)], Ok(Route::Message));
        }
        for origin in [
            "null",
            "",
            "http://evil.example",
            "http://localhost.evil.example",
            "ftp://localhost",
            "http://localhost/x",
            "localhost",
        ] {
            check(&[HOST, ("origin", origin)], Err(Rejection::Origin));
        }
        check(
            &[HOST, ("origin", "http://localhost"), ("origin", "http://localhost")],
            Err(Rejection::Origin),
        );
    }

    #[test]
    fn a_body_must_be_json() {
        for content_type in
            ["application/json", "Application/JSON; charset=utf-8", "application/json;"]
        {
            let headers = [HOST, ("content-type", content_type)];
            assert_eq!(admit(Method::POST, "/mcp", &headers), Ok(Route::Message), "{content_type}");
        }
        for content_type in ["text/plain", "application/jsonx", "", "text/plain; application/json"]
        {
            let headers = [HOST, ("content-type", content_type)];
            assert_eq!(
                admit(Method::POST, "/mcp", &headers),
                Err(Rejection::ContentType),
                "{content_type}"
            );
        }
        assert_eq!(admit(Method::POST, "/mcp", &[HOST]), Err(Rejection::ContentType));
    }

    #[test]
    fn accept_is_refused_only_if_it_excludes_both_types() {
        for accept in [
            "*/*",
            "application/json",
            "text/event-stream",
            "text/html, application/*;q=0.1",
            "APPLICATION/JSON",
        ] {
            check(&[HOST, ("accept", accept)], Ok(Route::Message));
        }
        for accept in [
            "text/html",
            "application/json;q=0",
            "application/json; q=0.0, text/event-stream;q=0.000",
            "",
        ] {
            check(&[HOST, ("accept", accept)], Err(Rejection::Accept));
        }
        check(&[HOST, ("accept", "text/html"), ("accept", "application/json")], Ok(Route::Message));
    }

    #[test]
    fn messages_have_two_paths_and_one_method() {
        let headers = [HOST, ("content-type", "application/json")];
        for path in
            ["/mcp", "/mcp/", "/mcp?code=x", "/runtime/webhooks/mcp", "/runtime/webhooks/mcp/"]
        {
            assert_eq!(admit(Method::POST, path, &headers), Ok(Route::Message), "{path}");
            assert_eq!(admit(Method::OPTIONS, path, &headers), Ok(Route::Preflight), "{path}");
            assert_eq!(admit(Method::GET, path, &headers), Ok(Route::Listen), "{path}");
            for method in [Method::HEAD, Method::DELETE, Method::PUT, Method::PATCH] {
                let expected = Err(Rejection::Method { allow: "GET, POST" });
                assert_eq!(admit(method, path, &headers), expected, "{path}");
            }
        }
        for path in ["/", "/mcp//", "/mcpx", "/MCP", "/mcp/x"] {
            assert_eq!(admit(Method::POST, path, &headers), Err(Rejection::Path), "{path}");
        }
        assert_eq!(admit(Method::GET, "/healthz", &[]), Ok(Route::Probe));
        let expected = Err(Rejection::Method { allow: "GET, HEAD" });
        assert_eq!(admit(Method::POST, "/readyz", &[]), expected);
    }
}

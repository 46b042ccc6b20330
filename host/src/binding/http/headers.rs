//! Which headers a declaration or a connection may send.

use reqwest::header::HeaderName;

use crate::function::SECRET_HEADERS;

/// Those that say how a message travels: they are for those who send it.
const FRAMING: [&str; 11] = [
    "connection",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "via",
];

/// By these some servers take another method, path or sender for the true one, so that a declaration could leave
/// what its connection allows.
const REROUTING: [&str; 7] = [
    "forwarded",
    "x-http-method",
    "x-http-method-override",
    "x-method-override",
    "x-original-url",
    "x-real-ip",
    "x-rewrite-url",
];

/// Words in names that tell of a secret.
const SECRET_WORDS: [&str; 7] =
    ["auth", "authentication", "authorization", "cookie", "key", "sig", "signature"];

/// The same, as parts of words.
const SECRET_PARTS: [&str; 5] = ["apikey", "credential", "password", "secret", "token"];

/// It sounds like a secret and is none: it says that two requests are the same one.
const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// Reads a name.
pub(super) fn name(text: &str) -> Result<HeaderName, String> {
    let name: HeaderName = text
        .parse()
        .map_err(|_| "is no name of a header (expected letters, digits, `-` and `_`)".to_owned())?;
    if FRAMING.contains(&name.as_str()) {
        return Err("is set by the host alone".to_owned());
    }
    Ok(name)
}

/// Why a declaration may not send it, whatever its value.
pub(super) fn refusal(name: &HeaderName) -> Option<&'static str> {
    let text = name.as_str();
    if is_secret(name) {
        return Some("belongs in the connection: no declaration holds a secret");
    }
    if REROUTING.contains(&text) || text.starts_with("x-forwarded-") {
        return Some("may change where a request goes, so only the connection sends it");
    }
    (text == "content-type").then_some("is `contentType` of an output")
}

/// Whether its value is one that nobody should read.
pub(super) fn is_secret(name: &HeaderName) -> bool {
    let name = name.as_str();
    SECRET_HEADERS.contains(&name)
        || SECRET_PARTS.iter().any(|part| name.contains(part))
        || name != IDEMPOTENCY_KEY
            && name.split(['-', '_']).any(|word| SECRET_WORDS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_told_by_their_names() {
        let secret = |text: &str| is_secret(&name(text).unwrap());
        for text in [
            "Authorization",
            "X-API-Key",
            "apikey",
            "X-Auth-Token",
            "Ocp-Apim-Subscription-Key",
            "Cookie",
            "x_secret",
            "X-Functions-Key",
            "Private-Token",
        ] {
            assert!(secret(text), "{text}");
        }
        for text in ["Accept", "X-Author", "Idempotency-Key", "If-None-Match", "X-Country-Code"] {
            assert!(!secret(text), "{text}");
        }
    }
}

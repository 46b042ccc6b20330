//! What a storage error says, for the log: without what signs a request, and without the documents of servers.

use std::{error::Error, fmt};

/// Longer texts are no sentences.
const MAX_CHARACTERS: usize = 600;

/// What marks a value that signs.
const SIGNS: [&str; 5] =
    ["sig=", "signature=", "x-amz-signature=", "x-amz-security-token=", "password="];

/// The text of an error and of what caused it.
///
/// Errors of `object_store` hold addresses, of which the query may be a shared access signature, and what the server
/// said, which may quote it.
#[derive(Debug)]
pub(in crate::binding) struct Detail(String);

impl Detail {
    pub(in crate::binding) fn of(error: &(dyn Error + 'static)) -> Self {
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            let more = error.to_string();
            // Most of them repeat their causes, and some do not.
            if !text.contains(&more) {
                text.push_str(": ");
                text.push_str(&more);
            }
            cause = error.source();
        }
        Self(clean(&text))
    }
}

impl fmt::Display for Detail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Detail {}

fn clean(text: &str) -> String {
    let text = without_documents(text);
    let words: Vec<String> = text.split_whitespace().map(without_secrets).collect();
    let text = words.join(" ");
    match text.char_indices().nth(MAX_CHARACTERS) {
        None => text,
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}

/// Of an XML document that a server answered, its code is kept.
fn without_documents(text: &str) -> String {
    let Some((before, document)) = text.split_once('<') else { return text.to_owned() };
    let code = document.split_once("<Code>").and_then(|(_, rest)| rest.split_once("</Code>"));
    let code = code.map_or("(a document)", |(code, _)| code);
    format!("{before}{code}")
}

fn without_secrets(word: &str) -> String {
    let mut end = word.len();
    if word.contains("://") {
        end = word.find('?').unwrap_or(end);
    }
    let lower = word.to_ascii_lowercase();
    for sign in SIGNS {
        end = lower.find(sign).map_or(end, |start| end.min(start));
    }
    let mut kept = word[..end].to_owned();
    if let Some((scheme, rest)) = kept.split_once("://") {
        let host = rest.split('/').next().unwrap_or_default();
        if let Some((user, _)) = host.rsplit_once('@') {
            kept = format!("{scheme}://{}", &rest[user.len() + 1..]);
        }
    }
    if end < word.len() {
        kept.push_str("...");
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_signs_and_what_servers_quote_is_left_out() {
        let check = |text: &str, expected: &str| assert_eq!(clean(text), expected);
        check("plain words", "plain words");
        check(
            "PUT https://a.blob.core.windows.net/c/x?sv=1&sig=SECRET in 3ms - refused",
            "PUT https://a.blob.core.windows.net/c/x... in 3ms - refused",
        );
        check("at http://user:SECRET@host/x failed", "at http://host/x failed");
        check("sv=1&sig=SECRET was wrong", "sv=1&... was wrong");
        check("Signature=SECRET, more", "... more");
        check(
            "403 Forbidden: <?xml version=\"1.0\"?>\n<Error><Code>SignatureDoesNotMatch</Code>\
             <SignatureProvided>SECRET</SignatureProvided></Error>: more",
            "403 Forbidden: SignatureDoesNotMatch",
        );
        check("502: <html>SECRET</html>", "502: (a document)");
        check("broken <html>SECRET", "broken (a document)");
        check(&"é".repeat(700), &format!("{}...", "é".repeat(600)));
    }
}

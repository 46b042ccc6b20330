//! What an invocation came to, as the result of `resources/read`.

use serde::Serialize;

use crate::{
    function::{Function, Outcome, SkillFile},
    protocol::{
        content::Resource,
        error::ProtocolError,
        framed::Framed,
        modern::envelope::{PRIVATE, SHARED, ServerMeta},
        revision::Era,
    },
};

/// What a value is.
const JSON: &str = "application/json";

/// The members of `ReadResourceResult`.
#[derive(Serialize)]
pub(in crate::protocol) struct Contents<'a> {
    contents: Vec<Resource<'a>>,
}

/// The contents that a function gave for a URI. It says what it does not declare, and the URI is the one asked for.
pub(in crate::protocol) fn contents<'a>(
    era: Era,
    uri: &'a str,
    function: &'a Function,
    outcome: &'a Outcome,
) -> Result<Contents<'a>, ProtocolError> {
    let declared = function.resource().and_then(|resource| resource.mime_type.as_deref());
    let contents = match outcome {
        Outcome::Text(text) => vec![Resource::text(uri, declared, text)],
        Outcome::Bytes(bytes) => vec![Resource::bytes(uri, declared, bytes)],
        Outcome::Value(json) => {
            vec![Resource::text(uri, declared.or(Some(JSON)), json.get())]
        }
        Outcome::Contents(contents) => {
            contents.iter().map(|contents| Resource::given(contents, uri, declared)).collect()
        }
        Outcome::Nothing => Vec::new(),
        Outcome::Failure(failure) => return Err(ProtocolError::Function(failure.message.clone())),
        Outcome::Reply(_)
        | Outcome::Messages(_)
        | Outcome::InputRequired(_)
        | Outcome::Suggestions(_) => return Err(ProtocolError::Internal),
    };
    if contents.is_empty() {
        // Never empty contents (2026-07-28, server/resources, Error Handling).
        return Err(ProtocolError::Resource { uri: uri.to_owned(), era });
    }
    Ok(Contents { contents })
}

/// The result of a function: what it reads may be another one for others, and later.
pub(in crate::protocol) fn of_contents<'a>(
    era: Era,
    contents: Contents<'a>,
    server: &'a ServerMeta,
) -> Framed<'a, Contents<'a>> {
    Framed::cached(era, contents, PRIVATE, server)
}

/// The result for the file of a skill, which is the same for everyone.
pub(in crate::protocol) fn of_file<'a>(
    era: Era,
    file: &'a SkillFile,
    server: &'a ServerMeta,
) -> Framed<'a, Contents<'a>> {
    let contents = Contents { contents: vec![contents_of_file(file)] };
    Framed::cached(era, contents, SHARED, server)
}

/// Text where it is text: a model reads that best.
fn contents_of_file(file: &SkillFile) -> Resource<'_> {
    let mime_type = Some(file.mime_type.as_str());
    match std::str::from_utf8(&file.content) {
        Ok(text) => Resource::text(&file.uri, mime_type, text),
        Err(_) => Resource::bytes(&file.uri, mime_type, &file.content),
    }
}

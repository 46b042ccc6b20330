//! What of an outcome goes to an output binding: what the function returned, never MCP's envelope.

use super::OutputError;
use crate::function::{Block, Outcome};

/// The bytes that `$return` writes. None: nothing is written.
pub(super) fn returned(outcome: &Outcome) -> Result<Option<&[u8]>, OutputError> {
    match outcome {
        Outcome::Nothing
        | Outcome::Failure(_)
        | Outcome::InputRequired(_)
        | Outcome::Suggestions(_) => Ok(None),
        Outcome::Contents(_) | Outcome::Messages(_) => Err(OutputError::Blocks),
        Outcome::Text(text) => Ok(Some(text.as_bytes())),
        Outcome::Bytes(bytes) => Ok(Some(bytes)),
        Outcome::Value(json) => Ok(Some(json.get().as_bytes())),
        Outcome::Reply(reply) if reply.is_error => Ok(None),
        Outcome::Reply(reply) => match (reply.content.as_slice(), &reply.structured) {
            (_, Some(json)) => Ok(Some(json.get().as_bytes())),
            ([], None) => Ok(None),
            ([content], None) => match &content.block {
                Block::Text(text) => Ok(Some(text.as_bytes())),
                Block::Image(media) | Block::Audio(media) => Ok(Some(&media.data)),
                Block::Resource(_) | Block::Link(_) | Block::Other(_) => Err(OutputError::Blocks),
            },
            (_, None) => Err(OutputError::Blocks),
        },
    }
}

/// Whether the function says itself that it did not do its work: then no output is written, and no result checked.
pub(super) fn unfinished(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Failure(_) | Outcome::InputRequired(_) => true,
        Outcome::Reply(reply) => reply.is_error,
        _ => false,
    }
}

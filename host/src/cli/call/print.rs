//! What a call came to, on standard output.

use std::io::{self, Write};

use crate::{
    cli::{Failure, printable, say},
    function::{Block, Content, Outcome, PromptMessage, Reply, ResourceBody, Role},
};

pub(super) fn print(kind: &str, outcome: &Outcome) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match outcome {
        // Of a resource: there is none. What was found and is empty is an empty text.
        Outcome::Nothing if kind == "resource" => {
            say("there is no such resource");
            return Err(Failure::Reported);
        }
        Outcome::Nothing => {}
        Outcome::Text(text) => writeln!(stdout, "{text}")?,
        Outcome::Bytes(bytes) => stdout.write_all(bytes)?,
        Outcome::Value(json) => writeln!(stdout, "{json}")?,
        Outcome::Reply(reply) => {
            print_reply(&mut stdout, reply)?;
            if reply.is_error {
                return Err(Failure::Reported);
            }
        }
        Outcome::Failure(failure) => {
            say(&printable(&failure.message));
            return Err(Failure::Reported);
        }
        Outcome::InputRequired(_) => {
            say("the function asks for input, which a command cannot give (call it from a client)");
            return Err(Failure::Reported);
        }
        Outcome::Contents(contents) => {
            for contents in contents {
                match &contents.body {
                    ResourceBody::Text(text) => writeln!(stdout, "{text}")?,
                    ResourceBody::Bytes(bytes) => stdout.write_all(bytes)?,
                }
            }
        }
        Outcome::Messages(messages) => {
            for PromptMessage { role, content } in messages {
                let role = match role {
                    Role::User => "user",
                    Role::Assistant => "assistant",
                };
                write!(stdout, "{role}: ")?;
                print_content(&mut stdout, content)?;
            }
        }
        Outcome::Suggestions(_) => unreachable!("a call is no completion"),
    }
    Ok(())
}

fn print_reply(out: &mut impl Write, reply: &Reply) -> io::Result<()> {
    for content in &reply.content {
        print_content(out, content)?;
    }
    match &reply.structured {
        Some(json) => writeln!(out, "{json}"),
        None => Ok(()),
    }
}

fn print_content(out: &mut impl Write, content: &Content) -> io::Result<()> {
    match &content.block {
        Block::Text(text) => writeln!(out, "{text}"),
        Block::Image(media) => {
            writeln!(out, "<image {}, {} bytes>", media.mime_type, media.data.len())
        }
        Block::Audio(media) => {
            writeln!(out, "<audio {}, {} bytes>", media.mime_type, media.data.len())
        }
        Block::Resource(resource) => {
            writeln!(out, "<resource {}>", resource.uri.as_deref().unwrap_or_default())
        }
        Block::Link(json) | Block::Other(json) => writeln!(out, "{json}"),
    }
}

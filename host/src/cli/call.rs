//! `mcpfn call`: one invocation, in this process.

use std::{
    io::{self, Write},
    sync::Arc,
};

use anyhow::{Context, anyhow};
use serde_json::{Map, Value, value::RawValue};

use super::{Failure, Sources, runtime, say};
use crate::{
    config::Environment,
    function::{Block, Caller, Content, Invocation, Outcome, Reply, Schema, TransportKind},
    nearest,
};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The tool.
    tool: String,
    /// One argument. The schema tells whether the value is text or JSON.
    #[arg(long = "arg", value_name = "NAME=VALUE", conflicts_with = "json")]
    arguments: Vec<String>,
    /// All arguments as a JSON object; `-` reads it from standard input.
    #[arg(long, value_name = "JSON")]
    json: Option<String>,
    #[command(flatten)]
    sources: Sources,
}

pub(super) fn run(args: Args, environment: &Environment) -> Result<(), Failure> {
    let config = args.sources.config(environment)?;
    let runtime = runtime()?;
    let host = args.sources.load(config, &runtime)?;
    let Some(function) = host.catalog().tool(&args.tool) else {
        let names: Vec<&str> =
            host.catalog().functions().iter().map(|f| f.tool().name.as_str()).collect();
        return Err(Failure::Run(anyhow!(
            "unknown tool `{}` (there are: {})",
            args.tool,
            names.join(", ")
        )));
    };
    let arguments = arguments(&args, &function.tool().input)?;
    let invocation = Arc::new(Invocation::new(
        Arc::clone(function),
        arguments,
        Caller::unknown(TransportKind::CommandLine),
    ));
    match runtime.block_on(host.invoke(&invocation)) {
        Ok(outcome) => print(&outcome),
        Err(error) => {
            say(&error.public_message(&invocation.id));
            Err(Failure::Reported)
        }
    }
}

fn arguments(args: &Args, schema: &Schema) -> Result<Box<RawValue>, Failure> {
    let text = match args.json.as_deref() {
        Some("-") => io::read_to_string(io::stdin())
            .context("standard input cannot be read")
            .map_err(Failure::Run)?,
        Some(json) => json.to_owned(),
        None => {
            let mut arguments = Map::new();
            for pair in &args.arguments {
                let (name, value) = argument(pair, schema).map_err(Failure::Configuration)?;
                if arguments.insert(name.clone(), value).is_some() {
                    return Err(Failure::Configuration(anyhow!(
                        "the argument `{name}` is given twice"
                    )));
                }
            }
            Value::from(arguments).to_string()
        }
    };
    match serde_json::from_str::<Box<RawValue>>(text.trim()) {
        Ok(arguments) if arguments.get().starts_with('{') => Ok(arguments),
        Ok(_) => Err(Failure::Configuration(anyhow!("the arguments are not a JSON object"))),
        Err(error) => Err(Failure::Configuration(
            anyhow::Error::new(error).context("the arguments are not JSON"),
        )),
    }
}

fn argument(pair: &str, schema: &Schema) -> anyhow::Result<(String, Value)> {
    let (name, text) = pair
        .split_once('=')
        .ok_or_else(|| anyhow!("`--arg {pair}` has no `=` (expected NAME=VALUE)"))?;
    let declared = schema.properties().find(|(known, _)| *known == name);
    if declared.is_none() && schema.properties().next().is_some() {
        let hint = nearest::hint(name, schema.properties().map(|(known, _)| known));
        return Err(anyhow!("the tool has no argument `{name}`{hint}"));
    }
    let kind = declared.and_then(|(_, schema)| schema.get("type")).and_then(Value::as_str);
    let value = match kind {
        Some("string") | None => Value::from(text),
        // What is no JSON stays a text, and the schema's own message says what was expected.
        Some(_) => serde_json::from_str(text).unwrap_or_else(|_| Value::from(text)),
    };
    Ok((name.to_owned(), value))
}

fn print(outcome: &Outcome) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match outcome {
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
            say(&failure.message);
            return Err(Failure::Reported);
        }
        Outcome::InputRequired(_) => {
            say("the function asks for input, which a command cannot give (call it from a client)");
            return Err(Failure::Reported);
        }
        Outcome::Contents(_) | Outcome::Messages(_) | Outcome::Suggestions(_) => {
            unreachable!("a tool has no such outcome")
        }
    }
    Ok(())
}

fn print_reply(out: &mut impl Write, reply: &Reply) -> io::Result<()> {
    for Content { block, .. } in &reply.content {
        match block {
            Block::Text(text) => writeln!(out, "{text}")?,
            Block::Image(media) => {
                writeln!(out, "<image {}, {} bytes>", media.mime_type, media.data.len())?;
            }
            Block::Audio(media) => {
                writeln!(out, "<audio {}, {} bytes>", media.mime_type, media.data.len())?;
            }
            Block::Resource(resource) => {
                writeln!(out, "<resource {}>", resource.uri.as_deref().unwrap_or_default())?;
            }
            Block::Link(json) | Block::Other(json) => writeln!(out, "{json}")?,
        }
    }
    match &reply.structured {
        Some(json) => writeln!(out, "{json}"),
        None => Ok(()),
    }
}

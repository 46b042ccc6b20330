//! `mcpfn call`: one invocation, in this process.

mod print;
mod progress;

use std::{
    io::{self, Write},
    sync::Arc,
};

use anyhow::{Context, anyhow};
use serde_json::{Map, Value, value::RawValue};

use self::{print::print, progress::Terminal};
use super::{Failure, Sources, runtime, say};
use crate::{
    config::Environment,
    function::{Caller, Catalog, Function, Invocation, TransportKind, Trigger, arguments_of},
    nearest,
};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The tool.
    #[arg(required_unless_present_any = ["prompt", "resource"], conflicts_with_all = ["prompt", "resource"])]
    tool: Option<String>,
    /// Get the prompt of this name instead.
    #[arg(long, value_name = "NAME", conflicts_with = "resource")]
    prompt: Option<String>,
    /// Read the resource at this URI instead, which holds all arguments.
    #[arg(long, value_name = "URI", conflicts_with_all = ["arguments", "json"])]
    resource: Option<String>,
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
    // The file of a skill is there without anything running.
    if let Some((_, file)) = args.resource.as_ref().and_then(|uri| host.catalog().file(uri)) {
        return Ok(io::stdout().write_all(&file.content)?);
    }
    let (function, arguments) = find(&args, host.catalog())?;
    let caller = Caller::unknown(TransportKind::CommandLine);
    let invocation = Arc::new(Invocation {
        listener: Some(Arc::new(Terminal)),
        ..Invocation::new(function, arguments, caller)
    });
    match runtime.block_on(host.invoke(&invocation)) {
        Ok(outcome) => print(invocation.function.trigger.kind(), &outcome),
        Err(error) => {
            say(&error.public_message(&invocation));
            Err(Failure::Reported)
        }
    }
}

/// The function that is meant, and its arguments.
fn find(args: &Args, catalog: &Catalog) -> Result<(Arc<Function>, Box<RawValue>), Failure> {
    if let Some(uri) = &args.resource {
        let Some((function, variables)) = catalog.resource(uri) else {
            let known = names(catalog, |trigger| matches!(trigger, Trigger::Resource(_)));
            return Err(Failure::Run(anyhow!("unknown resource `{uri}` (there are: {known})")));
        };
        return Ok((Arc::clone(function), arguments_of(variables)));
    }
    let function = match (&args.prompt, &args.tool) {
        (Some(prompt), _) => catalog.prompt(prompt).ok_or_else(|| {
            let known = names(catalog, |trigger| matches!(trigger, Trigger::Prompt(_)));
            anyhow!("unknown prompt `{prompt}` (there are: {known})")
        }),
        (None, tool) => {
            let tool = tool.as_deref().unwrap_or_default();
            catalog.tool(tool).ok_or_else(|| {
                let known = names(catalog, |trigger| matches!(trigger, Trigger::Tool(_)));
                anyhow!("unknown tool `{tool}` (there are: {known})")
            })
        }
    };
    let function = function.map_err(Failure::Run)?;
    Ok((Arc::clone(function), arguments(args, &function.trigger)?))
}

fn names(catalog: &Catalog, fits: fn(&Trigger) -> bool) -> String {
    let triggers = catalog.functions().iter().map(|function| &function.trigger);
    let names: Vec<&str> = triggers.filter(|trigger| fits(trigger)).map(Trigger::name).collect();
    names.join(", ")
}

fn arguments(args: &Args, trigger: &Trigger) -> Result<Box<RawValue>, Failure> {
    let text = match args.json.as_deref() {
        Some("-") => io::read_to_string(io::stdin())
            .context("standard input cannot be read")
            .map_err(Failure::Run)?,
        Some(json) => json.to_owned(),
        None => {
            let mut arguments = Map::new();
            for pair in &args.arguments {
                let (name, value) = argument(pair, trigger).map_err(Failure::Configuration)?;
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

fn argument(pair: &str, trigger: &Trigger) -> anyhow::Result<(String, Value)> {
    let (name, text) = pair
        .split_once('=')
        .ok_or_else(|| anyhow!("`--arg {pair}` has no `=` (expected NAME=VALUE)"))?;
    let (kind, schema) = (trigger.kind(), trigger.input());
    let declared = schema.properties().find(|(known, _)| *known == name);
    if declared.is_none() && schema.properties().next().is_some() {
        let hint = nearest::hint(name, schema.properties().map(|(known, _)| known));
        return Err(anyhow!("the {kind} has no argument `{name}`{hint}"));
    }
    let kind = declared.and_then(|(_, schema)| schema.get("type")).and_then(Value::as_str);
    let value = match kind {
        Some("string") | None => Value::from(text),
        // What is no JSON stays a text, and the schema's own message says what was expected.
        Some(_) => serde_json::from_str(text).unwrap_or_else(|_| Value::from(text)),
    };
    Ok((name.to_owned(), value))
}

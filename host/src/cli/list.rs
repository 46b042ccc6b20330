//! `mcpfn list`: the effective declaration of every function and skill, and where each part came from.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{Failure, Sources, runtime, table};
use crate::{
    config::Environment,
    function::{
        BindingDecl, ContainerDecl, Direction, Function, Origin, ResourceUri, Schema, Skill,
        Trigger,
    },
};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    sources: Sources,
    /// Print JSON, one array of functions and skills.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args, environment: &Environment) -> Result<(), Failure> {
    let config = args.sources.config(environment)?;
    let host = args.sources.load(config, &runtime()?)?;
    let mut stdout = io::stdout().lock();
    if args.json {
        let functions = host.catalog().functions().iter().map(|function| describe(function));
        let skills = host.catalog().skills().iter().map(|skill| describe_skill(skill));
        let functions: Vec<Value> = functions.chain(skills).collect();
        serde_json::to_writer_pretty(&mut stdout, &functions).map_err(io::Error::from)?;
        writeln!(stdout)?;
    } else {
        write!(stdout, "{}", table::functions(host.catalog()))?;
    }
    Ok(())
}

fn describe(function: &Function) -> Value {
    let limits = &function.limits;
    let mut described = json!({ "name": function.name, "component": function.component.0 });
    described[function.trigger.kind()] = trigger(&function.trigger);
    if function.tool().is_some() {
        let is_changed = |part: &str| function.overridden.contains(&part);
        let origin = |part: &str| if is_changed(part) { "host.json" } else { "component" };
        described["origin"] = json!({
            "toolName": origin("toolName"),
            "description": origin("description"),
            "toolProperties": origin("toolProperties"),
        });
    }
    let rest = json!({
        "bindings": function.bindings.iter().map(binding).collect::<Vec<_>>(),
        "containers": function.containers.iter().map(container).collect::<Vec<_>>(),
        "headers": function.headers,
        "timeoutSeconds": limits.time.map(|timeout| timeout.as_secs_f64()),
        "limits": {
            "memoryMiB": limits.memory >> 20,
            "cpuTimeMs": limits.cpu_time.map(|time| time.as_millis()),
            "tableElements": limits.table_elements,
            "handles": limits.handles,
            "argumentsKiB": limits.arguments.map(|bytes| bytes >> 10),
            "replyMiB": limits.reply >> 20,
            "logKiB": limits.log >> 10,
        },
        "maxConcurrency": function.concurrency.running,
        "maxQueue": function.concurrency.waiting,
        "warm": function.warm.map(|warm| json!({
            "max": warm.max,
            "maxUses": warm.max_uses,
            "idleSeconds": warm.idle.as_secs(),
        })),
    });
    if let (Value::Object(described), Value::Object(rest)) = (&mut described, rest) {
        described.extend(rest);
    }
    described
}

fn trigger(trigger: &Trigger) -> Value {
    match trigger {
        Trigger::Tool(tool) => json!({
            "name": tool.name,
            "title": tool.title,
            "description": tool.description,
            "inputSchema": tool.input.value(),
            "outputSchema": tool.output.as_ref().map(Schema::value),
            "annotations": tool.annotations,
        }),
        Trigger::Resource(resource) => {
            let uri = match resource.uri {
                ResourceUri::Fixed(_) => "uri",
                ResourceUri::Template(_) => "uriTemplate",
            };
            json!({
                uri: resource.uri.as_str(),
                "name": resource.name,
                "title": resource.title,
                "description": resource.description,
                "mimeType": resource.mime_type,
                "size": resource.size,
                "annotations": resource.annotations,
                "completes": resource.completes,
            })
        }
        Trigger::Prompt(prompt) => json!({
            "name": prompt.name,
            "title": prompt.title,
            "description": prompt.description,
            "arguments": prompt.arguments.iter().map(|argument| json!({
                "name": argument.name,
                "title": argument.title,
                "description": argument.description,
                "required": argument.required,
                "completes": argument.completes,
            })).collect::<Vec<_>>(),
        }),
    }
}

fn describe_skill(skill: &Skill) -> Value {
    let files = skill.files.iter().map(|file| {
        json!({
            "uri": file.uri,
            "mimeType": file.mime_type,
            "size": file.content.len(),
            "sha256": file.sha256,
        })
    });
    json!({
        "name": skill.name,
        "component": skill.component.0,
        "skill": { "frontmatter": skill.frontmatter, "files": files.collect::<Vec<_>>() },
    })
}

fn container(container: &ContainerDecl) -> Value {
    json!({ "name": container.name, "connection": container.connection })
}

fn binding(binding: &BindingDecl) -> Value {
    json!({
        "name": binding.name,
        "type": binding.kind,
        "direction": match binding.direction { Direction::Input => "in", Direction::Output => "out" },
        "config": binding.config,
        "origin": match binding.origin { Origin::Component => "component", Origin::HostJson => "host.json" },
    })
}

//! `mcpfn list`: the effective declaration of every function, and where each part came from.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{Failure, Sources, runtime, table};
use crate::{
    config::Environment,
    function::{BindingDecl, Direction, Function, Origin},
};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    sources: Sources,
    /// Print JSON, one array of functions.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args, environment: &Environment) -> Result<(), Failure> {
    let config = args.sources.config(environment)?;
    let host = args.sources.load(config, &runtime()?)?;
    let mut stdout = io::stdout().lock();
    if args.json {
        let functions: Vec<Value> =
            host.catalog().functions().iter().map(|function| describe(function)).collect();
        serde_json::to_writer_pretty(&mut stdout, &functions).map_err(io::Error::from)?;
        writeln!(stdout)?;
    } else {
        write!(stdout, "{}", table::functions(host.catalog()))?;
    }
    Ok(())
}

fn describe(function: &Function) -> Value {
    let tool = function.tool();
    let origin =
        |part: &str| if function.overridden.contains(&part) { "host.json" } else { "component" };
    let limits = &function.limits;
    json!({
        "name": function.name,
        "component": function.component.0,
        "tool": {
            "name": tool.name,
            "title": tool.title,
            "description": tool.description,
            "inputSchema": tool.input.value(),
            "outputSchema": tool.output.as_ref().map(crate::function::Schema::value),
            "annotations": tool.annotations,
        },
        "origin": {
            "toolName": origin("toolName"),
            "description": origin("description"),
            "toolProperties": origin("toolProperties"),
        },
        "bindings": function.bindings.iter().map(binding).collect::<Vec<_>>(),
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
    })
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

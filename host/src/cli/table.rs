//! Functions and connections as tables, for the terminal.

use std::fmt::Write;

use serde_json::Value;

use crate::{
    binding::{Finding, Probe},
    function::{BindingDecl, Catalog, Direction, Function, Origin, Skill, Trigger},
};

/// A cell is a list of lines.
type Row = [Vec<String>; 4];

/// One row for each function: its tool, arguments, bindings, and where it was declared. Resources, prompts and skills
/// follow in tables of their own, where there are any.
pub(super) fn functions(catalog: &Catalog) -> String {
    let rows = |fits: fn(&Trigger) -> bool| -> Vec<Row> {
        let functions = catalog.functions().iter();
        functions.filter(|function| fits(&function.trigger)).map(|function| row(function)).collect()
    };
    let tools = rows(|trigger| matches!(trigger, Trigger::Tool(_)));
    let others = [
        ("RESOURCE", "VARIABLES", rows(|trigger| matches!(trigger, Trigger::Resource(_)))),
        ("PROMPT", "ARGUMENTS", rows(|trigger| matches!(trigger, Trigger::Prompt(_)))),
    ];
    let mut tables = Vec::new();
    if !tools.is_empty() || catalog.functions().is_empty() && catalog.skills().is_empty() {
        tables.push(table(["TOOL", "ARGUMENTS", "BINDINGS", "FROM"], tools));
    }
    for (kind, arguments, rows) in others.into_iter().filter(|(_, _, rows)| !rows.is_empty()) {
        tables.push(table([kind, arguments, "BINDINGS", "FROM"], rows));
    }
    if !catalog.skills().is_empty() {
        let rows = catalog.skills().iter().map(|skill| self::skill(skill)).collect();
        tables.push(table(["SKILL", "FILES", "", "FROM"], rows));
    }
    tables.join("\n")
}

/// One row for each connection: what it leads to, where that is, and what was found there.
pub(super) fn connections(probes: &[Probe]) -> String {
    let found = |probe: &Probe| -> Vec<String> {
        if probe.findings.is_empty() {
            return vec!["not tried: nothing uses it".to_owned()];
        }
        let lines = probe.findings.iter().map(|Finding { at, found }| match found {
            Ok(found) => format!("{at}: {found}"),
            Err(fault) => format!("{at}: FAILED: storage {fault}"),
        });
        lines.collect()
    };
    let rows = probes.iter().map(|probe| {
        let Probe { connection, kind, place, .. } = probe;
        [vec![connection.clone()], vec![(*kind).to_owned()], vec![place.clone()], found(probe)]
    });
    table(["CONNECTION", "KIND", "WHERE", "FOUND"], rows.collect())
}

fn table(header: [&str; 4], rows: Vec<Row>) -> String {
    let header = header.map(|title| vec![title.to_owned()]);
    let rows: Vec<Row> = std::iter::once(header).chain(rows).collect();
    let width = |column: usize| {
        rows.iter()
            .flat_map(|row| &row[column])
            .map(|line| line.chars().count())
            .max()
            .unwrap_or_default()
    };
    let widths = [width(0), width(1), width(2), width(3)];
    let mut text = String::new();
    for row in &rows {
        let height = row.iter().map(Vec::len).max().unwrap_or_default();
        for idx in 0..height {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(widths) {
                let piece = cell.get(idx).map_or("", String::as_str);
                write!(line, "{piece:width$}  ").expect("a string takes every write");
            }
            text.push_str("  ");
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}

fn row(function: &Function) -> Row {
    let input = function.trigger.input();
    let mut from = vec![function.component.to_string()];
    if !function.overridden.is_empty() {
        from.push(format!("host.json ({})", function.overridden.join(", ")));
    }
    let required: Vec<&str> = input.required().collect();
    let arguments = input
        .properties()
        .map(|(name, schema)| {
            let optional = if required.contains(&name) { "" } else { "?" };
            format!("{name}{optional}: {}", type_of(schema))
        })
        .collect();
    let name = function.trigger.name().to_owned();
    let containers =
        function.containers.iter().map(|container| format!("opens {}", container.name));
    let bindings = function.bindings.iter().map(binding).chain(containers).collect();
    [vec![name], arguments, bindings, from]
}

fn skill(skill: &Skill) -> Row {
    let files = skill.files.iter().map(|file| file.path.clone()).collect();
    [vec![skill.name.clone()], files, Vec::new(), vec![skill.component.to_string()]]
}

/// `in snippet = blob snippets/{mcptoolargs.snippetname}.json`, `in names = blob list snippets/`
fn binding(binding: &BindingDecl) -> String {
    let direction = match binding.direction {
        Direction::Input => "in ",
        Direction::Output => "out",
    };
    let config = |key| binding.config.get(key).and_then(Value::as_str);
    let path = config("path").or(config("queueName")).unwrap_or_default();
    let manner = match (config("operation"), config("dataType")) {
        // Without it, a path says nothing of where it leads.
        _ if binding.kind == "http" => format!("{} ", config("connection").unwrap_or_default()),
        (Some(operation @ ("list" | "delete")), _) => format!("{operation} "),
        (_, Some("stream")) => "stream ".to_owned(),
        _ => String::new(),
    };
    let origin = match binding.origin {
        Origin::Component => "",
        Origin::HostJson => " (host.json)",
    };
    format!("{direction} {} = {} {manner}{path}{origin}", binding.name, binding.kind)
}

fn type_of(schema: &Value) -> String {
    let kind = schema.get("type").and_then(Value::as_str).unwrap_or("any");
    match schema.get("items") {
        Some(items) if kind == "array" => format!("{}[]", type_of(items)),
        _ if schema.get("enum").is_some() => "enum".to_owned(),
        _ => kind.to_owned(),
    }
}

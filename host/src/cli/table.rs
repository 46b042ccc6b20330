//! Functions as a table, for the terminal.

use std::fmt::Write;

use serde_json::Value;

use crate::function::{BindingDecl, Catalog, Direction, Function, Origin};

const HEADER: [&str; 4] = ["TOOL", "ARGUMENTS", "BINDINGS", "FROM"];

/// One row for each function: its tool, arguments, bindings, and where it was declared.
pub(super) fn functions(catalog: &Catalog) -> String {
    let header = HEADER.map(|title| vec![title.to_owned()]);
    let rows: Vec<[Vec<String>; 4]> = std::iter::once(header)
        .chain(catalog.functions().iter().map(|function| row(function)))
        .collect();
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

fn row(function: &Function) -> [Vec<String>; 4] {
    let tool = function.tool();
    let mut from = vec![function.component.to_string()];
    if !function.overridden.is_empty() {
        from.push(format!("host.json ({})", function.overridden.join(", ")));
    }
    let required: Vec<&str> = tool.input.required().collect();
    let arguments = tool
        .input
        .properties()
        .map(|(name, schema)| {
            let optional = if required.contains(&name) { "" } else { "?" };
            format!("{name}{optional}: {}", type_of(schema))
        })
        .collect();
    [vec![tool.name.clone()], arguments, function.bindings.iter().map(binding).collect(), from]
}

/// `in snippet = blob snippets/{mcptoolargs.snippetname}.json`
fn binding(binding: &BindingDecl) -> String {
    let direction = match binding.direction {
        Direction::Input => "in ",
        Direction::Output => "out",
    };
    let path = binding.config.get("path").and_then(Value::as_str).unwrap_or_default();
    let origin = match binding.origin {
        Origin::Component => "",
        Origin::HostJson => " (host.json)",
    };
    format!("{direction} {} = {} {path}{origin}", binding.name, binding.kind)
}

fn type_of(schema: &Value) -> String {
    let kind = schema.get("type").and_then(Value::as_str).unwrap_or("any");
    match schema.get("items") {
        Some(items) if kind == "array" => format!("{}[]", type_of(items)),
        _ if schema.get("enum").is_some() => "enum".to_owned(),
        _ => kind.to_owned(),
    }
}

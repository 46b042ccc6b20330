//! The effective declaration of a function: the component's, with what host.json replaces.

use std::sync::Arc;

use super::LoadError;
use crate::{
    config::{Config, FunctionConfig},
    function::{
        BindingDecl, ComponentName, ContainerDecl, Declaration, Direction, Function, Origin,
        Schema, ToolTrigger, Trigger,
    },
    nearest,
};

/// Applies host.json to what a component declares. A binding of the same name is replaced, whole; each
/// field of the trigger that is given replaces the component's.
///
/// A binding in the other direction is an error: the guest would find nothing where it reads, or write
/// over what it read. One that the component does not name may be meant for a guest that takes any, so
/// it is kept with a notice.
pub(super) fn function(
    declaration: Declaration,
    component: &Arc<ComponentName>,
    config: &Config,
    told: &mut Vec<String>,
) -> Result<Function, LoadError> {
    let Declaration { name, mut trigger, mut bindings, containers, headers, notices: _ } =
        declaration;
    let mut overridden = Vec::new();
    let given = find(config, &name);
    if let Some(given) = given {
        match (&mut trigger, &given.trigger_at) {
            (_, None) => {}
            (Trigger::Tool(tool), Some(_)) => overridden = change(tool, given),
            (trigger, Some(pointer)) => {
                let reason = format!(
                    "the component declares the function as the {} `{}` (remove the trigger: only tools are changed here)",
                    trigger.kind(),
                    trigger.name()
                );
                return Err(LoadError::Config(config.invalid(pointer, reason)));
            }
        }
        for (binding, pointer) in given.bindings.iter().zip(&given.bindings_at) {
            match bindings.iter_mut().find(|declared| declared.name == binding.name) {
                Some(declared) if declared.direction == binding.direction => {
                    *declared = binding.clone();
                }
                Some(declared) => {
                    let reason = format!(
                        "the component declares `{}` as {}",
                        binding.name,
                        match declared.direction {
                            Direction::Input => "an input (expected `in`)",
                            Direction::Output => "an output (expected `out`)",
                        }
                    );
                    let pointer = format!("{pointer}/direction");
                    return Err(LoadError::Config(config.invalid(&pointer, reason)));
                }
                None => {
                    let names = bindings.iter().map(|declared| declared.name.as_str());
                    told.push(format!(
                        "{pointer}: the component declares no binding `{}`{}",
                        binding.name,
                        nearest::hint(&binding.name, names)
                    ));
                    bindings.push(binding.clone());
                }
            }
        }
    }
    let granted = given.map_or(&[][..], |given| &given.containers);
    let containers = granted_containers(&name, containers, granted, told);
    Ok(Function {
        name,
        index: 0,
        component: Arc::clone(component),
        trigger,
        overridden,
        bindings,
        containers,
        headers,
        limits: given.map_or(config.limits, |given| given.limits),
        concurrency: given.map_or(config.concurrency, |given| given.concurrency),
        warm: given.and_then(|given| given.warm),
    })
}

/// The containers that are both declared and granted.
fn granted_containers(
    function: &str,
    declared: Vec<ContainerDecl>,
    granted: &[ContainerDecl],
    told: &mut Vec<String>,
) -> Vec<ContainerDecl> {
    let names: Vec<_> = declared.iter().map(|container| container.name.clone()).collect();
    for stray in granted.iter().filter(|grant| !names.contains(&grant.name)) {
        let hint = nearest::hint(&stray.name, names.iter().map(String::as_str));
        told.push(format!(
            "host.json grants the function `{function}` the container `{}`, which it does not declare{hint}",
            stray.name
        ));
    }
    let grant = |container: ContainerDecl| {
        // On which connection is for host.json to say: a component could name any.
        let connection = container
            .connection
            .as_ref()
            .map_or_else(String::new, |connection| format!(", \"connection\": \"{connection}\""));
        let grant = granted.iter().find(|grant| {
            grant.name == container.name
                && (grant.connection.is_some() || container.connection.is_none())
        });
        if grant.is_none() {
            told.push(format!(
                "the function `{function}` may not open the container `{0}` (grant it in host.json: `\"containers\": \
                 [{{ \"name\": \"{0}\"{connection} }}]`)",
                container.name
            ));
        }
        grant.cloned()
    };
    declared.into_iter().filter_map(grant).collect()
}

/// Changes a tool as host.json says: which parts it changed.
fn change(tool: &mut ToolTrigger, given: &FunctionConfig) -> Vec<&'static str> {
    let mut overridden = Vec::new();
    if let Some(tool_name) = &given.tool_name {
        tool.name.clone_from(tool_name);
        overridden.push("toolName");
    }
    if let Some(description) = &given.description {
        tool.description = Some(description.clone());
        overridden.push("description");
    }
    if let Some(properties) = &given.properties {
        tool.input = Schema::from_properties(properties);
        overridden.push("toolProperties");
    }
    overridden
}

/// Every function that host.json names must exist, or a misspelt one would silently do nothing.
pub(super) fn check_names(
    config: &Config,
    functions: &[Function],
    told: &mut Vec<String>,
) -> Result<(), LoadError> {
    let names: Vec<&str> = functions.iter().map(|function| function.name.as_str()).collect();
    let known = |wanted: &str| names.iter().any(|name| name.eq_ignore_ascii_case(wanted));
    if let Some(stray) = config.functions.iter().find(|given| !known(&given.name)) {
        let hint = nearest::hint(&stray.name, names.iter().copied());
        let reason = format!("no component declares the function `{}`{hint}", stray.name);
        return Err(LoadError::Config(config.invalid(&stray.pointer, reason)));
    }
    for stray in config.filter.iter().flatten().filter(|wanted| !known(wanted)) {
        told.push(format!("host.json lists the function `{stray}`, which no component declares"));
    }
    Ok(())
}

/// Azure's list of names: when there is one, only those run.
pub(super) fn is_enabled(config: &Config, function: &Function) -> bool {
    let Some(names) = &config.filter else { return true };
    names.iter().any(|name| name.eq_ignore_ascii_case(&function.name))
}

/// Where a binding is in host.json, when it was declared there.
pub(super) fn place_of(
    config: &Config,
    function: &Function,
    binding: &BindingDecl,
) -> Option<String> {
    if binding.origin != Origin::HostJson {
        return None;
    }
    let given = find(config, &function.name)?;
    let index = given.bindings.iter().position(|other| other.name == binding.name)?;
    Some(given.bindings_at[index].clone())
}

/// Where the arguments of a function are given in host.json, when they are.
pub(super) fn properties_at(config: &Config, function: &Function) -> Option<String> {
    let given = find(config, &function.name)?;
    given.properties.as_ref()?;
    Some(format!("{}/toolProperties", given.trigger_at.as_ref()?))
}

fn find<'a>(config: &'a Config, function: &str) -> Option<&'a FunctionConfig> {
    config.functions.iter().find(|given| given.name.eq_ignore_ascii_case(function))
}

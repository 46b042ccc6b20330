//! What a component says of its functions and skills, checked.

use std::sync::Arc;

use serde_json::{Map, Value as JsonValue, value::RawValue};

use super::skill::skill;
use crate::{
    function::{
        BindingDecl, ComponentName, ContainerDecl, Declaration, Direction, Json, Origin,
        PromptArgument, PromptTrigger, PropertyKind, ResourceTrigger, ResourceUri, SECRET_HEADERS,
        Schema, Skill, TaskSupport, ToolProperty, ToolTrigger, Trigger, check_prompt_name,
        check_tool_name,
    },
    guest::{LoadError, bindings::mcpfn::function::types as wit},
    media_type,
};

/// All that a component says of itself.
pub(in crate::guest) fn declared(
    description: wit::Description,
    component: &Arc<ComponentName>,
) -> Result<(Vec<Declaration>, Vec<Arc<Skill>>), LoadError> {
    let functions = description.functions.into_iter().map(declaration).collect::<Result<_, _>>()?;
    let skills = description.skills.into_iter().map(|declared| {
        let name = declared.name.clone();
        skill(declared, component).map(Arc::new).map_err(|reason| LoadError::Declaration {
            reason: format!("the skill `{}`, whose {reason}", name.escape_debug()),
        })
    });
    Ok((functions, skills.collect::<Result<_, _>>()?))
}

fn declaration(function: wit::Function) -> Result<Declaration, LoadError> {
    let name = function.name;
    let refuse = |reason: String| LoadError::Declaration { reason };
    let whose = |reason: String| refuse(format!("the function `{name}`, whose {reason}"));
    let mut notices = Vec::new();
    let trigger = match function.trigger {
        wit::Trigger::Tool(tool) => Trigger::Tool(self::tool(tool).map_err(whose)?),
        wit::Trigger::Resource(resource) => {
            Trigger::Resource(self::resource(resource).map_err(whose)?)
        }
        wit::Trigger::Prompt(prompt) => Trigger::Prompt(self::prompt(prompt).map_err(whose)?),
        wit::Trigger::App(_) => {
            return Err(refuse(format!(
                "the function `{name}` with an app trigger (expected a tool, resource or prompt trigger)"
            )));
        }
    };
    let mut bindings: Vec<BindingDecl> = Vec::new();
    for declared in function.bindings {
        let binding = binding(declared).map_err(whose)?;
        if bindings.iter().any(|other| other.name == binding.name) {
            return Err(refuse(format!(
                "the function `{name}` with two bindings `{}`",
                binding.name
            )));
        }
        bindings.push(binding);
    }
    let (mut headers, mut containers) = (Vec::new(), Vec::new());
    for option in function.options {
        match option.name.as_str() {
            "headers" => headers = self::headers(option.value).map_err(whose)?,
            "containers" => containers = self::containers(option.value).map_err(whose)?,
            // The host would not do what the component counts on.
            "review" | "permission" | "decisions" | "card" | "modal" => {
                return Err(refuse(format!(
                    "the function `{name}` with the option `{}`, which needs the gate, and this version has none",
                    option.name
                )));
            }
            unknown => notices.push(format!(
                "the function `{name}` has the option `{unknown}`, which this version does not know"
            )),
        }
    }
    Ok(Declaration { name, trigger, bindings, containers, headers, notices })
}

fn tool(tool: wit::ToolTrigger) -> Result<ToolTrigger, String> {
    let name = tool.name;
    check_tool_name(&name)?;
    let input = match tool.input {
        wit::InputSchema::Properties(properties) => {
            Schema::from_properties(&properties.into_iter().map(property).collect::<Vec<_>>())
        }
        wit::InputSchema::Schema(text) => Schema::parse_input(text)
            .map_err(|error| format!("input schema cannot be used: {error}"))?,
    };
    let output = match tool.output_schema {
        None => None,
        Some(text) => Some(
            Schema::parse(text)
                .map_err(|error| format!("output schema cannot be used: {error}"))?,
        ),
    };
    Ok(ToolTrigger {
        title: tool.title,
        description: tool.description,
        input,
        output,
        annotations: object(tool.annotations, "annotations")?,
        icons: array(tool.icons, "icons")?,
        meta: object(tool.meta, "meta")?,
        task: match tool.task {
            wit::TaskSupport::Forbidden => TaskSupport::Forbidden,
            wit::TaskSupport::Optional => TaskSupport::Optional,
            wit::TaskSupport::Required => TaskSupport::Required,
            wit::TaskSupport::AfterInput => TaskSupport::AfterInput,
        },
        name,
    })
}

fn resource(resource: wit::ResourceTrigger) -> Result<ResourceTrigger, String> {
    let uri = ResourceUri::parse(resource.uri)?;
    if resource.name.trim().is_empty() {
        return Err(format!("resource `{}` has no name", uri.as_str()));
    }
    let input = uri.schema();
    let known = |variable: &str| input.properties().any(|(name, _)| name == variable);
    if let Some(stray) = resource.completes.iter().find(|variable| !known(variable)) {
        return Err(format!(
            "resource `{}` completes `{stray}`, which is no variable of its URI",
            uri.as_str()
        ));
    }
    resource.mime_type.as_deref().map_or(Ok(()), media_type::check)?;
    Ok(ResourceTrigger {
        input,
        uri,
        name: resource.name,
        title: resource.title,
        description: resource.description,
        mime_type: resource.mime_type,
        size: resource.size,
        annotations: object(resource.annotations, "annotations")?,
        icons: array(resource.icons, "icons")?,
        meta: object(resource.meta, "meta")?,
        completes: resource.completes,
    })
}

fn prompt(prompt: wit::PromptTrigger) -> Result<PromptTrigger, String> {
    let name = prompt.name;
    check_prompt_name(&name)?;
    let mut arguments: Vec<PromptArgument> = Vec::with_capacity(prompt.arguments.len());
    for argument in prompt.arguments {
        if argument.name.trim().is_empty() {
            return Err(format!("prompt `{name}` has an argument without a name"));
        }
        if arguments.iter().any(|other| other.name == argument.name) {
            return Err(format!("prompt `{name}` has two arguments `{}`", argument.name));
        }
        arguments.push(PromptArgument {
            name: argument.name,
            title: argument.title,
            description: argument.description,
            required: argument.required,
            completes: argument.completes,
        });
    }
    Ok(PromptTrigger {
        name,
        title: prompt.title,
        description: prompt.description,
        input: PromptTrigger::schema_of(&arguments),
        arguments,
        icons: array(prompt.icons, "icons")?,
        meta: object(prompt.meta, "meta")?,
    })
}

fn property(property: wit::ToolProperty) -> ToolProperty {
    ToolProperty {
        name: property.name,
        kind: match property.kind {
            wit::PropertyKind::String => PropertyKind::String,
            wit::PropertyKind::Number => PropertyKind::Number,
            wit::PropertyKind::Integer => PropertyKind::Integer,
            wit::PropertyKind::Boolean => PropertyKind::Boolean,
            wit::PropertyKind::Object => PropertyKind::Object,
        },
        description: property.description,
        required: property.required,
        array: property.array,
        enum_values: property.enum_values,
    }
}

fn binding(binding: wit::Binding) -> Result<BindingDecl, String> {
    let JsonValue::Object(config) = serde_json::from_str(&binding.config).map_err(|error| {
        format!("binding `{}` has a configuration that is not JSON: {error}", binding.name)
    })?
    else {
        return Err(format!(
            "binding `{}` has a configuration that is not a JSON object",
            binding.name
        ));
    };
    Ok(BindingDecl {
        name: binding.name,
        kind: binding.kind,
        direction: match binding.direction {
            wit::Direction::Input => Direction::Input,
            wit::Direction::Output => Direction::Output,
        },
        config,
        origin: Origin::Component,
    })
}

fn headers(value: wit::Value) -> Result<Vec<String>, String> {
    let (wit::Value::Json(text) | wit::Value::Text(text)) = value else {
        return Err("option `headers` is not a JSON array of names".to_owned());
    };
    let names: Vec<String> = serde_json::from_str(&text)
        .map_err(|_| "option `headers` is not a JSON array of names".to_owned())?;
    names
        .into_iter()
        .map(|name| match name.to_ascii_lowercase() {
            secret if SECRET_HEADERS.contains(&secret.as_str()) => {
                Err(format!("option `headers` names `{secret}`, which never reaches a guest"))
            }
            name => Ok(name),
        })
        .collect()
}

fn containers(value: wit::Value) -> Result<Vec<ContainerDecl>, String> {
    let refuse = || {
        "option `containers` is not a JSON array of containers (expected `[{\"name\": \"notes\"}]`)"
            .to_owned()
    };
    let (wit::Value::Json(text) | wit::Value::Text(text)) = value else { return Err(refuse()) };
    let declared: Vec<Map<String, JsonValue>> =
        serde_json::from_str(&text).map_err(|_| refuse())?;
    let mut containers: Vec<ContainerDecl> = Vec::with_capacity(declared.len());
    for members in declared {
        let text = |key| match members.get(key) {
            None | Some(JsonValue::Null) => Ok(None),
            Some(JsonValue::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(refuse()),
        };
        let container = ContainerDecl {
            name: text("name")?.ok_or_else(refuse)?,
            connection: text("connection")?,
        };
        if containers.iter().any(|other| other.name == container.name) {
            return Err(format!("option `containers` names `{}` twice", container.name));
        }
        containers.push(container);
    }
    Ok(containers)
}

fn json(text: Option<String>, what: &str) -> Result<Option<Json>, String> {
    text.map(RawValue::from_string)
        .transpose()
        .map_err(|error| format!("{what} are not JSON: {error}"))
}

fn array(text: Option<String>, what: &str) -> Result<Option<Json>, String> {
    match json(text, what)? {
        Some(json) if !json.get().starts_with('[') => Err(format!("{what} are not a JSON array")),
        json => Ok(json),
    }
}

/// Read whole, not only as far as it is passed on: what counts on a hint must be able to find it.
fn object(text: Option<String>, what: &str) -> Result<Option<Json>, String> {
    if let Some(text) = &text {
        serde_json::from_str::<Map<String, JsonValue>>(text)
            .map_err(|error| format!("{what} are not a JSON object: {error}"))?;
    }
    json(text, what)
}

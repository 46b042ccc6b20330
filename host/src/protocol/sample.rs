//! A catalog with something of every kind, for unit tests.

use std::sync::Arc;

use serde_json::value::RawValue;

use crate::function::{
    Catalog, ComponentName, Concurrency, Function, Json, Limits, PromptArgument, PromptTrigger,
    ResourceTrigger, ResourceUri, Schema, Skill, SkillFile, TaskSupport, ToolTrigger, Trigger,
};

pub(super) fn json(text: &str) -> Json {
    RawValue::from_string(text.to_owned()).unwrap()
}

/// The tool `save`, the resources `app://logo` and `app://notes/{folder}/{+path}`, the prompt `review`, and the skill
/// `pdf`.
pub(super) fn catalog() -> Catalog {
    let functions =
        [tool(), resource("app://logo"), resource("app://notes/{folder}/{+path}"), prompt()];
    Catalog::new(functions.into_iter().map(function).collect(), vec![Arc::new(skill())]).unwrap()
}

fn function(trigger: Trigger) -> Function {
    Function {
        name: trigger.name().to_owned(),
        index: 0,
        component: Arc::new(ComponentName("a.wasm".to_owned())),
        trigger,
        overridden: Vec::new(),
        bindings: Vec::new(),
        containers: Vec::new(),
        headers: Vec::new(),
        limits: Limits::default(),
        concurrency: Concurrency::default(),
        warm: None,
    }
}

fn tool() -> Trigger {
    Trigger::Tool(ToolTrigger {
        name: "save".to_owned(),
        title: None,
        description: None,
        input: Schema::any_object(),
        output: None,
        annotations: None,
        icons: None,
        meta: None,
        task: TaskSupport::Forbidden,
    })
}

fn resource(uri: &str) -> Trigger {
    let uri = ResourceUri::parse(uri.to_owned()).unwrap();
    let completes = match &uri {
        ResourceUri::Fixed(_) => Vec::new(),
        ResourceUri::Template(_) => vec!["folder".to_owned()],
    };
    Trigger::Resource(ResourceTrigger {
        name: "thing".to_owned(),
        title: Some("Thing".to_owned()),
        description: Some("A thing.".to_owned()),
        mime_type: Some("text/x-thing".to_owned()),
        size: Some(7),
        input: uri.schema(),
        uri,
        annotations: Some(json(r#"{"priority":1}"#)),
        icons: Some(json("[]")),
        meta: Some(json(r#"{"a":1}"#)),
        completes,
    })
}

fn prompt() -> Trigger {
    let argument = |name: &str, required, completes| PromptArgument {
        name: name.to_owned(),
        title: None,
        description: Some("d".to_owned()),
        required,
        completes,
    };
    let arguments = vec![argument("code", true, false), argument("language", false, true)];
    Trigger::Prompt(PromptTrigger {
        name: "review".to_owned(),
        title: None,
        description: Some("Reviews code.".to_owned()),
        input: PromptTrigger::schema_of(&arguments),
        arguments,
        icons: None,
        meta: None,
    })
}

fn skill() -> Skill {
    let file = |path: &str, mime_type: &str, content: &[u8]| SkillFile {
        path: path.to_owned(),
        uri: format!("skill://pdf/{path}"),
        mime_type: mime_type.to_owned(),
        sha256: "0".repeat(64),
        content: content.to_vec(),
    };
    Skill {
        name: "pdf".to_owned(),
        description: "Reads PDF files.".to_owned(),
        component: Arc::new(ComponentName("a.wasm".to_owned())),
        frontmatter: json(r#"{"name":"pdf","description":"Reads PDF files."}"#),
        files: vec![
            file("SKILL.md", "text/markdown", b"---\n"),
            file("assets/deep/logo.png", "image/png", &[0xff, 0]),
            file("assets/form.json", "application/json", b"{}"),
        ],
    }
}

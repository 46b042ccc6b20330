//! What a function is, what runs it and what it comes to: plain data that every other module speaks of.
//!
//! Nothing here reads a file, knows a wire format or names the WebAssembly engine. JSON is carried as
//! `serde_json`'s own types; no type here derives a wire form.

mod binding;
mod catalog;
mod event;
mod invocation;
mod limits;
mod outcome;
mod prompt;
mod resource;
mod schema;
mod skill;
mod storage;
mod tool;
mod trigger;
mod uri_template;

pub use self::{
    binding::{BindingDecl, ContainerDecl, Direction, Input, Output, RETURN, Value},
    catalog::{Catalog, NameTaken},
    event::{Event, ListKind, Listener, LogLevel},
    invocation::{
        Answer, AnswerValue, Caller, Client, Entry, Invocation, InvocationId, Resumption,
        TransportKind,
    },
    limits::{Concurrency, Limits, Warm},
    outcome::{
        Ask, Block, Completion, Content, Failure, InputRequest, Media, Outcome, PromptMessage,
        Question, Reply, ResourceBody, ResourceContents, Role, Suggestions,
    },
    prompt::{PromptArgument, PromptTrigger, check_prompt_name},
    resource::{ResourceTrigger, ResourceUri},
    schema::{Json, PropertyKind, Schema, SchemaError, ToolProperty},
    skill::{SKILL_FILE, Skill, SkillFile},
    storage::{
        BlobDetails, BlobEntry, BlobPage, Condition, Container, Sink, Source, Storage, StorageError,
    },
    tool::{TaskSupport, ToolTrigger, check_tool_name},
    trigger::Trigger,
    uri_template::{UriTemplate, Variables, arguments_of},
};

use std::sync::Arc;

/// Headers, in lower case, that prove who the caller is: they never reach a guest, whatever it lists.
pub const SECRET_HEADERS: [&str; 6] = [
    "authorization",
    "proxy-authorization",
    "cookie",
    "set-cookie",
    "x-functions-key",
    "x-api-key",
];

/// Where a part of a declaration was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The component's `describe`.
    Component,
    /// The `functions` section of host.json.
    HostJson,
}

/// What a component says of one of its functions, before host.json has its say.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Unique in the component.
    pub name: String,
    /// What causes an invocation.
    pub trigger: Trigger,
    /// What is read before and written after the function runs.
    pub bindings: Vec<BindingDecl>,
    /// The containers that it opens itself, where host.json grants them.
    pub containers: Vec<ContainerDecl>,
    /// The request headers that the function may read, lower case.
    pub headers: Vec<String>,
    /// What a person should know of it and nothing stops for, one sentence each.
    pub notices: Vec<String>,
}

/// A named thing that can be invoked: the effective declaration, after host.json.
#[derive(Clone, Debug)]
pub struct Function {
    /// Unique in the host, case ignored.
    pub name: String,
    /// The position in the [`Catalog`].
    pub index: usize,
    /// The component that runs it.
    pub component: Arc<ComponentName>,
    /// What causes an invocation.
    pub trigger: Trigger,
    /// Which part of the trigger came from host.json: `toolName`, `description`, `toolProperties`.
    pub overridden: Vec<&'static str>,
    /// What is read before and written after the function runs, in declared order.
    pub bindings: Vec<BindingDecl>,
    /// The containers that it opens itself: declared by the component, and granted by host.json.
    pub containers: Vec<ContainerDecl>,
    /// The request headers that the function may read, lower case.
    pub headers: Vec<String>,
    /// What one invocation may use.
    pub limits: Limits,
    /// How many invocations there may be at once.
    pub concurrency: Concurrency,
    /// Which instances are kept; none, so that every invocation gets a fresh one.
    pub warm: Option<Warm>,
}

impl Function {
    /// The tool that runs this function, if it is one.
    pub fn tool(&self) -> Option<&ToolTrigger> {
        match &self.trigger {
            Trigger::Tool(tool) => Some(tool),
            Trigger::Resource(_) | Trigger::Prompt(_) => None,
        }
    }

    /// The resource that runs this function, if it is one.
    pub fn resource(&self) -> Option<&ResourceTrigger> {
        match &self.trigger {
            Trigger::Resource(resource) => Some(resource),
            Trigger::Tool(_) | Trigger::Prompt(_) => None,
        }
    }

    /// The prompt that runs this function, if it is one.
    pub fn prompt(&self) -> Option<&PromptTrigger> {
        match &self.trigger {
            Trigger::Prompt(prompt) => Some(prompt),
            Trigger::Tool(_) | Trigger::Resource(_) => None,
        }
    }

    /// Whether it may run in the background.
    pub fn task(&self) -> TaskSupport {
        self.tool().map(|tool| tool.task).unwrap_or_default()
    }
}

/// What a component is called in messages: its file, as the user named the folder.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct ComponentName(pub String);

impl std::fmt::Display for ComponentName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

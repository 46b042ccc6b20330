//! What the templates of a function may name.

use std::cell::RefCell;

use crate::function::{BindingDecl, Direction, Function, Schema, Trigger};

/// What the templates of a binding may name: the arguments of its function, under the root of its kind, and what is
/// known of the function. It takes down what a person should know of them.
#[derive(Debug)]
pub struct Scope<'a> {
    root: Root,
    schema: &'a Schema,
    function: &'a str,
    called: &'a str,
    direction: Direction,
    notices: RefCell<Vec<String>>,
    bindings: &'a [BindingDecl],
}

/// What stands before the name of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    /// `mcptoolargs`
    Tool,
    /// `mcpresourceargs`, and nothing, as Azure has it.
    Resource,
    /// `mcppromptargs`
    Prompt,
}

impl<'a> Scope<'a> {
    /// What the templates of one binding of a function may name.
    pub fn of(function: &'a Function, direction: Direction) -> Self {
        let trigger = &function.trigger;
        let root = match trigger {
            Trigger::Tool(_) => Root::Tool,
            Trigger::Resource(_) => Root::Resource,
            Trigger::Prompt(_) => Root::Prompt,
        };
        let notices = RefCell::default();
        let (schema, called) = (trigger.input(), trigger.name());
        Self {
            root,
            schema,
            function: &function.name,
            called,
            direction,
            bindings: &function.bindings,
            notices,
        }
    }

    #[cfg(test)]
    pub(super) fn new(root: Root, schema: &'a Schema) -> Self {
        let (function, called) = ("SaveNote", "save_note");
        Self {
            root,
            schema,
            function,
            called,
            direction: Direction::Input,
            bindings: &[],
            notices: RefCell::default(),
        }
    }

    #[cfg(test)]
    pub(super) fn with_bindings(self, bindings: &'a [BindingDecl]) -> Self {
        Self { bindings, ..self }
    }

    /// What a person should know of the binding and nothing stops for, one sentence each.
    pub fn into_notices(self) -> Vec<String> {
        self.notices.into_inner()
    }

    /// Takes a sentence down, once.
    pub(super) fn notice(&self, sentence: String) {
        let mut notices = self.notices.borrow_mut();
        if !notices.contains(&sentence) {
            notices.push(sentence);
        }
    }

    pub(super) fn root(&self) -> Root {
        self.root
    }

    /// The function, as its component calls it.
    pub(super) fn function(&self) -> &'a str {
        self.function
    }

    /// The name that clients call.
    pub(super) fn called(&self) -> &'a str {
        self.called
    }

    /// Whether the binding reads or writes.
    pub(super) fn direction(&self) -> Direction {
        self.direction
    }

    /// All bindings of the function.
    pub(super) fn bindings(&self) -> &'a [BindingDecl] {
        self.bindings
    }

    /// What the function accepts.
    pub(super) fn schema(&self) -> &'a Schema {
        self.schema
    }
}

impl Root {
    const ALL: [Self; 3] = [Self::Tool, Self::Resource, Self::Prompt];

    /// Reads a root, in any case.
    pub(super) fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|root| root.as_str().eq_ignore_ascii_case(text))
    }

    /// How it is written.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Tool => "mcptoolargs",
            Self::Resource => "mcpresourceargs",
            Self::Prompt => "mcppromptargs",
        }
    }

    /// Whether the name of an argument may stand alone.
    pub(super) fn is_optional(self) -> bool {
        match self {
            Self::Resource => true,
            Self::Tool | Self::Prompt => false,
        }
    }
}

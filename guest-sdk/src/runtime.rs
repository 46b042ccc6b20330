//! What the macros write calls to. Not for people: it changes without notice.

use crate::{Out, Property, returned::failure, schema, wit};
pub use crate::{
    call::Call,
    constraint,
    output::ObjectWriter,
    parameter::{ArgumentSpec, Parameter, ParameterKind},
    probe::{
        ByBlobInput, ByBlobOutput, ByDeserialize, ByDeserializeOption, ByNoInput, ByNoOutput,
        ByNoReturn, ByResult, ByReturn, BySerialize, BySerializeOutput, Fallible, Probe,
    },
    returned::Return,
};

/// A function of a component. `#[mcp_tool]` implements it for an empty type of the function's own name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function of a component",
    note = "`functions!` lists functions with `#[mcp_tool]`"
)]
pub trait Function {
    /// Its name, unique in the component.
    const NAME: &'static str;

    /// Its declaration.
    fn describe() -> wit::Function;

    /// Runs it.
    fn call(call: &mut Call<'_>) -> Result<wit::Completion, wit::Failure>;

    /// It in the list of its component.
    const ENTRY: Entry = Entry { name: Self::NAME, describe: Self::describe, call: Self::call };
}

/// A function in the list of its component.
#[derive(Debug)]
pub struct Entry {
    name: &'static str,
    describe: fn() -> wit::Function,
    call: fn(&mut Call<'_>) -> Result<wit::Completion, wit::Failure>,
}

/// Ends the compilation when two functions of a component have one name, case ignored.
pub const fn assert_unique_names(entries: &[Entry]) {
    let mut left = 0;
    while left < entries.len() {
        let mut right = left + 1;
        while right < entries.len() {
            let same = entries[left].name.eq_ignore_ascii_case(entries[right].name);
            assert!(!same, "two functions have the same name (case is ignored)");
            right += 1;
        }
        left += 1;
    }
}

/// The declarations of a component.
pub fn describe(entries: &[Entry]) -> wit::Description {
    let functions = entries.iter().map(|entry| (entry.describe)()).collect();
    wit::Description { functions, skills: Vec::new() }
}

/// Runs a function for the host.
pub fn invoke(
    entries: &[Entry],
    mut invocation: wit::Invocation,
) -> Result<wit::Completion, wit::Failure> {
    let name = &invocation.function;
    let Some(entry) = entries.iter().find(|entry| entry.name == name) else {
        return Err(failure(&format!("this component has no function `{name}`")));
    };
    if !matches!(invocation.entry, wit::Entry::Call) || invocation.resume.is_some() {
        return Err(failure(&format!("`{name}` can be called, and nothing else")));
    }
    (entry.call)(&mut Call::of_host(&mut invocation)?)
}

/// What the attribute says about a tool.
#[derive(Debug)]
pub struct ToolSpec {
    /// The name.
    pub name: &'static str,
    /// The name shown to people.
    pub title: Option<&'static str>,
    /// What it does.
    pub description: Option<&'static str>,
    /// A schema in place of that of the parameters.
    pub input_schema: Option<&'static str>,
    /// A schema in place of that of the result.
    pub output_schema: Option<&'static str>,
    /// Annotations, as JSON text.
    pub annotations: Option<&'static str>,
    /// Icons, as JSON text.
    pub icons: Option<&'static str>,
    /// `_meta`, as JSON text.
    pub meta: Option<&'static str>,
    /// The headers that it reads, as JSON text.
    pub headers: Option<&'static str>,
    /// What is read and written.
    pub bindings: &'static [BlobSpec],
}

/// What an attribute says about a blob.
#[derive(Debug)]
pub struct BlobSpec {
    /// The name of the binding.
    pub name: &'static str,
    /// Whether it is read or written.
    pub direction: wit::Direction,
    /// The path, with its templates.
    pub path: &'static str,
    /// The connection, if one is named.
    pub connection: Option<&'static str>,
}

impl ToolSpec {
    /// The declaration for the host.
    pub fn describe(
        &self,
        properties: Vec<Property>,
        output_schema: Option<String>,
    ) -> wit::Function {
        let owned = |text: Option<&str>| text.map(ToOwned::to_owned);
        let headers = self.headers.map(|json| wit::Field {
            name: String::from("headers"),
            value: wit::Value::Json(json.to_owned()),
        });
        let trigger = wit::ToolTrigger {
            name: self.name.to_owned(),
            title: owned(self.title),
            description: owned(self.description),
            input: match self.input_schema {
                Some(schema) => wit::InputSchema::Schema(schema.to_owned()),
                None => schema::input_schema(properties),
            },
            output_schema: owned(self.output_schema).or(output_schema),
            annotations: owned(self.annotations),
            icons: owned(self.icons),
            meta: owned(self.meta),
            task: wit::TaskSupport::Forbidden,
        };
        wit::Function {
            name: self.name.to_owned(),
            trigger: wit::Trigger::Tool(trigger),
            bindings: self.bindings.iter().map(BlobSpec::describe).collect(),
            options: headers.into_iter().collect(),
        }
    }
}

impl BlobSpec {
    fn describe(&self) -> wit::Binding {
        let mut config = String::from("{");
        schema::push(&mut config, "path", schema::quoted(self.path));
        if let Some(connection) = self.connection {
            schema::push(&mut config, "connection", schema::quoted(connection));
        }
        config.push('}');
        wit::Binding {
            name: self.name.to_owned(),
            kind: String::from("blob"),
            direction: self.direction,
            config,
        }
    }
}

/// A completion without outputs.
pub fn completion(outcome: wit::Outcome) -> wit::Completion {
    wit::Completion { outcome, outputs: Vec::new(), view_state: None, options: Vec::new() }
}

/// What was set.
pub fn take<T>(out: &Out<T>) -> Option<T> {
    out.take()
}

/// A failure with the message of `error`.
pub fn failed<E: std::fmt::Display + ?Sized>(error: &E) -> wit::Failure {
    failure(error)
}

/// Ends the compilation when a struct of all arguments stands beside single ones.
pub const fn assert_one_way(kinds: &[ParameterKind]) {
    let (mut singles, mut structs, mut idx) = (0, 0, 0);
    while idx < kinds.len() {
        match kinds[idx] {
            ParameterKind::Argument => singles += 1,
            ParameterKind::Arguments => structs += 1,
            ParameterKind::Context => {}
        }
        idx += 1;
    }
    assert!(
        structs == 0 || structs + singles == 1,
        "a tool takes parameters, or one struct of all arguments, not both"
    );
}

/// Whether `T` takes all arguments, so that only the host knows which names there are.
pub const fn takes_all<T: Parameter>() -> bool {
    matches!(T::KIND, ParameterKind::Arguments)
}

//! What the macros write calls to. Not for people: it changes without notice.

use crate::{Arguments, BlobWriter, Completing, Out, Suggestions, failure::failure, wit};
pub use crate::{
    blob::{AnyForm, BlobForm, InputForm, OutputForm, assert_content, assert_list, assert_whole},
    call::Call,
    constraint,
    contents::ResourceReturn,
    declaration::{BindingSpec, ContainerSpec, PromptSpec, ResourceSpec, StorageSpec, ToolSpec},
    message::PromptReturn,
    output::ObjectWriter,
    parameter::{ArgumentSpec, Parameter, ParameterKind},
    probe::{
        ByBlobInput, ByBlobOutput, ByDeserialize, ByDeserializeOption, ByNoInput, ByNoOutput,
        ByNoReturn, ByResult, ByReturn, BySerialize, BySerializeOutput, Fallible, Probe,
    },
    probe_contents::{ByNoContents, ByResourceReturn, ByResultContents, BySerializeContents},
    returned::Return,
    stop::Refusal,
    text_argument::from_quoted,
    text_parameter::TextParameter,
};

/// A function of a component. The trigger's attribute implements it for an empty type of the function's own name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function of a component",
    note = "`functions!` lists functions with `#[mcp_tool]`, `#[mcp_resource(..)]` or `#[mcp_prompt]`"
)]
pub trait Function {
    /// Its name, unique in the component.
    const NAME: &'static str;

    /// Its declaration.
    fn describe() -> wit::Function;

    /// Runs it.
    fn call(call: &mut Call<'_>) -> Result<wit::Completion, wit::Failure>;

    /// Suggests values for an argument, if it can for that one.
    fn complete(_: &Completing) -> Option<Suggestions> {
        None
    }

    /// It in the list of its component.
    const ENTRY: Entry = Entry {
        name: Self::NAME,
        describe: Self::describe,
        call: Self::call,
        complete: Self::complete,
    };
}

/// A function in the list of its component.
#[derive(Debug)]
pub struct Entry {
    name: &'static str,
    describe: fn() -> wit::Function,
    call: fn(&mut Call<'_>) -> Result<wit::Completion, wit::Failure>,
    complete: fn(&Completing) -> Option<Suggestions>,
}

/// A skill with the contents of its files.
#[derive(Debug)]
pub struct Skill {
    /// The name of its frontmatter.
    pub name: &'static str,
    /// Path inside the skill, and content.
    pub files: &'static [(&'static str, &'static [u8])],
}

impl Skill {
    fn describe(&self) -> wit::Skill {
        let file = |&(path, content): &(&str, &[u8])| wit::SkillFile {
            path: path.to_owned(),
            mime_type: None,
            content: content.to_vec(),
        };
        wit::Skill { name: self.name.to_owned(), files: self.files.iter().map(file).collect() }
    }
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
pub fn describe(entries: &[Entry], skills: &[Skill]) -> wit::Description {
    wit::Description {
        functions: entries.iter().map(|entry| (entry.describe)()).collect(),
        skills: skills.iter().map(Skill::describe).collect(),
    }
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
    match &invocation.entry {
        wit::Entry::Call => (entry.call)(&mut Call::of_host(&mut invocation)?),
        wit::Entry::Complete(wit::Completing { argument, value }) => {
            complete(entry.complete, argument, value, &invocation.arguments)
                .map(|suggestions| completion(wit::Outcome::Suggestions(suggestions.into_wit())))
        }
        wit::Entry::Review | wit::Entry::Finish(_) | wit::Entry::View(_) => {
            Err(failure(&format!("`{name}` can be called and completed, and nothing else")))
        }
    }
}

pub(crate) fn complete(
    function: fn(&Completing) -> Option<Suggestions>,
    argument: &str,
    value: &str,
    arguments: &str,
) -> Result<Suggestions, wit::Failure> {
    let arguments = Arguments::parse(arguments).map_err(|e| failure(&e))?;
    let completing = Completing::new(argument.to_owned(), value.to_owned(), &arguments);
    function(&completing)
        .ok_or_else(|| failure(&format!("there are no suggestions for `{argument}`")))
}

/// A completion without outputs.
pub fn completion(outcome: wit::Outcome) -> wit::Completion {
    wit::Completion { outcome, outputs: Vec::new(), view_state: None, options: Vec::new() }
}

/// A function that asks writes nothing yet.
pub fn finished(mut completion: wit::Completion) -> wit::Completion {
    if matches!(completion.outcome, wit::Outcome::InputRequired(_)) {
        completion.outputs.clear();
    }
    completion
}

/// What was set.
pub fn take<T>(out: &Out<T>) -> Option<T> {
    out.take()
}

/// Makes sure that all that was written in pieces arrived. In a test it becomes an output like any other.
pub fn finish(
    name: &str,
    writer: &BlobWriter,
    completion: &mut wit::Completion,
) -> Result<(), wit::Failure> {
    // A function that asks writes nothing yet, and one that failed nothing at all.
    let is_unfinished = match &completion.outcome {
        wit::Outcome::InputRequired(_) => true,
        wit::Outcome::Reply(reply) => reply.is_error,
        _ => false,
    };
    if is_unfinished {
        return Ok(());
    }
    writer.finish().map_err(|error| failure(&error))?;
    completion.outputs.extend(
        writer.written().map(|content| wit::Output {
            name: name.to_owned(),
            value: wit::Value::Bytes(content),
        }),
    );
    Ok(())
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

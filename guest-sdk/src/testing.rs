//! Calls a function in a native test as the host would: through its declaration, its types and its bindings.
//!
//! A function stays an ordinary function, so most tests call it directly. This is for the rest.
//!
//! ```
//! use mcpfn_sdk::{mcp_tool, testing, wit};
//!
//! /// Doubles a number.
//! #[mcp_tool]
//! fn double(n: i64) -> i64 {
//!     n * 2
//! }
//!
//! # fn main() {
//! assert_eq!(testing::describe::<double>().name, "double");
//! let completion = testing::Call::new(r#"{ "n": 21 }"#).run::<double>().unwrap();
//! assert!(matches!(completion.outcome, wit::Outcome::Text(text) if text == "42"));
//! # }
//! ```

use crate::{
    Answer, Container, Suggestions, ToolContext,
    runtime::{self, Function},
    wit,
};

/// The declaration of a function, as the host gets it.
pub fn describe<F: Function>() -> wit::Function {
    F::describe()
}

/// A call to be made.
#[derive(Debug)]
pub struct Call {
    context: ToolContext,
    inputs: Vec<wit::Input>,
    containers: Vec<(String, Container)>,
    resume: Option<wit::Resumption>,
}

impl Call {
    /// A call with a JSON object of arguments.
    pub fn new(arguments: &str) -> Self {
        Self::with_context(ToolContext::for_test("test", arguments))
    }

    /// A call with a context; its arguments are those of the call.
    pub fn with_context(context: ToolContext) -> Self {
        Self { context, inputs: Vec::new(), containers: Vec::new(), resume: None }
    }

    /// What an input binding read; a binding that is not set here found nothing. A [`BlobReader`](crate::BlobReader)
    /// reads the value, a [`BlobList`](crate::BlobList) is the JSON of one.
    #[must_use]
    pub fn input(mut self, name: &str, value: wit::Value) -> Self {
        self.inputs.push(wit::Input { name: name.to_owned(), value: Some(value) });
        self
    }

    /// A container that the function may open; one that is not set here is not granted.
    ///
    /// ```
    /// use mcpfn_sdk::{Container, ContainerError, blob_container, mcp_tool, testing::Call};
    ///
    /// /// Forgets everything.
    /// #[mcp_tool]
    /// fn forget(#[blob_container("notes")] notes: Container) -> Result<(), ContainerError> {
    ///     notes.list("").try_for_each(|blob| notes.delete(&blob?.name))
    /// }
    ///
    /// # fn main() {
    /// let notes = Container::in_memory();
    /// notes.put("a", "milk").unwrap();
    /// Call::new("{}").container("notes", &notes).run::<forget>().unwrap();
    /// assert_eq!(notes.list("").count(), 0);
    /// # }
    /// ```
    #[must_use]
    pub fn container(mut self, name: &str, container: &Container) -> Self {
        self.containers.push((name.to_owned(), container.clone()));
        self
    }

    /// Makes it the next round of a call that asked `request`.
    ///
    /// ```
    /// use mcpfn_sdk::{Ask, Stop, mcp_tool, serde_json::json, testing::Call, wit::Outcome};
    ///
    /// /// Counts the folders of the client.
    /// #[mcp_tool]
    /// fn count(ask: Ask) -> Result<usize, Stop> {
    ///     Ok(ask.roots("folders")?.len())
    /// }
    ///
    /// # fn main() {
    /// let first = Call::new("{}").run::<count>().unwrap();
    /// let Outcome::InputRequired(request) = first.outcome else { panic!("it asks") };
    /// let call = Call::new("{}").after(&request).answer("folders", json!({ "roots": [] }));
    /// assert!(matches!(call.run::<count>().unwrap().outcome, Outcome::Text(text) if text == "0"));
    /// # }
    /// ```
    #[must_use]
    pub fn after(mut self, request: &wit::InputRequest) -> Self {
        self.resumption().state.clone_from(&request.state);
        self
    }

    /// Answers a question: an [`Answer`], or the JSON value of an accepted one.
    #[must_use]
    pub fn answer(mut self, key: &str, answer: impl Into<Answer>) -> Self {
        let value = answer.into().into_wit();
        self.resumption().answers.push(wit::Answer { key: key.to_owned(), value });
        self
    }

    fn resumption(&mut self) -> &mut wit::Resumption {
        let none = || wit::Resumption { state: Vec::new(), answers: Vec::new() };
        self.resume.get_or_insert_with(none)
    }

    /// Makes the call.
    ///
    /// # Errors
    /// The failure that the client would see.
    pub fn run<F: Function>(self) -> Result<wit::Completion, wit::Failure> {
        let Self { context, inputs, containers, resume } = self;
        F::call(&mut runtime::Call::for_test(&context, inputs, &containers, resume.as_ref())?)
    }

    /// Asks for values for an argument that somebody is typing; the arguments of the call are those known already.
    ///
    /// # Errors
    /// The function suggests nothing for this argument.
    pub fn complete<F: Function>(
        self,
        argument: &str,
        value: &str,
    ) -> Result<Suggestions, wit::Failure> {
        runtime::complete(F::complete, argument, value, self.context.arguments())
    }
}

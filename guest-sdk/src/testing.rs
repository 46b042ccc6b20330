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
    Answer, Suggestions, ToolContext,
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
    resume: Option<wit::Resumption>,
}

impl Call {
    /// A call with a JSON object of arguments.
    pub fn new(arguments: &str) -> Self {
        Self::with_context(ToolContext::for_test("test", arguments))
    }

    /// A call with a context; its arguments are those of the call.
    pub fn with_context(context: ToolContext) -> Self {
        Self { context, inputs: Vec::new(), resume: None }
    }

    /// What an input binding read; a binding that is not set here found nothing.
    #[must_use]
    pub fn input(mut self, name: &str, value: wit::Value) -> Self {
        self.inputs.push(wit::Input { name: name.to_owned(), value: Some(value) });
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
        F::call(&mut runtime::Call::for_test(&self.context, self.inputs, self.resume.as_ref())?)
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

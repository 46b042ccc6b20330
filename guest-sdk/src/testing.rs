//! Calls a tool in a native test as the host would: through its declaration, its schema's types and its bindings.
//!
//! A tool stays an ordinary function, so most tests call it directly. This is for the rest.
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
    ToolContext,
    runtime::{self, Function},
    wit,
};

/// The declaration of a tool, as the host gets it.
pub fn describe<F: Function>() -> wit::Function {
    F::describe()
}

/// A call to be made.
#[derive(Debug)]
pub struct Call {
    context: ToolContext,
    inputs: Vec<wit::Input>,
}

impl Call {
    /// A call with a JSON object of arguments.
    pub fn new(arguments: &str) -> Self {
        Self::with_context(ToolContext::for_test("test", arguments))
    }

    /// A call with a context; its arguments are those of the call.
    pub fn with_context(context: ToolContext) -> Self {
        Self { context, inputs: Vec::new() }
    }

    /// What an input binding read; a binding that is not set here found nothing.
    #[must_use]
    pub fn input(mut self, name: &str, value: wit::Value) -> Self {
        self.inputs.push(wit::Input { name: name.to_owned(), value: Some(value) });
        self
    }

    /// Makes the call.
    ///
    /// # Errors
    /// The failure that the client would see.
    pub fn run<F: Function>(self) -> Result<wit::Completion, wit::Failure> {
        F::call(&mut runtime::Call::for_test(&self.context, self.inputs)?)
    }
}

//! One call of a function, as the code of the macros sees it.

use crate::{Arguments, Ask, ToolContext, failure::failure, wit};

/// One call of a function, with what the host read for it.
#[derive(Debug)]
pub struct Call<'a> {
    arguments: Arguments<'a>,
    inputs: Vec<wit::Input>,
    resume: Option<&'a wit::Resumption>,
    context: CallContext<'a>,
}

#[derive(Debug)]
enum CallContext<'a> {
    Host { id: &'a str, arguments: &'a str },
    Test(&'a ToolContext),
}

impl<'a> Call<'a> {
    pub(crate) fn of_host(invocation: &'a mut wit::Invocation) -> Result<Self, wit::Failure> {
        let inputs = std::mem::take(&mut invocation.inputs);
        let arguments = Arguments::parse(&invocation.arguments).map_err(|e| failure(&e))?;
        let context = CallContext::Host { id: &invocation.id, arguments: &invocation.arguments };
        Ok(Self { arguments, inputs, resume: invocation.resume.as_ref(), context })
    }

    pub(crate) fn for_test(
        context: &'a ToolContext,
        inputs: Vec<wit::Input>,
        resume: Option<&'a wit::Resumption>,
    ) -> Result<Self, wit::Failure> {
        let arguments = Arguments::parse(context.arguments()).map_err(|e| failure(&e))?;
        Ok(Self { arguments, inputs, resume, context: CallContext::Test(context) })
    }

    /// All arguments.
    pub fn arguments(&self) -> &Arguments<'a> {
        &self.arguments
    }

    /// Who calls.
    pub fn context(&self) -> ToolContext {
        match self.context {
            CallContext::Host { id, arguments } => ToolContext::of_host(id, arguments),
            CallContext::Test(context) => context.clone(),
        }
    }

    /// What was asked, and what came back.
    pub fn ask(&self) -> Ask {
        Ask::of_host(self.resume)
    }

    /// What a binding read.
    pub fn input(&mut self, name: &str) -> Option<wit::Value> {
        self.inputs.iter_mut().find(|input| input.name == name)?.value.take()
    }
}

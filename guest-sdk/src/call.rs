//! One call of a function, as the code of the macros sees it.

use crate::{
    Arguments, Ask, BlobForm, BlobInput, BlobReader, BlobWriter, Container, ToolContext,
    failure::failure, wit,
};

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
    Test { context: &'a ToolContext, containers: &'a [(String, Container)] },
}

/// What the host read for an input binding.
#[derive(Debug)]
pub struct Input<'a> {
    noun: &'a str,
    name: &'a str,
    value: Option<wit::Value>,
    /// What did not come with the call may come in pieces.
    is_of_host: bool,
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
        containers: &'a [(String, Container)],
        resume: Option<&'a wit::Resumption>,
    ) -> Result<Self, wit::Failure> {
        let arguments = Arguments::parse(context.arguments()).map_err(|e| failure(&e))?;
        let context = CallContext::Test { context, containers };
        Ok(Self { arguments, inputs, resume, context })
    }

    /// All arguments.
    pub fn arguments(&self) -> &Arguments<'a> {
        &self.arguments
    }

    /// Who calls.
    pub fn context(&self) -> ToolContext {
        match self.context {
            CallContext::Host { id, arguments } => ToolContext::of_host(id, arguments),
            CallContext::Test { context, .. } => context.clone(),
        }
    }

    /// What was asked, and what came back.
    pub fn ask(&self) -> Ask {
        Ask::of_host(self.resume)
    }

    /// What a binding read. `noun` is what a message calls it.
    pub fn input<'n>(&mut self, noun: &'n str, name: &'n str) -> Input<'n> {
        let found = self.inputs.iter_mut().find(|input| input.name == name);
        let value = found.and_then(|input| input.value.take());
        Input { noun, name, value, is_of_host: matches!(self.context, CallContext::Host { .. }) }
    }

    /// What writes a binding in pieces.
    pub fn writer(&self, name: &str) -> BlobWriter {
        match self.context {
            CallContext::Host { .. } => BlobWriter::of_host(name),
            CallContext::Test { .. } => BlobWriter::new(),
        }
    }

    /// A container.
    pub fn container(&self, name: &str) -> Container {
        match self.context {
            CallContext::Host { .. } => Container::of_host(name),
            CallContext::Test { containers, .. } => {
                let given = containers.iter().find(|(own, _)| own == name);
                given.map_or_else(|| Container::denied(name), |(_, container)| container.clone())
            }
        }
    }
}

impl Input<'_> {
    /// The value of a type that says how it is read.
    pub(crate) fn read<T: BlobInput>(self) -> Result<T, wit::Failure> {
        let (noun, name) = (self.noun, self.name);
        let read = match self.value {
            Some(value) => T::from_value(value),
            None if self.is_of_host && T::FORM == BlobForm::Stream => BlobReader::open(name)
                .and_then(|reader| reader.map_or_else(T::missing, T::from_reader)),
            None => T::missing(),
        };
        read.map_err(|what| failure(&format!("the {noun} `{name}` {what}")))
    }
}

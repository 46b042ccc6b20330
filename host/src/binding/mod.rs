//! Declared storage: resolves the path of a binding from the arguments, reads inputs, writes outputs.
//!
//! The set of types is open: [`Registry`] is the one list by name. A type is made of a
//! [`BindingType`], which checks a declaration at load, and of the bindings that it makes, which do
//! no work per call that the declaration already settled.

mod blob;
mod config;
mod content;
#[cfg(test)]
mod contract;
mod error;
mod expression;
mod http;
#[cfg(test)]
mod local_server;
mod probe;
#[cfg(test)]
mod properties;
mod queue;
mod registry;
mod scope;
mod segment;
mod storage_name;

pub use self::{
    blob::Memory,
    error::{BindingError, DeclarationError, StorageFault},
    expression::BindingData,
    probe::{Finding, Probe},
    registry::{Connections, Registry},
    scope::Scope,
};

use std::fmt::Debug;

use async_trait::async_trait;

use crate::function::{BindingDecl, Value};

/// What a binding points to in one invocation, once its path is resolved: for a blob, its name. It goes
/// back to the binding that resolved it, which knows the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    name: String,
    texts: Vec<Option<String>>,
}

impl Target {
    /// A name that the type itself resolved.
    pub fn new(name: String) -> Self {
        Self { name, texts: Vec::new() }
    }

    /// With further texts that the declaration makes of the call, in an order that the type knows. None: what it is
    /// made of is missing.
    #[must_use]
    pub fn with(self, texts: Vec<Option<String>>) -> Self {
        Self { texts, ..self }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.name
    }

    /// The further texts.
    pub fn texts(&self) -> &[Option<String>] {
        &self.texts
    }
}

/// A kind of binding, such as `blob`: turns declarations into bindings, at load.
#[async_trait]
pub trait BindingType: Debug + Send + Sync {
    /// The name in declarations.
    fn name(&self) -> &'static str;

    /// Makes an input; `scope` is what templates may name.
    fn input(
        &self,
        declaration: &BindingDecl,
        scope: &Scope<'_>,
    ) -> Result<Box<dyn InputBinding>, DeclarationError>;

    /// Makes an output.
    fn output(
        &self,
        declaration: &BindingDecl,
        scope: &Scope<'_>,
    ) -> Result<Box<dyn OutputBinding>, DeclarationError>;

    /// Tries every connection that it has, used or not, and every place there that bindings use. Nothing is written,
    /// and it takes [`Probe::MAX_TIME`] at most.
    async fn probe(&self) -> Vec<Probe> {
        Vec::new()
    }
}

/// A value that is read before the function runs.
#[async_trait]
pub trait InputBinding: Debug + Send + Sync {
    /// Finds the place from the arguments. None: an optional argument is missing, so there is nothing to read.
    fn resolve(&self, data: &BindingData<'_>) -> Result<Option<Target>, BindingError>;

    /// Reads, or opens what is read in pieces. None: there is nothing at that place.
    async fn read(&self, target: &Target) -> Result<Option<Found>, BindingError>;
}

/// What an input found at its place.
#[derive(Debug)]
pub struct Found {
    /// What is there.
    pub content: FoundContent,
    /// Which version of it, so that an output can replace this one and no other.
    pub version: Option<Version>,
}

/// The content that an input found.
#[derive(Debug)]
pub enum FoundContent {
    /// All of it.
    Whole(Value),
    /// To be read in pieces.
    Stream(Box<dyn Download>),
}

/// The version of what a place holds: its `ETag`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version(pub String);

/// What the input that an output follows has seen at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// There was nothing.
    Nothing,
    /// There was something, and the storage does not tell which version of it.
    Unversioned,
    /// This version.
    Version(Version),
}

/// A value that is written after the function succeeded.
#[async_trait]
pub trait OutputBinding: Debug + Send + Sync {
    /// Finds the place from the arguments. None: an optional argument is missing, so nothing can be written.
    fn resolve(&self, data: &BindingData<'_>) -> Result<Option<Target>, BindingError>;

    /// The input whose version has to be there still when this is written.
    fn follows(&self) -> Option<&str> {
        None
    }

    /// Writes all the bytes, or nothing: no reader ever sees a part of it. `seen` is what the input saw that it
    /// follows.
    async fn write(
        &self,
        target: &Target,
        bytes: &[u8],
        seen: Option<&Seen>,
    ) -> Result<(), BindingError>;

    /// How it is written in pieces, if it is declared as a stream.
    fn stream(&self) -> Option<&dyn StreamOutput> {
        None
    }
}

/// An output that is written in pieces while the function runs, and is there once it has succeeded.
#[async_trait]
pub trait StreamOutput: Debug + Send + Sync {
    /// Begins. Nothing is to be seen of it yet.
    async fn begin(&self, target: &Target) -> Result<Box<dyn Upload>, BindingError>;
}

/// Content that is read in pieces.
#[async_trait]
pub trait Download: Debug + Send {
    /// The size in bytes, when it is known.
    fn size(&self) -> Option<u64>;

    /// At most so many bytes; none at the end.
    async fn read(&mut self, max: usize) -> Result<Vec<u8>, BindingError>;
}

/// Content that is written in pieces. Dropped before it is complete, it leaves nothing behind that a reader could see.
#[async_trait]
pub trait Upload: Debug + Send {
    /// Appends a piece.
    async fn write(&mut self, bytes: Vec<u8>) -> Result<(), BindingError>;

    /// Makes all that was written the content, at once.
    async fn complete(self: Box<Self>) -> Result<(), BindingError>;
}

//! Declared storage: resolves the path of a binding from the arguments, reads inputs, writes outputs.
//!
//! The set of types is open: [`Registry`] is the one list by name. A type is made of a
//! [`BindingType`], which checks a declaration at load, and of the bindings that it makes, which do
//! no work per call that the declaration already settled.

mod blob;
#[cfg(test)]
mod contract;
mod error;
mod expression;
mod registry;
mod scope;
mod segment;

pub use self::{
    blob::Memory,
    error::{BindingError, DeclarationError},
    expression::BindingData,
    registry::{Connections, Registry},
    scope::Scope,
};

use std::fmt::Debug;

use async_trait::async_trait;

use crate::function::{BindingDecl, Value};

/// What a binding points to in one invocation, once its path is resolved: for a blob, its name. It goes
/// back to the binding that resolved it, which knows the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target(String);

impl Target {
    /// A name that the type itself resolved.
    pub fn new(name: String) -> Self {
        Self(name)
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A kind of binding, such as `blob`: turns declarations into bindings, at load.
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
}

/// A value that is read before the function runs.
#[async_trait]
pub trait InputBinding: Debug + Send + Sync {
    /// Finds the place from the arguments. None: an optional argument is missing, so there is nothing to read.
    fn resolve(&self, data: &BindingData<'_>) -> Result<Option<Target>, BindingError>;

    /// Reads. None: there is nothing at that place.
    async fn read(&self, target: &Target) -> Result<Option<Value>, BindingError>;
}

/// A value that is written after the function succeeded.
#[async_trait]
pub trait OutputBinding: Debug + Send + Sync {
    /// Finds the place from the arguments. None: an optional argument is missing, so nothing can be written.
    fn resolve(&self, data: &BindingData<'_>) -> Result<Option<Target>, BindingError>;

    /// Writes all the bytes, or nothing: no reader ever sees a part of it.
    async fn write(&self, target: &Target, bytes: &[u8]) -> Result<(), BindingError>;
}

//! Between the contract's types and the host's own.

mod completion;
mod declaration;
mod invocation;
mod skill;

pub(super) use self::{
    completion::{completion, too_large},
    declaration::declared,
    invocation::invocation,
};

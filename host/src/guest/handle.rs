//! What stands behind the handles that capabilities give to guests.
//!
//! No version of the host grants a container or a stream yet, so none of these has a value.

#![expect(unreachable_pub, reason = "the generated bindings name them in public items")]

/// An open container of `blobs`.
#[derive(Debug)]
pub enum Container {}

/// An open input of `streams`.
#[derive(Debug)]
pub enum Reader {}

/// An open output of `streams`.
#[derive(Debug)]
pub enum Writer {}

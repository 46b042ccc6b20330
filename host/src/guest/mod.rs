//! Runs components: the only module that names the WebAssembly engine.
//!
//! An [`Engine`] exists once. A [`Component`] is compiled and linked once, at load; each call of
//! [`Component::invoke`] makes a fresh instance, which ends with the call. A guest reaches nothing but
//! the capabilities in `capability`, all of which are linked for everyone and answer `denied` for
//! what was not declared and granted.

mod bindings;
mod cache;
mod capability;
mod component;
mod convert;
mod deadline;
mod engine;
mod error;
mod handle;
mod limits;
mod output;
mod size;
mod state;

pub use self::{
    cache::Cache,
    component::{Call, Component},
    deadline::Deadline,
    engine::{Engine, MAX_INSTANCES, Pooling},
    error::{GuestError, LoadError},
    limits::Limits,
};

//! Runs components: the only module that names the WebAssembly engine.
//!
//! An [`Engine`] exists once. A [`Component`] is compiled and linked once, at load; each call of
//! [`Guest::invoke`] makes a fresh instance, which ends with the call, unless host.json has instances kept.
//! A guest reaches nothing but the capabilities in `capability`, all of which are linked for everyone and
//! answer `denied` for what was not declared and granted.

mod bindings;
mod cache;
mod capability;
mod component;
mod concurrent;
mod convert;
mod deadline;
mod engine;
mod error;
mod fair;
mod function;
mod handle;
#[cfg(test)]
mod isolation;
mod limits;
mod live;
mod machine;
mod output;
mod size;
mod state;
mod ticker;
mod warm;

pub use self::{
    cache::Cache,
    component::{Component, Declared, Source},
    deadline::Deadline,
    engine::{Config, Engine, Pooling},
    error::{GuestError, LoadError},
    function::{Call, Guest},
};

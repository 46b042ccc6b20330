//! The extension `io.modelcontextprotocol/tasks` (2026-07-28, SEP-2663): calls that run in the background.

mod methods;
mod run;
mod wire;

pub(super) use self::{
    methods::{cancel, get, id_of, update},
    run::{Begin, Runner, begin},
    wire::{Created, Detailed},
};

use std::time::Duration;

/// How long a task is kept from its beginning, if it has ended by then.
const LIFETIME: Duration = Duration::from_hours(1);

/// How long what a task came to is kept at the least, however long it took.
const KEPT: Duration = Duration::from_mins(10);

/// How often a client should look.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

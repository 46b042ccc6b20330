//! What a guest can call of the host: one file for each interface of the WIT package.

pub(super) mod blobs;
mod changes;
pub(super) mod context;
pub(super) mod log;
pub(super) mod progress;
pub(super) mod settings;
pub(super) mod streams;

use wasmtime::component::{HasData, HasSelf, Linker};

use super::{bindings::mcpfn::function as wit, state::State};

/// Links every capability, for every component: some toolchains import the whole world.
pub(super) fn add_to_linker(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    wit::context::add_to_linker::<State, HasSelf<context::Context>>(linker, |state| {
        &mut state.context
    })?;
    wit::log::add_to_linker::<State, HasLog>(linker, |state| log::View {
        log: &state.log,
        context: &state.context,
    })?;
    wit::progress::add_to_linker::<State, HasProgress>(linker, |state| progress::View {
        progress: &mut state.progress,
        context: &state.context,
    })?;
    wit::changes::add_to_linker::<State, HasSelf<context::Context>>(linker, |state| {
        &mut state.context
    })?;
    wit::settings::add_to_linker::<State, HasSelf<settings::Settings>>(linker, |state| {
        &mut state.settings
    })?;
    wit::blobs::add_to_linker::<State, HasBlobs>(linker, |state| blobs::View {
        storage: state.storage.as_ref(),
        table: &mut state.table,
    })?;
    wit::streams::add_to_linker::<State, HasStreams>(linker, |state| streams::View {
        storage: state.storage.as_ref(),
        table: &mut state.table,
    })?;
    Ok(())
}

struct HasLog;

impl HasData for HasLog {
    type Data<'a> = log::View<'a>;
}

struct HasProgress;

impl HasData for HasProgress {
    type Data<'a> = progress::View<'a>;
}

struct HasBlobs;

impl HasData for HasBlobs {
    type Data<'a> = blobs::View<'a>;
}

struct HasStreams;

impl HasData for HasStreams {
    type Data<'a> = streams::View<'a>;
}

//! An instance, and what it has in the host.

use std::sync::Arc;

use wasmtime::Store;

use super::{
    bindings::mcpfn::function::types as wit,
    capability::context::Context,
    component::{Invoke, Linkage, allow_one_call, new_store},
    handle,
    output::{Owner, Printed},
    state::State,
};
use crate::function::{ComponentName, Invocation, Limits, Storage};

/// An instance that runs an invocation, or waits for the next one.
pub(super) struct Live {
    store: Store<State>,
    /// What it is called by. None: it is still to be made.
    invoke: Option<Invoke>,
    printed: Printed,
    pub(super) n_uses: u32,
}

impl Live {
    /// One that is made when it is first called.
    pub(super) fn new(
        linkage: &Linkage,
        invocation: &Arc<Invocation>,
        context: Context,
        limits: &Limits,
    ) -> Self {
        let printed = Printed::new(Owner::Invocation(Arc::clone(invocation)), limits.log);
        let state = State::for_call(limits, context, printed.clone());
        Self { store: new_store(linkage, state, limits), invoke: None, printed, n_uses: 0 }
    }

    /// Another invocation: what belonged to the last one is gone, but for what the guest itself kept.
    pub(super) fn begin(
        &mut self,
        invocation: &Arc<Invocation>,
        context: Context,
        limits: &Limits,
    ) {
        self.printed.begin(Owner::Invocation(Arc::clone(invocation)));
        let state = self.store.data_mut();
        state.context = context;
        state.progress.begin();
        allow_one_call(&mut self.store, limits);
    }

    /// The invocation is over, and nothing of it is held any longer.
    pub(super) fn end(&mut self, component: &Arc<ComponentName>) {
        self.printed.begin(Owner::Component(Arc::clone(component)));
        let state = self.store.data_mut();
        state.context = Context::for_describe();
        state.storage = None;
        handle::close_all(&mut state.table);
    }

    /// What the invocation may reach.
    pub(super) fn give(&mut self, storage: Option<Arc<dyn Storage>>) {
        self.store.data_mut().storage = storage;
    }

    /// Calls it.
    pub(super) async fn invoke(
        &mut self,
        linkage: &Linkage,
        request: &wit::Invocation,
    ) -> wasmtime::Result<Result<wit::Completion, wit::Failure>> {
        let invoke = match self.invoke {
            Some(invoke) => invoke,
            None => *self.invoke.insert(linkage.instantiate(&mut self.store).await?),
        };
        let (answer,) = invoke.call_async(&mut self.store, (request,)).await?;
        Ok(answer)
    }
}

//! `context`: who asks, and for how long.

use std::{sync::Arc, time::Instant};

use crate::{
    function::{Invocation, Listener, TransportKind},
    guest::bindings::mcpfn::function::context::{
        ClientInfo, Host, TransportKind as WitTransportKind,
    },
};

/// What the guest may know of the request. Nothing while it describes itself.
pub(in crate::guest) struct Context {
    invocation: Option<Arc<Invocation>>,
    deadline: Option<Instant>,
    /// How many changes it has told of.
    pub(super) n_changes: u32,
}

impl Context {
    pub(in crate::guest) fn for_call(
        invocation: Arc<Invocation>,
        deadline: Option<Instant>,
    ) -> Self {
        Self { invocation: Some(invocation), deadline, n_changes: 0 }
    }

    pub(in crate::guest) fn for_describe() -> Self {
        Self { invocation: None, deadline: None, n_changes: 0 }
    }

    /// Who hears what the function says while it runs.
    pub(in crate::guest) fn listener(&self) -> Option<&dyn Listener> {
        self.invocation.as_ref()?.listener.as_deref()
    }
}

impl Host for Context {
    fn name(&mut self) -> String {
        let name = |call: &Arc<Invocation>| call.function.trigger.name().to_owned();
        self.invocation.as_ref().map(name).unwrap_or_default()
    }

    fn transport(&mut self) -> WitTransportKind {
        match self.invocation.as_ref().map(|call| call.caller.transport) {
            Some(TransportKind::Http) => WitTransportKind::Http,
            Some(TransportKind::Stdio) => WitTransportKind::Stdio,
            Some(TransportKind::Console) => WitTransportKind::Console,
            Some(TransportKind::CommandLine) | None => WitTransportKind::CommandLine,
        }
    }

    fn header(&mut self, name: String) -> Option<String> {
        let headers = &self.invocation.as_ref()?.caller.headers;
        headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(&name))
            .map(|(_, value)| value.clone())
    }

    fn client(&mut self) -> Option<ClientInfo> {
        let client = self.invocation.as_ref()?.caller.client.as_ref()?;
        Some(ClientInfo { name: client.name.clone(), version: client.version.clone() })
    }

    fn capabilities(&mut self) -> String {
        let capabilities =
            self.invocation.as_ref().and_then(|call| call.caller.capabilities.as_ref());
        capabilities.map_or_else(|| "{}".to_owned(), |capabilities| capabilities.get().to_owned())
    }

    fn session(&mut self) -> Option<String> {
        self.invocation.as_ref()?.caller.session.clone()
    }

    fn principal(&mut self) -> Option<String> {
        self.invocation.as_ref()?.caller.principal.clone()
    }

    fn meta(&mut self) -> Option<String> {
        self.invocation.as_ref()?.caller.meta.as_ref().map(|meta| meta.get().to_owned())
    }

    fn remaining_ms(&mut self) -> u64 {
        let Some(deadline) = self.deadline else { return u64::MAX };
        u64::try_from(deadline.saturating_duration_since(Instant::now()).as_millis())
            .unwrap_or(u64::MAX)
    }
}

//! One run of a function for a request, and what can become of it.

use std::sync::Arc;

use crate::{
    function::{Invocation, InvocationId, Outcome},
    host::Host,
    invoke::InvokeError,
};

/// Why a request came to no outcome.
#[derive(Debug)]
pub(super) enum Fault {
    /// The invocation failed.
    Invoke {
        /// Finds it in the log.
        id: InvocationId,
        /// Why.
        error: InvokeError,
    },
    /// The client could not be asked, or did not answer.
    Asking(String),
}

/// What a request comes to.
pub(super) type Ended = Result<Outcome, Fault>;

impl Fault {
    /// What the client reads.
    pub(super) fn public_message(&self) -> String {
        match self {
            Self::Invoke { id, error } => error.public_message(id),
            Self::Asking(reason) => reason.clone(),
        }
    }
}

/// Runs a function once.
pub(super) async fn once(host: &Host, invocation: &Arc<Invocation>) -> Ended {
    let invoked = host.invoke(invocation).await;
    invoked.map_err(|error| Fault::Invoke { id: invocation.id.clone(), error })
}

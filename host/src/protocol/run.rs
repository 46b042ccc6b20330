//! One run of a function for a request, and what can become of it.

use std::sync::Arc;

use super::error::ProtocolError;
use crate::{
    function::{Invocation, Outcome},
    host::Host,
    invoke::InvokeError,
};

/// Why a request came to no outcome.
#[derive(Debug)]
pub(super) enum Fault {
    /// The invocation failed.
    Invoke {
        /// What was to run.
        invocation: Arc<Invocation>,
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
            Self::Invoke { invocation, error } => error.public_message(invocation),
            Self::Asking(reason) => reason.clone(),
        }
    }
}

/// Where only an error can tell.
impl From<Fault> for ProtocolError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Invoke { invocation, error } => Self::invoke(&error, &invocation),
            Fault::Asking(reason) => Self::Function(reason),
        }
    }
}

/// Runs a function once.
pub(super) async fn once(host: &Host, invocation: &Arc<Invocation>) -> Ended {
    let invoked = host.invoke(invocation).await;
    invoked.map_err(|error| Fault::Invoke { invocation: Arc::clone(invocation), error })
}

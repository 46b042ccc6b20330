//! `notifications/cancelled` on a stream that carries many calls at once. On HTTP a call is cancelled by its connection,
//! and in a legacy session by `legacy::cancel`.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::sync::Notify;

use super::{Message, jsonrpc, method::Method, raw};

/// The calls in flight on one stream.
#[derive(Clone, Debug, Default)]
pub struct Calls(Arc<Mutex<HashMap<Box<str>, Arc<Notify>>>>);

/// One call of a stream: while it lives, a later message may cancel it.
#[derive(Debug)]
pub struct Ticket {
    calls: Calls,
    id: Box<str>,
    cancelled: Arc<Notify>,
}

#[derive(Deserialize)]
struct Cancelled<'a> {
    #[serde(borrow, rename = "requestId")]
    id: Option<&'a RawValue>,
}

impl Calls {
    /// Takes note of a message: a call is in flight from now on, and a cancellation reaches the call it names.
    /// None: no call, so that answering it takes no time.
    ///
    /// Messages must be given in the order in which they came, each before the next one is read; what comes
    /// of calls may then be awaited in any order.
    pub fn admit(&self, message: &Message<'_>) -> Option<Ticket> {
        match &message.0 {
            Ok(jsonrpc::Message::Request(request))
                if Method::parse(&request.method).is_some_and(Method::takes_time) =>
            {
                let id: Box<str> = request.id.as_ref()?.get().into();
                let cancelled = Arc::new(Notify::new());
                self.lock().insert(id.clone(), Arc::clone(&cancelled));
                Some(Ticket { calls: self.clone(), id, cancelled })
            }
            Ok(jsonrpc::Message::Notification(notification))
                if notification.method == "notifications/cancelled" =>
            {
                if let Some(id) =
                    raw::object::<Cancelled<'_>>(&notification.params).and_then(|params| params.id)
                    && let Some(call) = self.lock().remove(id.get())
                {
                    call.notify_one();
                }
                None
            }
            _ => None,
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Box<str>, Arc<Notify>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ticket {
    /// Waits until the client cancels this call: for ever, if it does not. Nothing may be sent for it from then on.
    pub async fn cancelled(&self) {
        self.cancelled.notified().await;
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut calls = self.calls.lock();
        // A client that uses an id twice gets what it asked for: the later one stays cancellable.
        if calls.get(&self.id).is_some_and(|other| Arc::ptr_eq(other, &self.cancelled)) {
            calls.remove(&self.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        pin::pin,
        task::{Context, Poll, Waker},
    };

    use super::{Calls, Message, Ticket};

    fn admit(calls: &Calls, body: &str) -> Option<Ticket> {
        calls.admit(&Message::parse(body.as_bytes()))
    }

    fn is_cancelled(ticket: &Ticket) -> bool {
        pin!(ticket.cancelled()).poll(&mut Context::from_waker(Waker::noop())) == Poll::Ready(())
    }

    fn cancel(id: &str) -> String {
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
        )
    }

    #[test]
    fn a_cancellation_reaches_the_request_that_it_names() {
        let calls = Calls::default();
        let first = admit(&calls, r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#).unwrap();
        let second = admit(&calls, r#"{"jsonrpc":"2.0","id":"1","method":"tools/call"}"#).unwrap();
        assert!(admit(&calls, &cancel("1")).is_none());
        assert!(is_cancelled(&first));
        assert!(!is_cancelled(&second));
    }

    #[test]
    fn only_what_runs_a_function_is_a_call() {
        let calls = Calls::default();
        for method in ["ping", "initialize", "tools/list", "server/discover", "x"] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}"}}"#);
            assert!(admit(&calls, &body).is_none(), "{method}");
        }
    }

    #[test]
    fn a_request_that_is_over_leaves_nothing_behind() {
        let calls = Calls::default();
        drop(admit(&calls, r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#));
        drop(admit(&calls, "not JSON"));
        assert!(calls.lock().is_empty());
        drop(admit(&calls, &cancel("1")));
    }
}

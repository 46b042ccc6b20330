//! `notifications/cancelled` over HTTP: it comes on a connection of its own, and perhaps to another host.

use std::time::{Duration, SystemTime};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::session::Peer;
use crate::{
    protocol::{Protocol, modern::is_token, raw},
    state::Address,
};

/// The longest id of a request that can be cancelled, as JSON text.
const MAX_ID: usize = 256;

/// How long before its request a cancellation may come.
const OVERTAKEN: Duration = Duration::from_secs(2);

#[derive(Deserialize)]
struct Cancelled<'a> {
    #[serde(borrow, rename = "requestId")]
    id: Option<&'a RawValue>,
}

fn address(peer: &Peer) -> Address {
    Address::new("cancelled", &[&peer.id])
}

/// Lets the request know that the notification names.
pub(super) async fn post(protocol: &Protocol, peer: &Peer, params: &str) {
    let params: Option<Cancelled<'_>> = raw::object(params);
    let Some(id) = params.and_then(|params| params.id) else { return };
    if id.get().len() > MAX_ID || !is_token(id) {
        return;
    }
    let letter = format!("{} {}", milliseconds(SystemTime::now()), id.get());
    if let Err(error) = protocol.shared.mailbox.post(&address(peer), letter.into()).await {
        tracing::warn!(%error, "a cancellation is lost");
    }
}

/// Waits until the client of a session cancels the request of this id: for ever, if it does not. A cancellation may
/// have overtaken its request, which came on another connection.
pub(super) async fn wait(protocol: &Protocol, peer: &Peer, id: &RawValue) {
    let address = address(peer);
    let mailbox = &protocol.shared.mailbox;
    let n_before = mailbox.latest(&address).await.map_or(0, |letter| letter.number);
    let overtaken = milliseconds(SystemTime::now() - OVERTAKEN);
    let mut n_read = 0;
    loop {
        let letter = mailbox.receive(&address, n_read).await;
        // What comes from now on is for this request, whatever the clock says of the host that posted it.
        let since = if letter.number > n_before { 0 } else { overtaken };
        if is_of(&letter.content, id, since) {
            return;
        }
        n_read = letter.number;
    }
}

/// Whether a letter cancels this request. An older one may have been for an earlier request of the same id.
fn is_of(letter: &[u8], id: &RawValue, since: u128) -> bool {
    let letter = std::str::from_utf8(letter).ok().and_then(|letter| letter.split_once(' '));
    letter.is_some_and(|(at, cancelled)| {
        cancelled == id.get() && at.parse().is_ok_and(|at: u128| at >= since)
    })
}

fn milliseconds(time: SystemTime) -> u128 {
    time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_millis()
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::is_of;

    #[test]
    fn a_cancellation_may_come_shortly_before_its_request() {
        let id: Box<RawValue> = serde_json::from_str("\"a b\"").unwrap();
        assert!(is_of(b"1000 \"a b\"", &id, 1000));
        assert!(!is_of(b"999 \"a b\"", &id, 1000));
        assert!(!is_of(b"1000 \"a\"", &id, 1000));
        assert!(!is_of(b"\"a b\"", &id, 0));
    }
}

//! `notifications/cancelled` over HTTP: it comes on a connection of its own, and perhaps to another host.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::session::Peer;
use crate::{
    protocol::{Protocol, modern::is_token, raw},
    state::Address,
};

/// The longest id of a request that can be cancelled, as JSON text.
const MAX_ID: usize = 256;

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
    let id = id.get().to_owned();
    if let Err(error) = protocol.shared.mailbox.post(&address(peer), id.into()).await {
        tracing::warn!(%error, "a cancellation is lost");
    }
}

/// Waits until the client of a session cancels the request of this id: for ever, if it does not.
pub(super) async fn wait(protocol: &Protocol, peer: &Peer, id: &RawValue) {
    let address = address(peer);
    let mailbox = &protocol.shared.mailbox;
    let mut n_read = mailbox.latest(&address).await.map_or(0, |letter| letter.number);
    loop {
        let letter = mailbox.receive(&address, n_read).await;
        if letter.content == id.get().as_bytes() {
            return;
        }
        n_read = letter.number;
    }
}

//! Whatever a client says it heard last, it can be read on after it or not.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use futures_util::FutureExt;
use proptest::prelude::any;

use super::{EventLog, Reader};
use crate::{
    properties::{changed_text, check, within},
    protocol::legacy::session::Peer,
    state::{Mailbox, MemoryMailbox, Sealer},
};

async fn log(peer: &Peer) -> (Arc<dyn Mailbox>, EventLog) {
    let mailbox: Arc<dyn Mailbox> = Arc::new(MemoryMailbox::new(Duration::from_mins(1)));
    let mut log = EventLog::begin(Arc::clone(&mailbox), peer).await.unwrap();
    for message in ["1", "2", "3"] {
        log.push(&Bytes::from_static(message.as_bytes())).await.unwrap();
    }
    (mailbox, log)
}

fn peer() -> Peer {
    Peer::introduce(&Sealer::random(), "2025-11-25", None, None, None)
}

/// What is read on after an event. None: nothing can be.
fn after(mailbox: &Arc<dyn Mailbox>, peer: &Peer, id: &str) -> Option<Reader> {
    within(id.len() + peer.id.len(), || {
        let reader = Reader::after(Arc::clone(mailbox), peer, id);
        reader.now_or_never().expect("nothing is waited for")
    })
}

#[tokio::test]
async fn any_id_is_one_to_read_on_after_or_none() {
    let peer = peer();
    let (mailbox, log) = log(&peer).await;
    check(&any::<String>(), |id| assert!(after(&mailbox, &peer, &id).is_none()));
    check(&changed_text(vec![log.stream.id(1), log.stream.id(2)]), |id| {
        let Some(mut reader) = after(&mailbox, &peer, &id) else { return };
        assert!(id.starts_with(&log.stream.name), "{id}");
        // What was already said is there at once; nothing that was never said is waited for.
        let (_, place) = id.rsplit_once('-').unwrap();
        let place: u64 = place.parse().unwrap();
        assert!(place <= 3, "{id}");
        if place < 3 {
            let event = reader.next().now_or_never().expect("it is there").unwrap();
            assert_eq!(event.id, log.stream.id(place + 1));
        }
    });
}

#[tokio::test]
async fn the_events_of_another_session_cannot_be_read() {
    let owner = peer();
    let (mailbox, log) = log(&owner).await;
    let other = peer();
    assert!(after(&mailbox, &owner, &log.stream.id(1)).is_some());
    assert!(after(&mailbox, &other, &log.stream.id(1)).is_none());
}

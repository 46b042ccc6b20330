//! The events of a call in a session: they are kept for a while, so that a client whose connection broke can read on
//! (2025-11-25, basic/transports, Resumability and Redelivery).

use std::sync::Arc;

use bytes::{Bytes, BytesMut};

use super::session::Peer;
use crate::{
    function::InvocationId,
    state::{Address, Full, Mailbox},
};

/// From this revision on clients know an event without a message, which tells them where to read on.
const PRIMED_SINCE: &str = "2025-11-25";

/// How an event is marked among the letters.
const MORE: u8 = b'+';
const LAST: u8 = b'.';

/// The events of one call.
#[derive(Clone, Debug)]
pub struct EventLog {
    mailbox: Arc<dyn Mailbox>,
    address: Address,
    name: String,
    is_primed: bool,
}

/// One event.
#[derive(Debug)]
pub struct Event {
    /// Where the client reads on after it.
    pub id: String,
    /// Its message.
    pub message: Bytes,
    /// Whether it is the last one of its stream.
    pub is_last: bool,
}

/// Reads events from a place on.
#[derive(Debug)]
pub struct Reader {
    log: EventLog,
    n_read: u64,
}

impl EventLog {
    /// For a call of this client.
    pub(in crate::protocol) fn new(mailbox: Arc<dyn Mailbox>, peer: &Peer) -> Self {
        let name = InvocationId::new().as_str().to_owned();
        Self::named(mailbox, peer, name)
    }

    fn named(mailbox: Arc<dyn Mailbox>, peer: &Peer, name: String) -> Self {
        let address = Address::new("events", &[&peer.id, &name]);
        Self { mailbox, address, name, is_primed: peer.version >= PRIMED_SINCE }
    }

    /// Adds an event.
    pub async fn push(&self, message: &Bytes) -> Result<(), Full> {
        self.post(MORE, message).await
    }

    /// Adds the last event.
    pub async fn finish(&self, message: &Bytes) -> Result<(), Full> {
        self.post(LAST, message).await
    }

    async fn post(&self, mark: u8, message: &Bytes) -> Result<(), Full> {
        let mut letter = BytesMut::with_capacity(message.len() + 1);
        letter.extend_from_slice(&[mark]);
        letter.extend_from_slice(message);
        self.mailbox.post(&self.address, letter.freeze()).await?;
        Ok(())
    }

    /// What comes before the first event. None: the client is too old for it.
    pub fn primer(&self) -> Option<String> {
        self.is_primed.then(|| self.id(0))
    }

    /// Reads from the beginning.
    pub fn read(&self) -> Reader {
        Reader { log: self.clone(), n_read: 0 }
    }

    fn id(&self, number: u64) -> String {
        format!("{}-{number}", self.name)
    }
}

impl Reader {
    /// Reads on after the event of this id, which a client got. None: it is none of this session's, or what follows
    /// is gone.
    pub(in crate::protocol) async fn after(
        mailbox: Arc<dyn Mailbox>,
        peer: &Peer,
        event_id: &str,
    ) -> Option<Self> {
        let (name, number) = event_id.rsplit_once('-')?;
        let n_read: u64 = number.parse().ok()?;
        let log = EventLog::named(mailbox, peer, name.to_owned());
        // Of a stream that was never there, or is no more, nothing would ever come.
        log.mailbox.latest(&log.address).await?;
        Some(Self { log, n_read })
    }

    /// The next event. None: those that follow are gone.
    pub async fn next(&mut self) -> Option<Event> {
        let letter = self.log.mailbox.receive(&self.log.address, self.n_read).await;
        if letter.number != self.n_read + 1 {
            return None;
        }
        self.n_read = letter.number;
        let is_last = letter.content.first() == Some(&LAST);
        Some(Event { id: self.log.id(letter.number), message: letter.content.slice(1..), is_last })
    }
}

//! The events of a call in a session: they are kept for a while, so that a client whose connection broke can read on
//! (2025-11-25, basic/transports, Resumability and Redelivery).

#[cfg(test)]
mod properties;

use std::sync::Arc;

use bytes::{Bytes, BytesMut};

use super::session::Peer;
use crate::{
    function::InvocationId,
    state::{Address, Full, Mailbox},
};

/// From this revision on clients know an event without a message, which tells them where to read on.
const PRIMED_SINCE: &str = "2025-11-25";

/// How a letter is marked: the beginning of a stream, an event, the last one. Its place in the stream follows.
const BEGINNING: u8 = b'(';
const MORE: u8 = b'+';
const LAST: u8 = b')';
const HEAD_LEN: usize = 1 + size_of::<u64>();

/// Where the events of one call are.
#[derive(Clone, Debug)]
struct Stream {
    mailbox: Arc<dyn Mailbox>,
    address: Address,
    name: String,
}

/// The one who writes the events of a call.
#[derive(Debug)]
pub struct EventLog {
    stream: Stream,
    n_events: u64,
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

/// Reads the events of a call from a place on.
#[derive(Debug)]
pub struct Reader {
    stream: Stream,
    // The number of the last letter.
    n_read: u64,
}

impl Stream {
    fn new(mailbox: Arc<dyn Mailbox>, peer: &Peer, name: String) -> Self {
        let address = Address::new("events", &[&peer.id, &name]);
        Self { mailbox, address, name }
    }

    fn id(&self, place: u64) -> String {
        format!("{}-{place}", self.name)
    }
}

impl EventLog {
    /// For a call of this client. From now on it can be read, though nothing was said yet.
    pub(in crate::protocol) async fn begin(
        mailbox: Arc<dyn Mailbox>,
        peer: &Peer,
    ) -> Result<Self, Full> {
        let stream = Stream::new(mailbox, peer, InvocationId::new().as_str().to_owned());
        let is_primed = peer.version >= PRIMED_SINCE;
        let mut log = Self { stream, n_events: 0, is_primed };
        log.post(BEGINNING, &Bytes::new()).await?;
        Ok(log)
    }

    /// Adds an event.
    pub async fn push(&mut self, message: &Bytes) -> Result<(), Full> {
        self.n_events += 1;
        self.post(MORE, message).await
    }

    /// Adds the last event.
    pub async fn finish(&mut self, message: &Bytes) -> Result<(), Full> {
        self.n_events += 1;
        self.post(LAST, message).await
    }

    async fn post(&mut self, mark: u8, message: &Bytes) -> Result<(), Full> {
        let mut letter = BytesMut::with_capacity(HEAD_LEN + message.len());
        letter.extend_from_slice(&[mark]);
        letter.extend_from_slice(&self.n_events.to_be_bytes());
        letter.extend_from_slice(message);
        self.stream.mailbox.post(&self.stream.address, letter.freeze()).await?;
        Ok(())
    }

    /// What comes before the first event. None: the client is too old for it.
    pub fn primer(&self) -> Option<String> {
        self.is_primed.then(|| self.stream.id(0))
    }

    /// Reads from the beginning.
    pub fn read(&self) -> Reader {
        Reader { stream: self.stream.clone(), n_read: 0 }
    }

    /// Never completes. While somebody waits for it, the events are not thrown away, however long none comes.
    pub fn keep(&self) -> impl Future<Output = ()> + Send + use<> {
        let Stream { mailbox, address, .. } = self.stream.clone();
        async move { _ = mailbox.receive(&address, u64::MAX).await }
    }
}

impl Reader {
    /// Reads on after the event of this id, which a client got. None: it is none of this session's, or nothing comes
    /// after it. What is gone by now is left out.
    pub(in crate::protocol) async fn after(
        mailbox: Arc<dyn Mailbox>,
        peer: &Peer,
        event_id: &str,
    ) -> Option<Self> {
        let (name, place) = event_id.rsplit_once('-')?;
        let wanted: u64 = place.parse().ok()?;
        let stream = Stream::new(mailbox, peer, name.to_owned());
        let latest = stream.mailbox.latest(&stream.address).await?;
        let (mark, last_place) = head(&latest.content)?;
        if wanted > last_place || (wanted == last_place && mark == LAST) {
            return None;
        }
        let mut reader = Self { stream, n_read: 0 };
        // The letters up to the last one are there, so none of this waits.
        while reader.n_read < latest.number {
            let letter = reader.stream.mailbox.receive(&reader.stream.address, reader.n_read).await;
            let (_, place) = head(&letter.content)?;
            if place > wanted {
                return Some(reader);
            }
            reader.n_read = letter.number;
        }
        Some(reader)
    }

    /// The next event. Of too many that were not read the oldest are gone, and are left out: the answer is the last.
    /// None: what is there is none of ours.
    pub async fn next(&mut self) -> Option<Event> {
        let Stream { mailbox, address, .. } = &self.stream;
        loop {
            let letter = mailbox.receive(address, self.n_read).await;
            let (mark, place) = head(&letter.content)?;
            self.n_read = letter.number;
            if mark == BEGINNING {
                continue;
            }
            let message = letter.content.slice(HEAD_LEN..);
            return Some(Event { id: self.stream.id(place), message, is_last: mark == LAST });
        }
    }
}

/// The mark and the place of a letter.
fn head(letter: &Bytes) -> Option<(u8, u64)> {
    let (mark, rest) = letter.split_first()?;
    Some((*mark, u64::from_be_bytes(*rest.first_chunk()?)))
}

#[cfg(test)]
mod tests {
    use std::{sync::Arc, time::Duration};

    use super::{Event, EventLog};
    use crate::{
        protocol::legacy::Peer,
        state::{MemoryMailbox, Sealer},
    };

    #[tokio::test]
    async fn who_reads_too_slowly_misses_the_oldest_and_gets_the_last() {
        let peer = Peer::introduce(&Sealer::random(), "2025-11-25", None, None, None);
        let mailbox = Arc::new(MemoryMailbox::new(Duration::from_mins(1)));
        let mut log = EventLog::begin(mailbox, &peer).await.unwrap();
        for n in 0..2000 {
            log.push(&n.to_string().into()).await.unwrap();
        }
        log.finish(&"last".into()).await.unwrap();
        let mut reader = log.read();
        let mut n_read = 0;
        loop {
            let Event { message, is_last, .. } = reader.next().await.unwrap();
            n_read += 1;
            if is_last {
                assert_eq!(message, "last");
                break;
            }
        }
        assert!(n_read > 1000 && n_read < 2000, "{n_read}");
    }
}

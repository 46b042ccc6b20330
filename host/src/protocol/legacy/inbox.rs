//! What a client of 2024-11-05 posts: every message comes on a connection of its own, perhaps to another host than the
//! one that has the client's stream.

use std::sync::Arc;

use bytes::Bytes;

use super::session::random;
use crate::state::{Address, Full, Mailbox, Sealer};

/// What the ids of streams begin with, before they are signed.
const STREAM: &[u8] = b"stream ";

/// The messages for one stream.
#[derive(Debug)]
pub struct Inbox {
    id: String,
    mailbox: Arc<dyn Mailbox>,
    address: Address,
    n_read: u64,
}

impl Inbox {
    /// For a stream that begins.
    pub(in crate::protocol) fn begin(mailbox: Arc<dyn Mailbox>, sealer: &Sealer) -> Self {
        let content = [STREAM, random().as_bytes()].concat();
        Self::named(mailbox, sealer.sign(&content))
    }

    /// Of the stream with this id. None: it is not ours.
    pub(in crate::protocol) fn find(
        mailbox: Arc<dyn Mailbox>,
        sealer: &Sealer,
        id: &str,
    ) -> Option<Self> {
        let content = sealer.verify(id)?;
        content.starts_with(STREAM).then(|| Self::named(mailbox, id.to_owned()))
    }

    fn named(mailbox: Arc<dyn Mailbox>, id: String) -> Self {
        let address = Address::new("posted", &[&id]);
        Self { id, mailbox, address, n_read: 0 }
    }

    /// Names the stream: whoever knows it can write to it.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Adds a message.
    pub async fn post(&self, message: Bytes) -> Result<(), Full> {
        self.mailbox.post(&self.address, message).await?;
        Ok(())
    }

    /// The next message.
    pub async fn next(&mut self) -> Bytes {
        let letter = self.mailbox.receive(&self.address, self.n_read).await;
        self.n_read = letter.number;
        self.mailbox.discard(&self.address, letter.number).await;
        letter.content
    }
}

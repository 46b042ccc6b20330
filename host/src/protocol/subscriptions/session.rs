//! The resources that a legacy session follows: told by requests of their own, which may reach another host than the
//! stream.

use std::{collections::BTreeSet, sync::Arc};

use bytes::Bytes;

use crate::state::{Address, Full, Mailbox};

/// How many resources one session follows.
const MAX_FOLLOWED: usize = 1000;

/// The longest URI that one follows, so that all of them have a bound.
pub(in crate::protocol) const MAX_URI: usize = 8 << 10;

/// Whether a session begins or ends to follow a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::protocol) enum Follow {
    Begin,
    End,
}

/// Lets the stream of a session know.
pub(in crate::protocol) async fn follow(
    mailbox: &dyn Mailbox,
    session: &str,
    follow: Follow,
    uri: &str,
) -> Result<(), Full> {
    let mark = match follow {
        Follow::Begin => '+',
        Follow::End => '-',
    };
    mailbox.post(&address(session), Bytes::from(format!("{mark}{uri}"))).await?;
    Ok(())
}

fn address(session: &str) -> Address {
    Address::new("followed", &[session])
}

/// Whose turn it is to tell a session: the stream's that was opened last. Two of one session may not tell it the same
/// (2025-11-25, basic/transports, Multiple Connections), and a client that opens another one has lost the first.
#[derive(Debug)]
pub(super) struct Turn {
    mailbox: Arc<dyn Mailbox>,
    address: Address,
    number: u64,
}

impl Turn {
    /// Takes it from the stream before.
    pub(super) async fn take(mailbox: Arc<dyn Mailbox>, session: &str) -> Result<Self, Full> {
        let address = Address::new("listening", &[session]);
        let number = mailbox.post(&address, Bytes::new()).await?;
        // Who waits for it has seen that it is not the last.
        mailbox.discard(&address, number - 1).await;
        Ok(Self { mailbox, address, number })
    }

    /// Waits until a later stream has it.
    pub(super) async fn is_over(&self) {
        self.mailbox.receive(&self.address, self.number).await;
    }
}

/// What a session follows, as far as its stream has read.
#[derive(Debug)]
pub(super) struct Followed {
    mailbox: Arc<dyn Mailbox>,
    address: Address,
    n_read: u64,
    uris: BTreeSet<String>,
}

impl Followed {
    pub(super) fn new(mailbox: Arc<dyn Mailbox>, session: &str) -> Self {
        Self { mailbox, address: address(session), n_read: 0, uris: BTreeSet::new() }
    }

    /// Waits for the next change of what is followed.
    pub(super) async fn read(&mut self) {
        let letter = self.mailbox.receive(&self.address, self.n_read).await;
        self.n_read = letter.number;
        let Ok(text) = std::str::from_utf8(&letter.content) else { return };
        if let Some(uri) = text.strip_prefix('+') {
            if self.uris.len() < MAX_FOLLOWED {
                self.uris.insert(uri.to_owned());
            }
        } else if let Some(uri) = text.strip_prefix('-') {
            self.uris.remove(uri);
        }
    }

    pub(super) fn has(&self, uri: &str) -> bool {
        self.uris.contains(uri)
    }

    pub(super) fn uris(&self) -> impl Iterator<Item = &str> {
        self.uris.iter().map(String::as_str)
    }
}

//! Letters from one request to another: the answer to a question, a cancellation, the events of a stream.
//!
//! The one who waits and the one who writes need not be at the same host.

use std::fmt::{Debug, Write};

use async_trait::async_trait;
use bytes::Bytes;
use thiserror::Error;

/// Where letters lie. Nothing guessable is in it, so nobody can write to it, or read it, who was not told.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address(String);

impl Address {
    /// The place of this kind that the parts name.
    pub fn new(kind: &'static str, parts: &[&str]) -> Self {
        let mut address = kind.to_owned();
        for part in parts {
            // With its length, so that no two lists of parts give one address.
            write!(address, "/{}:{part}", part.len()).expect("a string takes every write");
        }
        Self(address)
    }
}

/// One letter, and its number: those of one address grow, and never come again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// Its number.
    pub number: u64,
    /// What it says.
    pub content: Bytes,
}

/// There is no room for one more letter.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("no more letters are kept")]
pub struct Full;

/// Keeps letters until they are read, for a while.
#[async_trait]
pub trait Mailbox: Debug + Send + Sync {
    /// Adds a letter, and gives its number.
    async fn post(&self, address: &Address, content: Bytes) -> Result<u64, Full>;

    /// The first letter after this number that is still there; waits for it. Reading takes nothing away.
    async fn receive(&self, address: &Address, after: u64) -> Letter;

    /// The last letter.
    async fn latest(&self, address: &Address) -> Option<Letter>;

    /// Throws away the letters up to this number.
    async fn discard(&self, address: &Address, up_to: u64);
}

//! A container in memory, for tests.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    ops::Bound,
};

use crate::wit::blobs::{Condition, Details, Error, Metadata, Page};

/// How many blobs a page has, as the host has it.
const PAGE_ITEMS: usize = 1_000;

/// Blobs by name, each with its content and its version.
#[derive(Debug, Default)]
pub(super) struct Memory {
    blobs: RefCell<BTreeMap<String, (Vec<u8>, u64)>>,
    n_writes: Cell<u64>,
}

impl Memory {
    pub(super) fn get(&self, name: &str) -> Result<Vec<u8>, Error> {
        let blobs = self.blobs.borrow();
        blobs.get(name).map(|(data, _)| data.clone()).ok_or(Error::NotFound)
    }

    pub(super) fn put(
        &self,
        name: &str,
        data: &[u8],
        when: &Condition,
    ) -> Result<Option<String>, Error> {
        let mut blobs = self.blobs.borrow_mut();
        let version = blobs.get(name).map(|(_, version)| etag(*version));
        let holds = match when {
            Condition::Always => true,
            Condition::Absent => version.is_none(),
            Condition::Unchanged(etag) => version.as_ref() == Some(etag),
        };
        if !holds {
            return Err(Error::Conflict);
        }
        self.n_writes.set(self.n_writes.get() + 1);
        blobs.insert(name.to_owned(), (data.to_vec(), self.n_writes.get()));
        Ok(Some(etag(self.n_writes.get())))
    }

    pub(super) fn delete(&self, name: &str) {
        self.blobs.borrow_mut().remove(name);
    }

    pub(super) fn stat(&self, name: &str) -> Result<Details, Error> {
        let blobs = self.blobs.borrow();
        let (data, version) = blobs.get(name).ok_or(Error::NotFound)?;
        let metadata = metadata(name, data, *version);
        Ok(Details { metadata, content_type: None, properties: Vec::new() })
    }

    pub(super) fn list(&self, prefix: &str, after: Option<&str>) -> Page {
        let blobs = self.blobs.borrow();
        let start = match after {
            Some(after) if after >= prefix => Bound::Excluded(after),
            _ => Bound::Included(prefix),
        };
        let mut rest = blobs
            .range::<str, _>((start, Bound::Unbounded))
            .take_while(|(name, _)| name.starts_with(prefix));
        let items: Vec<_> = rest
            .by_ref()
            .take(PAGE_ITEMS)
            .map(|(name, (data, version))| metadata(name, data, *version))
            .collect();
        let next = rest.next().and(items.last()).map(|last| last.name.clone());
        Page { items, next }
    }
}

fn metadata(name: &str, data: &[u8], version: u64) -> Metadata {
    let size = data.len() as u64;
    Metadata { name: name.to_owned(), size, etag: Some(etag(version)), modified_ms: None }
}

fn etag(version: u64) -> String {
    format!("\"{version}\"")
}

//! What stands behind the handles that capabilities give to guests.
//!
//! None: the invocation that opened it is over. An instance may be kept for another one, and what it still
//! holds of the last is of no use to it.

#![expect(unreachable_pub, reason = "the generated bindings name them in public items")]

use std::sync::Arc;

use wasmtime::component::ResourceTable;

use crate::function::{self, Sink, Source};

/// An open container of `blobs`.
#[derive(Debug)]
pub struct Container(pub(super) Option<Arc<dyn function::Container>>);

/// An open input of `streams`.
#[derive(Debug)]
pub struct Reader(pub(super) Option<Box<dyn Source>>);

/// An open output of `streams`.
#[derive(Debug)]
pub struct Writer(pub(super) Option<Arc<dyn Sink>>);

/// Closes what stands behind all handles of ours.
pub(super) fn close_all(table: &mut ResourceTable) {
    for entry in table.iter_mut() {
        if let Some(container) = entry.downcast_mut::<Container>() {
            container.0 = None;
        } else if let Some(reader) = entry.downcast_mut::<Reader>() {
            reader.0 = None;
        } else if let Some(writer) = entry.downcast_mut::<Writer>() {
            writer.0 = None;
        }
    }
}

//! `streams`: bindings that are read and written in pieces, so that neither guest nor host holds them whole.

use std::sync::Arc;

use wasmtime::component::{Resource, ResourceTable};

use crate::{
    function::{Storage, StorageError},
    guest::{
        bindings::mcpfn::function::streams::{Error, Host, HostReader, HostWriter},
        handle::{Reader, Writer},
    },
};

/// The most that one read gives, whatever the guest asks for: the host holds it too.
const MAX_PIECE: usize = 1 << 20;

/// The two that an open stream needs.
pub(in crate::guest) struct View<'a> {
    pub(in crate::guest) storage: Option<&'a Arc<dyn Storage>>,
    pub(in crate::guest) table: &'a mut ResourceTable,
}

impl Host for View<'_> {
    async fn open(&mut self, input: String) -> Result<Resource<Reader>, Error> {
        let storage = self.storage.ok_or(Error::Denied)?;
        // The handle first: without one, what was opened would be lost.
        let handle = self.table.push(Reader(None)).map_err(|_| too_many())?;
        match storage.open(&input).await {
            Ok(source) => {
                self.table.get_mut(&handle).map_err(|_| too_many())?.0 = Some(source);
                Ok(handle)
            }
            Err(fault) => {
                self.table.delete(handle).map_err(|_| too_many())?;
                Err(error(fault))
            }
        }
    }

    async fn create(&mut self, output: String) -> Result<Resource<Writer>, Error> {
        let storage = self.storage.ok_or(Error::Denied)?;
        let handle = self.table.push(Writer(None)).map_err(|_| too_many())?;
        match storage.create(&output).await {
            Ok(sink) => {
                self.table.get_mut(&handle).map_err(|_| too_many())?.0 = Some(sink);
                Ok(handle)
            }
            Err(fault) => {
                self.table.delete(handle).map_err(|_| too_many())?;
                Err(error(fault))
            }
        }
    }
}

impl HostReader for View<'_> {
    async fn size(&mut self, handle: Resource<Reader>) -> Option<u64> {
        self.table.get(&handle).ok()?.0.as_ref()?.size()
    }

    async fn read(&mut self, handle: Resource<Reader>, max: u32) -> Result<Vec<u8>, Error> {
        let reader = self.table.get_mut(&handle).map_err(|_| Error::Denied)?;
        let source = reader.0.as_mut().ok_or(Error::Denied)?;
        let max = usize::try_from(max).unwrap_or(MAX_PIECE).min(MAX_PIECE);
        source.read(max).await.map_err(error)
    }

    async fn drop(&mut self, handle: Resource<Reader>) -> wasmtime::Result<()> {
        self.table.delete(handle)?;
        Ok(())
    }
}

impl HostWriter for View<'_> {
    async fn write(&mut self, handle: Resource<Writer>, chunk: Vec<u8>) -> Result<(), Error> {
        let writer = self.table.get(&handle).map_err(|_| Error::Denied)?;
        let sink = Arc::clone(writer.0.as_ref().ok_or(Error::Denied)?);
        sink.write(chunk).await.map_err(error)
    }

    async fn drop(&mut self, handle: Resource<Writer>) -> wasmtime::Result<()> {
        self.table.delete(handle)?;
        Ok(())
    }
}

fn too_many() -> Error {
    Error::Other("too many handles are open".to_owned())
}

fn error(error: StorageError) -> Error {
    match error {
        StorageError::NotFound => Error::NotFound,
        StorageError::Denied | StorageError::Conflict => Error::Denied,
        StorageError::TooLarge => Error::TooLarge,
        StorageError::Other(reason) => Error::Other(reason),
    }
}

//! `blobs`: containers that the function opens itself, for names that only running code can know.

use std::sync::Arc;

use wasmtime::component::{Resource, ResourceTable};

use crate::{
    function::{self, BlobEntry, StorageError},
    guest::{
        bindings::mcpfn::function::blobs::{
            Condition, Details, Error, Host, HostContainer, Metadata, Page,
        },
        handle::Container,
    },
};

/// The two that an open container needs.
pub(in crate::guest) struct View<'a> {
    pub(in crate::guest) storage: Option<&'a Arc<dyn function::Storage>>,
    pub(in crate::guest) table: &'a mut ResourceTable,
}

impl View<'_> {
    fn container(
        &self,
        handle: &Resource<Container>,
    ) -> Result<Arc<dyn function::Container>, Error> {
        let container = self.table.get(handle).ok().and_then(|container| container.0.as_ref());
        container.map(Arc::clone).ok_or(Error::Denied)
    }
}

impl Host for View<'_> {}

impl HostContainer for View<'_> {
    async fn open(&mut self, name: String) -> Result<Resource<Container>, Error> {
        let storage = self.storage.ok_or(Error::Denied)?;
        let container = Container(Some(storage.container(&name).map_err(error)?));
        self.table.push(container).map_err(|_| Error::Other("too many handles are open".to_owned()))
    }

    async fn get(&mut self, handle: Resource<Container>, name: String) -> Result<Vec<u8>, Error> {
        self.container(&handle)?.get(&name).await.map_err(error)
    }

    async fn put(
        &mut self,
        handle: Resource<Container>,
        name: String,
        data: Vec<u8>,
        when: Condition,
    ) -> Result<Option<String>, Error> {
        let condition = match when {
            Condition::Always => function::Condition::Always,
            Condition::Absent => function::Condition::Absent,
            Condition::Unchanged(etag) => function::Condition::Unchanged(etag),
        };
        self.container(&handle)?.put(&name, data, condition).await.map_err(error)
    }

    async fn delete(&mut self, handle: Resource<Container>, name: String) -> Result<(), Error> {
        self.container(&handle)?.delete(&name).await.map_err(error)
    }

    async fn stat(&mut self, handle: Resource<Container>, name: String) -> Result<Details, Error> {
        let details = self.container(&handle)?.stat(&name).await.map_err(error)?;
        Ok(Details {
            metadata: metadata(details.entry),
            content_type: details.content_type,
            properties: details.metadata,
        })
    }

    async fn list(
        &mut self,
        handle: Resource<Container>,
        prefix: String,
        after: Option<String>,
    ) -> Result<Page, Error> {
        let page = self.container(&handle)?.list(&prefix, after.as_deref()).await.map_err(error)?;
        Ok(Page { items: page.items.into_iter().map(metadata).collect(), next: page.next })
    }

    async fn drop(&mut self, handle: Resource<Container>) -> wasmtime::Result<()> {
        self.table.delete(handle)?;
        Ok(())
    }
}

fn metadata(entry: BlobEntry) -> Metadata {
    let BlobEntry { name, size, etag, modified_ms } = entry;
    Metadata { name, size, etag, modified_ms }
}

fn error(error: StorageError) -> Error {
    match error {
        StorageError::NotFound => Error::NotFound,
        StorageError::Denied => Error::Denied,
        StorageError::Conflict => Error::Conflict,
        StorageError::TooLarge => Error::TooLarge,
        StorageError::Other(reason) => Error::Other(reason),
    }
}

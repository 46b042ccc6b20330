//! `blobs`: no container can be granted yet, so none can be opened.

use wasmtime::component::Resource;

use crate::guest::{
    bindings::mcpfn::function::blobs::{Error, Host, HostContainer, Metadata, Page},
    handle::Container,
};

pub(in crate::guest) struct Blobs;

impl Host for Blobs {}

impl HostContainer for Blobs {
    fn open(&mut self, _name: String) -> Result<Resource<Container>, Error> {
        Err(Error::Denied)
    }

    fn get(&mut self, _container: Resource<Container>, _name: String) -> Result<Vec<u8>, Error> {
        Err(Error::Denied)
    }

    fn put(
        &mut self,
        _container: Resource<Container>,
        _name: String,
        _data: Vec<u8>,
    ) -> Result<(), Error> {
        Err(Error::Denied)
    }

    fn delete(&mut self, _container: Resource<Container>, _name: String) -> Result<(), Error> {
        Err(Error::Denied)
    }

    fn stat(&mut self, _container: Resource<Container>, _name: String) -> Result<Metadata, Error> {
        Err(Error::Denied)
    }

    fn list(
        &mut self,
        _container: Resource<Container>,
        _prefix: String,
        _after: Option<String>,
    ) -> Result<Page, Error> {
        Err(Error::Denied)
    }

    fn drop(&mut self, _container: Resource<Container>) -> wasmtime::Result<()> {
        Ok(())
    }
}

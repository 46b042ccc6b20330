//! `streams`: no binding can be declared as a stream yet, so none can be opened.

use wasmtime::component::Resource;

use crate::guest::{
    bindings::mcpfn::function::streams::{Error, Host, HostReader, HostWriter},
    handle::{Reader, Writer},
};

pub(in crate::guest) struct Streams;

impl Host for Streams {
    fn open(&mut self, _input: String) -> Result<Resource<Reader>, Error> {
        Err(Error::Denied)
    }

    fn create(&mut self, _output: String) -> Result<Resource<Writer>, Error> {
        Err(Error::Denied)
    }
}

impl HostReader for Streams {
    fn size(&mut self, _reader: Resource<Reader>) -> Option<u64> {
        None
    }

    fn read(&mut self, _reader: Resource<Reader>, _max: u32) -> Result<Vec<u8>, Error> {
        Err(Error::Denied)
    }

    fn drop(&mut self, _reader: Resource<Reader>) -> wasmtime::Result<()> {
        Ok(())
    }
}

impl HostWriter for Streams {
    fn write(&mut self, _writer: Resource<Writer>, _chunk: Vec<u8>) -> Result<(), Error> {
        Err(Error::Denied)
    }

    fn drop(&mut self, _writer: Resource<Writer>) -> wasmtime::Result<()> {
        Ok(())
    }
}

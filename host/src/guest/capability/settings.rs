//! `settings`: nothing can be granted yet, so every name is denied.

use crate::guest::bindings::mcpfn::function::settings::{Error, Host};

pub(in crate::guest) struct Settings;

impl Host for Settings {
    fn get(&mut self, _name: String) -> Result<String, Error> {
        Err(Error::Denied)
    }
}

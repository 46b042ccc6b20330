//! `#[completion(function)]`: who suggests values for a parameter.

use syn::{Attribute, Error, Path, Result};

/// Whether an attribute is this one.
pub(crate) fn is(attr: &Attribute) -> bool {
    attr.path().is_ident("completion")
}

/// The function that the attribute of a parameter names.
pub(crate) fn of(attrs: &[Attribute]) -> Result<Option<Path>> {
    let mut own = attrs.iter().filter(|attr| is(attr));
    let Some(attr) = own.next() else { return Ok(None) };
    if let Some(second) = own.next() {
        return Err(Error::new_spanned(
            second,
            "a parameter has one function that suggests values",
        ));
    }
    let list = attr.meta.require_list().map_err(|_| {
        Error::new_spanned(attr, "`completion` names a function: `#[completion(function)]`")
    })?;
    let path = list.parse_args::<Path>().map_err(|error| {
        Error::new(error.span(), "`completion` names a function: `#[completion(function)]`")
    })?;
    Ok(Some(path))
}

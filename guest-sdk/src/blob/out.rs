//! What a function sets, and the host writes.

use std::{
    cell::{Ref, RefCell},
    rc::Rc,
};

use super::{BlobForm, BlobOutput};
use crate::wit;

/// The value of an output binding: what is set is written once the tool has succeeded, what is not set is not.
///
/// ```
/// use mcpfn_sdk::{Out, blob_output, mcp_tool};
///
/// /// Keeps a note.
/// #[mcp_tool]
/// fn keep(
///     name: String,
///     note: String,
///     author: Option<String>,
///     #[blob_output(
///         path = "notes/{mcptoolargs.name}",
///         content_type = "text/markdown",
///         metadata(author = "{mcptoolargs.author}"),
///         overwrite = false
///     )]
///     file: Out<String>,
/// ) -> String {
///     file.set(note);
///     format!("Kept {name}.")
/// }
///
/// # fn main() {
/// // In a test it is an ordinary value.
/// let file = Out::new();
/// assert_eq!(keep("a".into(), "b".into(), None, file.clone()), "Kept a.");
/// assert_eq!(file.get().as_deref(), Some("b"));
/// # }
/// ```
#[derive(Debug)]
pub struct Out<T>(Rc<RefCell<Option<T>>>);

impl<T> Out<T> {
    /// An output that is not set.
    pub fn new() -> Self {
        Self(Rc::new(RefCell::new(None)))
    }

    /// Sets the value, in place of one set before.
    pub fn set(&self, value: impl Into<T>) {
        *self.0.borrow_mut() = Some(value.into());
    }

    /// What was set.
    pub fn get(&self) -> Ref<'_, Option<T>> {
        self.0.borrow()
    }

    pub(crate) fn take(&self) -> Option<T> {
        self.0.borrow_mut().take()
    }
}

impl<T> Clone for Out<T> {
    /// Both set the same output.
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<T> Default for Out<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// That there shall be no blob: an `Out<Delete>` deletes what its path names once it is told to and the tool has
/// succeeded. A blob that is not there is no error.
///
/// ```
/// use mcpfn_sdk::{Delete, Out, blob_input, blob_output, mcp_tool};
///
/// /// Deletes a note.
/// #[mcp_tool]
/// fn delete_note(
///     title: String,
///     #[blob_input(path = "notes/{mcptoolargs.title}.txt")] note: Option<String>,
///     #[blob_output(path = "notes/{mcptoolargs.title}.txt")] gone: Out<Delete>,
/// ) -> Result<(), String> {
///     note.ok_or_else(|| format!("there is no note `{title}`"))?;
///     gone.delete();
///     Ok(())
/// }
///
/// # fn main() {
/// let gone = Out::new();
/// assert!(delete_note("a".into(), None, gone.clone()).is_err());
/// assert!(!gone.is_deleted());
/// delete_note("a".into(), Some("milk".into()), gone.clone()).unwrap();
/// assert!(gone.is_deleted());
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delete;

impl Out<Delete> {
    /// Deletes it.
    pub fn delete(&self) {
        self.set(Delete);
    }

    /// Whether it was told to.
    pub fn is_deleted(&self) -> bool {
        self.get().is_some()
    }
}

impl BlobOutput for Delete {
    const FORM: BlobForm = BlobForm::Delete;

    fn into_value(self) -> Result<wit::Value, String> {
        Ok(wit::Value::Bytes(Vec::new()))
    }
}

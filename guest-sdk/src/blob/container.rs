//! A container that the function opens itself.

use std::{cell::OnceCell, rc::Rc, vec};

use super::{BlobDetails, BlobEntry, BlobList, ContainerError, memory::Memory};
use crate::wit::blobs::{self, Condition};

/// A container of blobs, for names that only running code can know: a parameter with
/// [`blob_container`](macro@crate::blob_container). host.json has to grant it:
/// `"functions": { "NAME": { "containers": [{ "name": "notes" }] } }`.
///
/// Where a declaration can say which blob it is, [`blob_input`](crate::blob_input) and
/// [`blob_output`](crate::blob_output) are better: the host reads at once, writes only once the tool has succeeded, and
/// nobody has to trust the tool with a container. What is written here is there at once, whatever becomes of the call.
///
/// ```
/// use mcpfn_sdk::{Container, ContainerError, blob_container, mcp_tool};
///
/// /// Moves all blobs of one folder into another.
/// #[mcp_tool]
/// fn move_all(
///     from: String,
///     to: String,
///     #[blob_container("notes")] notes: Container,
/// ) -> Result<usize, ContainerError> {
///     let mut n_moved = 0;
///     for blob in notes.list(&format!("{from}/")) {
///         let name = blob?.name;
///         let moved = format!("{to}/{}", &name[from.len() + 1..]);
///         notes.put_if_absent(&moved, notes.get(&name)?)?;
///         notes.delete(&name)?;
///         n_moved += 1;
///     }
///     Ok(n_moved)
/// }
///
/// # fn main() {
/// // In a test it is in memory.
/// let notes = Container::in_memory();
/// notes.put("old/a.txt", "milk").unwrap();
/// assert_eq!(move_all("old".into(), "new".into(), notes.clone()), Ok(1));
/// assert_eq!(notes.get("new/a.txt").unwrap(), b"milk");
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Container(Rc<Store>);

#[derive(Debug)]
struct Store {
    name: String,
    place: Place,
}

#[derive(Debug)]
enum Place {
    /// Opened when it is first used: a tool need not use it.
    Host(OnceCell<blobs::Container>),
    Memory(Memory),
    /// A test gave none.
    Denied,
}

impl Container {
    /// An empty container for a test. Clones of it are the same one.
    pub fn in_memory() -> Self {
        Self::at("test", Place::Memory(Memory::default()))
    }

    pub(crate) fn of_host(name: &str) -> Self {
        Self::at(name, Place::Host(OnceCell::new()))
    }

    pub(crate) fn denied(name: &str) -> Self {
        Self::at(name, Place::Denied)
    }

    fn at(name: &str, place: Place) -> Self {
        Self(Rc::new(Store { name: name.to_owned(), place }))
    }

    /// The whole content of a blob.
    ///
    /// # Errors
    /// `NotFound`, if there is none; [`find`](Self::find) has `None` for that.
    pub fn get(&self, name: &str) -> Result<Vec<u8>, ContainerError> {
        let got = match &self.0.place {
            Place::Host(cell) => self.open(cell)?.get(name),
            Place::Memory(memory) => memory.get(name),
            Place::Denied => Err(blobs::Error::Denied),
        };
        got.map_err(|error| self.error(error, name))
    }

    /// The whole content of a blob, which is UTF-8 text.
    ///
    /// # Errors
    /// As for [`get`](Self::get); `Other`, if it is no text.
    pub fn get_text(&self, name: &str) -> Result<String, ContainerError> {
        String::from_utf8(self.get(name)?)
            .map_err(|_| ContainerError::Other(format!("the blob `{name}` is not UTF-8 text")))
    }

    /// The whole content of a blob, if there is one.
    ///
    /// # Errors
    /// Anything but `NotFound`.
    pub fn find(&self, name: &str) -> Result<Option<Vec<u8>>, ContainerError> {
        match self.get(name) {
            Ok(content) => Ok(Some(content)),
            Err(ContainerError::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Writes a blob, in place of one that is there: its new version tag, if the storage keeps one.
    ///
    /// # Errors
    /// The storage takes no such blob.
    pub fn put(
        &self,
        name: &str,
        content: impl AsRef<[u8]>,
    ) -> Result<Option<String>, ContainerError> {
        self.put_when(name, content.as_ref(), &Condition::Always)
    }

    /// Writes a blob where there is none.
    ///
    /// # Errors
    /// `Conflict`, if there is one.
    pub fn put_if_absent(
        &self,
        name: &str,
        content: impl AsRef<[u8]>,
    ) -> Result<Option<String>, ContainerError> {
        self.put_when(name, content.as_ref(), &Condition::Absent)
    }

    /// Writes a blob while it has this version tag. Take the tag from [`stat`](Self::stat) before the content from
    /// [`get`](Self::get): then no change between the two is lost.
    ///
    /// # Errors
    /// `Conflict`, if it has another one, or there is no blob.
    pub fn put_if_unchanged(
        &self,
        name: &str,
        content: impl AsRef<[u8]>,
        etag: &str,
    ) -> Result<Option<String>, ContainerError> {
        self.put_when(name, content.as_ref(), &Condition::Unchanged(etag.to_owned()))
    }

    fn put_when(
        &self,
        name: &str,
        content: &[u8],
        when: &Condition,
    ) -> Result<Option<String>, ContainerError> {
        let put = match &self.0.place {
            Place::Host(cell) => self.open(cell)?.put(name, content, when),
            Place::Memory(memory) => memory.put(name, content, when),
            Place::Denied => Err(blobs::Error::Denied),
        };
        put.map_err(|error| self.error(error, name))
    }

    /// Deletes a blob; one that is not there is no error.
    ///
    /// # Errors
    /// The storage does not let it go.
    pub fn delete(&self, name: &str) -> Result<(), ContainerError> {
        let deleted = match &self.0.place {
            Place::Host(cell) => self.open(cell)?.delete(name),
            Place::Memory(memory) => {
                memory.delete(name);
                Ok(())
            }
            Place::Denied => Err(blobs::Error::Denied),
        };
        deleted.map_err(|error| self.error(error, name))
    }

    /// What is known and said about a blob.
    ///
    /// # Errors
    /// `NotFound`, if there is none.
    pub fn stat(&self, name: &str) -> Result<BlobDetails, ContainerError> {
        let details = match &self.0.place {
            Place::Host(cell) => self.open(cell)?.stat(name),
            Place::Memory(memory) => memory.stat(name),
            Place::Denied => Err(blobs::Error::Denied),
        };
        details.map(BlobDetails::from).map_err(|error| self.error(error, name))
    }

    /// A page of the blobs whose names begin with `prefix`, after the one named `after`.
    ///
    /// # Errors
    /// The storage does not tell.
    pub fn page(&self, prefix: &str, after: Option<&str>) -> Result<BlobList, ContainerError> {
        let page = match &self.0.place {
            Place::Host(cell) => self.open(cell)?.list(prefix, after),
            Place::Memory(memory) => Ok(memory.list(prefix, after)),
            Place::Denied => Err(blobs::Error::Denied),
        };
        page.map(BlobList::from).map_err(|error| self.error(error, prefix))
    }

    /// All blobs whose names begin with `prefix`, in the order of their names. Pages are read as they are needed; an
    /// error is the last item.
    pub fn list(&self, prefix: &str) -> Blobs {
        Blobs {
            container: self.clone(),
            prefix: prefix.to_owned(),
            items: Vec::new().into_iter(),
            after: None,
            is_over: false,
        }
    }

    fn open<'a>(
        &self,
        cell: &'a OnceCell<blobs::Container>,
    ) -> Result<&'a blobs::Container, ContainerError> {
        if let Some(open) = cell.get() {
            return Ok(open);
        }
        let opened = blobs::Container::open(&self.0.name);
        let opened = opened.map_err(|error| self.error(error, &self.0.name))?;
        Ok(cell.get_or_init(|| opened))
    }

    fn error(&self, error: blobs::Error, blob: &str) -> ContainerError {
        ContainerError::new(error, &self.0.name, blob)
    }
}

/// The blobs of a [`Container`], page by page: see [`Container::list`].
#[derive(Debug)]
pub struct Blobs {
    container: Container,
    prefix: String,
    items: vec::IntoIter<BlobEntry>,
    /// After which name the next page begins; none for the first one.
    after: Option<String>,
    is_over: bool,
}

impl Iterator for Blobs {
    type Item = Result<BlobEntry, ContainerError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.items.next() {
                return Some(Ok(item));
            }
            if self.is_over {
                return None;
            }
            let page = self.container.page(&self.prefix, self.after.as_deref());
            self.is_over = true;
            match page {
                Ok(page) => {
                    self.items = page.items.into_iter();
                    self.is_over = page.next.is_none();
                    self.after = page.next;
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

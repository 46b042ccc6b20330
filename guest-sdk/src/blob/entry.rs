//! Which blobs there are.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{BlobForm, BlobInput, deserialized, time};
use crate::{ToolOutput, wit};

/// What a storage knows about a blob without reading it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToolOutput)]
pub struct BlobEntry {
    /// The name in its container.
    pub name: String,
    /// The size in bytes.
    pub size: u64,
    /// When it was last written, as RFC 3339 has it, in UTC: such texts sort by time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    /// The version tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
}

/// A page of the blobs whose names begin alike: a parameter with [`blob_input`](crate::blob_input), or one page of a
/// [`Container`](crate::Container). A tool can return it as it is.
///
/// ```
/// use mcpfn_sdk::{BlobList, blob_input, mcp_tool};
///
/// /// Lists the notes.
/// #[mcp_tool(read_only = true)]
/// fn list_notes(
///     /// Where to go on: the `next` of the page before.
///     cursor: Option<String>,
///     #[blob_input(path = "notes/", max_items = 100, after = "{mcptoolargs.cursor=}")] notes: BlobList,
/// ) -> BlobList {
///     notes
/// }
///
/// # fn main() {
/// // In a test it is made of names and sizes.
/// let notes = BlobList::new([("todo.txt", 12), ("trip.txt", 40)]);
/// assert_eq!(list_notes(None, notes).items[1].name, "trip.txt");
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToolOutput)]
pub struct BlobList {
    /// The blobs of this page, in the order of their names.
    pub items: Vec<BlobEntry>,
    /// The name to go on after, if there are more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// What is said about a blob beside its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlobDetails {
    /// What the storage knows.
    pub entry: BlobEntry,
    /// The media type.
    pub content_type: Option<String>,
    /// Names and texts that its writer gave it, such as the `metadata(..)` of a [`blob_output`](crate::blob_output).
    pub metadata: BTreeMap<String, String>,
}

impl BlobList {
    /// A page of blobs with these names and sizes, for a test.
    pub fn new<N: Into<String>>(blobs: impl IntoIterator<Item = (N, u64)>) -> Self {
        let entry = |(name, size): (N, u64)| BlobEntry {
            name: name.into(),
            size,
            modified: None,
            etag: None,
        };
        Self { items: blobs.into_iter().map(entry).collect(), next: None }
    }
}

impl BlobInput for BlobList {
    const FORM: BlobForm = BlobForm::List;

    fn from_value(value: wit::Value) -> Result<Self, String> {
        deserialized(value)
    }
}

impl From<wit::blobs::Metadata> for BlobEntry {
    fn from(metadata: wit::blobs::Metadata) -> Self {
        let wit::blobs::Metadata { name, size, etag, modified_ms } = metadata;
        Self { name, size, modified: modified_ms.map(time::rfc3339), etag }
    }
}

impl From<wit::blobs::Page> for BlobList {
    fn from(page: wit::blobs::Page) -> Self {
        Self { items: page.items.into_iter().map(BlobEntry::from).collect(), next: page.next }
    }
}

impl From<wit::blobs::Details> for BlobDetails {
    fn from(details: wit::blobs::Details) -> Self {
        Self {
            entry: details.metadata.into(),
            content_type: details.content_type,
            metadata: details.properties.into_iter().collect(),
        }
    }
}

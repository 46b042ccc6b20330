//! Everything that the SDK can do with storage. The blobs of the bindings are in the container `store`, those of the
//! `container_*` tools in `runtime`, which host.json has to grant to each of them:
//!
//! ```json
//! { "version": "2.0", "functions": {
//!     "container_get": { "containers": [{ "name": "runtime" }] },
//!     "container_put": { "containers": [{ "name": "runtime" }] },
//!     "container_create": { "containers": [{ "name": "runtime" }] },
//!     "container_add_one": { "containers": [{ "name": "runtime" }] },
//!     "container_delete": { "containers": [{ "name": "runtime" }] },
//!     "container_stat": { "containers": [{ "name": "runtime" }] },
//!     "container_list": { "containers": [{ "name": "runtime" }] } } }
//! ```

use std::io::{self, BufRead, Write};

use mcpfn_sdk::{
    BlobEntry, BlobList, BlobReader, BlobWriter, Container, ContainerError, Delete, Out,
    ToolOutput, blob_container, blob_input, blob_output, mcp_tool,
    serde::{Deserialize, Serialize},
};

/// How much `big_write` writes at once.
const PIECE: usize = 256 * 1024;

/// Writes a text.
#[mcp_tool]
#[blob_output(path = "store/{mcptoolargs.name:path}")]
fn save_text(name: String, content: String) -> String {
    content
}

/// Gets a text.
#[mcp_tool]
fn get_text(
    name: String,
    #[blob_input(path = "store/{mcptoolargs.name:path}")] content: Option<String>,
) -> Result<String, String> {
    content.ok_or_else(|| format!("there is no `{name}`"))
}

/// Lists the blobs whose names begin with `prefix`, three at a time; `cursor` is the `next` of the page before.
#[mcp_tool]
fn list_blobs(
    prefix: Option<String>,
    cursor: Option<String>,
    #[blob_input(
        path = "store/{mcptoolargs.prefix:path=}",
        max_items = 3,
        after = "{mcptoolargs.cursor=}"
    )]
    blobs: BlobList,
) -> BlobList {
    blobs
}

/// Deletes a blob.
#[mcp_tool]
fn delete_blob(
    name: String,
    #[blob_output(path = "store/{mcptoolargs.name:path}")] gone: Out<Delete>,
) -> String {
    gone.delete();
    "deleted".to_owned()
}

/// Writes a text where there is none.
#[mcp_tool]
#[blob_output(path = "store/{mcptoolargs.name:path}", overwrite = false)]
fn create_once(name: String, content: String) -> String {
    content
}

/// Adds one to the number in a blob, if nobody else does so at the same time.
#[mcp_tool]
#[blob_output(path = "store/{mcptoolargs.name:path}", if_match = "count")]
fn add_one(
    name: String,
    #[blob_input(path = "store/{mcptoolargs.name:path}")] count: Option<String>,
) -> Result<String, String> {
    next_count(count.as_deref())
}

fn next_count(count: Option<&str>) -> Result<String, String> {
    let count: u64 = match count {
        None => 0,
        Some(text) => text.parse().map_err(|_| format!("`{text}` is no number"))?,
    };
    Ok((count + 1).to_string())
}

/// A size, and the FNV-1a of all bytes (64 bits, as hexadecimal digits).
#[derive(ToolOutput)]
struct Sum {
    size: u64,
    fnv: String,
}

struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// `SplitMix64`: the n-th word of the content of a seed.
fn word(seed: u64, n: u64) -> u64 {
    let mut word = seed.wrapping_add(n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// Writes so many MiB in pieces of 256 KiB, the same for the same seed. Says what `big_read` has to say.
#[mcp_tool]
fn big_write(
    name: String,
    mib: u64,
    seed: Option<u32>,
    #[blob_output(path = "store/{mcptoolargs.name:path}")] mut file: BlobWriter,
) -> io::Result<Sum> {
    file.begin()?;
    let size = mib << 20;
    let (mut piece, mut fnv) = (Vec::with_capacity(PIECE), Fnv::new());
    for n in 0..size / 8 {
        piece.extend_from_slice(&word(seed.unwrap_or_default().into(), n).to_le_bytes());
        if piece.len() == PIECE {
            fnv.add(&piece);
            file.write_all(&piece)?;
            piece.clear();
        }
    }
    Ok(Sum { size, fnv: format!("{:016x}", fnv.0) })
}

/// Reads a blob in pieces.
#[mcp_tool]
fn big_read(
    name: String,
    #[blob_input(path = "store/{mcptoolargs.name:path}")] mut file: BlobReader,
) -> io::Result<Sum> {
    let told = file.size();
    let (mut size, mut fnv) = (0, Fnv::new());
    loop {
        let piece = file.fill_buf()?;
        if piece.is_empty() {
            break;
        }
        fnv.add(piece);
        let n_bytes = piece.len();
        size += n_bytes as u64;
        file.consume(n_bytes);
    }
    if told.is_some_and(|told| told != size) {
        return Err(io::Error::other(format!("the host told another size than {size}")));
    }
    Ok(Sum { size, fnv: format!("{:016x}", fnv.0) })
}

/// Writes a piece, and fails.
#[mcp_tool]
fn fails_after_write(
    name: String,
    #[blob_output(path = "store/{mcptoolargs.name:path}")] mut file: BlobWriter,
) -> Result<(), String> {
    let written = file.write_all(&vec![b'x'; PIECE]).and_then(|()| file.flush());
    written.map_err(|error| error.to_string())?;
    Err("it changed its mind".to_owned())
}

/// What `json_blob` keeps.
#[derive(Serialize, Deserialize, ToolOutput)]
#[serde(crate = "mcpfn_sdk::serde")]
struct Count {
    count: u64,
}

/// Adds one to the `count` in a JSON blob, whoever else does.
#[mcp_tool]
#[blob_output(path = "store/{mcptoolargs.name:path}.json")]
fn json_blob(
    name: String,
    #[blob_input(path = "store/{mcptoolargs.name:path}.json")] stored: Option<Count>,
) -> Count {
    Count { count: stored.map_or(0, |stored| stored.count) + 1 }
}

/// Writes a text with a media type, and with its author as metadata.
#[mcp_tool]
#[blob_output(
    path = "store/{mcptoolargs.name:path}",
    content_type = "text/markdown; charset=utf-8",
    metadata(author = "{mcptoolargs.author}", source = "tests")
)]
fn tagged(name: String, author: Option<String>) -> String {
    format!("# {name}\n")
}

/// Gets a text from the container.
#[mcp_tool]
fn container_get(
    name: String,
    #[blob_container("runtime")] container: Container,
) -> Result<String, ContainerError> {
    container.get_text(&name)
}

/// Writes a text to the container.
#[mcp_tool]
fn container_put(
    name: String,
    content: String,
    #[blob_container("runtime")] container: Container,
) -> Result<String, ContainerError> {
    Ok(container.put(&name, content)?.unwrap_or_default())
}

/// Writes a text to the container, where there is none.
#[mcp_tool]
fn container_create(
    name: String,
    content: String,
    #[blob_container("runtime")] container: Container,
) -> Result<String, ContainerError> {
    Ok(container.put_if_absent(&name, content)?.unwrap_or_default())
}

/// Adds one to the number in a blob of the container, if nobody else does so at the same time.
#[mcp_tool]
fn container_add_one(
    name: String,
    #[blob_container("runtime")] container: Container,
) -> Result<String, String> {
    let told = |error: ContainerError| error.to_string();
    let etag = match container.stat(&name) {
        Ok(details) => details.entry.etag.ok_or("the storage keeps no versions")?,
        Err(ContainerError::NotFound { .. }) => {
            container.put_if_absent(&name, "1").map_err(told)?;
            return Ok("1".to_owned());
        }
        Err(error) => return Err(told(error)),
    };
    let count = next_count(Some(&container.get_text(&name).map_err(told)?))?;
    container.put_if_unchanged(&name, &count, &etag).map_err(told)?;
    Ok(count)
}

/// Deletes a blob of the container.
#[mcp_tool]
fn container_delete(
    name: String,
    #[blob_container("runtime")] container: Container,
) -> Result<String, ContainerError> {
    container.delete(&name)?;
    Ok("deleted".to_owned())
}

/// What is known and said about a blob.
#[derive(ToolOutput)]
struct Details {
    entry: BlobEntry,
    content_type: Option<String>,
    metadata: std::collections::BTreeMap<String, String>,
}

/// Tells what is known about a blob of the container.
#[mcp_tool]
fn container_stat(
    name: String,
    #[blob_container("runtime")] container: Container,
) -> Result<Details, ContainerError> {
    let details = container.stat(&name)?;
    Ok(Details {
        entry: details.entry,
        content_type: details.content_type,
        metadata: details.metadata,
    })
}

/// Lists the names in the container that begin with `prefix`, all of them.
#[mcp_tool]
fn container_list(
    #[arg(default = "")] prefix: String,
    #[blob_container("runtime")] container: Container,
) -> Result<Vec<String>, ContainerError> {
    container.list(&prefix).map(|blob| Ok(blob?.name)).collect()
}

mcpfn_sdk::functions![
    save_text,
    get_text,
    list_blobs,
    delete_blob,
    create_once,
    add_one,
    big_write,
    big_read,
    fails_after_write,
    json_blob,
    tagged,
    container_get,
    container_put,
    container_create,
    container_add_one,
    container_delete,
    container_stat,
    container_list,
];

fn main() {}

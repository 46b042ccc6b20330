//! Uploads in parts: a folder each, until they are one object or given up.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

use s3s::{
    S3Error, S3Result,
    crypto::{Checksum as _, Md5},
    dto::CompletedPart,
    s3_error,
};
use serde::{Deserialize, Serialize};

use super::file::{About, Staged, hex};

/// No part but the last may be smaller.
const MIN_PART: u64 = 5 * 1024 * 1024;

/// The name of the file that says what an upload will be; the others are called by their numbers.
const ABOUT: &str = "about.json";

/// All uploads of a folder.
#[derive(Debug)]
pub(crate) struct Uploads {
    folder: PathBuf,
}

/// What an upload will be.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Upload {
    pub(crate) bucket: String,
    pub(crate) about: About,
}

impl Uploads {
    /// They outlive a server, as they do in S3.
    pub(crate) fn open(folder: &Path) -> io::Result<Self> {
        let folder = folder.join("uploads");
        fs::create_dir_all(&folder)?;
        Ok(Self { folder })
    }

    /// Begins one; its id.
    pub(crate) fn create(&self, upload: &Upload) -> io::Result<String> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_err(io::Error::other)?;
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let id = hex(&Md5::checksum(format!("{} {count}", now.as_nanos()).as_bytes()));
        let folder = self.folder.join(&id);
        fs::create_dir(&folder)?;
        fs::write(folder.join(ABOUT), serde_json::to_vec(upload)?)?;
        Ok(id)
    }

    /// What the upload of an id will be.
    pub(crate) fn get(&self, id: &str) -> S3Result<Upload> {
        let json = fs::read(self.upload(id)?.join(ABOUT)).map_err(|_| s3_error!(NoSuchUpload))?;
        serde_json::from_slice(&json).map_err(S3Error::internal_error)
    }

    /// The ids of all.
    pub(crate) fn ids(&self) -> io::Result<Vec<String>> {
        let name =
            |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
        fs::read_dir(&self.folder)?.map(name).collect()
    }

    /// Puts a part in place; a later one with its number replaces it.
    pub(crate) fn put(
        &self,
        id: &str,
        number: i32,
        staged: Staged,
        mut about: About,
    ) -> S3Result<()> {
        if !(1..=10_000).contains(&number) {
            return Err(s3_error!(InvalidArgument, "parts are 1 to 10000"));
        }
        let place = self.upload(id)?.join(number.to_string());
        staged.put(&place, &mut about).map_err(|_| s3_error!(NoSuchUpload))
    }

    /// Writes all parts behind one another; `ETag` and size of the whole are filled in.
    pub(crate) fn join(
        &self,
        id: &str,
        parts: &[CompletedPart],
        staging: &Path,
        about: &mut About,
    ) -> S3Result<Staged> {
        let folder = self.upload(id)?;
        let mut staged = Staged::new(staging).map_err(S3Error::internal_error)?;
        let mut digests = Vec::new();
        let mut previous = 0;
        for (part_idx, part) in parts.iter().enumerate() {
            let number = part.part_number.unwrap_or_default();
            if number <= previous {
                return Err(s3_error!(InvalidPartOrder));
            }
            previous = number;
            let file = File::open(folder.join(number.to_string()));
            let mut file =
                file.map_err(|_| s3_error!(InvalidPart, "part {number} is not there"))?;
            let of_part = About::read(&mut file).map_err(S3Error::internal_error)?;
            if part.e_tag.as_ref() != Some(&of_part.etag()) {
                return Err(s3_error!(InvalidPart, "part {number} has another ETag"));
            }
            if of_part.size < MIN_PART && part_idx + 1 < parts.len() {
                return Err(s3_error!(EntityTooSmall));
            }
            staged.append(&mut file, of_part.size).map_err(S3Error::internal_error)?;
            about.size += of_part.size;
            digests.push(of_part.etag);
        }
        if digests.is_empty() {
            return Err(s3_error!(MalformedXML, "there has to be a part"));
        }
        let all: Vec<u8> = digests.iter().flat_map(|digest| bytes(digest)).collect();
        about.etag = format!("{}-{}", hex(&Md5::checksum(&all)), digests.len());
        Ok(staged)
    }

    /// Forgets one, whether it became an object or not.
    pub(crate) fn remove(&self, id: &str) -> S3Result<()> {
        fs::remove_dir_all(self.upload(id)?).map_err(|_| s3_error!(NoSuchUpload))
    }

    /// An id is a stranger's: it must not lead out of the folder.
    fn upload(&self, id: &str) -> S3Result<PathBuf> {
        if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(s3_error!(NoSuchUpload));
        }
        Ok(self.folder.join(id))
    }
}

/// The reverse of [`hex`].
fn bytes(hex: &str) -> impl Iterator<Item = u8> {
    let digits = |at| hex.get(at..at + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
    (0..hex.len()).step_by(2).filter_map(digits)
}

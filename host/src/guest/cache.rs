//! Compiled code and descriptions on disk, so that a component is compiled, and asked for its functions, once.
//!
//! Loading compiled code is as good as running it natively. So code is taken only from a folder that nobody else
//! may write to, and only when an entry names its hash which carries a MAC by a key of this user, kept apart from
//! every project: code that came with a project is compiled anew, whatever it says of itself.
//!
//! Files are written beside and renamed, code before the entry that names it, and never changed in place: hosts
//! may share the folder, and one may be killed at any point.

mod entry;
mod key;

pub(super) use self::entry::Description;

use std::{
    fs::{self, File},
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, SystemTime},
};

use blake3::Hash;
use wasmtime::component::Component;

use self::{entry::Entry, key::Key};
use super::engine::{Calls, Engine};
use crate::local_key;

const DAY: Duration = Duration::from_hours(24);

/// How long a file is kept without being used.
const KEPT: Duration = Duration::from_hours(24 * 30);

/// A folder of compiled components, or none when it cannot be trusted.
#[derive(Debug)]
pub struct Cache {
    trusted: Option<Trusted>,
}

/// The code of a component that is cached. Nothing of it is in memory.
#[derive(Debug)]
pub(super) struct Code {
    file: File,
    hash: Hash,
}

#[derive(Debug)]
struct Trusted {
    folder: PathBuf,
    key: Key,
    // That nothing can be written is told once.
    told: AtomicBool,
}

impl Cache {
    /// Opens the folder, which is made when it is missing, with the key of `key_folder`.
    ///
    /// An error says why there is no cache; the host works without, only slower to start, so the caller
    /// tells and goes on with [`Cache::none`].
    pub fn open(folder: &Path, key_folder: Option<&Path>) -> io::Result<Self> {
        let Some(key_folder) = key_folder else {
            return Err(io::Error::other("there is no home folder to keep its key in"));
        };
        let key = Key::open(key_folder)?;
        local_key::make_private(folder)?;
        let folder = folder.to_owned();
        Ok(Self { trusted: Some(Trusted { folder, key, told: AtomicBool::new(false) }) })
    }

    /// Compiles every time.
    pub fn none() -> Self {
        Self { trusted: None }
    }

    /// Removes what no start has used for a month: rebuilt components leave their old code behind, and a
    /// host that was killed its half-written file.
    pub fn prune(&self) {
        let Some(cache) = &self.trusted else { return };
        let Ok(entries) = fs::read_dir(&cache.folder) else { return };
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            if age(&path).is_some_and(|age| age > KEPT) {
                // Another host may have been faster. A file that is open stays.
                let _ = fs::remove_file(path);
            }
        }
    }

    /// Removes what is kept of the component with this content. Whoever has its code in use keeps it; a start that
    /// wants it compiles it again.
    pub fn forget(&self, engine: &Engine, content: &Hash) {
        let Some(cache) = &self.trusted else { return };
        // What was loaded is of the one engine or the other, which is there by then.
        for calls in [Calls::Plain, Calls::Concurrent] {
            if engine.linked(calls).is_ok_and(|linked| cache.forget(&linked.engine, content)) {
                break;
            }
        }
    }

    /// The code of the component with this content, if it is here and can be trusted, and what the component says
    /// of its functions, unless it has to be asked.
    pub(super) fn find(
        &self,
        engine: &wasmtime::Engine,
        content: &Hash,
    ) -> Option<(Code, Option<Description>)> {
        self.trusted.as_ref()?.find(engine, content)
    }

    /// Keeps the code of a component. None: it cannot be kept.
    pub(super) fn keep_code(
        &self,
        engine: &wasmtime::Engine,
        content: &Hash,
        component: &Component,
    ) -> Option<Code> {
        let cache = self.trusted.as_ref()?;
        cache.tell(cache.write(engine, content, component))?;
        Some(cache.find(engine, content)?.0)
    }

    /// Keeps what a component says of its functions beside its code, so that it need not be asked again.
    pub(super) fn keep_description(
        &self,
        engine: &wasmtime::Engine,
        content: &Hash,
        code: &Code,
        description: &Description,
    ) {
        let Some(cache) = &self.trusted else { return };
        cache.tell(cache.write_entry(engine, content, &code.hash, Some(description)));
    }
}

impl Trusted {
    fn find(
        &self,
        engine: &wasmtime::Engine,
        content: &Hash,
    ) -> Option<(Code, Option<Description>)> {
        let name = entry::name(engine, content);
        let path = self.folder.join(&name);
        let entry = Entry::parse(&fs::read(&path).ok()?, &name, &self.key)?;
        let hash = Hash::from_hex(&entry.code).ok()?;
        let code_path = self.code_path(&hash);
        let file = File::open(&code_path).ok()?;
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(&file).ok()?;
        if hasher.finalize() != hash {
            return None;
        }
        touch(&path);
        touch(&code_path);
        Some((Code { file, hash }, entry.description))
    }

    /// False: there is nothing of it.
    fn forget(&self, engine: &wasmtime::Engine, content: &Hash) -> bool {
        let name = entry::name(engine, content);
        let path = self.folder.join(&name);
        let entry = fs::read(&path).ok().and_then(|bytes| Entry::parse(&bytes, &name, &self.key));
        let Some(entry) = entry else { return false };
        // The entry first: none should name code that is gone. Another host may have been faster.
        let _ = fs::remove_file(path);
        if let Ok(code) = Hash::from_hex(&entry.code) {
            let _ = fs::remove_file(self.code_path(&code));
        }
        true
    }

    fn write(
        &self,
        engine: &wasmtime::Engine,
        content: &Hash,
        component: &Component,
    ) -> io::Result<()> {
        let bytes = component.serialize().map_err(io::Error::other)?;
        let code = blake3::hash(&bytes);
        self.put(&self.code_path(&code), &bytes)?;
        self.write_entry(engine, content, &code, None)
    }

    fn write_entry(
        &self,
        engine: &wasmtime::Engine,
        content: &Hash,
        code: &Hash,
        description: Option<&Description>,
    ) -> io::Result<()> {
        let name = entry::name(engine, content);
        let entry = Entry { code: code.to_hex().to_string(), description };
        self.put(&self.folder.join(&name), &entry.to_bytes(&name, &self.key))
    }

    fn code_path(&self, code: &Hash) -> PathBuf {
        self.folder.join(format!("{}.cwasm", code.to_hex()))
    }

    /// Beside, then renamed: two hosts may share the folder, and one may be killed here.
    fn put(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(bytes)?;
        file.persist(path)?;
        Ok(())
    }

    /// A folder that is full or cannot be written to only makes the next start slower.
    fn tell<T>(&self, written: io::Result<T>) -> Option<T> {
        let error = match written {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        if !self.told.swap(true, Ordering::Relaxed) {
            let folder = self.folder.display();
            tracing::warn!(%error, %folder, "compiled code cannot be cached: it is compiled at every start");
        }
        None
    }
}

impl Code {
    /// Reads the code, and checks it once more: what has happened to the file since it was found is nothing to run.
    ///
    /// Into memory, and not mapped: a mapped file that somebody writes into would be run as it becomes.
    pub(super) fn load(&self, engine: &wasmtime::Engine) -> Option<Component> {
        let mut bytes = Vec::new();
        let mut file = &self.file;
        file.rewind().ok()?;
        file.read_to_end(&mut bytes).ok()?;
        if blake3::hash(&bytes) != self.hash {
            return None;
        }
        #[expect(
            unsafe_code,
            reason = "the MAC of the entry and the hash show that this host wrote these bytes by `Component::serialize`"
        )]
        // SAFETY: `deserialize` demands bytes that come from `serialize`, unchanged. They have the hash that is named
        // by an entry whose MAC only this user can make, and they are ours alone since they were read.
        unsafe { Component::deserialize(engine, bytes) }.ok()
    }
}

/// How long ago a file was last written, or used.
fn age(path: &Path) -> Option<Duration> {
    fs::metadata(path).ok()?.modified().ok()?.elapsed().ok()
}

/// Notes that a file is in use. A day is near enough, and spares the disk.
fn touch(path: &Path) {
    if age(path).is_some_and(|age| age > DAY)
        && let Ok(file) = File::options().append(true).open(path)
    {
        // Without it the file is only rebuilt a month later.
        let _ = file.set_modified(SystemTime::now());
    }
}

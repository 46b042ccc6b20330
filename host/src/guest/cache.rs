//! Compiled code on disk, so that a component is compiled once.
//!
//! Loading compiled code is as good as running it natively. So an entry is taken only from a folder that
//! nobody else may write to, and only when it carries a MAC by a key of this user, which is kept apart from
//! every project: code that came with a project is compiled anew, whatever it says of itself.

use std::{
    fs,
    hash::{Hash, Hasher},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use wasmtime::component::Component;

use super::{Engine, LoadError};

const KEY_FILE: &str = "cache.key";
const KEY_LEN: usize = 32;
const MAC_LEN: usize = 32;
const DAY: Duration = Duration::from_hours(24);

/// How long an entry is kept without being used.
const KEPT: Duration = Duration::from_hours(24 * 30);

/// A folder of compiled components, or none when it cannot be trusted.
#[derive(Debug)]
pub struct Cache {
    trusted: Option<Trusted>,
}

#[derive(Debug)]
struct Trusted {
    folder: PathBuf,
    key: [u8; KEY_LEN],
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
        make_private(key_folder)?;
        let key = read_or_make_key(&key_folder.join(KEY_FILE))?;
        make_private(folder)?;
        Ok(Self { trusted: Some(Trusted { folder: folder.to_owned(), key }) })
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
                // Another host may have been faster.
                let _ = fs::remove_file(path);
            }
        }
    }

    /// Whether a component with these bytes need not be compiled.
    pub fn contains(&self, engine: &Engine, wasm: &[u8]) -> bool {
        self.trusted.as_ref().is_some_and(|cache| cache.entry(engine, wasm).exists())
    }

    /// The component, from the folder or compiled and kept there.
    pub(super) fn load(&self, engine: &Engine, wasm: &[u8]) -> Result<Component, LoadError> {
        let Some(cache) = &self.trusted else { return compile(engine, wasm) };
        let entry = cache.entry(engine, wasm);
        if let Some(component) = cache.read(engine, &entry) {
            return Ok(component);
        }
        let component = compile(engine, wasm)?;
        if let Err(error) = cache.write(&entry, &component) {
            tracing::warn!(%error, folder = %cache.folder.display(), "compiled code could not be cached");
        }
        Ok(component)
    }
}

impl Trusted {
    /// One entry for each content, engine configuration and wasmtime version.
    fn entry(&self, engine: &Engine, wasm: &[u8]) -> PathBuf {
        let mut hasher = Blake3(blake3::Hasher::new());
        engine.inner().precompile_compatibility_hash().hash(&mut hasher);
        hasher.0.update(blake3::hash(wasm).as_bytes());
        self.folder.join(format!("{}.cwasm", hasher.0.finalize().to_hex()))
    }

    fn read(&self, engine: &Engine, entry: &Path) -> Option<Component> {
        let bytes = fs::read(entry).ok()?;
        keep(entry);
        let (mac, code) = bytes.split_at_checked(MAC_LEN)?;
        let mac: [u8; MAC_LEN] = mac.try_into().ok()?;
        // `blake3::Hash` compares in constant time.
        if self.mac(entry, code) != blake3::Hash::from_bytes(mac) {
            return None;
        }
        #[expect(
            unsafe_code,
            reason = "the MAC shows that this host wrote these bytes by `Component::serialize`"
        )]
        // SAFETY: `deserialize` demands bytes that come from `serialize`, unchanged. The key of the MAC is
        // readable by this user alone, and the bytes were read once, so they cannot change underway.
        let component = unsafe { Component::deserialize(engine.inner(), code) };
        component.ok()
    }

    fn write(&self, entry: &Path, component: &Component) -> io::Result<()> {
        let code = component.serialize().map_err(io::Error::other)?;
        // Beside, then renamed: two hosts may share the folder, and one may be killed here.
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(self.mac(entry, &code).as_bytes())?;
        file.write_all(&code)?;
        file.persist(entry)?;
        Ok(())
    }

    /// Binds the code to its entry, so that one entry cannot be passed off as another.
    fn mac(&self, entry: &Path, code: &[u8]) -> blake3::Hash {
        let mut mac = blake3::Hasher::new_keyed(&self.key);
        mac.update(entry.file_name().unwrap_or_default().as_encoded_bytes()).update(code);
        mac.finalize()
    }
}

/// How long ago a file was last written, or used.
fn age(path: &Path) -> Option<Duration> {
    fs::metadata(path).ok()?.modified().ok()?.elapsed().ok()
}

/// Notes that an entry is in use. A day is near enough, and spares the disk.
fn keep(entry: &Path) {
    if age(entry).is_some_and(|age| age > DAY)
        && let Ok(file) = fs::File::options().append(true).open(entry)
    {
        // Without it the entry is only rebuilt a month later.
        let _ = file.set_modified(SystemTime::now());
    }
}

fn compile(engine: &Engine, wasm: &[u8]) -> Result<Component, LoadError> {
    Component::from_binary(engine.inner(), wasm).map_err(LoadError::NotAComponent)
}

/// Makes a folder that is this user's alone, or finds that it is.
fn make_private(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let metadata = fs::symlink_metadata(folder)?;
    let fault = if !metadata.is_dir() {
        "is a link"
    } else if metadata.mode() & 0o077 != 0 {
        "can be read or written by others (expected mode 0700)"
    } else if metadata.uid() != rustix::process::geteuid().as_raw() {
        "belongs to another user"
    } else {
        return Ok(());
    };
    Err(io::Error::other(format!("`{}` {fault}", folder.display())))
}

/// The key, made by whoever comes first.
fn read_or_make_key(path: &Path) -> io::Result<[u8; KEY_LEN]> {
    if let Ok(key) = fs::read(path)
        && let Ok(key) = key.try_into()
    {
        return Ok(key);
    }
    let mut key = [0; KEY_LEN];
    getrandom::fill(&mut key).map_err(io::Error::other)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let temporary = folder
        .join(format!("{KEY_FILE}.{:08x}", u32::from_ne_bytes([key[0], key[1], key[2], key[3]])));
    let mut file =
        fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
    file.write_all(&key)?;
    // A link fails when another host was first, where a rename would replace its key.
    let linked = fs::hard_link(&temporary, path);
    fs::remove_file(&temporary)?;
    match linked {
        Ok(()) => Ok(key),
        Err(_) => match fs::read(path)?.try_into() {
            Ok(key) => Ok(key),
            Err(_) => Err(io::Error::other(format!("`{KEY_FILE}` in it is damaged (remove it)"))),
        },
    }
}

/// Feeds what implements `Hash` to a hash that is stable across runs.
struct Blake3(blake3::Hasher);

impl Hasher for Blake3 {
    fn finish(&self) -> u64 {
        0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }
}

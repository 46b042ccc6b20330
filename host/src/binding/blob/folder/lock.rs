//! One writer of a blob at a time, in all hosts that share the folder.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use super::files::create_folders;
use crate::binding::{StorageFault, blob::fault::Fault, segment::LOCKS};

/// How many lock files a container has. Each blob has one of them, so that they do not grow with the blobs.
const N_LOCKS: u8 = 64;

/// How long another host may hold a lock: it compares, makes folders that are missing, and renames or removes. It never
/// waits for the disk meanwhile, since blobs that have nothing to do with each other share a lock.
const PATIENCE: Duration = Duration::from_secs(5);

/// Held until it is dropped, or the process ends.
#[derive(Debug)]
pub(super) struct Lock(#[expect(dead_code, reason = "closing it unlocks")] File);

impl Lock {
    /// Waits for the lock of a blob. Blocks.
    pub(super) fn take(container: &Path, name: &str) -> Result<Self, Fault> {
        let folder = container.join(LOCKS);
        let which = blake3::hash(name.as_bytes()).as_bytes()[0] % N_LOCKS;
        create_folders(&folder).map_err(Fault::of_file)?;
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(folder.join(format!("{which:02x}")))
            .map_err(Fault::of_file)?;
        let since = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self(file)),
                Err(TryLockError::Error(error)) => return Err(Fault::of_file(error)),
                Err(TryLockError::WouldBlock) if since.elapsed() > PATIENCE => {
                    let error = io::Error::other("another program holds the lock of the blob");
                    return Err(Fault::Storage(StorageFault::Timeout, Box::new(error)));
                }
                // There is no lock with a time limit to wait on.
                Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_micros(200)),
            }
        }
    }
}

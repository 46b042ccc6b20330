//! One at a time: a lock on a file that the operating system releases when its holder ends.

use std::{
    fs::{self, File, TryLockError},
    io::Write,
    path::Path,
};

use super::error::Error;

/// Waits until the file is ours; dropping it lets the next one in.
pub(super) fn acquire(path: &Path, out: &mut dyn Write) -> Result<File, Error> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(Error::file("create", folder))?;
    }
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(Error::file("open", path))?;
    match file.try_lock() {
        Ok(()) => return Ok(file),
        Err(TryLockError::WouldBlock) => writeln!(out, "waiting for another `mcpfn build`")?,
        Err(TryLockError::Error(source)) => return Err(Error::file("lock", path)(source)),
    }
    file.lock().map_err(Error::file("lock", path))?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::mpsc::{self, Sender},
        thread,
        time::Duration,
    };

    use super::*;

    /// Tells the test what is written, as it is written.
    struct Told(Sender<Vec<u8>>);

    impl Write for Told {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send(bytes.to_owned()).map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_second_waits_for_the_first_and_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data/lock");
        let mut said = Vec::new();
        let first = acquire(&path, &mut said).unwrap();
        assert_eq!(said, b"");

        let (sender, receiver) = mpsc::channel();
        let second = thread::spawn(move || acquire(&path, &mut Told(sender)).map(drop));
        while !said.ends_with(b"\n") {
            said.extend(receiver.recv_timeout(Duration::from_secs(10)).unwrap());
        }
        assert_eq!(String::from_utf8(said).unwrap(), "waiting for another `mcpfn build`\n");
        assert!(!second.is_finished());
        drop(first);
        second.join().unwrap().unwrap();
    }
}

//! Writes the log from a thread of its own, many lines at a time.
//!
//! Who logs only appends to a buffer. Waking the thread for each line costs a call as much as a tenth of its
//! time, so under load the thread sleeps for a moment and then writes what has come in. Where nobody reads the
//! lines, those that do not fit are dropped: no call waits for the log.

use std::{
    io::{self, Write},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use tracing_subscriber::fmt::MakeWriter;

/// How long lines are collected before they are written.
const COLLECT: Duration = Duration::from_millis(5);

/// What is kept of a log that nobody reads.
const MAX_BUFFER: usize = 1 << 20;

/// How long the end of the program waits for the last lines.
const PATIENCE: Duration = Duration::from_secs(1);

/// Takes lines.
#[derive(Clone, Debug)]
pub(super) struct Writer(Arc<Shared>);

/// Writes the last lines when it is dropped.
#[derive(Debug)]
pub struct Guard(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    lines: Vec<u8>,
    n_dropped: usize,
    /// The thread waits for a line.
    is_idle: bool,
    /// The program ends.
    is_over: bool,
    /// The last line is written.
    is_done: bool,
}

/// Starts the thread, which writes to `output`.
pub(super) fn start(output: impl Write + Send + 'static) -> io::Result<(Writer, Guard)> {
    let shared = Arc::new(Shared::default());
    thread::Builder::new().name("log".to_owned()).spawn({
        let shared = Arc::clone(&shared);
        move || shared.run(output)
    })?;
    Ok((Writer(Arc::clone(&shared)), Guard(shared)))
}

impl<'a> MakeWriter<'a> for Writer {
    type Writer = &'a Self;

    fn make_writer(&'a self) -> Self::Writer {
        self
    }
}

impl Write for &Writer {
    /// One whole line.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut state = self.0.lock();
        if state.lines.len() + line.len() > MAX_BUFFER {
            state.n_dropped += 1;
        } else {
            state.lines.extend_from_slice(line);
        }
        if state.is_idle {
            state.is_idle = false;
            self.0.changed.notify_all();
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, mut output: impl Write) {
        let mut lines = Vec::new();
        loop {
            let mut state = self.lock();
            while state.lines.is_empty() && !state.is_over {
                state.is_idle = true;
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            state.is_idle = false;
            std::mem::swap(&mut lines, &mut state.lines);
            let n_dropped = std::mem::take(&mut state.n_dropped);
            let is_over = state.is_over;
            drop(state);
            // A closed standard error leaves nobody to tell.
            let _ = output.write_all(&lines);
            if n_dropped > 0 {
                let _ = writeln!(
                    output,
                    "{n_dropped} lines of the log were dropped, since nobody read it"
                );
            }
            lines.clear();
            if is_over {
                self.lock().is_done = true;
                self.changed.notify_all();
                return;
            }
            thread::sleep(COLLECT);
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.is_over = true;
        self.0.changed.notify_all();
        // Where nobody reads, the thread never gets there.
        let wait = self.0.changed.wait_timeout_while(state, PATIENCE, |state| !state.is_done);
        drop(wait);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// Gives each write away, and is full until they are taken.
    struct Pipe(mpsc::SyncSender<Vec<u8>>);

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send(bytes.to_vec()).map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_are_written_in_their_order_and_the_last_ones_at_the_end() {
        let (sender, written) = mpsc::sync_channel(1000);
        let (writer, guard) = start(Pipe(sender)).unwrap();
        for line in ["a\n", "b\n", "c\n"] {
            (&writer).write_all(line.as_bytes()).unwrap();
        }
        drop(guard);
        assert_eq!(written.try_iter().flatten().collect::<Vec<_>>(), b"a\nb\nc\n");
    }

    #[test]
    fn what_nobody_reads_is_dropped_and_nobody_waits_for_it() {
        let (sender, written) = mpsc::sync_channel(0);
        let (writer, _guard) = start(Pipe(sender)).unwrap();
        let line = [b'x'; 1000];
        for _ in 0..10 * MAX_BUFFER / line.len() {
            (&writer).write_all(&line).unwrap();
        }
        let mut said = Vec::new();
        while !said.ends_with(b"since nobody read it\n") {
            said = [said, written.recv_timeout(Duration::from_secs(10)).unwrap()].concat();
        }
        assert!(said.len() < 3 * MAX_BUFFER, "{}", said.len());
    }
}

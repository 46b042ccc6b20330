//! When the host is asked to stop.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Hears the signals of an operator, from the moment it is made.
#[derive(Debug)]
pub struct Shutdown {
    interrupt: Signal,
    terminate: Signal,
    // Only held: with a listener, a file over the limit of the process is an error of that write and
    // not the end of the host.
    _file_size: Signal,
}

/// SIGXFSZ, which tokio has no name for; the same number on every Linux but MIPS and PA-RISC.
const FILE_SIZE: i32 = 25;

impl Shutdown {
    /// Listens to SIGINT and SIGTERM, which from now on end nothing by themselves.
    pub fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            _file_size: signal(SignalKind::from_raw(FILE_SIZE))?,
        })
    }

    /// Completes at the next of them.
    pub async fn requested(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

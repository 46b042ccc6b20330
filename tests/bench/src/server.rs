//! One server under test: started on its cores, waited for by what it prints, ended with its owner.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};

use crate::cores;

/// A thousand components compile within it.
const DEADLINE: Duration = Duration::from_mins(15);

/// A server that serves on a port of this machine.
#[derive(Debug)]
pub struct Server {
    child: Child,
    port: u16,
    started: Instant,
}

impl Server {
    /// Starts a program, on one core if it is given, and waits for its line `Serving .. http://127.0.0.1:PORT..`, or
    /// for Azurite's.
    pub fn start(command: &mut Command, core: Option<usize>) -> Result<Self> {
        let line = format!("{command:?}");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let started = Instant::now();
        let child = match core {
            Some(core) => cores::on(core, || Ok(command.spawn()?)),
            None => command.spawn().map_err(Into::into),
        };
        let child = child.with_context(|| format!("cannot start {line}"))?;
        // From here on it is ended when this returns early.
        let mut server = Self { child, port: 0, started };
        let stdout = server.child.stdout.take().context("stdout is piped")?;
        let (sender, receiver) = mpsc::channel();
        // Reads to the end: a server must not wait for, or fail with, its own output.
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if let Some(port) = port_of(&line) {
                    // Only the first line is waited for.
                    let _ = sender.send(port);
                }
            }
        });
        server.port = match receiver.recv_timeout(DEADLINE) {
            Ok(port) => port,
            Err(RecvTimeoutError::Timeout) => bail!("{line} did not serve in {DEADLINE:?}"),
            Err(RecvTimeoutError::Disconnected) => {
                bail!("{line} ended before it served (its log: run it by hand)")
            }
        };
        Ok(server)
    }

    /// Where it listens.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// When it was started.
    pub fn started(&self) -> Instant {
        self.started
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn port_of(line: &str) -> Option<u16> {
    let after = line.strip_prefix("Serving ").or_else(|| Some(line.split_once("listens on")?.1));
    let url = after?.split("http://127.0.0.1:").nth(1)?;
    url.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_is_in_the_line_that_says_it_serves() {
        assert_eq!(port_of("Serving 2 tools at http://127.0.0.1:80/mcp (also at /x)"), Some(80));
        let azurite = "Azurite Blob service successfully listens on http://127.0.0.1:81";
        assert_eq!(port_of(azurite), Some(81));
        assert_eq!(port_of("    \"url\": \"http://127.0.0.1:80/mcp\""), None);
    }
}

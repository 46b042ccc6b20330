//! Azure's storage as Azurite has it, in memory.

use std::{path::Path, process::Command};

use anyhow::Result;
use bench::{cores, server::Server};

/// Azurite's published account.
pub(super) const ACCOUNT: &str = "devstoreaccount1";

/// Its key, which is no secret.
pub(super) const KEY: &str =
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

/// Starts its service for blobs, with the packages of `tests/clients`, on the core of the servers.
pub(super) fn start(node_modules: &Path) -> Result<Server> {
    let mut command = Command::new("node");
    command
        .arg(node_modules.join("azurite/dist/src/blob/main.js"))
        .args(["--blobHost", "127.0.0.1", "--blobPort", "0", "--inMemoryPersistence"])
        .args(["--skipApiVersionCheck", "--disableTelemetry", "--silent"]);
    Server::start(&mut command, Some(cores::SERVER))
}

/// Where the account is.
pub(super) fn endpoint(port: u16) -> String {
    format!("http://127.0.0.1:{port}/{ACCOUNT}")
}

/// The same for the setting of a connection.
pub(super) fn connection_string(port: u16) -> String {
    format!("AccountName={ACCOUNT};AccountKey={KEY};BlobEndpoint={}", endpoint(port))
}

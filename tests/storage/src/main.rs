//! The S3 server of the tests: started on a folder, killed at any time, started again.
//!
//! The protocol (requests, signatures, XML) is the crate `s3s`; what is stored is our own. `s3s-fs`, which
//! also keeps objects in files, compares an `ETag` and writes without a lock between, puts an object's `ETag`
//! and attributes beside it after its content, and takes keys for paths. So two writers can both win, a
//! read can give the `ETag` of other content, and a kill can leave an object with the attributes of the one
//! before.
//!
//! Here a put is compared and put in place under one lock, and an object is one file, renamed into place
//! with its attributes. It is a server for tests: one account, no versions, no access rules, no copy, and
//! nothing is forced to disk, so that it survives its own end and not that of the machine.

mod file;
mod list;
mod service;
mod store;
mod trouble;
mod uploads;

use std::{
    io::{self, Write},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use anyhow::{Context, Result};
use clap::Parser;
use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};
use tokio::net::TcpListener;

use self::{service::Service, store::Store, trouble::Trouble, uploads::Uploads};

/// The one account. `tests/all/harness/storage.rs` signs with it.
const ACCESS_KEY: &str = "test-access-key";
const SECRET_KEY: &str = "test-secret-key";

#[derive(Debug, Parser)]
struct Arguments {
    /// Where buckets, objects and uploads are kept.
    folder: PathBuf,
    /// The port on 127.0.0.1; 0 is one that is free.
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Milliseconds that each request waits, a write once its content is staged and before it is in place.
    #[arg(long, default_value_t = 0)]
    slow: u64,
    #[command(flatten)]
    trouble: Trouble,
}

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let cannot = || format!("cannot use `{}`", arguments.folder.display());
    let service = Service {
        store: Store::open(&arguments.folder).with_context(cannot)?,
        uploads: Uploads::open(&arguments.folder).with_context(cannot)?,
        slow: Duration::from_millis(arguments.slow),
    };
    let mut builder = S3ServiceBuilder::new(service);
    builder.set_auth(SimpleAuth::from_single(ACCESS_KEY, SECRET_KEY));
    let service = builder.build();
    let trouble = Arc::new(arguments.trouble);

    let listener = TcpListener::bind(("127.0.0.1", arguments.port)).await?;
    let mut stdout = io::stdout();
    writeln!(stdout, "Serving at http://{}", listener.local_addr()?)?;
    stdout.flush()?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let (service, trouble) = (service.clone(), Arc::clone(&trouble));
        let answer = service_fn(move |request| {
            let (service, trouble) = (service.clone(), Arc::clone(&trouble));
            async move { trouble.answer(&service, request).await }
        });
        let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), answer);
        tokio::spawn(async move {
            // A client that goes away is no matter of ours.
            let _ = connection.await;
        });
    }
}

//! The reference server: streamable HTTP on a free port, or standard input and output.

use std::{
    io::{self, Write},
    sync::Arc,
};

use anyhow::Result;
use differential::reference::Reference;
use hyper::server::conn::http1;
use hyper_util::{rt::TokioIo, service::TowerToHyperService};
use rmcp::{
    ServiceExt,
    transport::{
        io::stdio,
        streamable_http_server::{
            StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
        },
    },
};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<()> {
    let reference = Reference::new()?;
    if std::env::args().nth(1).is_some_and(|argument| argument == "--stdio") {
        reference.serve(stdio()).await?.waiting().await?;
        return Ok(());
    }
    serve(reference).await
}

async fn serve(reference: Reference) -> Result<()> {
    let config = StreamableHttpServerConfig::default()
        // What the specification asks for, and the SDK leaves to the server.
        .with_allowed_origins(["http://localhost:*", "http://127.0.0.1:*"]);
    let service = StreamableHttpService::new(
        move || Ok(reference.clone()),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    let service = TowerToHyperService::new(service);
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let mut stdout = io::stdout();
    writeln!(stdout, "Serving at http://{}/mcp", listener.local_addr()?)?;
    stdout.flush()?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let connection =
            http1::Builder::new().serve_connection(TokioIo::new(stream), service.clone());
        tokio::spawn(async move {
            // A client that goes away is no matter of ours.
            let _ = connection.await;
        });
    }
}

//! Streamable HTTP: accepts connections and serves each of them until it ends.

mod admit;
mod body;
mod detached;
mod listen;
mod mcp;
mod old;
mod respond;
mod sse;

use std::{convert::Infallible, io, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use hyper::{Request, Response, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    task::{JoinError, JoinSet},
    time::{sleep, timeout},
};
use tokio_io_timeout::TimeoutWriter;
use tracing::{Instrument, debug, error, warn};

use self::{
    admit::{Admission, Rejection, Route},
    detached::Detached,
    respond::Body,
};
use super::MESSAGE_LIMIT;
use crate::{protocol::Live, telemetry};

/// What one connection may take.
#[derive(Clone, Debug)]
pub struct Config {
    /// The longest body, in bytes.
    pub body_limit: usize,
    /// Whether the transport of 2024-11-05 is served.
    pub legacy_sse: bool,
    /// How many connections are served at a time; more of them wait.
    pub connections: usize,
    /// How long a client may take for the head of a request, and stay silent between two.
    pub head_timeout: Duration,
    /// How long a client may take for a body.
    pub body_timeout: Duration,
    /// How long a client may take before it reads on in a reply.
    pub write_timeout: Duration,
    /// How long the last replies may take once the host stops.
    pub drain: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            body_limit: MESSAGE_LIMIT,
            legacy_sse: true,
            connections: 1024,
            head_timeout: Duration::from_secs(30),
            body_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
            drain: Duration::from_secs(30),
        }
    }
}

/// What all connections share.
#[derive(Debug)]
struct Endpoint {
    protocol: Arc<Live>,
    admission: Admission,
    config: Config,
    detached: Arc<Detached>,
    /// Half of the connections: those who listen stay, and must leave room for those who ask.
    listeners: Arc<Semaphore>,
    /// Changes when the host stops.
    stopped: watch::Receiver<()>,
}

/// Serves until `shutdown` resolves, then answers what was already asked and returns.
pub async fn serve(
    listener: TcpListener,
    protocol: Arc<Live>,
    config: Config,
    shutdown: impl Future<Output = ()>,
) {
    let admission = Admission::new(listener.local_addr().ok(), &config);
    let permits = Arc::new(Semaphore::new(config.connections));
    // Dropping the sender tells every connection to end after the reply that it is working on.
    let (stop, stopped) = watch::channel(());
    let detached = Arc::default();
    let listeners = Arc::new(Semaphore::new(config.connections / 2));
    let endpoint = Arc::new(Endpoint {
        protocol,
        admission,
        config,
        detached,
        listeners,
        stopped: stopped.clone(),
    });
    let mut connections = JoinSet::new();
    let mut shutdown = pin!(shutdown);
    loop {
        tokio::select! {
            // In this order: `shutdown` hears of a signal only once it was polled.
            biased;
            () = &mut shutdown => break,
            Some(ended) = connections.join_next(), if !connections.is_empty() => check(ended),
            (stream, address, permit) = accept(&listener, &permits) => {
                let connection = connection(Arc::clone(&endpoint), stream, stopped.clone(), permit);
                connections.spawn(connection.instrument(telemetry::connection(address)));
            }
        }
    }
    drop((listener, stop));
    let drained = timeout(endpoint.config.drain, async {
        while let Some(ended) = connections.join_next().await {
            check(ended);
        }
        endpoint.detached.finish().await;
    });
    if drained.await.is_err() {
        warn!(connections = connections.len(), "stopped before the last replies were written");
    }
}

/// Waits for a free place, then for a connection.
async fn accept(
    listener: &TcpListener,
    permits: &Arc<Semaphore>,
) -> (TcpStream, SocketAddr, OwnedSemaphorePermit) {
    let permit = Arc::clone(permits).acquire_owned().await.expect("the semaphore is never closed");
    loop {
        match listener.accept().await {
            Ok((stream, address)) => return (stream, address, permit),
            // The client went away while it waited.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset
                ) => {}
            Err(error) => {
                // Out of file descriptors, most likely: trying again at once would only burn the processor.
                warn!(%error, "cannot accept a connection");
                sleep(Duration::from_millis(200)).await;
            }
        }
    }
}

/// Ends nothing but the connection, and is our fault.
fn check(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        error!(%error, "a connection panicked");
    }
}

async fn connection(
    endpoint: Arc<Endpoint>,
    stream: TcpStream,
    mut stopped: watch::Receiver<()>,
    _permit: OwnedSemaphorePermit,
) {
    // A reply is one write: waiting for more would only add 40 ms.
    if let Err(error) = stream.set_nodelay(true) {
        debug!(%error, "cannot turn TCP_NODELAY on");
    }
    let endpoint = &endpoint;
    // hyper has no limit of its own on a client that does not read its reply.
    let mut stream = TimeoutWriter::new(stream);
    stream.set_timeout(Some(endpoint.config.write_timeout));
    let stream = Box::pin(stream);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(endpoint.config.head_timeout)
        .serve_connection(TokioIo::new(stream), service_fn(|request| endpoint.respond(request)));
    let mut connection = pin!(connection);
    let served = tokio::select! {
        served = connection.as_mut() => served,
        _ = stopped.changed() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = served {
        debug!(%error, "connection ended early");
    }
}

impl Endpoint {
    /// A place for one who listens.
    fn listen(&self) -> Result<OwnedSemaphorePermit, Rejection> {
        Arc::clone(&self.listeners).try_acquire_owned().map_err(|_| Rejection::Listeners)
    }

    async fn respond(
        self: &Arc<Self>,
        request: Request<Incoming>,
    ) -> Result<Response<Body>, Infallible> {
        let reader = admit::reader(request.headers());
        let response = self.answer(request).await.unwrap_or_else(|rejection| {
            debug!(%rejection, "rejected");
            respond::rejection(&rejection)
        });
        Ok(match reader {
            Some(origin) => respond::to_origin(response, origin),
            None => response,
        })
    }

    async fn answer(
        self: &Arc<Self>,
        request: Request<Incoming>,
    ) -> Result<Response<Body>, Rejection> {
        let route = self.admission.admit(request.method(), request.uri(), request.headers())?;
        Ok(match route {
            Route::Probe => respond::healthy(),
            Route::Preflight => respond::preflight(request.headers()),
            Route::Message => mcp::answer(self, request).await?,
            Route::Listen => listen::answer(self, request.headers()).await?,
            Route::OldStream => old::open(self, request.uri())?,
            Route::OldMessage => old::take(self, request).await?,
        })
    }
}

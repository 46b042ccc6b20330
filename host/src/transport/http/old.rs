//! The transport of 2024-11-05: a stream that a client opens, and what it posts for it.

use std::{io, sync::Arc};

use bytes::Bytes;
use futures_util::stream;
use hyper::{Request, Response, Uri, body::Incoming as RequestBody};
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use super::{
    Endpoint,
    admit::Rejection,
    body,
    respond::{self, Body},
    sse::{self, Events},
};
use crate::{
    function::TransportKind,
    protocol::Inbox,
    transport::dialog::{self, Config, Incoming, Sink, Source},
};

/// How many messages wait for a client that does not read.
const WAITING: usize = 64;

/// Opens a stream. Its first event says where to post.
pub(super) fn open(endpoint: &Arc<Endpoint>, uri: &Uri) -> Result<Response<Body>, Rejection> {
    let place = endpoint.listen()?;
    let inbox = endpoint.protocol.open_inbox();
    // Beside the stream: a gateway may pass on one folder only.
    let path = uri.path();
    let folder = path.strip_suffix('/').unwrap_or(path).strip_suffix("/sse").unwrap_or_default();
    let first = sse::endpoint(&format!("{folder}/message?sessionId={}", inbox.id()));
    Ok(respond::events(events(Arc::clone(endpoint), inbox, first, place)))
}

/// Takes a message, which is answered on the stream.
pub(super) async fn take(
    endpoint: &Arc<Endpoint>,
    request: Request<RequestBody>,
) -> Result<Response<Body>, Rejection> {
    let (head, body) = request.into_parts();
    let inbox = session_id(&head.uri).and_then(|id| endpoint.protocol.inbox(id));
    let inbox = inbox.ok_or(Rejection::Stream)?;
    let body = body::read(body, &head.headers, &endpoint.config).await?;
    inbox.post(body).await.map_err(|_| Rejection::Full)?;
    Ok(respond::accepted())
}

/// The id as we write it; as some clients do, too.
fn session_id(uri: &Uri) -> Option<&str> {
    let pairs = uri.query()?.split('&').filter_map(|pair| pair.split_once('='));
    let mut ids = pairs.filter(|(name, _)| matches!(*name, "sessionId" | "session_id"));
    ids.next().map(|(_, id)| id)
}

/// Serves a stream for as long as its client reads it: dropping it drops the calls in flight.
fn events(
    endpoint: Arc<Endpoint>,
    inbox: Inbox,
    first: Bytes,
    place: OwnedSemaphorePermit,
) -> Events {
    let (sender, receiver) = mpsc::channel(WAITING);
    let mut stopped = endpoint.stopped.clone();
    let serve = Box::pin(async move {
        let _place = place;
        let config = Config { message_limit: endpoint.config.body_limit, ..Config::default() };
        let protocol = Arc::clone(&endpoint.protocol);
        let shutdown = async { _ = stopped.changed().await };
        let served =
            dialog::serve(inbox, sender, TransportKind::Http, protocol, &config, shutdown).await;
        if let Err(error) = served {
            tracing::debug!(%error, "a stream ended early");
        }
    });
    let state = Some((serve, receiver, Some(first)));
    Box::pin(stream::unfold(state, |state| async move {
        let (mut serve, mut receiver, first) = state?;
        if let Some(first) = first {
            return Some((first, Some((serve, receiver, None))));
        }
        tokio::select! {
            biased;
            Some(message) = receiver.recv() => {
                Some((sse::message(&message), Some((serve, receiver, None))))
            }
            () = &mut serve => {
                let mut rest = Vec::new();
                while let Ok(message) = receiver.try_recv() {
                    rest.extend_from_slice(&sse::message(&message));
                }
                (!rest.is_empty()).then(|| (Bytes::from(rest), None))
            }
        }
    }))
}

impl Source for Inbox {
    async fn next(&mut self) -> io::Result<Option<Incoming>> {
        Ok(Some(Incoming::Message(Self::next(self).await.into())))
    }
}

impl Sink for mpsc::Sender<Bytes> {
    async fn send(&mut self, message: Bytes) -> io::Result<()> {
        let sent = Self::send(self, message).await;
        sent.map_err(|_| io::Error::other("the client has gone"))
    }
}

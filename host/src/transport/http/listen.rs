//! One GET of a legacy session: its stream of changes, or the events of a call that its client has not got yet.

use std::sync::Arc;

use hyper::{HeaderMap, Response, header::HeaderName};

use super::{
    Endpoint,
    admit::Rejection,
    mcp::RequestHeaders,
    respond::{self, Body},
    sse,
};
use crate::{
    function::TransportKind,
    protocol::{Context, Live},
};

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// As for a method that is not served: clients look for it to know that there is no stream to open.
const NO_STREAM: Rejection = Rejection::Method { allow: "POST" };

/// Opens the stream. A client without a session has none: it asks for nothing but what it posts.
pub(super) async fn answer(
    endpoint: &Arc<Endpoint>,
    headers: &HeaderMap,
) -> Result<Response<Body>, Rejection> {
    let request = RequestHeaders(headers);
    let context = Context::of(TransportKind::Http, Some(&request));
    if !Live::serves_revision(&context) {
        return Err(Rejection::Version);
    }
    if !endpoint.protocol.has_session(&context) {
        return Err(NO_STREAM);
    }
    if let Some(id) = headers.get(LAST_EVENT_ID) {
        let id = id.to_str().map_err(|_| Rejection::Event)?;
        let reader = endpoint.protocol.resume(&context, id).await.ok_or(Rejection::Event)?;
        let (stopped, place) = (endpoint.stopped.clone(), endpoint.listen()?);
        return Ok(respond::events(sse::of_resumed(reader, stopped, place)));
    }
    let subscription = endpoint.protocol.listen(&context).await;
    let subscription = subscription.ok_or(NO_STREAM)?;
    Ok(respond::stream(subscription, endpoint))
}

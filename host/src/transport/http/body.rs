//! Reads a body: up to a limit, and for a limited time.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::{
    HeaderMap,
    body::{Body, Incoming},
    header::EXPECT,
};
use tokio::time::timeout;

use super::{Config, admit::Rejection};

/// How long, and how much, a body that is refused is still read, so that the client gets to read why.
const LINGER: Duration = Duration::from_secs(2);
const LINGER_BYTES: usize = 64 << 20;

/// Reads the whole body. A body of one part, the usual, is not copied.
pub(super) async fn read(
    mut body: Incoming,
    headers: &HeaderMap,
    config: &Config,
) -> Result<Bytes, Rejection> {
    let limit = config.body_limit;
    let result = if body.size_hint().lower() > limit as u64 {
        Err(Rejection::TooLong { limit })
    } else {
        timeout(config.body_timeout, collect(&mut body, limit))
            .await
            .unwrap_or(Err(Rejection::Slow))
    };
    // A client that waits for a 100 before it sends (RFC 9110, 10.1.1) must not be told to go on.
    if let Err(Rejection::TooLong { .. }) = result
        && !headers.contains_key(EXPECT)
    {
        discard(body).await;
    }
    result
}

/// Reads what the client is still sending. Closing at once would reset the connection, and with it the reply.
async fn discard(mut body: Incoming) {
    let discard = async {
        let mut left = LINGER_BYTES;
        while let Some(Ok(frame)) = body.frame().await {
            left = left.saturating_sub(frame.data_ref().map_or(0, Bytes::len));
            if left == 0 {
                return;
            }
        }
    };
    // Running out of time is no harm: the reply is sent either way.
    _ = timeout(LINGER, discard).await;
}

async fn collect(body: &mut Incoming, limit: usize) -> Result<Bytes, Rejection> {
    let first = next(body).await?.unwrap_or_default();
    if first.len() > limit {
        return Err(Rejection::TooLong { limit });
    }
    if body.is_end_stream() {
        return Ok(first);
    }
    let mut whole = BytesMut::from(first);
    while let Some(part) = next(body).await? {
        if whole.len() + part.len() > limit {
            return Err(Rejection::TooLong { limit });
        }
        whole.extend_from_slice(&part);
    }
    Ok(whole.freeze())
}

/// The next part with content.
async fn next(body: &mut Incoming) -> Result<Option<Bytes>, Rejection> {
    while let Some(frame) = body.frame().await {
        // What is not data is trailers, which mean nothing here.
        if let Ok(data) = frame.map_err(|_| Rejection::Body)?.into_data() {
            return Ok(Some(data));
        }
    }
    Ok(None)
}

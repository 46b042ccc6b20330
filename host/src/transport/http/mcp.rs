//! One POST: its body to the protocol, the reply back.

use std::fmt;

use hyper::{HeaderMap, Request, body::Incoming};

use super::{Endpoint, admit::Rejection, body};
use crate::{
    function::TransportKind,
    protocol::{Context, Headers, Message, Reply, Unreadable},
};

/// Answers a message. A client that closes the connection drops this, and with it what it asked for.
pub(super) async fn answer(
    endpoint: &Endpoint,
    request: Request<Incoming>,
) -> Result<Reply, Rejection> {
    let (head, body) = request.into_parts();
    let body = body::read(body, &head.headers, &endpoint.config).await?;
    let headers = RequestHeaders(&head.headers);
    let context = Context {
        transport: TransportKind::Http,
        headers: Some(&headers),
        principal: None,
        session: None,
    };
    Ok(endpoint.protocol.handle(&context, Message::parse(&body)).await)
}

/// The headers of a request, for the protocol.
struct RequestHeaders<'a>(&'a HeaderMap);

impl Headers for RequestHeaders<'_> {
    fn get(&self, name: &str) -> Result<Option<&str>, Unreadable> {
        let mut values = self.0.get_all(name).iter();
        match (values.next(), values.next()) {
            (None, _) => Ok(None),
            (Some(value), None) => {
                value.to_str().map(|value| Some(value.trim_ascii())).map_err(|_| Unreadable)
            }
            _ => Err(Unreadable),
        }
    }

    fn joined(&self, name: &str) -> Option<String> {
        let values: Result<Vec<&str>, _> =
            self.0.get_all(name).iter().map(hyper::header::HeaderValue::to_str).collect();
        let values = values.ok().filter(|values| !values.is_empty())?;
        Some(values.join(","))
    }
}

// Headers carry secrets: their values are in no log.
impl fmt::Debug for RequestHeaders<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

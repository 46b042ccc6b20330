//! Makes every HTTP response: the only place with status codes.

use bytes::Bytes;
use http_body_util::{Either, Full};
use hyper::{
    HeaderMap, Response, StatusCode,
    header::{
        ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
        ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
        ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_TYPE, HeaderName, HeaderValue, VARY,
    },
};

use super::{
    Endpoint,
    admit::Rejection,
    sse::{self, Events},
};
use crate::protocol::{self, Reply, Status, Subscription};

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// What a response is made of: one piece, or events as they come.
pub(super) type Body = Either<Full<Bytes>, sse::Body>;

/// The response with a reply.
pub(super) fn reply(reply: Reply, endpoint: &Endpoint) -> Response<Body> {
    let (status, body, session) = match reply {
        Reply::Accepted => return empty(StatusCode::ACCEPTED),
        Reply::Stream(subscription) => return stream(*subscription, endpoint),
        Reply::Message { status, body, session } => (status, body, session),
    };
    let mut response = json(code(status), body);
    if let Some(session) = session.and_then(|session| HeaderValue::try_from(session).ok()) {
        response.headers_mut().insert(SESSION, session);
    }
    response
}

/// The response to a client that listens.
pub(super) fn stream(subscription: Subscription, endpoint: &Endpoint) -> Response<Body> {
    match endpoint.listen() {
        Ok(place) => {
            let stopped = endpoint.stopped.clone();
            events(sse::of_subscription(subscription, stopped, place))
        }
        Err(refused) => rejection(&refused),
    }
}

/// The response to a message that is answered on another connection.
pub(super) fn accepted() -> Response<Body> {
    empty(StatusCode::ACCEPTED)
}

/// The response with events.
pub(super) fn events(events: Events) -> Response<Body> {
    let mut response = Response::new(Either::Right(sse::Body::new(events)));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    // Or nginx gathers them before it passes them on.
    headers.insert(BUFFERING, HeaderValue::from_static("no"));
    response
}

/// The response to a request that the protocol does not get to see.
pub(super) fn rejection(rejection: &Rejection) -> Response<Body> {
    let status = match rejection {
        Rejection::HostCount | Rejection::Body | Rejection::Event | Rejection::Version => {
            StatusCode::BAD_REQUEST
        }
        Rejection::Host | Rejection::Origin => StatusCode::FORBIDDEN,
        Rejection::Path | Rejection::Stream => StatusCode::NOT_FOUND,
        Rejection::Listeners | Rejection::Full => StatusCode::SERVICE_UNAVAILABLE,
        Rejection::Method { .. } => StatusCode::METHOD_NOT_ALLOWED,
        Rejection::Accept => StatusCode::NOT_ACCEPTABLE,
        Rejection::Slow => StatusCode::REQUEST_TIMEOUT,
        Rejection::TooLong { .. } => StatusCode::PAYLOAD_TOO_LARGE,
        Rejection::ContentType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
    };
    let mut response = json(status, protocol::refusal(&rejection.to_string()));
    match rejection {
        // Clients look at this to know that there is no stream to open.
        Rejection::Method { allow } => {
            _ = response.headers_mut().insert(ALLOW, HeaderValue::from_static(allow));
        }
        // What is left of the body would be taken for the next request.
        Rejection::Slow | Rejection::Body | Rejection::TooLong { .. } => {
            _ = response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        _ => {}
    }
    response
}

/// The response to a probe.
pub(super) fn healthy() -> Response<Body> {
    let mut response = Response::new(Either::Left(Full::from("ok\n")));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    response
}

/// The response to a browser that asks what a page may send (Fetch, CORS-preflight request). Any header: the
/// names of `Mcp-Param-*` cannot be listed, and the page is on this machine.
pub(super) fn preflight(headers: &HeaderMap) -> Response<Body> {
    let mut response = empty(StatusCode::NO_CONTENT);
    let allowed = response.headers_mut();
    allowed.insert(ALLOW, HeaderValue::from_static("POST, GET"));
    // DELETE gets a 405: a page that may not even ask would take it for a broken network.
    allowed.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("POST, GET, DELETE"));
    if let Some(names) = headers.get(ACCESS_CONTROL_REQUEST_HEADERS) {
        allowed.insert(ACCESS_CONTROL_ALLOW_HEADERS, names.clone());
    }
    allowed.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    response
}

/// Lets the page of this origin read the response.
pub(super) fn to_origin(mut response: Response<Body>, origin: HeaderValue) -> Response<Body> {
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("Mcp-Session-Id"));
    headers.insert(VARY, HeaderValue::from_static("Origin"));
    response
}

fn code(status: Status) -> StatusCode {
    match status {
        Status::Ok => StatusCode::OK,
        Status::BadRequest => StatusCode::BAD_REQUEST,
        Status::NotFound => StatusCode::NOT_FOUND,
        Status::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

fn json(status: StatusCode, body: Bytes) -> Response<Body> {
    let mut response = Response::new(Either::Left(Full::new(body)));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, JSON);
    response
}

fn empty(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Either::Left(Full::default()));
    *response.status_mut() = status;
    response
}

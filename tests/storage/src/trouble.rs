//! What goes wrong when a test wants it to.

use std::sync::atomic::{AtomicU32, Ordering};

use clap::Args;
use http_body_util::BodyExt as _;
use hyper::{Method, Request, Response, StatusCode, body::Incoming, header::CONTENT_TYPE};
use s3s::{Body, HttpError, service::S3Service};

/// Faults of storage, as S3 and those that are compatible say them.
#[derive(Debug, Args)]
pub(crate) struct Trouble {
    /// Every request is refused: 403 `AccessDenied`.
    #[arg(long)]
    deny: bool,
    /// Every write is refused: 403 `AccessDenied`.
    #[arg(long)]
    read_only: bool,
    /// Every write is refused: 507 `XMinioStorageFull`, as `MinIO` says it. Amazon's is never full.
    #[arg(long)]
    full: bool,
    /// As many requests are refused: 503 `SlowDown`.
    #[arg(long, default_value = "0")]
    throttle: AtomicCount,
    /// As many writes are done and not answered: the connection ends.
    #[arg(long, default_value = "0")]
    cut: AtomicCount,
}

/// How many more there are to be.
#[derive(Debug)]
struct AtomicCount(AtomicU32);

impl Trouble {
    /// Has the service answer, unless there is trouble.
    pub(crate) async fn answer(
        &self,
        service: &S3Service,
        request: Request<Incoming>,
    ) -> Result<Response<Body>, HttpError> {
        let writes = !matches!(*request.method(), Method::GET | Method::HEAD);
        if self.throttle.take() {
            return refusal(request, StatusCode::SERVICE_UNAVAILABLE, "SlowDown").await;
        }
        if self.deny || (writes && self.read_only) {
            return refusal(request, StatusCode::FORBIDDEN, "AccessDenied").await;
        }
        if writes && self.full {
            return refusal(request, StatusCode::INSUFFICIENT_STORAGE, "XMinioStorageFull").await;
        }
        let response = service.call(request.map(Body::from)).await?;
        if writes && response.status().is_success() && self.cut.take() {
            return Err(HttpError::new("the connection is cut".into()));
        }
        Ok(response)
    }
}

impl AtomicCount {
    /// Whether this is one of them.
    fn take(&self) -> bool {
        self.0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| count.checked_sub(1))
            .is_ok()
    }
}

impl Clone for AtomicCount {
    fn clone(&self) -> Self {
        Self(self.0.load(Ordering::Relaxed).into())
    }
}

impl std::str::FromStr for AtomicCount {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.parse::<u32>()?.into()))
    }
}

async fn refusal(
    request: Request<Incoming>,
    status: StatusCode,
    code: &str,
) -> Result<Response<Body>, HttpError> {
    // To the end, or a client that still sends sees a reset instead of the answer.
    let mut body = request.into_body();
    while let Some(frame) = body.frame().await {
        frame.map_err(|error| HttpError::new(error.into()))?;
    }
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <Error><Code>{code}</Code><Message>as the test wants it</Message></Error>"
    );
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, "application/xml".parse().expect("a header"));
    Ok(response)
}

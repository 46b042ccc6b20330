//! A request that changes something, as an output.

use std::time::Duration;

use async_trait::async_trait;
use reqwest::{
    Method, Response,
    header::{CONTENT_TYPE, HeaderValue},
};

use super::{
    declaration::{Declared, Form},
    place::Place,
    service::Request,
};
use crate::binding::{BindingData, BindingError, OutputBinding, Seen, Target, content};

/// Answers up to this size are read to their end, so that the socket can be used again; nobody gets them.
const MAX_DRAINED: u64 = 64 * 1024;

/// How long that may take.
const DRAINING: Duration = Duration::from_secs(1);

/// A request with what the function set.
#[derive(Debug)]
pub(super) struct SendOutput {
    place: Place,
    method: Method,
    form: Form,
    content_type: Option<String>,
    timeout: Duration,
}

impl SendOutput {
    pub(super) fn new(place: Place, declared: Declared) -> Self {
        let Declared { method, form, content_type, timeout, .. } = declared;
        Self { place, method, form, content_type, timeout }
    }

    /// The media type, for content that is what was declared.
    fn content_type(&self, bytes: &[u8]) -> Result<&str, BindingError> {
        let refuse = |reason: &str| Err(BindingError::Content { reason: reason.to_owned() });
        let media_type = match self.form {
            Form::Binary => "application/octet-stream",
            Form::String if std::str::from_utf8(bytes).is_err() => {
                return refuse(
                    "the content is not UTF-8 text (declare `\"dataType\": \"binary\"`)",
                );
            }
            Form::String => "text/plain; charset=utf-8",
            Form::Json => {
                if !content::is_json(bytes) {
                    return refuse(
                        "the content is not JSON (declare `\"dataType\": \"string\"` or `contentType`)",
                    );
                }
                "application/json"
            }
        };
        Ok(self.content_type.as_deref().unwrap_or(media_type))
    }
}

#[async_trait]
impl OutputBinding for SendOutput {
    fn resolve(&self, data: &BindingData<'_>) -> Result<Option<Target>, BindingError> {
        self.place.target(data)
    }

    async fn write(
        &self,
        target: &Target,
        bytes: &[u8],
        _seen: Option<&Seen>,
    ) -> Result<(), BindingError> {
        let mut headers = self.place.headers(target)?;
        let mut body = Vec::new();
        // What a deletion would carry has no meaning (RFC 9110, 9.3.5).
        if self.method != Method::DELETE {
            let content_type = HeaderValue::from_str(self.content_type(bytes)?);
            headers.insert(CONTENT_TYPE, content_type.expect("a media type is checked at load"));
            body.extend_from_slice(bytes);
        }
        let request = Request { method: &self.method, path: target.as_str(), headers, body };
        let service = &self.place.service;
        let answer = service.within(self.timeout, service.send(&request)).await?;
        drain(answer).await;
        Ok(())
    }
}

async fn drain(mut answer: Response) {
    if answer.content_length().is_some_and(|length| length <= MAX_DRAINED) {
        let all = async { while let Ok(Some(_)) = answer.chunk().await {} };
        // The request has succeeded, whatever becomes of the answer.
        let _ = tokio::time::timeout(DRAINING, all).await;
    }
}

//! A write with a condition is sent again only where it certainly was not carried out.

use async_trait::async_trait;
use object_store::client::{
    HttpClient, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
};

/// By these a write has a condition, at one service or another.
const CONDITIONS: [&str; 3] = ["if-match", "if-none-match", "x-goog-if-generation-match"];

/// Codes of services that did nothing because of too much work, with 503. The status alone does not tell: a proxy
/// answers the same where the service broke off after it had the request.
/// <https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html>,
/// <https://learn.microsoft.com/rest/api/storageservices/common-rest-api-error-codes>
const BUSY: [&str; 2] = ["SlowDown", "ServerBusy"];

/// Codes of services that did nothing because something else is being done there, with 409. They do not say that the
/// condition does not hold.
const IN_THE_WAY: [&str; 3] =
    ["ConditionalRequestConflict", "OperationAborted", "ContainerBeingDeleted"];

/// Where Azure repeats the code.
const CODE_HEADER: &str = "x-ms-error-code";

/// Keeps a write with a condition from being repeated once it may have been carried out: the repetition would
/// find its own first try, and call it a conflict.
#[derive(Debug)]
pub(super) struct Once(pub(super) HttpClient);

/// A write with a condition, of which nobody knows whether it was carried out.
#[derive(Debug, thiserror::Error)]
#[error("server answered a conditional write with status code: {0}, and may have carried it out")]
struct Unclear(u16);

#[async_trait]
impl HttpService for Once {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let headers = request.headers();
        let is_conditional =
            request.method() == "PUT" && CONDITIONS.iter().any(|name| headers.contains_key(*name));
        let answer = self.0.execute(request).await;
        if !is_conditional {
            return answer;
        }
        match answer {
            // The reply was lost. `object_store` repeats this kind, and no other that may have been carried out.
            Err(error) if error.kind() == HttpErrorKind::Request => {
                Err(HttpError::new(HttpErrorKind::Interrupted, error))
            }
            Ok(response) => match response.status().as_u16() {
                // What `object_store` repeats, but for 429, which is given before anything is done.
                408 | 500..=502 | 504..=599 => Err(unclear(&response)),
                503 => busy(response).await,
                409 => in_the_way(response).await,
                _ => Ok(response),
            },
            answer => answer,
        }
    }
}

fn unclear(response: &HttpResponse) -> HttpError {
    HttpError::new(HttpErrorKind::Unknown, Unclear(response.status().as_u16()))
}

async fn busy(response: HttpResponse) -> Result<HttpResponse, HttpError> {
    let unclear = unclear(&response);
    match with_code(response, &BUSY).await {
        Ok((response, true)) => Ok(response),
        Ok((_, false)) | Err(_) => Err(unclear),
    }
}

/// As 503, which is repeated and is no conflict however often it comes.
async fn in_the_way(response: HttpResponse) -> Result<HttpResponse, HttpError> {
    let (mut response, is_in_the_way) = with_code(response, &IN_THE_WAY).await?;
    if is_in_the_way {
        *response.status_mut() = 503.try_into().expect("a status of HTTP");
    }
    Ok(response)
}

/// A response, and whether it has one of these codes.
async fn with_code(
    response: HttpResponse,
    codes: &[&str],
) -> Result<(HttpResponse, bool), HttpError> {
    let (parts, body) = response.into_parts();
    let body = body.bytes().await?;
    let header = parts.headers.get(CODE_HEADER).and_then(|value| value.to_str().ok());
    let text = String::from_utf8_lossy(&body);
    let has_code = codes
        .iter()
        .any(|code| header == Some(*code) || text.contains(&format!("<Code>{code}</Code>")));
    Ok((HttpResponse::from_parts(parts, body.into()), has_code))
}

//! A queue of an Azure storage account, by the REST interface, which `object_store` signs for and lacks.

use std::{error::Error, time::Duration};

use object_store::{
    azure::AzureAuthorizer,
    client::{HttpError, HttpErrorKind, HttpRequest, HttpRequestBody},
};

use super::{
    Fault,
    declaration::{Declared, TimeToLive},
};
use crate::binding::blob::{Detail, QueueAccount, of_causes, of_status};

/// The waits before a request is made again that the service did not take.
const PAUSES: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(400)];

/// One queue of an account.
#[derive(Debug)]
pub(super) struct AzureQueue {
    account: QueueAccount,
    name: String,
}

/// What the service answered.
#[derive(Debug, thiserror::Error)]
#[error("queue `{queue}`: {doing} answered {status}")]
struct Refused {
    queue: String,
    doing: &'static str,
    status: u16,
}

impl AzureQueue {
    pub(super) fn new(account: QueueAccount, name: &str) -> Self {
        Self { account, name: name.to_owned() }
    }

    /// Puts a message, and makes the queue if it is missing.
    pub(super) async fn put(&self, text: &str, declared: &Declared) -> Result<(), Fault> {
        let (path, body) = self.message(text, declared);
        let doing = "Put Message";
        let mut status = self.send(doing, "POST", &path, body.clone()).await?;
        if status == 404 {
            // Another host may have been faster: 204, or 409 with other metadata.
            let made = self.send("Create Queue", "PUT", &self.name, String::new()).await?;
            if !matches!(made, 201 | 204 | 409) {
                return Err(self.refused("Create Queue", made));
            }
            status = self.send(doing, "POST", &path, body).await?;
        }
        if status == 201 { Ok(()) } else { Err(self.refused(doing, status)) }
    }

    /// Whether there is such a queue.
    /// <https://learn.microsoft.com/rest/api/storageservices/get-queue-metadata>
    pub(super) async fn is_there(&self) -> Result<bool, Fault> {
        let doing = "Get Queue Metadata";
        let path = format!("{}?comp=metadata", self.name);
        match self.send(doing, "GET", &path, String::new()).await? {
            200 => Ok(true),
            404 => Ok(false),
            status => Err(self.refused(doing, status)),
        }
    }

    /// <https://learn.microsoft.com/rest/api/storageservices/put-message>
    fn message(&self, text: &str, declared: &Declared) -> (String, String) {
        let mut path = format!("{}/messages", self.name);
        let mut separator = '?';
        let mut add = |parameter: String| {
            path.push(separator);
            path.push_str(&parameter);
            separator = '&';
        };
        if !declared.visibility.is_zero() {
            add(format!("visibilitytimeout={}", declared.visibility.as_secs()));
        }
        match declared.time_to_live {
            None => {}
            Some(TimeToLive::Seconds(seconds)) => add(format!("messagettl={seconds}")),
            Some(TimeToLive::Forever) => add("messagettl=-1".to_owned()),
        }
        // A carriage return would be read as a line feed.
        let text = text
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
            .replace('\r', "&#13;");
        (path, format!("<QueueMessage><MessageText>{text}</MessageText></QueueMessage>"))
    }

    /// Sends a request, again if the service did not take it, and returns the status.
    async fn send(
        &self,
        doing: &'static str,
        method: &str,
        path: &str,
        body: String,
    ) -> Result<u16, Fault> {
        for pause in PAUSES {
            match self.send_once(method, path, body.clone()).await {
                Ok(429 | 503) => {}
                Err((_, error)) if is_connect(error.as_ref()) => {}
                other => return other,
            }
            tracing::debug!(queue = self.name, "{doing} is tried again");
            tokio::time::sleep(pause).await;
        }
        self.send_once(method, path, body).await
    }

    async fn send_once(&self, method: &str, path: &str, body: String) -> Result<u16, Fault> {
        let QueueAccount { name, endpoint, credentials, client } = &self.account;
        let mut request = HttpRequest::new(HttpRequestBody::empty());
        *request.method_mut() = method.parse().expect("a method of HTTP");
        *request.uri_mut() = format!("{endpoint}/{path}").parse().map_err(fault)?;
        // What is signed has to be what is sent, the length included.
        let length = body.len().to_string();
        let headers = request.headers_mut();
        headers.insert("content-length", length.parse().expect("digits are a value"));
        if !body.is_empty() {
            headers.insert("content-type", "application/xml".parse().expect("a value"));
        }
        *request.body_mut() = body.into();
        let credential = credentials.get_credential().await.map_err(fault)?;
        AzureAuthorizer::new(&credential, name).try_authorize(&mut request).map_err(fault)?;
        let response = client.execute(request).await.map_err(fault)?;
        let status = response.status().as_u16();
        // So that the socket can be used again; a body of these answers is short.
        let _ = response.into_body().bytes().await;
        Ok(status)
    }

    fn refused(&self, doing: &'static str, status: u16) -> Fault {
        let queue = self.name.clone();
        (of_status(status), Box::new(Refused { queue, doing, status }))
    }
}

fn fault(error: impl Error + Send + Sync + 'static) -> Fault {
    // It may hold the address, of which the query may be a shared access signature.
    (of_causes(&error), Box::new(Detail::of(&error)))
}

fn is_connect(error: &(dyn Error + Send + Sync + 'static)) -> bool {
    let error = error.downcast_ref::<HttpError>();
    error.is_some_and(|error| error.kind() == HttpErrorKind::Connect)
}

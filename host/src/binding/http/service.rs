//! One connection to a service: where it is, what proves who asks, and how it is asked.

use std::{error::Error, time::Duration};

use reqwest::{
    Client, Method, Response, StatusCode, Url,
    header::{HeaderMap, HeaderName, HeaderValue},
    redirect::Policy,
};

use super::{base::Base, headers};
use crate::binding::{
    BindingError, DeclarationError, Probe, StorageFault,
    error::remedy,
    expression::{Replaced, replace_settings},
};

/// How long a service may take to take the connection.
const CONNECT: Duration = Duration::from_secs(3);

/// The waits before a request that changes nothing is made again.
const PAUSES: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(400)];

/// A connection to a service.
#[derive(Debug)]
pub(super) struct Service {
    connection: String,
    base: Base,
    headers: HeaderMap,
    client: Client,
}

/// What is asked of a service.
#[derive(Debug)]
pub(super) struct Request<'r> {
    pub(super) method: &'r Method,
    pub(super) path: &'r str,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl Service {
    /// Reads what host.json says. Nothing is sent.
    pub(super) fn new(
        client: Client,
        connection: &str,
        url: &Replaced,
        headers: &[(String, String)],
        settings: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, DeclarationError> {
        let fault = |reason: String| DeclarationError::Connection {
            connection: connection.to_owned(),
            reason,
        };
        if let Some(parameter) = Base::open_secret(url.configured()) {
            let reason = format!(
                "a key does not belong in host.json: put the value of `{parameter}` into a setting and write \
                 `{parameter}=%SETTING%`"
            );
            return Err(fault(reason));
        }
        let base = Base::parse(url).map_err(fault)?;
        let mut sent = HeaderMap::new();
        for (written, text) in headers {
            let (name, value) = header(written, text, settings)
                .map_err(|reason| header_fault(connection, written, reason))?;
            if sent.insert(name, value).is_some() {
                let reason = "is there twice (case is ignored)".to_owned();
                return Err(header_fault(connection, written, reason));
            }
        }
        Ok(Self { connection: connection.to_owned(), base, headers: sent, client })
    }

    pub(super) fn connection(&self) -> &str {
        &self.connection
    }

    /// Where it is, for people. No value of a setting, which may be a key, and no query.
    pub(super) fn place(&self) -> &str {
        self.base.place()
    }

    /// Whether anything answers there, whatever it says: only the service knows what its own url is good for.
    pub(super) async fn probe(&self) -> Result<String, String> {
        let url = self.url("").map_err(|error| error.to_string())?;
        let asked = self.client.head(url).headers(self.headers.clone()).timeout(Probe::MAX_TIME);
        match asked.send().await {
            Ok(answer) => {
                let status = answer.status().as_u16();
                Ok(format!("answers ({status}{})", remedy(status)))
            }
            Err(error) => match self.fault(error) {
                BindingError::Service { kind, source, .. } => Err(format!("{kind} ({source})")),
                other => Err(other.to_string()),
            },
        }
    }

    /// Whether the connection gives this header to every request.
    pub(super) fn sends(&self, name: &HeaderName) -> bool {
        self.headers.contains_key(name)
    }

    /// The whole URL of a path.
    pub(super) fn url(&self, path: &str) -> Result<Url, BindingError> {
        self.base.join(path).ok_or_else(|| BindingError::Content {
            reason: format!("the path makes no URL below that of connection `{}`", self.connection),
        })
    }

    /// Asks once. The answer is a success.
    pub(super) async fn send(&self, request: &Request<'_>) -> Result<Response, BindingError> {
        let mut asked = self
            .client
            .request(request.method.clone(), self.url(request.path)?)
            .headers(request.headers.clone())
            // What the connection says wins.
            .headers(self.headers.clone());
        if !request.body.is_empty()
            || matches!(*request.method, Method::POST | Method::PUT | Method::PATCH)
        {
            asked = asked.body(request.body.clone());
        }
        let answer = asked.send().await.map_err(|error| self.fault(error))?;
        let status = answer.status();
        if status.is_success() { Ok(answer) } else { Err(self.refused(status)) }
    }

    /// Asks up to three times, as long as the service seems to be away for a moment: for what changes nothing.
    pub(super) async fn send_repeatedly(
        &self,
        request: &Request<'_>,
    ) -> Result<Response, BindingError> {
        for pause in PAUSES {
            match self.send(request).await {
                Err(
                    BindingError::Answer { status: 429 | 502..=504, .. }
                    | BindingError::Service { kind: StorageFault::Unreachable, .. },
                ) => tokio::time::sleep(pause).await,
                other => return other,
            }
        }
        self.send(request).await
    }

    /// Ends what takes too long.
    pub(super) async fn within<T>(
        &self,
        timeout: Duration,
        work: impl Future<Output = Result<T, BindingError>>,
    ) -> Result<T, BindingError> {
        let timed = tokio::time::timeout(timeout, work).await;
        timed.unwrap_or_else(|elapsed| {
            Err(BindingError::Service {
                connection: self.connection.clone(),
                kind: StorageFault::Timeout,
                source: Box::new(elapsed),
            })
        })
    }

    /// A fault of the way to the service or back.
    pub(super) fn fault(&self, error: reqwest::Error) -> BindingError {
        let kind = if error.is_timeout() {
            StorageFault::Timeout
        } else if error.is_connect() {
            StorageFault::Unreachable
        } else {
            StorageFault::Other
        };
        // The URL may hold a key.
        let source: Box<dyn Error + Send + Sync> = Box::new(error.without_url());
        BindingError::Service { connection: self.connection.clone(), kind, source }
    }

    fn refused(&self, status: StatusCode) -> BindingError {
        let remark = if status.is_redirection() {
            ", a redirect, and redirects are not followed"
        } else {
            ""
        };
        BindingError::Answer {
            connection: self.connection.clone(),
            status: status.as_u16(),
            remark,
        }
    }
}

/// What all services are asked with: making one takes long, and sockets are kept apart by address in any case.
pub(super) fn client() -> Result<Client, String> {
    let builder = Client::builder()
        // Another address is not the owner's word, and would get the headers.
        .redirect(Policy::none())
        .referer(false)
        .connect_timeout(CONNECT)
        .user_agent(concat!("mcpfn/", env!("CARGO_PKG_VERSION")));
    builder.build().map_err(|error| format!("no HTTP client could be made: {error}"))
}

/// A header of a connection that cannot be sent.
pub(super) fn header_fault(connection: &str, header: &str, reason: String) -> DeclarationError {
    DeclarationError::Header {
        connection: connection.into(),
        header: header.escape_debug().to_string().into(),
        reason: reason.into(),
    }
}

fn header(
    written: &str,
    text: &str,
    settings: &dyn Fn(&str) -> Option<String>,
) -> Result<(HeaderName, HeaderValue), String> {
    let name = headers::name(written)?;
    let replaced =
        replace_settings(text, settings).map_err(|reason| format!("cannot be made: {reason}"))?;
    if headers::is_secret(&name) && !replaced.has_settings() {
        return Err("looks like a secret, and a secret does not belong in host.json: put it into a setting and \
                    write `%SETTING%`"
            .to_owned());
    }
    let mut value = HeaderValue::from_str(replaced.text()).map_err(|_| {
        "holds what no header may: a control character, or what is not ASCII".to_owned()
    })?;
    value.set_sensitive(true);
    Ok((name, value))
}

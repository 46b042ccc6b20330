//! What a declaration of the type `http` says, key by key.

use std::time::Duration;

use reqwest::Method;
use serde_json::Value as JsonValue;

use crate::{
    binding::{
        DeclarationError,
        config::{Config, fault},
    },
    function::BindingDecl,
    media_type,
};

/// The largest answer that is read, where nothing else is declared, and at most: it is held in memory, once here and
/// once in the guest.
const ANSWER_BYTES: u64 = 1024 * 1024;
const MAX_ANSWER_BYTES: u64 = 64 * ANSWER_BYTES;

/// How long a service may take, where nothing else is declared, and at most.
const SECONDS: u64 = 10;
const MAX_SECONDS: u64 = 3_600;

const INPUT_KEYS: &[&str] =
    &["connection", "path", "method", "headers", "dataType", "maxBytes", "timeout"];
const OUTPUT_KEYS: &[&str] =
    &["connection", "path", "method", "headers", "dataType", "contentType", "timeout"];

/// How content is handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    String,
    Binary,
    Json,
}

/// A declaration, checked as far as it can be without its templates.
#[derive(Debug)]
pub(super) struct Declared {
    pub(super) connection: String,
    pub(super) path: String,
    pub(super) method: Method,
    /// Names, and the texts that their values are made of.
    pub(super) headers: Vec<(String, String)>,
    pub(super) form: Form,
    pub(super) content_type: Option<String>,
    pub(super) max_bytes: u64,
    pub(super) timeout: Duration,
}

impl Declared {
    /// An input.
    pub(super) fn input(declaration: &BindingDecl) -> Result<Self, DeclarationError> {
        let config = Config(&declaration.config);
        config.known(INPUT_KEYS)?;
        config.one_of("method", &["GET"])?;
        Self::common(&config, Method::GET, Form::String)
    }

    /// An output.
    pub(super) fn output(declaration: &BindingDecl) -> Result<Self, DeclarationError> {
        let config = Config(&declaration.config);
        config.known(OUTPUT_KEYS)?;
        let method = match config.one_of("method", &["POST", "PUT", "PATCH", "DELETE"])? {
            Some("PUT") => Method::PUT,
            Some("PATCH") => Method::PATCH,
            Some("DELETE") => Method::DELETE,
            _ => Method::POST,
        };
        if method == Method::DELETE {
            config.refuse(&["dataType", "contentType"], "a deletion has none")?;
        }
        let content_type = config.text("contentType")?;
        if let Some(content_type) = content_type {
            media_type::check(content_type).map_err(|reason| fault("contentType", reason))?;
        }
        // With a media type, it is as the author says; with nothing, it is what services take.
        let form = if content_type.is_some() { Form::Binary } else { Form::Json };
        let declared = Self::common(&config, method, form)?;
        Ok(Self { content_type: content_type.map(str::to_owned), ..declared })
    }

    fn common(config: &Config<'_>, method: Method, form: Form) -> Result<Self, DeclarationError> {
        let Some(connection) = config.text("connection")?.filter(|name| !name.is_empty()) else {
            let reason = "is missing (expected a name in `connections` of host.json)";
            return Err(fault("connection", reason.to_owned()));
        };
        let form = match config.one_of("dataType", &["string", "binary", "json"])? {
            Some("string") => Form::String,
            Some("binary") => Form::Binary,
            Some("json") => Form::Json,
            _ => form,
        };
        let max_bytes = config.number("maxBytes", MAX_ANSWER_BYTES)?;
        let timeout = config.number("timeout", MAX_SECONDS)?;
        Ok(Self {
            connection: connection.to_owned(),
            path: config.text("path")?.unwrap_or_default().to_owned(),
            method,
            headers: headers(config)?,
            form,
            content_type: None,
            max_bytes: max_bytes.unwrap_or(ANSWER_BYTES),
            timeout: Duration::from_secs(timeout.unwrap_or(SECONDS)),
        })
    }
}

fn headers(config: &Config<'_>) -> Result<Vec<(String, String)>, DeclarationError> {
    let refuse = |reason: String| Err(fault("headers", reason));
    let Some(value) = config.get("headers") else { return Ok(Vec::new()) };
    let JsonValue::Object(members) = value else {
        return refuse("expected an object of names and texts".to_owned());
    };
    let mut headers = Vec::with_capacity(members.len());
    for (name, value) in members {
        let JsonValue::String(text) = value else {
            return refuse(format!("`{}` is not a text", name.escape_debug()));
        };
        headers.push((name.clone(), text.clone()));
    }
    Ok(headers)
}

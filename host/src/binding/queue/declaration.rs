//! What a declaration of the type `queue` says, key by key, and what a message may be.

use std::{borrow::Cow, time::Duration};

use base64::{Engine as _, prelude::BASE64_STANDARD};

use crate::{
    binding::{
        BindingError, DeclarationError,
        config::{Config, fault, refuse_settings},
        expression::replace_settings,
        storage_name,
    },
    function::BindingDecl,
};

/// Azure's limit for the text of a message, as it is sent.
/// <https://learn.microsoft.com/rest/api/storageservices/put-message>
const MAX_BYTES: usize = 64 * 1024;

/// How long a message is kept where nothing is declared, and how long it may be hidden: seven days.
const WEEK: u64 = 7 * 24 * 60 * 60;

const KEYS: &[&str] = &["queueName", "connection", "encoding", "visibilityTimeout", "timeToLive"];

/// How content becomes the text of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    /// As the triggers of Azure Functions read it.
    Base64,
    /// As it is.
    None,
}

/// How long a message is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TimeToLive {
    Seconds(u64),
    Forever,
}

/// A checked declaration.
#[derive(Debug)]
pub(super) struct Declared {
    pub(super) queue: String,
    pub(super) connection: Option<String>,
    encoding: Encoding,
    /// How long nobody gets to see a message.
    pub(super) visibility: Duration,
    pub(super) time_to_live: Option<TimeToLive>,
}

impl Declared {
    pub(super) fn output(
        declaration: &BindingDecl,
        settings: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, DeclarationError> {
        let config = Config(&declaration.config);
        config.known(KEYS)?;
        refuse_settings(declaration)?;
        let Some(name) = config.text("queueName")? else {
            return Err(fault("queueName", format!("is missing ({})", storage_name::FORM)));
        };
        let encoding = match config.one_of("encoding", &["base64", "none"])? {
            Some("none") => Encoding::None,
            _ => Encoding::Base64,
        };
        let visibility = seconds(&config, "visibilityTimeout")?;
        if visibility.is_some_and(|seconds| !(0..=WEEK.cast_signed()).contains(&seconds)) {
            let reason = format!("expected a number of seconds from 0 to {WEEK}");
            return Err(fault("visibilityTimeout", reason));
        }
        let visibility = visibility.unwrap_or_default().cast_unsigned();
        let time_to_live = match seconds(&config, "timeToLive")? {
            None => None,
            Some(-1) => Some(TimeToLive::Forever),
            Some(seconds @ 1..=0x7fff_ffff) => Some(TimeToLive::Seconds(seconds.cast_unsigned())),
            Some(_) => {
                let reason = "expected a number of seconds from 1 to 2147483647, or -1 for no end";
                return Err(fault("timeToLive", reason.to_owned()));
            }
        };
        let lives = match time_to_live {
            None => WEEK,
            Some(TimeToLive::Seconds(seconds)) => seconds,
            Some(TimeToLive::Forever) => u64::MAX,
        };
        if visibility > lives {
            let reason =
                "a message would be gone before it is to be seen (`timeToLive` is shorter)";
            return Err(fault("visibilityTimeout", reason.to_owned()));
        }
        let connection = config.text("connection")?.filter(|name| !name.is_empty());
        Ok(Self {
            queue: queue(name, settings)?,
            connection: connection.map(str::to_owned),
            encoding,
            visibility: Duration::from_secs(visibility),
            time_to_live,
        })
    }

    /// The text of a message. What cannot be one is refused here, before anything is sent.
    pub(super) fn text<'b>(&self, bytes: &'b [u8]) -> Result<Cow<'b, str>, BindingError> {
        let refuse = |reason: &str| BindingError::Content { reason: reason.to_owned() };
        let text = match self.encoding {
            Encoding::Base64 if bytes.len() / 3 * 4 > MAX_BYTES => {
                return Err(refuse(
                    "the message is larger than 48 KiB, which are 64 KiB in base64",
                ));
            }
            Encoding::Base64 => Cow::Owned(BASE64_STANDARD.encode(bytes)),
            Encoding::None => Cow::Borrowed(std::str::from_utf8(bytes).map_err(|_| {
                refuse("the message is not UTF-8 text (declare `\"encoding\": \"base64\"`)")
            })?),
        };
        if text.len() > MAX_BYTES {
            return Err(refuse(match self.encoding {
                Encoding::Base64 => "the message is larger than 48 KiB, which are 64 KiB in base64",
                Encoding::None => "the message is larger than 64 KiB",
            }));
        }
        // https://www.w3.org/TR/xml/#charsets: not even escaped.
        let is_sound = |c: char| !matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}');
        if !text.chars().all(is_sound) {
            return Err(refuse(
                "the message holds a control character (declare `\"encoding\": \"base64\"`)",
            ));
        }
        Ok(text)
    }
}

/// The name is fixed, or else a call could reach every queue of the connection.
fn queue(
    configured: &str,
    settings: &dyn Fn(&str) -> Option<String>,
) -> Result<String, DeclarationError> {
    let fault = |reason: String| DeclarationError::Template {
        key: "queueName".into(),
        text: configured.into(),
        reason,
    };
    if configured.contains(['{', '}']) {
        return Err(fault(
            "the name of a queue must be fixed: it may hold no expression".to_owned(),
        ));
    }
    let replaced = replace_settings(configured, settings).map_err(fault)?;
    let name = replaced.text();
    if storage_name::is_valid(name) {
        Ok(name.to_owned())
    } else {
        Err(fault(format!("is no name of a queue ({})", storage_name::FORM)))
    }
}

fn seconds(config: &Config<'_>, key: &str) -> Result<Option<i64>, DeclarationError> {
    let Some(value) = config.get(key) else { return Ok(None) };
    let seconds = value.as_i64();
    seconds.map(Some).ok_or_else(|| fault(key, "expected a whole number of seconds".to_owned()))
}

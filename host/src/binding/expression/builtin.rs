//! What the host knows without being told: `{rand-guid}`, `{DateTime}`, `{mcpsessionid}` and the like.

use std::borrow::Cow;

use chrono::DateTime;

use super::{
    BindingData, Purpose, guid::GuidFormat, purpose::Extent, reference::Reference, time::TimeFormat,
};
use crate::binding::{BindingError, Scope, scope::Root};

/// How they are written in messages; in templates they may be in any case.
pub(super) const NAMES: [&str; 7] = [
    "DateTime",
    "rand-guid",
    "sys.utcnow",
    "sys.randguid",
    "sys.methodname",
    "mcpsessionid",
    "mcptoolcontext.name",
];

/// Any time that has all digits there may be: the 22nd of December 2222.
const SAMPLE_SECONDS: i64 = 7_983_483_742;

/// What the host knows in a call.
#[derive(Clone, Debug)]
pub(in crate::binding) enum Builtin {
    /// A new GUID at each place.
    Guid(GuidFormat, Purpose),
    /// The time of the call.
    Time(TimeFormat, Purpose),
    /// The session, or else its default.
    Session(Purpose, Option<String>),
}

/// What became of an expression.
#[derive(Debug)]
pub(super) enum Known {
    /// Known in each call.
    PerCall(Builtin),
    /// Known at load.
    Text(String),
}

impl Builtin {
    /// Reads an expression, and says what a person should know of it. None: it means nothing of the host's.
    pub(super) fn parse(
        reference: Reference<'_>,
        purpose: Purpose,
        scope: &Scope<'_>,
    ) -> Result<Option<(Known, Option<String>)>, String> {
        let place = reference.place;
        let known = match reference.name.to_ascii_lowercase().as_str() {
            "rand-guid" | "sys.randguid" => {
                let format = match reference.without_default()?.format {
                    None => GuidFormat::Hyphens,
                    Some(letter) => GuidFormat::parse(letter).ok_or_else(|| {
                        format!("unknown format in {place} ({})", GuidFormat::EXPECTED)
                    })?,
                };
                Known::PerCall(Self::Guid(format, purpose))
            }
            "datetime" | "sys.utcnow" => {
                let format = match reference.without_default()?.format {
                    None => TimeFormat::default(),
                    Some(format) => {
                        TimeFormat::parse(format).map_err(|reason| format!("{place} {reason}"))?
                    }
                };
                let time = Self::Time(format, purpose);
                time.take_sample().map_err(|reason| format!("{place} {reason}"))?;
                Known::PerCall(time)
            }
            "sys.methodname" => Known::Text(fixed(reference, scope.function(), purpose)?),
            "mcptoolcontext.name" if scope.root() == Root::Tool => {
                Known::Text(fixed(reference, scope.called(), purpose)?)
            }
            "mcptoolcontext.name" => {
                return Err(format!("{place} is not for this kind of function"));
            }
            "mcpsessionid" => {
                let reference = reference.with_default();
                let extent = purpose.extent(&reference)?;
                let default = purpose.default(&reference, extent)?;
                let lack = purpose.lack(scope.direction()).filter(|_| default.is_none());
                let notice = lack.map(|lack| {
                    format!(
                        "not every client has a session, and without it {lack} (give it a default: `{{mcpsessionid=..}}`)"
                    )
                });
                return Ok(Some((Known::PerCall(Self::Session(purpose, default)), notice)));
            }
            _ => return Ok(None),
        };
        Ok(Some((known, None)))
    }

    /// The text in one call. None: there is no session.
    pub(super) fn value(
        &self,
        data: &BindingData<'_>,
    ) -> Result<Option<Cow<'_, str>>, BindingError> {
        let text = match self {
            Self::Guid(format, purpose) => purpose.take(format.random().into(), Extent::Segment),
            Self::Time(format, purpose) => take_time(format.write(data.now()), *purpose),
            Self::Session(purpose, default) => match (data.session(), default) {
                (Some(session), _) => purpose
                    .take(Cow::Owned(session.to_owned()), Extent::Segment)
                    .map_err(|reason| format!("the session id {reason}")),
                (None, Some(default)) => Ok(Cow::Borrowed(default.as_str())),
                (None, None) => return Ok(None),
            },
        };
        text.map(Some).map_err(|reason| BindingError::Content { reason })
    }

    /// What it could be.
    pub(super) fn sample(&self) -> Cow<'_, str> {
        self.take_sample().unwrap_or_default()
    }

    fn take_sample(&self) -> Result<Cow<'_, str>, String> {
        match self {
            Self::Guid(format, purpose) => {
                purpose.take(format.write([0; 16]).into(), Extent::Segment)
            }
            Self::Time(format, purpose) => {
                let time =
                    DateTime::from_timestamp(SAMPLE_SECONDS, 222_222_200).expect("the time is one");
                take_time(format.write(time), *purpose)
            }
            Self::Session(..) => Ok("x".into()),
        }
    }
}

/// The `/` of a date is the author's own, and makes folders.
fn take_time(text: String, purpose: Purpose) -> Result<Cow<'static, str>, String> {
    let extent = match purpose {
        Purpose::StorageName => Extent::Path,
        Purpose::Text | Purpose::Url => Extent::Segment,
    };
    purpose.take(text.into(), extent)
}

/// A name that no call changes.
fn fixed(reference: Reference<'_>, name: &str, purpose: Purpose) -> Result<String, String> {
    let reference = reference.without_default()?;
    let extent = purpose.extent(&reference)?;
    let text = purpose.take(Cow::Borrowed(name), extent);
    text.map(Cow::into_owned)
        .map_err(|reason| format!("{} is `{name}`, which {reason}", reference.place))
}

//! Where a declared request goes and what it says beside its content, once for all calls and then for one.

use std::sync::Arc;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use super::{declaration::Declared, headers, service::Service};
use crate::{
    binding::{
        BindingData, BindingError, DeclarationError, Scope, Target,
        config::fault,
        expression::{Part, Purpose, Replaced, Template},
    },
    function::Origin,
};

/// Where a declared request goes.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) service: Arc<Service>,
    path: Template,
    headers: Vec<(HeaderName, Template)>,
}

impl Place {
    pub(super) fn new(
        service: Arc<Service>,
        origin: Origin,
        declared: &Declared,
        settings: &dyn Fn(&str) -> Option<String>,
        scope: &Scope<'_>,
    ) -> Result<Self, DeclarationError> {
        let path = path(&declared.path, &service, scope)?;
        let mut sent: Vec<(HeaderName, Template)> = Vec::with_capacity(declared.headers.len());
        for (written, text) in &declared.headers {
            let key = format!("headers/{written}");
            let name = headers::name(written).map_err(|reason| fault(&key, reason))?;
            let refusal = headers::refusal(&name).or_else(|| {
                let is_twice = sent.iter().any(|(other, _)| *other == name);
                is_twice.then_some("is there twice (case is ignored)")
            });
            if let Some(reason) = refusal {
                return Err(fault(&key, reason.to_owned()));
            }
            if service.sends(&name) {
                let reason =
                    format!("is sent by the connection `{}` already", service.connection());
                return Err(fault(&key, reason));
            }
            // A stranger's component could send any setting to a service that it knows.
            if origin == Origin::Component && text.contains('%') {
                let reason = "a component's header may hold no `%` (a setting belongs in `headers` of the connection)";
                return Err(fault(&key, reason.to_owned()));
            }
            sent.push((name, Template::parse(&key, text, Purpose::Text, settings, scope)?));
        }
        Ok(Self { service, path, headers: sent })
    }

    /// Path and headers for one call. A header that is made of something missing is left out.
    pub(super) fn target(&self, data: &BindingData<'_>) -> Result<Option<Target>, BindingError> {
        let mut texts = Vec::with_capacity(self.headers.len());
        for (name, template) in &self.headers {
            let text = template.text(data)?;
            if text.as_ref().is_some_and(|text| !text.is_ascii()) {
                let reason =
                    format!("header `{name}` is not ASCII, and services take nothing else");
                return Err(BindingError::Content { reason });
            }
            texts.push(text);
        }
        let Some(path) = self.path.text(data)? else { return Ok(None) };
        // Whatever the values are, it is refused here, before anything is sent.
        self.service.url(&path)?;
        Ok(Some(Target::new(path).with(texts)))
    }

    /// The declared headers of a request.
    pub(super) fn headers(&self, target: &Target) -> Result<HeaderMap, BindingError> {
        let mut sent = HeaderMap::new();
        for ((name, _), text) in self.headers.iter().zip(target.texts()) {
            let Some(text) = text else { continue };
            let value = HeaderValue::from_str(text).map_err(|_| BindingError::Content {
                reason: format!("header `{name}` holds what no header may"),
            })?;
            sent.insert(name.clone(), value);
        }
        Ok(sent)
    }
}

/// Reads a path, and finds what is wrong with it whatever a call may give. A `%` in it is that of a URL.
fn path(text: &str, service: &Service, scope: &Scope<'_>) -> Result<Template, DeclarationError> {
    let replaced = Replaced::nothing_in(text);
    let template = Template::parse_replaced("path", replaced, Purpose::Url, scope)?;
    let begins = match template.parts().first() {
        None => true,
        Some(Part::Literal(literal)) => literal.starts_with(['/', '?']),
        Some(Part::Expression(_)) => false,
    };
    if !begins {
        let reason = "expected `/` or `?` at its beginning, and before any expression";
        return Err(template.fault(reason.to_owned()));
    }
    for part in template.parts() {
        if let Part::Literal(literal) = part {
            refusal(literal).map_or(Ok(()), |reason| Err(template.fault(reason)))?;
        }
    }
    for sample in template.samples() {
        if service.url(&sample).is_err() {
            let reason = "has a path segment `.` or `..`".to_owned();
            return Err(template.fault(reason));
        }
    }
    Ok(template)
}

/// What may not stand in a URL as it is.
fn refusal(literal: &str) -> Option<String> {
    let mut rest = literal;
    while let Some(character) = rest.chars().next() {
        rest = &rest[character.len_utf8()..];
        match character {
            '%' => {
                let code = rest.get(..2).unwrap_or_default();
                if code.len() < 2 || !code.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                    return Some(
                        "has a `%` without two hexadecimal digits (a setting belongs in `url` or `headers` of the \
                         connection, `%` itself is `%25`)"
                            .to_owned(),
                    );
                }
                if code.eq_ignore_ascii_case("2e") {
                    return Some(
                        "has a `%2E`, which some servers take for a `.` (write `.`)".to_owned(),
                    );
                }
            }
            '"' | '\'' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}' | '#' | ' ' => {
                let code = u32::from(character);
                return Some(format!("holds a `{character}` (write `%{code:02X}`)"));
            }
            _ if character.is_ascii_graphic() => {}
            _ if character.is_ascii() || character.is_control() => {
                return Some("holds a control character".to_owned());
            }
            _ => return Some(format!("holds a `{character}` (percent-encode its UTF-8)")),
        }
    }
    None
}

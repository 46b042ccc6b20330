//! What may be said about every function, and the rules that all kinds share.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Error, Ident, LitStr, Result, ext::IdentExt};

use crate::{
    argument::{option, quoted},
    attribute::{Entry, Json},
    doc,
    trigger::Kind,
};

/// Headers that the host never gives to a guest.
const SECRET_HEADERS: &[&str] = &[
    "authorization",
    "proxy-authorization",
    "cookie",
    "set-cookie",
    "x-functions-key",
    "x-api-key",
];

/// What may be said about every function.
pub(crate) struct About {
    pub(crate) name: String,
    title: Option<LitStr>,
    description: Option<String>,
    headers: Vec<LitStr>,
    icons: Option<Json>,
    meta: Option<Json>,
}

impl About {
    /// A function of which only the name and the doc comment are known.
    pub(crate) fn new(ident: &Ident, attrs: &[Attribute]) -> Self {
        Self {
            name: ident.unraw().to_string(),
            title: None,
            description: doc::description(attrs),
            headers: Vec::new(),
            icons: None,
            meta: None,
        }
    }

    /// Takes one of the keys that all attributes have.
    pub(crate) fn read(&mut self, entry: &Entry) -> Result<()> {
        match entry.key.to_string().as_str() {
            "title" => self.title = Some(entry.text()?),
            "description" => self.description = Some(entry.text()?.value()),
            "headers" => self.headers = headers(entry)?,
            "icons" => self.icons = Some(entry.json()?),
            "meta" => self.meta = Some(object(entry)?),
            key => unreachable!("`{key}` is not read"),
        }
        Ok(())
    }

    /// The fields of a spec of the runtime, without the name.
    pub(crate) fn fields(&self) -> TokenStream {
        let title = option(self.title.as_ref());
        let description = option(self.description.as_ref());
        let [icons, meta] =
            [&self.icons, &self.meta].map(|json| option(json.as_ref().map(Json::expr)));
        let headers: Vec<_> = self.headers.iter().map(|header| quoted(&header.value())).collect();
        let headers = option((!headers.is_empty()).then(|| format!("[{}]", headers.join(","))));
        quote! {
            title: #title,
            description: #description,
            icons: #icons,
            meta: #meta,
            headers: #headers,
        }
    }
}

/// The host's rule for names that clients call: it refuses a component that declares another one.
pub(crate) fn callable_name(kind: Kind, text: &LitStr) -> Result<String> {
    let name = text.value();
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "_-./".contains(letter);
    if !(1..=64).contains(&name.len()) || !name.chars().all(fits) {
        let message = format!(
            "a {}'s name has 1 to 64 characters of `A-Z`, `a-z`, `0-9`, `_`, `-`, `.` and `/`",
            kind.noun()
        );
        return Err(Error::new(text.span(), message));
    }
    Ok(name)
}

fn headers(entry: &Entry) -> Result<Vec<LitStr>> {
    let headers = entry.texts()?;
    for header in &headers {
        let name = header.value().to_ascii_lowercase();
        if SECRET_HEADERS.contains(&name.as_str()) {
            let message =
                format!("`{}` is a secret of the caller and never reaches a tool", header.value());
            return Err(Error::new(header.span(), message));
        }
        if name.is_empty()
            || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
        {
            return Err(Error::new(header.span(), "this is not the name of a header"));
        }
    }
    Ok(headers)
}

/// A JSON object.
pub(crate) fn object(entry: &Entry) -> Result<Json> {
    let json = entry.json()?;
    match &json {
        Json::Literal(text, value) if !value.is_object() => {
            Err(Error::new(text.span(), format!("`{}` takes a JSON object", entry.key)))
        }
        _ => Ok(json),
    }
}

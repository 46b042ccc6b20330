//! `#[mcp_tool(..)]`: what is said about a tool.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Error, Ident, LitStr, Result, ext::IdentExt};

use crate::{
    argument::{option, quoted},
    attribute::{self, Entry, Json},
    doc,
};

const KEYS: &[&str] = &[
    "name",
    "title",
    "description",
    "headers",
    "input_schema",
    "output_schema",
    "read_only",
    "destructive",
    "idempotent",
    "open_world",
    "icons",
    "meta",
];

/// Headers that the host never gives to a guest.
const SECRET_HEADERS: &[&str] = &[
    "authorization",
    "proxy-authorization",
    "cookie",
    "set-cookie",
    "x-functions-key",
    "x-api-key",
];

/// What is said about a tool.
pub(crate) struct Declaration {
    pub(crate) name: String,
    title: Option<LitStr>,
    description: Option<String>,
    headers: Vec<LitStr>,
    pub(crate) input_schema: Option<Json>,
    output_schema: Option<Json>,
    icons: Option<Json>,
    meta: Option<Json>,
    annotations: Vec<(&'static str, bool)>,
}

impl Declaration {
    pub(crate) fn parse(tokens: TokenStream, ident: &Ident, attrs: &[Attribute]) -> Result<Self> {
        let mut declaration = Self {
            name: tool_name(&LitStr::new(&ident.unraw().to_string(), ident.span()))?,
            title: None,
            description: doc::description(attrs),
            headers: Vec::new(),
            input_schema: None,
            output_schema: None,
            icons: None,
            meta: None,
            annotations: Vec::new(),
        };
        for entry in attribute::parse("mcp_tool", tokens, KEYS)? {
            declaration.read(&entry)?;
        }
        Ok(declaration)
    }

    fn read(&mut self, entry: &Entry) -> Result<()> {
        match entry.key.to_string().as_str() {
            "name" => self.name = tool_name(&entry.text()?)?,
            "title" => self.title = Some(entry.text()?),
            "description" => self.description = Some(entry.text()?.value()),
            "headers" => self.headers = headers(entry)?,
            "input_schema" => self.input_schema = Some(object_schema(entry)?),
            "output_schema" => self.output_schema = Some(object(entry)?),
            "icons" => self.icons = Some(entry.json()?),
            "meta" => self.meta = Some(object(entry)?),
            "read_only" => self.annotate("readOnlyHint", entry)?,
            "destructive" => self.annotate("destructiveHint", entry)?,
            "idempotent" => self.annotate("idempotentHint", entry)?,
            "open_world" => self.annotate("openWorldHint", entry)?,
            key => unreachable!("`{key}` is none of `KEYS`"),
        }
        Ok(())
    }

    fn annotate(&mut self, hint: &'static str, entry: &Entry) -> Result<()> {
        self.annotations.push((hint, entry.boolean()?.value));
        Ok(())
    }

    /// The `ToolSpec` of the runtime.
    pub(crate) fn spec(&self, bindings: &[TokenStream]) -> TokenStream {
        let name = &self.name;
        let title = option(self.title.as_ref());
        let description = option(self.description.as_ref());
        let [input_schema, output_schema, icons, meta] =
            [&self.input_schema, &self.output_schema, &self.icons, &self.meta]
                .map(|json| option(json.as_ref().map(Json::expr)));
        let annotations: Vec<_> = self
            .annotations
            .iter()
            .map(|(hint, value)| format!("{}:{value}", quoted(hint)))
            .collect();
        let annotations =
            option((!annotations.is_empty()).then(|| format!("{{{}}}", annotations.join(","))));
        let headers: Vec<_> = self.headers.iter().map(|header| quoted(&header.value())).collect();
        let headers = option((!headers.is_empty()).then(|| format!("[{}]", headers.join(","))));
        quote! {
            ::mcpfn_sdk::runtime::ToolSpec {
                name: #name,
                title: #title,
                description: #description,
                input_schema: #input_schema,
                output_schema: #output_schema,
                annotations: #annotations,
                icons: #icons,
                meta: #meta,
                headers: #headers,
                bindings: &[#(#bindings),*],
            }
        }
    }
}

/// The host's rule for names: it refuses a component that declares another one.
fn tool_name(text: &LitStr) -> Result<String> {
    let name = text.value();
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "_-./".contains(letter);
    if !(1..=64).contains(&name.len()) || !name.chars().all(fits) {
        let message =
            "a tool's name has 1 to 64 characters of `A-Z`, `a-z`, `0-9`, `_`, `-`, `.` and `/`";
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

fn object(entry: &Entry) -> Result<Json> {
    let json = entry.json()?;
    match &json {
        Json::Literal(text, value) if !value.is_object() => {
            Err(Error::new(text.span(), format!("`{}` takes a JSON object", entry.key)))
        }
        _ => Ok(json),
    }
}

fn object_schema(entry: &Entry) -> Result<Json> {
    let json = object(entry)?;
    match &json {
        Json::Literal(text, value) if value["type"] != "object" => Err(Error::new(
            text.span(),
            "arguments are an object: the schema says `\"type\": \"object\"`",
        )),
        _ => Ok(json),
    }
}

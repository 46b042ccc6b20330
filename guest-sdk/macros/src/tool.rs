//! `#[mcp_tool(..)]`: what is said about a tool.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Attribute, Error, Ident, LitStr, Result, ext::IdentExt};

use crate::{
    about::{About, callable_name, object},
    argument::{option, quoted},
    attribute::{self, Entry, Json},
    name,
    trigger::Kind,
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
    "task",
    "icons",
    "meta",
];

/// What `task` may be, and what the contract calls it.
const TASKS: &[(&str, &str)] = &[
    ("forbidden", "Forbidden"),
    ("optional", "Optional"),
    ("required", "Required"),
    ("after_input", "AfterInput"),
];

/// What is said about a tool.
pub(crate) struct Tool {
    pub(crate) about: About,
    pub(crate) input_schema: Option<Json>,
    output_schema: Option<Json>,
    annotations: Vec<(&'static str, bool)>,
    task: Ident,
}

impl Tool {
    pub(crate) fn parse(tokens: TokenStream, ident: &Ident, attrs: &[Attribute]) -> Result<Self> {
        let mut tool = Self {
            about: About::new(ident, attrs),
            input_schema: None,
            output_schema: None,
            annotations: Vec::new(),
            task: Ident::new("Forbidden", ident.span()),
        };
        callable_name(Kind::Tool, &LitStr::new(&ident.unraw().to_string(), ident.span()))?;
        for entry in attribute::parse("mcp_tool", tokens, KEYS)? {
            tool.read(&entry)?;
        }
        Ok(tool)
    }

    fn read(&mut self, entry: &Entry) -> Result<()> {
        match entry.key.to_string().as_str() {
            "name" => self.about.name = callable_name(Kind::Tool, &entry.text()?)?,
            "input_schema" => self.input_schema = Some(object_schema(entry)?),
            "output_schema" => self.output_schema = Some(object(entry)?),
            "read_only" => self.annotate("readOnlyHint", entry)?,
            "destructive" => self.annotate("destructiveHint", entry)?,
            "idempotent" => self.annotate("idempotentHint", entry)?,
            "open_world" => self.annotate("openWorldHint", entry)?,
            "task" => self.task = task(&entry.text()?)?,
            _ => self.about.read(entry)?,
        }
        Ok(())
    }

    fn annotate(&mut self, hint: &'static str, entry: &Entry) -> Result<()> {
        self.annotations.push((hint, entry.boolean()?.value));
        Ok(())
    }

    /// The `ToolSpec` of the runtime.
    pub(crate) fn spec(&self, storage: &TokenStream) -> TokenStream {
        let (name, about, task) = (&self.about.name, self.about.fields(), &self.task);
        let [input_schema, output_schema] = [&self.input_schema, &self.output_schema]
            .map(|json| option(json.as_ref().map(Json::expr)));
        let annotations: Vec<_> = self
            .annotations
            .iter()
            .map(|(hint, value)| format!("{}:{value}", quoted(hint)))
            .collect();
        let annotations =
            option((!annotations.is_empty()).then(|| format!("{{{}}}", annotations.join(","))));
        quote! {
            ::mcpfn_sdk::runtime::ToolSpec {
                name: #name,
                #about
                input_schema: #input_schema,
                output_schema: #output_schema,
                annotations: #annotations,
                task: ::mcpfn_sdk::wit::TaskSupport::#task,
                storage: #storage,
            }
        }
    }
}

fn task(text: &LitStr) -> Result<Ident> {
    let value = text.value();
    let found = TASKS.iter().find(|(word, _)| *word == value);
    found.map(|(_, variant)| Ident::new(variant, Span::call_site())).ok_or_else(|| {
        let words: Vec<_> = TASKS.iter().map(|(word, _)| *word).collect();
        let message = format!("`task` cannot be `{value}`{}", name::hint(&value, &words));
        Error::new(text.span(), message)
    })
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

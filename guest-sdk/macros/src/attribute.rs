//! The grammar of every attribute: `key = value` pairs, each key known and given once. Some keys take a group of such
//! pairs: `key(name = value)`.

use proc_macro2::{Span, TokenStream};
use syn::{
    Error, Expr, ExprArray, ExprLit, ExprUnary, Ident, Lit, LitBool, LitStr, Result, Token, UnOp,
    ext::IdentExt,
    parenthesized,
    parse::{Parse, ParseStream, Parser},
    punctuated::Punctuated,
    spanned::Spanned,
    token,
};

use crate::name;

/// One `key = value`, or `key(..)`.
pub(crate) struct Entry {
    pub(crate) key: Ident,
    value: Value,
}

enum Value {
    Single(Expr),
    Group(TokenStream),
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let key = Ident::parse_any(input)?;
        if input.peek(token::Paren) {
            let group;
            parenthesized!(group in input);
            return Ok(Self { key, value: Value::Group(group.parse()?) });
        }
        if !input.peek(Token![=]) {
            return Err(Error::new(key.span(), format!("`{key}` needs a value: `{key} = ..`")));
        }
        input.parse::<Token![=]>()?;
        Ok(Self { key, value: Value::Single(input.parse()?) })
    }
}

/// Reads the pairs of an attribute that knows these keys.
pub(crate) fn parse(attribute: &str, tokens: TokenStream, known: &[&str]) -> Result<Vec<Entry>> {
    let entries: Vec<_> =
        Punctuated::<Entry, Token![,]>::parse_terminated.parse2(tokens)?.into_iter().collect();
    for (idx, Entry { key, .. }) in entries.iter().enumerate() {
        let text = key.to_string();
        if !known.contains(&text.as_str()) {
            let hint = name::hint(&text, known);
            return Err(Error::new(key.span(), format!("`{attribute}` has no key `{text}`{hint}")));
        }
        if entries[..idx].iter().any(|earlier| earlier.key == *key) {
            return Err(Error::new(key.span(), format!("`{text}` is given twice")));
        }
    }
    Ok(entries)
}

impl Entry {
    /// What is behind the `=`, if there is one.
    pub(crate) fn value(&self) -> Option<&Expr> {
        match &self.value {
            Value::Single(value) => Some(value),
            Value::Group(_) => None,
        }
    }

    /// The pairs in the parentheses.
    pub(crate) fn group(&self) -> Result<Vec<Self>> {
        match &self.value {
            Value::Group(tokens) => {
                let entries = Punctuated::<Self, Token![,]>::parse_terminated;
                Ok(entries.parse2(tokens.clone())?.into_iter().collect())
            }
            Value::Single(_) => {
                let key = &self.key;
                Err(Error::new(key.span(), format!("write `{key}(name = \"..\")`")))
            }
        }
    }

    fn literal(&self) -> Option<&Lit> {
        literal(self.value()?)
    }

    /// A text that is not empty.
    pub(crate) fn text(&self) -> Result<LitStr> {
        match self.literal() {
            Some(Lit::Str(text)) if text.value().trim().is_empty() => {
                Err(Error::new(text.span(), format!("`{}` is empty", self.key)))
            }
            Some(Lit::Str(text)) => Ok(text.clone()),
            _ => Err(self.expected("a text")),
        }
    }

    /// `true` or `false`.
    pub(crate) fn boolean(&self) -> Result<LitBool> {
        match self.literal() {
            Some(Lit::Bool(value)) => Ok(value.clone()),
            _ => Err(self.expected("`true` or `false`")),
        }
    }

    /// A number.
    pub(crate) fn number(&self) -> Result<Number> {
        self.value().and_then(Number::read).ok_or_else(|| self.expected("a number"))
    }

    /// A whole number that is not negative.
    pub(crate) fn count(&self) -> Result<Number> {
        let number = self.number()?;
        match number.whole {
            Some(0..) => Ok(number),
            _ => Err(self.expected("a whole number, 0 or more")),
        }
    }

    /// `["a", "b"]`.
    pub(crate) fn texts(&self) -> Result<Vec<LitStr>> {
        let wrong = || self.expected("a list of texts: `[\"..\"]`");
        let Some(Expr::Array(ExprArray { elems, .. })) = self.value() else { return Err(wrong()) };
        let read = |item| match literal(item) {
            Some(Lit::Str(text)) => Ok(text.clone()),
            _ => Err(wrong()),
        };
        elems.iter().map(read).collect()
    }

    /// A JSON document: a literal that is checked here, or any constant expression that the host checks.
    pub(crate) fn json(&self) -> Result<Json> {
        let expected = || self.expected("JSON in a text, or a constant");
        let value = self.value().ok_or_else(expected)?;
        let Some(literal) = literal(value) else { return Ok(Json::Constant(value.clone())) };
        let Lit::Str(text) = literal else { return Err(expected()) };
        match serde_json::from_str(&text.value()) {
            Ok(value) => Ok(Json::Literal(text.clone(), value)),
            Err(error) => {
                Err(Error::new(text.span(), format!("`{}` is no JSON: {error}", self.key)))
            }
        }
    }

    /// An error at the value.
    pub(crate) fn expected(&self, what: &str) -> Error {
        let message = format!("`{}` takes {what}", self.key);
        match &self.value {
            Value::Single(value) => Error::new_spanned(value, message),
            Value::Group(_) => Error::new(self.key.span(), message),
        }
    }
}

/// The value of an attribute that is a JSON document.
pub(crate) enum Json {
    Literal(LitStr, serde_json::Value),
    Constant(Expr),
}

impl Json {
    pub(crate) fn expr(&self) -> TokenStream {
        match self {
            Self::Literal(text, _) => quote::quote!(#text),
            Self::Constant(expr) => quote::quote!(#expr),
        }
    }
}

/// A number in an attribute, and how JSON writes it.
pub(crate) struct Number {
    pub(crate) json: String,
    pub(crate) value: f64,
    pub(crate) whole: Option<i128>,
    pub(crate) span: Span,
}

impl Number {
    pub(crate) fn read(expr: &Expr) -> Option<Self> {
        let (sign, literal) = match expr {
            Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => ("-", literal(expr)?),
            _ => ("", literal(expr)?),
        };
        let (digits, whole) = match literal {
            Lit::Int(int) => (int.base10_digits().to_owned(), true),
            // `1.` is a number in Rust, and none in JSON.
            Lit::Float(float) => (float.base10_parse::<f64>().ok()?.to_string(), false),
            _ => return None,
        };
        let json = format!("{sign}{digits}");
        let whole = if whole { json.parse().ok() } else { None };
        Some(Self { value: json.parse().ok()?, whole, span: expr.span(), json })
    }
}

/// The literal that an expression is.
pub(crate) fn literal(expr: &Expr) -> Option<&Lit> {
    match expr {
        Expr::Lit(ExprLit { lit, .. }) => Some(lit),
        // A literal that came through a `macro_rules` of the guest.
        Expr::Group(group) => literal(&group.expr),
        _ => None,
    }
}

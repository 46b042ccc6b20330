//! A resource: what clients read under a URI, or under all URIs that fit a template.

use super::{Json, Schema, UriTemplate};

/// A resource as clients see it.
#[derive(Clone, Debug)]
pub struct ResourceTrigger {
    /// The URI, or the template of all its URIs.
    pub uri: ResourceUri,
    /// The name that programs list it by.
    pub name: String,
    /// A name for people.
    pub title: Option<String>,
    /// What it is, for the model.
    pub description: Option<String>,
    /// The media type.
    pub mime_type: Option<String>,
    /// The size in bytes, when it is known.
    pub size: Option<u64>,
    /// What it accepts: the variables of the template, all of them texts that are there.
    pub input: Schema,
    /// Who it is for, and how much it matters.
    pub annotations: Option<Json>,
    /// Icons.
    pub icons: Option<Json>,
    /// `_meta` of the resource.
    pub meta: Option<Json>,
    /// The variables for which the function suggests values.
    pub completes: Vec<String>,
}

/// Where a resource is.
#[derive(Clone, Debug)]
pub enum ResourceUri {
    /// At one URI.
    Fixed(String),
    /// At every URI that fits.
    Template(UriTemplate),
}

impl ResourceUri {
    /// Reads a URI or a template. An error names the place.
    pub fn parse(text: String) -> Result<Self, String> {
        if let Some((place, c)) =
            text.char_indices().find(|(_, c)| c.is_whitespace() || c.is_control())
        {
            let position = text[..place].chars().count() + 1;
            return Err(format!(
                "resource URI `{}` has the character {c:?} at position {position}, which no URI has",
                text.escape_debug()
            ));
        }
        if !has_scheme(&text) {
            return Err(format!(
                "resource URI `{text}` has no scheme (expected something like `app://{text}`)"
            ));
        }
        if text.contains(['{', '}']) {
            return Ok(Self::Template(UriTemplate::parse(text)?));
        }
        Ok(Self::Fixed(text))
    }

    /// The text as it was declared.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Fixed(uri) => uri,
            Self::Template(template) => template.as_str(),
        }
    }

    /// The schema of the variables.
    pub fn schema(&self) -> Schema {
        match self {
            Self::Fixed(_) => Schema::of_texts([]),
            Self::Template(template) => {
                Schema::of_texts(template.variables().map(|name| (name, None, true)))
            }
        }
    }
}

/// RFC 3986, 3.1.
fn has_scheme(uri: &str) -> bool {
    let Some((scheme, _)) = uri.split_once(':') else { return false };
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(legal)
}

#[cfg(test)]
mod tests {
    use super::ResourceUri;

    #[test]
    fn a_uri_has_a_scheme() {
        for uri in ["a:b", "app://x", "x-y+z.1:", "file:///a/{b}"] {
            assert_eq!(ResourceUri::parse(uri.to_owned()).unwrap().as_str(), uri);
        }
        for uri in ["", "a", "/a", "1a:b", ":b", "{a}:b", "a/b:c"] {
            let error = ResourceUri::parse(uri.to_owned()).unwrap_err();
            assert!(error.contains("has no scheme"), "{uri}: {error}");
        }
        let error = ResourceUri::parse("a:b\nc".to_owned()).unwrap_err();
        assert_eq!(
            error,
            "resource URI `a:b\\nc` has the character '\\n' at position 4, which no URI has"
        );
    }

    #[test]
    fn variables_are_required_texts() {
        let schema = ResourceUri::parse("a:{b}/{+c}".to_owned()).unwrap().schema();
        assert_eq!(
            schema.text().get(),
            r#"{"type":"object","properties":{"b":{"type":"string"},"c":{"type":"string"}},"required":["b","c"]}"#
        );
    }
}

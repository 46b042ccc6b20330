//! URI templates: fixed text, `{variable}` and `{+path}`, which is what servers use of RFC 6570.

#[cfg(test)]
mod tests;

use serde_json::{Map, Value, value::to_raw_value};

use super::Json;

/// What a URI says for the variables of a template, by their names.
pub type Variables<'t> = Vec<(&'t str, String)>;

/// Longer URIs fit no template: what RFC 9110, 4.1 asks every recipient to take at least.
const MAX_URI: usize = 8000;

/// A template, read once. Two variables never stand side by side, so that there is only one way to read most URIs.
#[derive(Clone, Debug)]
pub struct UriTemplate {
    text: String,
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Literal(String),
    Variable { name: String, extent: Extent },
}

/// Variables as the arguments of a function.
pub fn arguments_of(variables: Variables<'_>) -> Json {
    let variables = variables.into_iter();
    let arguments: Map<String, Value> =
        variables.map(|(name, value)| (name.to_owned(), Value::from(value))).collect();
    to_raw_value(&arguments).expect("an object of texts has a JSON text")
}

/// How far a variable reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// `{name}`: one segment.
    Segment,
    /// `{+name}`: segments with `/` between them.
    Path,
}

impl UriTemplate {
    /// Reads a template. An error names the place.
    pub fn parse(text: String) -> Result<Self, String> {
        let parts = parse_parts(&text).map_err(|(place, reason)| {
            let position = text[..place].chars().count() + 1;
            format!("resource URI `{text}` {reason} at position {position}")
        })?;
        Ok(Self { text, parts })
    }

    /// The text as it was declared.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The names of the variables, in order.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Variable { name, .. } => Some(name.as_str()),
            Part::Literal(_) => None,
        })
    }

    /// The values of the variables, decoded. None: the URI does not fit.
    ///
    /// Where a URI can be read in several ways, the first variable is as long as it can be. It takes a time of the
    /// length of the URI for each part, whatever the URI.
    pub fn values(&self, uri: &str) -> Option<Variables<'_>> {
        let text = uri.as_bytes();
        match self.parts.first() {
            Some(Part::Literal(literal)) if !uri.starts_with(literal.as_str()) => return None,
            _ if uri.len() > MAX_URI => return None,
            _ => {}
        }
        let fits = self.fits(text);
        let mut place = 0;
        if !fits[0][0] {
            return None;
        }
        let mut values = Vec::new();
        for (part, fits_after) in self.parts.iter().zip(&fits[1..]) {
            match part {
                Part::Literal(literal) => place += literal.len(),
                Part::Variable { name, extent } => {
                    let n_legal = text[place..].iter().take_while(|b| extent.takes(**b)).count();
                    let mut ends = place + 1..=place + n_legal;
                    let end = ends.rfind(|&end| fits_after[end])?;
                    values.push((name.as_str(), decode(&uri[place..end])?));
                    place = end;
                }
            }
        }
        Some(values)
    }

    /// For each part, and after the last one: at which places of the text it can begin, so that all from there on fits.
    fn fits(&self, text: &[u8]) -> Vec<Vec<bool>> {
        let mut fits = vec![vec![false; text.len() + 1]; self.parts.len() + 1];
        fits[self.parts.len()][text.len()] = true;
        for (idx, part) in self.parts.iter().enumerate().rev() {
            let (before, after) = fits.split_at_mut(idx + 1);
            let (fits, after) = (&mut before[idx], &after[0]);
            match part {
                Part::Literal(literal) => {
                    let literal = literal.as_bytes();
                    for place in 0..(text.len() + 1).saturating_sub(literal.len()) {
                        fits[place] =
                            after[place + literal.len()] && text[place..].starts_with(literal);
                    }
                }
                Part::Variable { extent, .. } => {
                    for place in (0..text.len()).rev() {
                        fits[place] =
                            extent.takes(text[place]) && (after[place + 1] || fits[place + 1]);
                    }
                }
            }
        }
        fits
    }

    /// How much of it is fixed: of two templates that fit a URI, the one with more is meant.
    pub(super) fn literal_len(&self) -> usize {
        let literal = |part: &Part| match part {
            Part::Literal(literal) => literal.len(),
            Part::Variable { .. } => 0,
        };
        self.parts.iter().map(literal).sum()
    }

    /// The template without the names of its variables: two of one shape fit the same URIs.
    pub(super) fn shape(&self) -> String {
        let shape = |part: &Part| match part {
            Part::Literal(literal) => literal.clone(),
            Part::Variable { extent: Extent::Segment, .. } => "{}".to_owned(),
            Part::Variable { extent: Extent::Path, .. } => "{+}".to_owned(),
        };
        self.parts.iter().map(shape).collect()
    }
}

impl Extent {
    fn takes(self, byte: u8) -> bool {
        match byte {
            b'?' | b'#' => false,
            b'/' => self == Self::Path,
            _ => true,
        }
    }
}

/// What is wrong, and at which byte.
type Fault = (usize, String);

fn parse_parts(text: &str) -> Result<Vec<Part>, Fault> {
    let mut parts: Vec<Part> = Vec::new();
    let mut place = 0;
    while place < text.len() {
        let rest = &text[place..];
        let length = rest.find(['{', '}']).unwrap_or(rest.len());
        if length > 0 {
            parts.push(Part::Literal(rest[..length].to_owned()));
            place += length;
            continue;
        }
        if rest.starts_with('}') {
            return Err((place, "has a `}` without a `{`".to_owned()));
        }
        let Some((inner, _)) = rest[1..].split_once('}') else {
            return Err((place, "has a `{` without a `}`".to_owned()));
        };
        if matches!(parts.last(), Some(Part::Variable { .. })) {
            let reason = "has two variables with nothing between them".to_owned();
            return Err((place, reason));
        }
        let variable = variable(inner).map_err(|reason| (place, reason))?;
        if let Part::Variable { name, .. } = &variable {
            let same =
                |part: &Part| matches!(part, Part::Variable { name: other, .. } if other == name);
            if parts.iter().any(same) {
                return Err((place, format!("has the variable `{name}` a second time")));
            }
        }
        parts.push(variable);
        place += inner.len() + 2;
    }
    Ok(parts)
}

fn variable(inner: &str) -> Result<Part, String> {
    let (extent, name) = match inner.strip_prefix('+') {
        Some(name) => (Extent::Path, name),
        None => (Extent::Segment, inner),
    };
    let legal = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !name.is_empty() && name.chars().all(legal) {
        return Ok(Part::Variable { name: name.to_owned(), extent });
    }
    Err(format!(
        "has the expression `{{{inner}}}` (expected `{{name}}` or `{{+path}}`, of letters, digits and `_`)"
    ))
}

/// RFC 3986, 2.1. None: it is no percent-encoded UTF-8.
fn decode(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut decoded = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            decoded.push(byte);
            continue;
        }
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let (high, low) = (digit(bytes.next()?)?, digit(bytes.next()?)?);
        decoded.push(u8::try_from(high << 4 | low).expect("two hex digits are a byte"));
    }
    String::from_utf8(decoded).ok()
}

//! A configuration file as text and as a value whose keys are known, with the place of every part.

use std::{
    collections::HashMap,
    fmt,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use serde_json::{Map, Value, value::RawValue};

use super::{
    error::{ConfigError, ConfigErrorKind},
    pointer::join,
    schema::{self, Node},
};
use crate::json::Members;

/// The text of a file and where in it each JSON pointer leads to.
pub(super) struct Document {
    file: PathBuf,
    source: String,
    offsets: HashMap<String, usize>,
}

/// One pass over a text.
struct Walk<'d> {
    document: &'d mut Document,
    notices: Vec<String>,
}

impl Document {
    /// Reads host.json: known keys come out as the schema spells them, unknown ones are errors.
    ///
    /// The notices are about settings that have no meaning here.
    pub(super) fn read(
        file: &Path,
        bytes: &[u8],
    ) -> Result<(Self, Value, Vec<String>), ConfigError> {
        let mut document =
            Self { file: file.to_owned(), source: String::new(), offsets: HashMap::new() };
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Err(
                document.error("", ConfigErrorKind::Syntax("the text is not UTF-8".to_owned()))
            );
        };
        // Editors on Windows begin a file with a byte order mark.
        let source = text.strip_prefix('\u{feff}').unwrap_or(text);
        source.clone_into(&mut document.source);
        // The whole text first: errors of a part would count lines from its beginning.
        serde_json::from_str::<Value>(source).map_err(|error| document.syntax(&error))?;
        let raw: &RawValue =
            serde_json::from_str(source).map_err(|error| document.syntax(&error))?;
        let mut walk = Walk { document: &mut document, notices: Vec::new() };
        let value = walk.value(raw, &[schema::root()], "", &|part| offset_in(source, part))?;
        let notices = walk.notices;
        Ok((document, value, notices))
    }

    /// The line of a place, or else of the nearest place around it.
    fn line_of(&self, pointer: &str) -> Option<usize> {
        let offset = self.offset_of(pointer)?;
        Some(1 + self.source[..offset].bytes().filter(|&byte| byte == b'\n').count())
    }

    /// Where a place begins in the text.
    pub(super) fn offset_of(&self, pointer: &str) -> Option<usize> {
        let mut pointer = pointer;
        loop {
            if let Some(&offset) = self.offsets.get(pointer) {
                return Some(offset);
            }
            pointer = pointer.rsplit_once('/')?.0;
        }
    }

    /// An error at a place.
    pub(super) fn error(&self, pointer: &str, kind: ConfigErrorKind) -> ConfigError {
        ConfigError {
            file: self.file.clone(),
            line: self.line_of(pointer),
            column: None,
            pointer: pointer.to_owned(),
            kind,
        }
    }

    fn syntax(&self, error: &serde_json::Error) -> ConfigError {
        ConfigError {
            file: self.file.clone(),
            line: Some(error.line()),
            column: Some(error.column()),
            pointer: String::new(),
            kind: ConfigErrorKind::Syntax(reason(error)),
        }
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The text may hold a key.
        f.debug_struct("Document").field("file", &self.file).finish_non_exhaustive()
    }
}

impl Walk<'_> {
    fn value(
        &mut self,
        raw: &RawValue,
        nodes: &[&'static Value],
        pointer: &str,
        place: &dyn Fn(&RawValue) -> usize,
    ) -> Result<Value, ConfigError> {
        self.document.offsets.insert(pointer.to_owned(), place(raw));
        match raw.get().as_bytes().first() {
            Some(b'{') => self.object(raw, nodes, pointer, place),
            Some(b'[') => {
                let items: Vec<&RawValue> = self.parse(raw, pointer)?;
                let node = Node::of(nodes, None);
                let mut values = Vec::with_capacity(items.len());
                for (index, item) in items.into_iter().enumerate() {
                    values.push(self.value(
                        item,
                        node.items(),
                        &format!("{pointer}/{index}"),
                        place,
                    )?);
                }
                Ok(Value::Array(values))
            }
            _ => {
                let value: Value = self.parse(raw, pointer)?;
                match value {
                    // Azure writes `toolProperties` as a string that holds JSON.
                    Value::String(text) if Node::of(nodes, None).may_hold_json() => {
                        self.embedded(&text, nodes, pointer, place(raw))
                    }
                    value => Ok(value),
                }
            }
        }
    }

    fn object(
        &mut self,
        raw: &RawValue,
        nodes: &[&'static Value],
        pointer: &str,
        place: &dyn Fn(&RawValue) -> usize,
    ) -> Result<Value, ConfigError> {
        let Members(members) = self.parse(raw, pointer)?;
        let kind = members.iter().find(|(key, _)| key.eq_ignore_ascii_case("type"));
        let kind = kind.and_then(|(_, raw)| serde_json::from_str::<String>(raw.get()).ok());
        let node = Node::of(nodes, kind.as_deref());
        let mut values = Map::new();
        for (written, raw) in members {
            let key = node.spelling(&written).unwrap_or(&written);
            let at = join(pointer, key);
            if let Some(first) = taken(&values, key, node.has_open_keys()) {
                self.document.offsets.insert(at.clone(), place(raw));
                return Err(self
                    .document
                    .error(&at, ConfigErrorKind::Duplicate { first: first.to_owned() }));
            }
            let Some(child) = node.member(key) else {
                self.document.offsets.insert(at.clone(), place(raw));
                let hint = node.hint(key);
                return Err(self.document.error(&at, ConfigErrorKind::UnknownKey { hint }));
            };
            if schema::is_gate(&child) {
                self.document.offsets.insert(at.clone(), place(raw));
                return Err(self.document.error(&at, ConfigErrorKind::Gate));
            }
            if schema::is_unsupported(&child) {
                self.document.offsets.insert(at.clone(), place(raw));
                return Err(self.document.error(&at, ConfigErrorKind::Unsupported));
            }
            if schema::is_ignored(&child) {
                self.notices
                    .push(format!("{}: {at} has no meaning here", self.document.file.display()));
                continue;
            }
            let value = self.value(raw, &child, &at, place)?;
            values.insert(key.to_owned(), value);
        }
        Ok(Value::Object(values))
    }

    /// Every part of the JSON in a string is where the string is.
    fn embedded(
        &mut self,
        text: &str,
        nodes: &[&'static Value],
        pointer: &str,
        offset: usize,
    ) -> Result<Value, ConfigError> {
        let fault = |document: &Document, error: &serde_json::Error| {
            let (reason, line, column) = (reason(error), error.line(), error.column());
            let reason =
                format!("the string is not JSON: {reason} at line {line} column {column} of it");
            document.error(pointer, ConfigErrorKind::Invalid(reason))
        };
        serde_json::from_str::<Value>(text).map_err(|error| fault(self.document, &error))?;
        let raw: &RawValue =
            serde_json::from_str(text).map_err(|error| fault(self.document, &error))?;
        if !raw.get().starts_with('[') {
            let reason = "expected a string that holds a JSON array".to_owned();
            return Err(self.document.error(pointer, ConfigErrorKind::Invalid(reason)));
        }
        self.value(raw, nodes, pointer, &|_| offset)
    }

    /// The text was read once as a whole, so its parts are JSON too.
    fn parse<'a, T: Deserialize<'a>>(
        &self,
        raw: &'a RawValue,
        pointer: &str,
    ) -> Result<T, ConfigError> {
        serde_json::from_str(raw.get())
            .map_err(|error| self.document.error(pointer, ConfigErrorKind::Syntax(reason(&error))))
    }
}

/// The key that is there already; keys that users choose are names, which differ by more than case.
fn taken<'m>(members: &'m Map<String, Value>, key: &str, open: bool) -> Option<&'m str> {
    if !open {
        return members.get_key_value(key).map(|(first, _)| first.as_str());
    }
    let folded = key.to_lowercase();
    members.keys().find(|first| first.to_lowercase() == folded).map(String::as_str)
}

fn offset_in(source: &str, part: &RawValue) -> usize {
    part.get().as_ptr().addr() - source.as_ptr().addr()
}

/// The message without its position, which is told apart.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

//! What a declaration of the type `blob` says, key by key.

use serde_json::Value as JsonValue;

use super::connection;
use crate::{
    binding::{
        DeclarationError, Scope,
        config::{Config, fault, refuse_settings},
    },
    function::{BindingDecl, Direction},
    media_type, nearest,
};

/// The largest blob that is read or written whole, where nothing else is declared: it is held in memory, once here and
/// once in the guest.
const MAX_WHOLE_BYTES: u64 = 64 * 1024 * 1024;

/// The largest blob that is read or written in pieces, where nothing else is declared: no component fills a disk unseen.
const STREAM_BYTES: u64 = 4 * 1024 * 1024 * 1024;

/// How many blobs a list gives at once, where nothing else is declared, and at most.
const LIST_ITEMS: usize = 1_000;
const MAX_LIST_ITEMS: usize = 5_000;

const INPUT_KEYS: &[&str] =
    &["path", "connection", "dataType", "operation", "maxBytes", "maxItems", "after"];
/// Those of outputs that say how a blob is written.
const WRITE_KEYS: &[&str] =
    &["dataType", "maxBytes", "contentType", "metadata", "overwrite", "ifNoneMatch", "ifMatch"];
const OUTPUT_KEYS: &[&str] = &[
    "path",
    "connection",
    "dataType",
    "operation",
    "maxBytes",
    "contentType",
    "metadata",
    "overwrite",
    "ifNoneMatch",
    "ifMatch",
];

/// What is done at the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    /// An input: the blob.
    Read,
    /// An input: which blobs there are.
    List,
    /// An output: the blob.
    Write,
    /// An output: no blob.
    Delete,
}

/// How content is handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    String,
    Binary,
    Json,
    Stream,
}

/// Under which condition an output is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum When {
    Always,
    /// Nothing is there.
    Absent,
    /// There is still what this input read.
    Unchanged(String),
}

/// A declaration, checked as far as it can be without the path.
#[derive(Debug)]
pub(super) struct Declared {
    pub(super) path: String,
    pub(super) connection: String,
    pub(super) operation: Operation,
    pub(super) form: Form,
    pub(super) max_bytes: u64,
    pub(super) max_items: usize,
    pub(super) after: Option<String>,
    pub(super) content_type: Option<String>,
    /// Names, and the texts that their values are made of.
    pub(super) metadata: Vec<(String, String)>,
    pub(super) when: When,
}

impl Declared {
    /// An input.
    pub(super) fn input(declaration: &BindingDecl) -> Result<Self, DeclarationError> {
        let config = Config(&declaration.config);
        config.known(INPUT_KEYS)?;
        refuse_settings(declaration)?;
        let operation = config.one_of("operation", &["read", "list"])?;
        let operation = if operation == Some("list") { Operation::List } else { Operation::Read };
        let declared = Self::common(&config, operation)?;
        if operation == Operation::List {
            config.refuse(&["dataType", "maxBytes"], "a list has none")?;
        } else {
            config
                .refuse(&["maxItems", "after"], "only a list has it: `\"operation\": \"list\"`")?;
        }
        Ok(declared)
    }

    /// An output.
    pub(super) fn output(
        declaration: &BindingDecl,
        scope: &Scope<'_>,
    ) -> Result<Self, DeclarationError> {
        let config = Config(&declaration.config);
        config.known(OUTPUT_KEYS)?;
        refuse_settings(declaration)?;
        let operation = config.one_of("operation", &["write", "delete"])?;
        let operation =
            if operation == Some("delete") { Operation::Delete } else { Operation::Write };
        let mut declared = Self::common(&config, operation)?;
        if operation == Operation::Delete {
            config.refuse(WRITE_KEYS, "a deletion has none")?;
            return Ok(declared);
        }
        declared.metadata = metadata(&config)?;
        declared.content_type = config.text("contentType")?.map(str::to_owned);
        if let Some(content_type) = &declared.content_type {
            media_type::check(content_type).map_err(|reason| fault("contentType", reason))?;
        }
        declared.when = when(&config, declaration, scope)?;
        if declared.form == Form::Stream && declared.when != When::Always {
            let reason = "a stream is written under no condition (remove `overwrite`, `ifNoneMatch` and `ifMatch`, or \
                          `\"dataType\": \"stream\"`)";
            return Err(fault("dataType", reason.to_owned()));
        }
        Ok(declared)
    }

    fn common(config: &Config<'_>, operation: Operation) -> Result<Self, DeclarationError> {
        let Some(path) = config.text("path")? else {
            return Err(fault("path", "is missing (expected `container/name`)".to_owned()));
        };
        let connection = config.text("connection")?.filter(|name| !name.is_empty());
        let form = match config.one_of("dataType", &["string", "binary", "json", "stream"])? {
            Some("binary") => Form::Binary,
            Some("json") => Form::Json,
            Some("stream") => Form::Stream,
            _ => Form::String,
        };
        let (default, max) = match form {
            Form::Stream => (STREAM_BYTES, u64::MAX),
            Form::String | Form::Binary | Form::Json => (MAX_WHOLE_BYTES, MAX_WHOLE_BYTES),
        };
        let max_items = config.number("maxItems", MAX_LIST_ITEMS as u64)?;
        Ok(Self {
            path: path.to_owned(),
            connection: connection.unwrap_or(connection::DEFAULT).to_owned(),
            operation,
            form,
            max_bytes: config.number("maxBytes", max)?.unwrap_or(default),
            max_items: max_items.map_or(LIST_ITEMS, |n| usize::try_from(n).unwrap_or(LIST_ITEMS)),
            after: config.text("after")?.map(str::to_owned),
            content_type: None,
            metadata: Vec::new(),
            when: When::Always,
        })
    }
}

fn when(
    config: &Config<'_>,
    declaration: &BindingDecl,
    scope: &Scope<'_>,
) -> Result<When, DeclarationError> {
    let overwrite = config.flag("overwrite")?;
    let none_match = config.text("ifNoneMatch")?;
    if let Some(value) = none_match
        && value != "*"
    {
        let reason = format!("expected `*`, which is no version at all, not `{value}`");
        return Err(fault("ifNoneMatch", reason));
    }
    let is_absent = overwrite == Some(false) || none_match.is_some();
    let Some(input) = config.text("ifMatch")? else {
        return Ok(if is_absent { When::Absent } else { When::Always });
    };
    if is_absent {
        let reason = "one condition is enough (remove `ifMatch`, or `ifNoneMatch` and `overwrite`)";
        return Err(fault("ifMatch", reason.to_owned()));
    }
    let mut inputs =
        scope.bindings().iter().filter(|binding| binding.direction == Direction::Input);
    let names: Vec<&str> = inputs.clone().map(|binding| binding.name.as_str()).collect();
    let Some(found) = inputs.find(|binding| binding.name == input) else {
        let hint = nearest::hint(input, names.iter().copied());
        return Err(fault("ifMatch", format!("the function has no input `{input}`{hint}")));
    };
    let reads = |found| {
        let read = Declared::input(found).ok()?;
        let own = Declared::common(config, Operation::Write).ok()?;
        let is_same = read.path == own.path && read.connection == own.connection;
        Some(is_same && read.operation == Operation::Read)
    };
    if found.kind != declaration.kind || reads(found) != Some(true) {
        let reason = format!("the input `{input}` does not read the blob that is written here");
        return Err(fault("ifMatch", reason));
    }
    let path = config.text("path")?.unwrap_or_default().to_ascii_lowercase();
    if path.contains("{rand-guid") || path.contains("{sys.randguid") {
        let reason = "the path is another one each time, so nothing at it can have changed";
        return Err(fault("ifMatch", reason.to_owned()));
    }
    Ok(When::Unchanged(input.to_owned()))
}

/// Names as Azure takes them, which every storage does: those of C# identifiers, in ASCII.
fn metadata(config: &Config<'_>) -> Result<Vec<(String, String)>, DeclarationError> {
    let refuse = |reason: &str| Err(fault("metadata", reason.to_owned()));
    let Some(value) = config.get("metadata") else { return Ok(Vec::new()) };
    let JsonValue::Object(members) = value else {
        return refuse("expected an object of names and texts");
    };
    let mut metadata: Vec<(String, String)> = Vec::with_capacity(members.len());
    for (name, value) in members {
        let JsonValue::String(text) = value else {
            return refuse(&format!("`{name}` is not a text"));
        };
        let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && !name.starts_with(|first: char| first.is_ascii_digit())
            && !name.is_empty();
        if !is_name {
            return refuse(&format!(
                "`{}` is no name (expected letters, digits and `_`)",
                name.escape_debug()
            ));
        }
        // Headers carry them: case is lost.
        let name = name.to_ascii_lowercase();
        if metadata.iter().any(|(other, _)| *other == name) {
            return refuse(&format!("`{name}` is there twice (case is ignored)"));
        }
        metadata.push((name, text.clone()));
    }
    Ok(metadata)
}

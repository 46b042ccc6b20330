//! A skill as a component ships it, checked against the Agent Skills specification and SEP-2640.

#[cfg(test)]
mod tests;

use std::{collections::HashSet, fmt::Write as _, sync::Arc};

use serde_json::{Map, Value as JsonValue};
use sha2::{Digest as _, Sha256};

use crate::{
    function::{ComponentName, SKILL_FILE, Skill, SkillFile},
    guest::bindings::mcpfn::function::types as wit,
    media_type,
};

/// SEP-2640, limits of one skill.
const MAX_FILES: usize = 512;
const MAX_BYTES: usize = 16 << 20;

/// Agent Skills specification: `name` and `description`.
const MAX_NAME: usize = 64;
const MAX_DESCRIPTION: usize = 1024;

/// A frontmatter is read by every client that lists skills.
const MAX_FRONTMATTER: usize = 64 << 10;

/// Checks a skill. An error says what is wrong with which file.
pub(super) fn skill(declared: wit::Skill, component: &Arc<ComponentName>) -> Result<Skill, String> {
    let wit::Skill { name, files } = declared;
    if !is_name(&name) {
        return Err(format!("name is not 1 to {MAX_NAME} of a-z, 0-9 and single `-` between them"));
    }
    if files.len() > MAX_FILES {
        return Err(format!("files are {}, more than {MAX_FILES}", files.len()));
    }
    if files.iter().map(|file| file.content.len()).sum::<usize>() > MAX_BYTES {
        return Err(format!("files have more than {} MiB together", MAX_BYTES >> 20));
    }
    check_paths(&files)?;
    let manifest = files.iter().find(|file| file.path == SKILL_FILE);
    let manifest = manifest.ok_or_else(|| format!("files lack `{SKILL_FILE}`"))?;
    let (frontmatter, description) = frontmatter(&name, &manifest.content)
        .map_err(|reason| format!("`{SKILL_FILE}` {reason}"))?;
    let mut files =
        files.into_iter().map(|file| self::file(&name, file)).collect::<Result<Vec<_>, _>>()?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(Skill {
        description,
        component: Arc::clone(component),
        frontmatter: serde_json::value::to_raw_value(&frontmatter)
            .expect("a JSON value has a text"),
        files,
        name,
    })
}

/// Agent Skills specification, `name` field.
fn is_name(name: &str) -> bool {
    let legal = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    (1..=MAX_NAME).contains(&name.len())
        && name.chars().all(legal)
        && !name.starts_with('-')
        && !name.ends_with('-')
        && !name.contains("--")
}

fn check_paths(files: &[wit::SkillFile]) -> Result<(), String> {
    let mut paths = HashSet::new();
    for file in files {
        let path = file.path.as_str();
        let shown = path.escape_debug();
        let illegal = |segment: &str| matches!(segment, "" | "." | "..");
        if path.split('/').any(illegal) {
            return Err(format!("file `{shown}` has a path segment that is empty, `.` or `..`"));
        }
        if path.contains(|c: char| c == '\\' || c.is_control()) {
            return Err(format!("file `{shown}` has a `\\` or a control character in its path"));
        }
        if !paths.insert(path) {
            return Err(format!("file `{shown}` comes twice"));
        }
    }
    let folders = |path: &str| {
        let ends: Vec<usize> = path.match_indices('/').map(|(place, _)| place).collect();
        ends.into_iter().map(|end| path[..end].to_owned()).collect::<Vec<_>>()
    };
    match paths.iter().flat_map(|path| folders(path)).find(|folder| paths.contains(folder.as_str()))
    {
        Some(both) => Err(format!("file `{}` is a folder too", both.escape_debug())),
        None => Ok(()),
    }
}

/// The frontmatter as JSON, and the description in it.
fn frontmatter(name: &str, content: &[u8]) -> Result<(Map<String, JsonValue>, String), String> {
    let text = std::str::from_utf8(content).map_err(|_| "is not UTF-8".to_owned())?;
    let expected = "does not begin with YAML frontmatter (expected a line `---`, its fields, and a line `---`)";
    let yaml = between_fences(text).ok_or(expected)?;
    if yaml.len() > MAX_FRONTMATTER {
        return Err(format!("has a frontmatter longer than {} KiB", MAX_FRONTMATTER >> 10));
    }
    // As YAML 1.2 has it, like the clients that read the file again: `yes` is a text.
    let options = serde_saphyr::options! {
        strict_booleans: true,
        underscored_numbers_as_strings: true,
        with_snippet: false,
    };
    let read = serde_saphyr::from_str_with_options(yaml, options);
    let value: JsonValue = read.map_err(|error| {
        let reason = error.to_string();
        let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("has a frontmatter that is not YAML: {reason}")
    })?;
    let JsonValue::Object(fields) = value else {
        return Err("has a frontmatter that is not a mapping of fields".to_owned());
    };
    match fields.get("name") {
        Some(JsonValue::String(own)) if own == name => {}
        Some(JsonValue::String(own)) => {
            return Err(format!("has the name `{}` in its frontmatter", own.escape_debug()));
        }
        _ => return Err("has no `name` in its frontmatter, a text".to_owned()),
    }
    let description = match fields.get("description") {
        Some(JsonValue::String(text)) if !text.trim().is_empty() => text.clone(),
        _ => return Err("has no `description` in its frontmatter, a text".to_owned()),
    };
    if description.chars().count() > MAX_DESCRIPTION {
        return Err(format!("has a `description` longer than {MAX_DESCRIPTION} characters"));
    }
    Ok((fields, description))
}

/// What stands between the first line `---` and the next.
fn between_fences(text: &str) -> Option<&str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let rest = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n"))?;
    let mut place = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return Some(&rest[..place]);
        }
        place += line.len();
    }
    None
}

fn file(skill: &str, file: wit::SkillFile) -> Result<SkillFile, String> {
    file.mime_type
        .as_deref()
        .map_or(Ok(()), media_type::check)
        .map_err(|reason| format!("file `{}`: {reason}", file.path.escape_debug()))?;
    let mime_type = file.mime_type.unwrap_or_else(|| {
        media_type::by_ending(&file.path).unwrap_or("application/octet-stream").to_owned()
    });
    let mut sha256 = String::with_capacity(64);
    for byte in Sha256::digest(&file.content) {
        write!(sha256, "{byte:02x}").expect("a string takes every write");
    }
    let uri = format!("skill://{skill}/{}", encode(&file.path));
    Ok(SkillFile { uri, mime_type, sha256, content: file.content, path: file.path })
}

/// A path as part of a URI (RFC 3986, 3.3).
fn encode(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=:@".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            write!(encoded, "%{byte:02X}").expect("a string takes every write");
        }
    }
    encoded
}

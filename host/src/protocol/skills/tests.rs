//! What is said of skills, and what is in their directories.

use serde_json::{Value, json};

use super::Skills;
use crate::{
    function::Catalog,
    protocol::{error::ProtocolError, modern::envelope::ServerMeta, revision::Era, sample},
};

fn skills() -> Skills {
    Skills::new(&sample::catalog(), &ServerMeta::new("s", "1"))
}

fn directory(uri: &str) -> Result<Value, ProtocolError> {
    let skills = skills();
    let page = skills.directory(Era::Legacy, &json!({ "uri": uri }).to_string())?;
    Ok(serde_json::from_str(page.get()).unwrap())
}

const ENTRY: &str = concat!(
    r#"{"uri":"skill://pdf/SKILL.md","frontmatter":{"name":"pdf","description":"Reads PDF files."},"resources":["#,
    r#"{"uri":"skill://pdf/SKILL.md","digest":"sha256:0000000000000000000000000000000000000000000000000000000000000000","size":4},"#,
    r#"{"uri":"skill://pdf/assets/deep/logo.png","digest":"sha256:0000000000000000000000000000000000000000000000000000000000000000","size":2},"#,
    r#"{"uri":"skill://pdf/assets/form.json","digest":"sha256:0000000000000000000000000000000000000000000000000000000000000000","size":2}]}"#,
);

#[test]
fn an_entry_has_the_frontmatter_and_every_file() {
    let skills = skills();
    assert_eq!(skills.list(Era::Legacy, "{}").unwrap().get(), format!(r#"{{"skills":[{ENTRY}]}}"#));
    let uri = r#"{"uri":"skill://pdf/SKILL.md"}"#;
    assert_eq!(skills.get(Era::Legacy, uri).unwrap().get(), format!(r#"{{"skill":{ENTRY}}}"#));
    let modern = skills.get(Era::Modern, uri).unwrap();
    assert!(modern.get().contains(r#""ttlMs":10000,"cacheScope":"public""#), "{modern}");
}

#[test]
fn a_skill_is_asked_for_by_the_uri_of_its_manifest() {
    let skills = skills();
    for uri in ["skill://none/SKILL.md", "skill://pdf", "skill://pdf/assets/form.json"] {
        let error = skills.get(Era::Modern, &json!({ "uri": uri }).to_string()).unwrap_err();
        assert_eq!((error.code(), error.to_string()), (-32602, format!("Unknown skill: '{uri}'")));
    }
    assert_eq!(skills.get(Era::Modern, "{}").unwrap_err().code(), -32602);
}

#[test]
fn a_directory_has_its_direct_children() {
    let root = json!({ "resources": [
        { "uri": "skill://pdf/SKILL.md", "name": "SKILL.md", "mimeType": "text/markdown", "size": 4 },
        { "uri": "skill://pdf/assets", "name": "assets", "mimeType": "inode/directory" },
    ] });
    assert_eq!(directory("skill://pdf").unwrap(), root);
    assert_eq!(directory("skill://pdf/").unwrap(), root);
    let assets = json!({ "resources": [
        { "uri": "skill://pdf/assets/deep", "name": "deep", "mimeType": "inode/directory" },
        { "uri": "skill://pdf/assets/form.json", "name": "form.json", "mimeType": "application/json", "size": 2 },
    ] });
    assert_eq!(directory("skill://pdf/assets").unwrap(), assets);
    for uri in ["skill://pdf/SKILL.md", "skill://pdf/none", "skill:", "app://logo"] {
        assert_eq!(directory(uri).unwrap_err().code(), -32602, "{uri}");
    }
}

#[test]
fn without_skills_there_is_nothing() {
    let none = Skills::new(&Catalog::default(), &ServerMeta::new("s", "1"));
    assert_eq!(none.list(Era::Legacy, "{}").unwrap().get(), r#"{"skills":[]}"#);
}

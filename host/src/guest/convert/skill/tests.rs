//! Which skills load, and what is said of those that do not.

use std::{fmt::Write as _, sync::Arc};

use super::skill;
use crate::{
    function::{ComponentName, Skill},
    guest::bindings::mcpfn::function::types as wit,
};

const MANIFEST: &str = "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n";

fn file(path: &str, content: &str) -> wit::SkillFile {
    wit::SkillFile { path: path.to_owned(), mime_type: None, content: content.as_bytes().to_vec() }
}

fn read(name: &str, files: Vec<wit::SkillFile>) -> Result<Skill, String> {
    let component = Arc::new(ComponentName("a.wasm".to_owned()));
    skill(wit::Skill { name: name.to_owned(), files }, &component)
}

#[track_caller]
fn check_fault(files: Vec<wit::SkillFile>, expected: &str) {
    assert_eq!(read("pdf", files).unwrap_err(), expected);
}

#[track_caller]
fn check_manifest(text: &str, expected: &str) {
    let error = read("pdf", vec![file("SKILL.md", text)]).unwrap_err();
    assert!(error.starts_with(&format!("`SKILL.md` {expected}")), "{error}");
}

#[test]
fn files_have_uris_media_types_and_digests() {
    let files = vec![file("references/a b#é.md", ""), file("SKILL.md", MANIFEST), file("x", "abc")];
    let skill = read("pdf", files).unwrap();
    let shown: Vec<_> =
        skill.files.iter().map(|file| (file.uri.as_str(), file.mime_type.as_str())).collect();
    assert_eq!(
        shown,
        [
            ("skill://pdf/SKILL.md", "text/markdown"),
            ("skill://pdf/references/a%20b%23%C3%A9.md", "text/markdown"),
            ("skill://pdf/x", "application/octet-stream"),
        ]
    );
    assert_eq!(
        skill.files[2].sha256,
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
    assert_eq!(skill.manifest().path, "SKILL.md");
}

#[test]
fn the_frontmatter_is_kept_whole_and_in_order() {
    let text = "---\r\nname: pdf\r\ndescription: >-\r\n  Reads\r\n  files.\r\nmetadata:\r\n  version: \"1.0\"\r\n  n: 3\r\nallowed-tools: [a, b]\r\nlicense: null\r\nfree: yes\r\nday: 2026-01-02\r\n---\r\nname: other\r\n";
    let skill = read("pdf", vec![file("SKILL.md", text)]).unwrap();
    assert_eq!(skill.description, "Reads files.");
    assert_eq!(
        skill.frontmatter.get(),
        r#"{"name":"pdf","description":"Reads files.","metadata":{"version":"1.0","n":3},"allowed-tools":["a","b"],"license":null,"free":"yes","day":"2026-01-02"}"#
    );
}

#[test]
fn a_skill_begins_with_frontmatter_that_names_it() {
    check_fault(vec![file("skill.md", MANIFEST)], "files lack `SKILL.md`");
    check_fault(Vec::new(), "files lack `SKILL.md`");
    check_manifest("# PDF", "does not begin with YAML frontmatter");
    check_manifest("---\nname: pdf\n", "does not begin with YAML frontmatter");
    check_manifest("---\n- a\n---\n", "has a frontmatter that is not a mapping of fields");
    check_manifest("---\na: [\n---\n", "has a frontmatter that is not YAML: ");
    check_manifest("---\na: 1\na: 2\n---\n", "has a frontmatter that is not YAML: ");
    check_manifest("---\nname: doc\n---\n", "has the name `doc` in its frontmatter");
    check_manifest("---\nname: 3\n---\n", "has no `name` in its frontmatter, a text");
    check_manifest("---\nname: pdf\n---\n", "has no `description` in its frontmatter, a text");
    check_manifest("---\nname: pdf\ndescription: ''\n---\n", "has no `description`");
    let long = format!("---\nname: pdf\ndescription: {}\n---\n", "x".repeat(1025));
    check_manifest(&long, "has a `description` longer than 1024 characters");
    let long = format!("---\nname: pdf\nx: {}\n---\n", "x".repeat(70_000));
    check_manifest(&long, "has a frontmatter longer than 64 KiB");
}

#[test]
fn aliases_cannot_blow_a_frontmatter_up() {
    let mut text =
        "---\nname: pdf\ndescription: d\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let before = format!("*a{},", level - 1).repeat(10);
        writeln!(text, "a{level}: &a{level} [{before}]").unwrap();
    }
    text.push_str("---\n");
    check_manifest(&text, "has a frontmatter that is not YAML: ");
}

#[test]
fn names_keep_the_rules_of_agent_skills() {
    for name in ["", "A", "a_b", "-a", "a-", "a--b", "a/b", "é", &"x".repeat(65)] {
        assert!(
            read(name, vec![file("SKILL.md", MANIFEST)]).unwrap_err().starts_with("name is not")
        );
    }
}

#[test]
fn paths_stay_inside_the_skill() {
    let with = |path: &str| vec![file("SKILL.md", MANIFEST), file(path, "")];
    for path in ["", "/a", "a/", "a//b", "..", "a/../b", "./a"] {
        check_fault(
            with(path),
            &format!("file `{path}` has a path segment that is empty, `.` or `..`"),
        );
    }
    check_fault(with("a\\b"), "file `a\\\\b` has a `\\` or a control character in its path");
    check_fault(with("SKILL.md"), "file `SKILL.md` comes twice");
    check_fault(with("SKILL.md/x"), "file `SKILL.md` is a folder too");
}

#[test]
fn a_skill_has_bounds() {
    let many = (0..513).map(|n| file(&n.to_string(), "")).collect();
    check_fault(many, "files are 513, more than 512");
    let large = wit::SkillFile { content: vec![0; (16 << 20) + 1], ..file("a", "") };
    check_fault(vec![large], "files have more than 16 MiB together");
    let mime_type = Some("markdown".to_owned());
    check_fault(
        vec![wit::SkillFile { mime_type, ..file("SKILL.md", MANIFEST) }],
        "file `SKILL.md`: media type `markdown` is none (expected something like `text/plain`)",
    );
}

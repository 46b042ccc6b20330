//! Who is found under which name, and which names clash.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::Catalog;
use crate::function::{
    ComponentName, Concurrency, Function, Limits, PromptTrigger, ResourceTrigger, ResourceUri,
    Schema, Skill, SkillFile, TaskSupport, ToolTrigger, Trigger,
};

fn function(name: &str, trigger: Trigger) -> Function {
    Function {
        name: name.to_owned(),
        index: 0,
        component: Arc::new(ComponentName(format!("{name}.wasm"))),
        trigger,
        overridden: Vec::new(),
        bindings: Vec::new(),
        containers: Vec::new(),
        headers: Vec::new(),
        limits: Limits::default(),
        concurrency: Concurrency::default(),
        warm: None,
    }
}

fn tool(name: &str) -> Trigger {
    Trigger::Tool(ToolTrigger {
        name: name.to_owned(),
        title: None,
        description: None,
        input: Schema::any_object(),
        output: None,
        annotations: None,
        icons: None,
        meta: None,
        task: TaskSupport::Forbidden,
    })
}

fn prompt(name: &str) -> Trigger {
    Trigger::Prompt(PromptTrigger {
        name: name.to_owned(),
        title: None,
        description: None,
        arguments: Vec::new(),
        input: Schema::any_object(),
        icons: None,
        meta: None,
    })
}

fn resource(uri: &str) -> Trigger {
    let uri = ResourceUri::parse(uri.to_owned()).unwrap();
    Trigger::Resource(ResourceTrigger {
        name: "r".to_owned(),
        title: None,
        description: None,
        mime_type: None,
        size: None,
        input: uri.schema(),
        uri,
        annotations: None,
        icons: None,
        meta: None,
        completes: Vec::new(),
    })
}

fn skill(name: &str, component: &str) -> Arc<Skill> {
    let file = SkillFile {
        path: "SKILL.md".to_owned(),
        uri: format!("skill://{name}/SKILL.md"),
        mime_type: "text/markdown".to_owned(),
        sha256: String::new(),
        content: Vec::new(),
    };
    Arc::new(Skill {
        name: name.to_owned(),
        description: "d".to_owned(),
        component: Arc::new(ComponentName(component.to_owned())),
        frontmatter: RawValue::from_string("{}".to_owned()).unwrap(),
        files: vec![file],
    })
}

fn catalog(functions: Vec<(&str, Trigger)>) -> Catalog {
    let functions = functions.into_iter().map(|(name, trigger)| function(name, trigger));
    Catalog::new(functions.collect(), Vec::new()).unwrap()
}

#[track_caller]
fn check_clash(first: (&str, Trigger), second: (&str, Trigger), expected: (&str, &str)) {
    let functions = vec![function(first.0, first.1), function(second.0, second.1)];
    let taken = Catalog::new(functions, Vec::new()).unwrap_err();
    assert_eq!((taken.what, taken.name.as_str()), expected);
    let mut components = [taken.first.to_string(), taken.second.to_string()];
    components.sort();
    assert_eq!(components, [format!("{}.wasm", first.0), format!("{}.wasm", second.0)]);
}

#[test]
fn functions_are_ordered_by_kind_and_name() {
    let catalog = catalog(vec![
        ("d", prompt("a")),
        ("a", resource("b:b")),
        ("b", tool("z")),
        ("c", resource("b:a")),
        ("e", tool("y")),
    ]);
    let names: Vec<_> = catalog.functions().iter().map(|f| (f.index, f.trigger.name())).collect();
    assert_eq!(names, [(0, "y"), (1, "z"), (2, "b:a"), (3, "b:b"), (4, "a")]);
}

#[test]
fn names_are_found_in_any_case_and_uris_are_not() {
    let catalog = catalog(vec![("F", tool("Save")), ("g", prompt("Save")), ("h", resource("a:B"))]);
    assert_eq!(catalog.tool("sAVE").unwrap().name, "F");
    assert_eq!(catalog.prompt("save").unwrap().name, "g");
    assert_eq!(catalog.function("f").unwrap().name, "F");
    assert_eq!(catalog.resource("a:B").unwrap().0.name, "h");
    assert!(catalog.resource("a:b").is_none());
    assert!(catalog.tool("h").is_none());
    assert_eq!(catalog.template("a:B").unwrap().name, "h");
}

#[test]
fn the_most_fixed_resource_is_meant() {
    let catalog = catalog(vec![
        ("any", resource("a:{+x}")),
        ("json", resource("a:{x}.json")),
        ("one", resource("a:one.json")),
        ("deep", resource("a:deep/{x}")),
    ]);
    let found = |uri: &str| {
        let (function, values) = catalog.resource(uri).unwrap();
        let values: Vec<String> = values.into_iter().map(|(_, value)| value).collect();
        (function.name.clone(), values.join(","))
    };
    let expected = |name: &str, values: &str| (name.to_owned(), values.to_owned());
    assert_eq!(found("a:one.json"), expected("one", ""));
    assert_eq!(found("a:two.json"), expected("json", "two"));
    assert_eq!(found("a:deep/b"), expected("deep", "b"));
    assert_eq!(found("a:deep/b/c"), expected("any", "deep/b/c"));
    assert!(catalog.resource("b:x").is_none());
    assert_eq!(catalog.template("a:{x}.json").unwrap().name, "json");
    assert!(catalog.template("a:two.json").is_none());
}

#[test]
fn a_name_is_taken_once() {
    check_clash(("a", tool("t")), ("b", tool("T")), ("tool", "t"));
    check_clash(("a", prompt("t")), ("b", prompt("T")), ("prompt", "t"));
    check_clash(("a", resource("a:b")), ("b", resource("a:b")), ("resource", "a:b"));
    check_clash(("a", resource("a:{x}")), ("b", resource("a:{y}")), ("resource", "a:{y}"));
    check_clash(("F", tool("t")), ("f", resource("a:b")), ("function", "f"));
    catalog(vec![("a", tool("t")), ("b", prompt("t")), ("c", resource("t:x"))]);
}

#[test]
fn skills_are_found_by_the_uris_of_their_files_and_share_them_with_nobody() {
    let catalog = Catalog::new(Vec::new(), vec![skill("b", "1"), skill("a", "2")]).unwrap();
    let names: Vec<_> = catalog.skills().iter().map(|skill| skill.name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(catalog.file("skill://b/SKILL.md").unwrap().0.name, "b");
    assert!(catalog.file("skill://b/skill.md").is_none());

    let taken = Catalog::new(Vec::new(), vec![skill("a", "1"), skill("a", "2")]).unwrap_err();
    assert_eq!((taken.what, &*taken.first.0, &*taken.second.0), ("skill", "1", "2"));
    let functions = vec![function("f", resource("skill://a/SKILL.md"))];
    let taken = Catalog::new(functions, vec![skill("a", "1")]).unwrap_err();
    assert_eq!((taken.what, &*taken.first.0, &*taken.second.0), ("resource", "1", "f.wasm"));
}

//! No value of any argument makes a path outside of the prefix that its template declares.

use std::sync::Arc;

use serde_json::{Map, Value, json, value::RawValue};

use super::{
    BindingData, Connections, Memory, OutputBinding, Registry, Scope,
    expression::{Purpose, Template},
    scope::Root,
};
use crate::function::{BindingDecl, Direction, Origin, Schema};

/// How many values are tried. Without optimisation a million would take minutes.
const N_VALUES: usize = if cfg!(debug_assertions) { 20_000 } else { 1_000_000 };

/// A template, the folders below which all that it makes must be, and what must come after them.
const TEMPLATES: [(&str, &[&str], &str); 6] = [
    ("notes/{mcptoolargs.x}.json", &["notes"], ".json"),
    ("notes/{mcptoolargs.x}", &["notes"], ""),
    ("notes/a/{mcptoolargs.x:path}/b", &["notes", "a"], "/b"),
    ("notes/{mcptoolargs.x}{mcptoolargs.y}", &["notes"], ""),
    ("notes/a/.{mcptoolargs.y}{mcptoolargs.x}", &["notes", "a"], ""),
    ("notes/n/{mcptoolargs.n.x:path}", &["notes", "n"], ""),
];

/// What values are put together from: all that ever led out of a folder, and all that only looks so.
const PIECES: [&str; 64] = [
    "..",
    "..",
    ".",
    ".",
    "/",
    "/",
    "\\",
    "%2e",
    "%2E",
    "%2e%2e",
    "%2f",
    "%2F",
    "%5c",
    "%252e",
    "%252f",
    "%25252e",
    "%25252525",
    "%25",
    "%",
    "%2",
    "2e",
    "e",
    "%00",
    "%0a",
    "%c0%ae",
    "%c0%af",
    "%u002e",
    "%zz",
    "\0",
    "\n",
    "\r",
    "\t",
    "\u{7f}",
    "\u{85}",
    "\u{2028}",
    "\u{2029}",
    "．",
    "／",
    "∕",
    "⧵",
    "\u{202e}",
    "\u{feff}",
    "\u{200b}",
    "é",
    "e\u{301}",
    "日本",
    "🦀",
    "\u{10ffff}",
    " ",
    "~",
    ":",
    "?",
    "#",
    "&",
    "=",
    "|",
    "{",
    "}",
    "{mcptoolargs.y}",
    "%Container%",
    "CON",
    ".mcpfn-staging",
    "$root",
    "a",
];

/// The same numbers each time, so that what fails once fails again: `SplitMix64`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }

    fn text(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..self.below(7) {
            match self.below(20) {
                0..16 => text.push_str(PIECES[self.below(PIECES.len())]),
                16 => text.push(char::from(u8::try_from(self.below(128)).unwrap())),
                17 => {
                    let number = u32::try_from(self.below(0x11_0000)).unwrap();
                    text.extend(char::from_u32(number));
                }
                18 => text.extend("abc".chars().take(self.below(4))),
                _ if self.below(20) == 0 => {
                    let piece = PIECES[self.below(PIECES.len())];
                    text.push_str(&piece.repeat(self.below(400)));
                }
                _ => {}
            }
        }
        text
    }

    /// Mostly texts: all else is one of few things.
    fn value(&mut self) -> Value {
        match self.below(20) {
            0 => json!(self.next().cast_signed() >> self.below(64)),
            1 => json!(f64::from_bits(self.next())),
            2 => [json!(true), json!(false), Value::Null][self.below(3)].clone(),
            3 => json!({ "x": self.text() }),
            4 => json!([self.text()]),
            _ => json!(self.text()),
        }
    }
}

/// Whether a path leads out of a folder for someone who takes both separators, walks along `..`, and decodes percents
/// up to three times. It shares nothing with the code that it judges.
fn escapes(path: &str, folder: &[&str]) -> bool {
    let mut bytes = path.as_bytes().to_vec();
    for n_decodings in 0..=3 {
        let mut place: Vec<&[u8]> = Vec::new();
        for piece in bytes.split(|&byte| byte == b'/' || byte == b'\\') {
            match piece {
                b".." if place.pop().is_none() => return true,
                b"" | b"." | b".." => {}
                name => place.push(name),
            }
        }
        // A name that decodes to nothing is the folder, and not outside of it.
        let least = folder.len() + usize::from(n_decodings == 0);
        let within = place.len() >= least
            && place.iter().zip(folder).all(|(name, own)| *name == own.as_bytes());
        if !within {
            return true;
        }
        bytes = decoded(&bytes);
    }
    false
}

fn decoded(bytes: &[u8]) -> Vec<u8> {
    let digit = |at: usize| bytes.get(at).and_then(|&byte| char::from(byte).to_digit(16));
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if let (b'%', Some(high), Some(low)) = (bytes[at], digit(at + 1), digit(at + 2)) {
            decoded.push(u8::try_from(high * 16 + low).unwrap());
            at += 3;
        } else {
            decoded.push(bytes[at]);
            at += 1;
        }
    }
    decoded
}

#[test]
fn the_judge_knows_who_escapes() {
    for path in [
        "notes/..",
        "notes/../notes2/a",
        "notes/a/../..",
        "notes/%2e%2e",
        "notes/%2e.",
        "notes/..%2fa",
        "notes/..%5Ca",
        "notes/%252e%252e",
        "notes/%25252e.",
        "notes\\..\\a",
        "..",
        "notes",
        "notes/.",
        "a",
    ] {
        assert!(escapes(path, &["notes"]), "{path}");
    }
    for path in [
        "notes/a",
        "notes/..a",
        "notes/%2e",
        "notes/%2f",
        "notes/...",
        "notes/a%2fb",
        "notes/a/../b",
    ] {
        assert!(!escapes(path, &["notes"]), "{path}");
    }
}

/// The blob outputs of the templates, on a storage.
fn outputs(url: &str) -> Vec<Box<dyn OutputBinding>> {
    let registry = Registry::new(Connections {
        root: "/nowhere".into(),
        urls: vec![("AzureWebJobsStorage".to_owned(), url.to_owned())],
        settings: Arc::new(|_| None),
        headers: Vec::new(),
        memory: Memory::default(),
    })
    .unwrap();
    let schema = Schema::any_object();
    let scope = Scope::new(Root::Tool, &schema);
    let output = |&(path, _, _): &(&str, _, _)| {
        let config = Map::from_iter([("path".to_owned(), json!(path))]);
        let declaration = BindingDecl {
            name: "file".to_owned(),
            kind: "blob".to_owned(),
            direction: Direction::Output,
            config,
            origin: Origin::Component,
        };
        registry.output(&declaration, &scope).unwrap()
    };
    TEMPLATES.iter().map(output).collect()
}

#[test]
fn no_value_leads_out_of_its_prefix() {
    let storages = [outputs("memory:"), outputs("file:./storage")];
    let mut random = Random(1);
    let (mut n_resolved, mut n_refused) = ([0; TEMPLATES.len()], [0; TEMPLATES.len()]);
    for turn in 0..N_VALUES {
        let (value, other) = (random.value(), json!(random.text()));
        let nested = json!({ "x": value });
        let arguments = Map::from_iter([
            ("x".to_owned(), value),
            ("y".to_owned(), other),
            ("n".to_owned(), nested),
        ]);
        let text = RawValue::from_string(Value::from(arguments.clone()).to_string()).unwrap();
        let data = BindingData::of_arguments(&arguments, &text);
        let outputs = &storages[turn % storages.len()];
        for (idx, (output, (template, folder, end))) in outputs.iter().zip(TEMPLATES).enumerate() {
            let Ok(Some(target)) = output.resolve(&data) else {
                n_refused[idx] += 1;
                continue;
            };
            n_resolved[idx] += 1;
            let path = format!("notes/{}", target.as_str());
            assert!(!escapes(&path, folder), "{template}: {arguments:?} makes {path:?}");
            let literal = format!("{}/", folder.join("/"));
            assert!(path.starts_with(&literal) && path.ends_with(end), "{template}: {path:?}");
            assert!(!path.contains(char::is_control), "{template}: {path:?}");
        }
    }
    // Neither way of getting it wrong may be hidden by all values going the other way.
    let enough = N_VALUES / 20;
    assert!(
        n_resolved.iter().chain(&n_refused).all(|n| *n > enough),
        "{n_resolved:?} {n_refused:?}"
    );
}

#[test]
fn no_value_leads_out_of_its_place_in_a_url() {
    let schema = Schema::any_object();
    let scope = Scope::new(Root::Tool, &schema);
    let text = "https://api.example/v1/{mcptoolargs.x}/.{mcptoolargs.x:path}?q={mcptoolargs.y}&k=v";
    let template = Template::parse("url", text, Purpose::Url, &|_| None, &scope).unwrap();
    let mut random = Random(2);
    let mut n_filled = 0;
    for _ in 0..N_VALUES / 10 {
        let arguments = Map::from_iter([
            ("x".to_owned(), random.value()),
            ("y".to_owned(), json!(random.text())),
        ]);
        let text = RawValue::from_string(Value::from(arguments.clone()).to_string()).unwrap();
        let Ok(Some(url)) = template.text(&BindingData::of_arguments(&arguments, &text)) else {
            continue;
        };
        n_filled += 1;
        let rest = url.strip_prefix("https://api.example/").expect("the host is as declared");
        let (path, query) = rest.split_once('?').expect("the query is as declared");
        assert!(!escapes(path, &["v1"]), "{arguments:?} makes {url:?}");
        assert!(query.starts_with("q=") && query.ends_with("&k=v"), "{url:?}");
        let legal = |c: char| c.is_ascii_alphanumeric() || "-._~%/?=&".contains(c);
        assert!(rest.chars().all(legal), "{url:?}");
        let signs = ['?', '=', '&', '#'];
        assert_eq!(rest.matches(signs).count(), 4, "{url:?}");
    }
    assert!(n_filled > N_VALUES / 200, "{n_filled}");
}

//! Every expression, good and bad, with what becomes of it.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value, json, value::RawValue};

use super::{BindingData, Purpose, Template};
use crate::{
    binding::{Scope, scope::Root},
    function::Schema,
};

/// Path | arguments | result. A result begins with `=` and is the text, `#` in it any hexadecimal digit; or is
/// `nothing`, since a value is missing; or begins with `refused` and is what a call gets, or with `error` and is what
/// a load gets.
///
/// The time is Saturday, the 7th of March 2026, 14:05:09.01234; the setting `Container` is `notes`, `Template` is
/// `{mcptoolargs.title}`; the function `SaveNote` is the tool `save_note`, and its arguments are `title` (required),
/// `n`, `is_open`, `at` with `City` in it, `tags` and `any`.
const TOOL: &str = r#"
notes/a.json | {} | = notes/a.json
notes/{mcptoolargs.title}.json | {"title":"a"} | = notes/a.json
notes/{McpToolArgs.TITLE}.json | {"title":"a"} | = notes/a.json
notes/{mcptoolargs.title}{mcptoolargs.n} | {"title":"a","n":7} | = notes/a7
notes/{mcptoolargs.title}.json | {"title":"é 日本 100%"} | = notes/é 日本 100%.json
notes/{mcptoolargs.title}.json | {"title":"a%2Fb"} | = notes/a%2Fb.json
notes/{mcptoolargs.title}.json | {"title":"{DateTime}%Container%"} | = notes/{DateTime}%Container%.json
notes/{mcptoolargs.title:path} | {"title":"a/b/c"} | = notes/a/b/c
notes/{mcptoolargs.n} | {"n":1.50} | = notes/1.50
notes/{mcptoolargs.n} | {"n":1e3} | = notes/1e3
notes/{mcptoolargs.n} | {"n":-0} | = notes/-0
notes/{mcptoolargs.n} | {"n":12345678901234567890123} | = notes/12345678901234567890123
notes/{mcptoolargs.is_open} | {"is_open":true} | = notes/true
notes/{mcptoolargs.is_open} | {"is_open":false} | = notes/false
notes/{mcptoolargs.at.city} | {"at":{"City":"Rome"}} | = notes/Rome
notes/{mcptoolargs.any.x.y} | {"any":{"x":{"y":"z"}}} | = notes/z
notes/{mcptoolargs.n} | {} | nothing
notes/{mcptoolargs.n} | {"n":null} | nothing
notes/{mcptoolargs.at.City} | {"at":{}} | nothing
notes/{mcptoolargs.at.City} | {} | nothing
notes/{mcptoolargs.n=1} | {} | = notes/1
notes/{mcptoolargs.n=1} | {"n":null} | = notes/1
notes/{mcptoolargs.n=1} | {"n":2} | = notes/2
notes/a{mcptoolargs.n=} | {} | = notes/a
notes/{mcptoolargs.n=a:b=c} | {} | = notes/a:b=c
notes/{mcptoolargs.title:path=a/b} | {} | = notes/a/b
notes/{mcptoolargs.at.City=Rome} | {} | = notes/Rome
notes/{mcptoolargs.title=%Container%} | {} | = notes/notes
%Container%/%Template% | {"title":"a"} | = notes/a
notes/{{{mcptoolargs.title}}} | {"title":"a"} | = notes/{a}
notes/{{DateTime}} | {} | = notes/{DateTime}
notes/{DateTime} | {} | = notes/2026-03-07T14-05-09Z
notes/{dateTIME}/{sys.UtcNow} | {} | = notes/2026-03-07T14-05-09Z/2026-03-07T14-05-09Z
notes/{DateTime:yyyy/MM/dd} | {} | = notes/2026/03/07
notes/{DateTime:y yy yyy yyyyy} | {} | = notes/26 26 2026 02026
notes/{DateTime:M MM MMM MMMM} | {} | = notes/3 03 Mar March
notes/{DateTime:d dd ddd dddd} | {} | = notes/7 07 Sat Saturday
notes/{DateTime:h hh H HH} | {} | = notes/2 02 14 14
notes/{DateTime:m mm s ss} | {} | = notes/5 05 9 09
notes/{DateTime:t tt} | {} | = notes/P PM
notes/{DateTime:f ff ffff fffffff} | {} | = notes/0 01 0123 0123400
notes/{DateTime:ss.F;ss.FF;ss.FFFFFFF} | {} | = notes/09;09.01;09.01234
notes/{DateTime:z zz zzz KK gg} | {} | = notes/+0 +00 +00:00 ZZ A.D.
notes/{DateTime:HH:mm} | {} | = notes/14:05
notes/{DateTime:'day' d "of" MMM \d\\} | {} | error path `notes/{DateTime:'day' d "of" MMM \d\\}`: `{DateTime:'day' d "of" MMM \d\\}` at position 7 cannot be part of a path: it holds a `\`
notes/{DateTime:'day' d "of" MMM \dx} | {} | = notes/day 7 of Mar dx
notes/{DateTime:yyyyQW} | {} | = notes/2026QW
notes/{sys.utcnow:yyyyMMdd} | {} | = notes/20260307
notes/{rand-guid} | {} | = notes/########-####-4###-####-############
notes/{Rand-Guid:N} | {} | = notes/############4###################
notes/{rand-guid:d} | {} | = notes/########-####-4###-####-############
notes/{rand-guid:B} | {} | = notes/{########-####-4###-####-############}
notes/{rand-guid:P} | {} | = notes/(########-####-4###-####-############)
notes/{rand-guid:X} | {} | = notes/{0x########,0x####,0x4###,{0x##,0x##,0x##,0x##,0x##,0x##,0x##,0x##}}
notes/{sys.randguid:N} | {} | = notes/############4###################
notes/{sys.methodname} | {} | = notes/SaveNote
notes/{mcptoolcontext.name} | {} | = notes/save_note
{mcptoolcontext.name}/a | {} | = save_note/a
notes/{mcpsessionid} | {} | nothing
notes/{mcpsessionid=none} | {} | = notes/none
notes/{mcptoolargs.title} | {"title":""} | refused argument `title` cannot be part of a path: it is empty
notes/{mcptoolargs.title} | {"title":"a/b"} | refused argument `title` holds a `/`, so it would leave its place in the path
notes/{mcptoolargs.title} | {"title":".."} | refused argument `title` cannot be part of a path: it has a path segment `.` or `..`
notes/{mcptoolargs.title} | {"title":"%2e%2E"} | refused argument `title` cannot be part of a path: it has a path segment `.` or `..` once it is percent-decoded
notes/{mcptoolargs.title} | {"title":"a\\b"} | refused argument `title` cannot be part of a path: it holds a `\`
notes/{mcptoolargs.title} | {"title":"a\u0000"} | refused argument `title` cannot be part of a path: it holds a control character
notes/{mcptoolargs.title:path} | {"title":"a/../b"} | refused argument `title` cannot be part of a path: it has a path segment `.` or `..`
notes/{mcptoolargs.title:path} | {"title":"/a"} | refused argument `title` cannot be part of a path: it has an empty path segment
notes/{mcptoolargs.any} | {"any":{}} | refused argument `any` is an object, which cannot be part of a path
notes/{mcptoolargs.any} | {"any":["a"]} | refused argument `any` is an array, which cannot be part of a path
notes/{mcptoolargs.any.x} | {"any":"a"} | refused argument `any.x` is looked for in a value that is not an object
notes/{mcptoolargs.n}/{mcptoolargs.title} | {"title":".."} | refused argument `title` cannot be part of a path: it has a path segment `.` or `..`
notes/{mcptoolargs.titel} | {} | error path `notes/{mcptoolargs.titel}`: the function has no argument `titel` (did you mean `title`?)
notes/{mcptoolargs.title.x} | {} | error path `notes/{mcptoolargs.title.x}`: argument `title` is of type string and has no `x`
notes/{mcptoolargs.at.Citty} | {} | error path `notes/{mcptoolargs.at.Citty}`: argument `at` has no argument `Citty` (did you mean `City`?)
notes/{mcptoolargs.tags} | {} | error path `notes/{mcptoolargs.tags}`: argument `tags` is of type array, which cannot be part of a path
notes/{mcptoolargs.at} | {} | error path `notes/{mcptoolargs.at}`: argument `at` is of type object, which cannot be part of a path
notes/{mcptoolargs} | {} | error path `notes/{mcptoolargs}`: `{mcptoolargs}` at position 7 names no argument (expected `{mcptoolargs.NAME}`)
notes/{mcptoolargs.title:N} | {} | error path `notes/{mcptoolargs.title:N}`: unknown format in `{mcptoolargs.title:N}` at position 7 (expected `:path`)
notes/{mcptoolargs.title=..} | {} | error path `notes/{mcptoolargs.title=..}`: the default of `{mcptoolargs.title=..}` at position 7 cannot be part of a path: it has a path segment `.` or `..`
notes/{mcptoolargs.title=a/b} | {} | error path `notes/{mcptoolargs.title=a/b}`: the default of `{mcptoolargs.title=a/b}` at position 7 holds a `/`, so it would leave its place in the path
notes/{mcpresourceargs.title} | {} | error path `notes/{mcpresourceargs.title}`: `{mcpresourceargs.title}` at position 7 is not for this kind of function (expected `{mcptoolargs.NAME}`)
notes/{title} | {} | error path `notes/{title}`: unknown expression `{title}` at position 7 (did you mean `{mcptoolargs.title}`?)
notes/{toolargs.title} | {} | error path `notes/{toolargs.title}`: unknown expression `{toolargs.title}` at position 7 (did you mean `{mcptoolargs.NAME}`?)
notes/{datetme} | {} | error path `notes/{datetme}`: unknown expression `{datetme}` at position 7 (did you mean `{DateTime}`?)
notes/{sys.uptime} | {} | error path `notes/{sys.uptime}`: unknown expression `{sys.uptime}` at position 7 (expected `{mcptoolargs.NAME}`, `{DateTime}`, `{rand-guid}`, `{sys.utcnow}`, `{sys.randguid}`, `{sys.methodname}`, `{mcpsessionid}`, `{mcptoolcontext.name}`)
notes/{DateTime:d} | {} | error path `notes/{DateTime:d}`: `{DateTime:d}` at position 7 has a format of one letter, which .NET keeps for its standard formats (expected a custom format of .NET, such as `yyyy-MM-dd`)
notes/{DateTime:} | {} | error path `notes/{DateTime:}`: `{DateTime:}` at position 7 has an empty format (expected a custom format of .NET, such as `yyyy-MM-dd`)
notes/{DateTime:ffffffff} | {} | error path `notes/{DateTime:ffffffff}`: `{DateTime:ffffffff}` at position 7 has a format with more than 7 digits of a second
notes/{DateTime:yy'a} | {} | error path `notes/{DateTime:yy'a}`: `{DateTime:yy'a}` at position 7 has a format with a `'` that is not closed
notes/{DateTime:yy\} | {} | error path `notes/{DateTime:yy\}`: `{DateTime:yy\}` at position 7 has a format that ends with a `\`
notes/{DateTime=now} | {} | error path `notes/{DateTime=now}`: `{DateTime=now}` at position 7 takes no default: there always is one
notes/{rand-guid:Z} | {} | error path `notes/{rand-guid:Z}`: unknown format in `{rand-guid:Z}` at position 7 (expected `:N`, `:D`, `:B`, `:P` or `:X`)
notes/{sys.methodname:N} | {} | error path `notes/{sys.methodname:N}`: unknown format in `{sys.methodname:N}` at position 7 (expected `:path`)
notes/{} | {} | error path `notes/{}`: the parameter name at position 8 is empty
é/notes/{mcptoolargs.title | {} | error path `é/notes/{mcptoolargs.title`: missing closing bracket at position 9
notes/mcptoolargs.title} | {} | error path `notes/mcptoolargs.title}`: missing opening bracket at position 24
notes/{mcptoolargs.{title}} | {} | error path `notes/{mcptoolargs.{title}}`: missing closing bracket at position 19
notes/%Missing% | {} | error path `notes/%Missing%`: the setting `Missing` has no value (define it in local.settings.json or the environment)
notes/100% | {} | error path `notes/100%`: the `%` at position 10 has no closing `%`
"#;

/// The same for a resource whose variables are `title` and `datetime`, in the session `s-1`.
const RESOURCE: &str = r#"
notes/{title} | {"title":"a"} | = notes/a
notes/{mcpresourceargs.Title:path} | {"title":"a/b"} | = notes/a/b
notes/{DateTime} | {"datetime":"mine"} | = notes/mine
notes/{sys.utcnow} | {} | = notes/2026-03-07T14-05-09Z
notes/{mcpsessionid} | {} | = notes/s-1
notes/{mcpsessionid=none} | {} | = notes/s-1
notes/{title} | {"title":".."} | refused argument `title` cannot be part of a path: it has a path segment `.` or `..`
notes/{titel} | {} | error path `notes/{titel}`: the function has no argument `titel` (did you mean `title`?)
notes/{rand-gui} | {} | error path `notes/{rand-gui}`: unknown expression `{rand-gui}` at position 7 (did you mean `{rand-guid}`?)
notes/{mcptoolcontext.name} | {} | error path `notes/{mcptoolcontext.name}`: `{mcptoolcontext.name}` at position 7 is not for this kind of function
"#;

/// The same for a prompt with the arguments `title` and `n`.
const PROMPT: &str = r#"
notes/{mcppromptargs.title} | {"title":"a"} | = notes/a
notes/{mcppromptargs.n=all} | {} | = notes/all
notes/{sys.methodname}-{DateTime:yyyy} | {} | = notes/SaveNote-2026
notes/{mcptoolargs.title} | {} | error path `notes/{mcptoolargs.title}`: `{mcptoolargs.title}` at position 7 is not for this kind of function (expected `{mcppromptargs.NAME}`)
notes/{title} | {} | error path `notes/{title}`: unknown expression `{title}` at position 7 (did you mean `{mcppromptargs.title}`?)
"#;

fn setting(name: &str) -> Option<String> {
    match name {
        "Container" => Some("notes".to_owned()),
        "Template" => Some("{mcptoolargs.title}".to_owned()),
        _ => None,
    }
}

fn result(path: &str, arguments: &str, scope: &Scope<'_>, session: Option<&'static str>) -> String {
    let template = match Template::parse("path", path, Purpose::StorageName, &setting, scope) {
        Ok(template) => template,
        Err(error) => return format!("error {error}"),
    };
    let values: Map<String, Value> = serde_json::from_str(arguments).unwrap();
    let text: &RawValue = serde_json::from_str(arguments).unwrap();
    let now: DateTime<Utc> = "2026-03-07T14:05:09.01234Z".parse().unwrap();
    let data = BindingData::of_arguments(&values, text).at(now);
    let data = match session {
        Some(session) => data.in_session(session),
        None => data,
    };
    match template.text(&data) {
        Ok(Some(text)) => format!("= {text}"),
        Ok(None) => "nothing".to_owned(),
        Err(error) => format!("refused {error}"),
    }
}

/// Whether a result is as expected, where `#` is any hexadecimal digit.
fn fits(expected: &str, found: &str) -> bool {
    let fits = |(expected, found): (char, char)| match expected {
        '#' => matches!(found, '0'..='9' | 'a'..='f'),
        _ => expected == found,
    };
    expected.chars().count() == found.chars().count()
        && expected.chars().zip(found.chars()).all(fits)
}

/// Tries every row, tells all that differ, and counts them.
#[track_caller]
fn check(table: &str, scope: &Scope<'_>, session: Option<&'static str>) -> usize {
    let rows = table.lines().filter(|line| !line.is_empty());
    let mut wrong = Vec::new();
    let mut n_rows = 0;
    for row in rows {
        let mut columns = row.splitn(3, " | ");
        let [path, arguments, expected] = [(); 3].map(|()| columns.next().expect("three columns"));
        let found = result(path, arguments, scope, session);
        if !fits(expected, &found) {
            wrong.push(format!("{path} | {arguments}\n  expected {expected}\n  found    {found}"));
        }
        n_rows += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    n_rows
}

fn tool() -> Schema {
    let schema = json!({
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "n": {"type": "number"},
            "is_open": {"type": "boolean"},
            "at": {"type": "object", "properties": {"City": {"type": "string"}}, "required": ["City"]},
            "tags": {"type": "array"},
            "any": {},
            "state": {"type": ["string", "null"]},
        },
        "required": ["title", "state"],
    });
    Schema::parse_input(schema.to_string()).unwrap()
}

#[test]
fn every_row_of_the_table_holds() {
    let schema = tool();
    let n_tool = check(TOOL, &Scope::new(Root::Tool, &schema), None);
    let schema = Schema::of_texts([("title", None, true), ("datetime", None, true)]);
    let n_resource = check(RESOURCE, &Scope::new(Root::Resource, &schema), Some("s-1"));
    let schema = Schema::of_texts([("title", None, true), ("n", None, false)]);
    let n_prompt = check(PROMPT, &Scope::new(Root::Prompt, &schema), None);
    assert!(n_tool + n_resource + n_prompt > 100);
}

#[test]
fn what_a_call_may_come_without_is_told_once() {
    let schema = tool();
    let notices = |path: &str| {
        let scope = Scope::new(Root::Tool, &schema);
        Template::parse("path", path, Purpose::StorageName, &setting, &scope).unwrap();
        scope.into_notices()
    };
    let lack = "and without it nothing is read (give it a default";
    for (path, expected) in [
        (
            "a/{mcptoolargs.n}{mcptoolargs.N}",
            "argument `n` is optional, LACK: `{mcptoolargs.n=..}`)",
        ),
        ("a/{mcptoolargs.n:path}", "argument `n` is optional, LACK: `{mcptoolargs.n:path=..}`)"),
        (
            "a/{mcptoolargs.at.city}",
            "argument `at.City` is optional, LACK: `{mcptoolargs.at.City=..}`)",
        ),
        ("a/{mcptoolargs.state}", "argument `state` may be null, LACK: `{mcptoolargs.state=..}`)"),
        ("a/{mcpsessionid}", "not every client has a session, LACK: `{mcpsessionid=..}`)"),
    ] {
        let expected = format!("path `{path}`: {}", expected.replace("LACK", lack));
        assert_eq!(notices(path), [expected]);
    }
    for path in [
        "a/{mcptoolargs.title}",
        "a/%Template%",
        "a/{mcptoolargs.n=1}",
        "a/{mcptoolargs.state=}",
        "a/{mcpsessionid=none}",
        "a/{DateTime}",
    ] {
        assert_eq!(notices(path), [""; 0], "{path}");
    }
}

//! Calls of the tools of the sample `snippets`, and of those that do the same without storage.
//!
//! A snippet is a number, with zeros before it to its length, and is kept under one of a few names: so each is another
//! text, and what is read tells whether it is whole and under its own name.

use crate::{
    connection::Response,
    exchange::{Answer, Exchange, write_request},
};

/// How many names there are.
pub const N_NAMES: u64 = 64;

/// Calls that save a snippet, and are answered with it.
#[derive(Clone, Copy, Debug)]
pub struct Saves {
    /// The tool.
    pub tool: &'static str,
    /// How long a snippet is.
    pub length: usize,
}

/// Calls that get a snippet.
#[derive(Clone, Copy, Debug)]
pub struct Gets {
    /// The tool.
    pub tool: &'static str,
    /// How long a snippet is.
    pub length: usize,
}

/// The name that the snippet of a number has.
pub fn name(number: u64) -> String {
    (number % N_NAMES).to_string()
}

/// The snippet of a number.
pub fn snippet(number: u64, length: usize) -> String {
    let number = number.to_string();
    let mut snippet = "0".repeat(length.saturating_sub(number.len()));
    snippet.push_str(&number);
    snippet
}

/// Whether a text is a whole snippet of the same name as that of a number.
pub fn check(number: u64, text: &str, length: usize) -> Result<(), String> {
    // Longer than any number.
    let end = &text[text.floor_char_boundary(text.len().saturating_sub(24))..];
    let is_right = |found| found % N_NAMES == number % N_NAMES && text == snippet(found, length);
    if !end.parse().is_ok_and(is_right) {
        let (name, n_bytes) = (name(number), text.len());
        return Err(format!(
            "`{name}` is no snippet of {length} bytes: {n_bytes} that end in `{end}`"
        ));
    }
    Ok(())
}

impl Exchange for Saves {
    fn write(&self, number: u64, request: &mut Vec<u8>) {
        let (tool, name, snippet) = (self.tool, name(number), snippet(number, self.length));
        let arguments = format!(r#"{{"snippetname":"{name}","snippet":"{snippet}"}}"#);
        let params = format!(r#"{{"name":"{tool}","arguments":{arguments}}}"#);
        write_request(number, "tools/call", &params, request);
    }

    fn check(&self, number: u64, response: &Response<'_>) -> Result<(), String> {
        let answer = Answer::read(number, response)?;
        if answer.is_error || answer.text != snippet(number, self.length) {
            let start: String = answer.text.chars().take(200).collect();
            return Err(format!("expected what was saved, got `{start}`"));
        }
        Ok(())
    }
}

impl Exchange for Gets {
    fn write(&self, number: u64, request: &mut Vec<u8>) {
        // A tool that gets it from storage does not look at the length.
        let (tool, name, length) = (self.tool, name(number), self.length);
        let arguments = format!(r#"{{"snippetname":"{name}","length":{length}}}"#);
        let params = format!(r#"{{"name":"{tool}","arguments":{arguments}}}"#);
        write_request(number, "tools/call", &params, request);
    }

    fn check(&self, number: u64, response: &Response<'_>) -> Result<(), String> {
        let answer = Answer::read(number, response)?;
        if answer.is_error {
            return Err(format!("the tool failed: {}", answer.text));
        }
        check(number, &answer.text, self.length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_is_right_only_if_it_is_whole_and_under_its_name() {
        assert_eq!(snippet(70, 5), "00070");
        for number in [0, 6, 64, 70, 134] {
            let found = check(6, &snippet(number, 1024), 1024);
            assert_eq!(found.is_ok(), number % N_NAMES == 6, "{number}: {found:?}");
        }
        assert_eq!(check(64, &snippet(0, 8), 8), Ok(()));
        for wrong in ["0000006", "000000006", "0000000x", "", "Snippet '6' not found"] {
            assert!(check(6, wrong, 8).is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_what_was_saved_is_the_answer_to_a_save() {
        let saves = Saves { tool: "t", length: 4 };
        let check = |text| {
            let body = format!(
                r#"{{"jsonrpc":"2.0","id":7,"result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#
            );
            saves.check(7, &Response { status: 200, body: body.as_bytes() })
        };
        assert_eq!(check("0007"), Ok(()));
        assert!(check("0071").is_err());
    }
}

//! Which names a project can have: those that cargo and Rust take for a crate.

/// Words that the edition of the template does not take as the name of a crate.
const KEYWORDS: [&str; 52] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "Self", "static", "struct", "super", "trait", "true", "try", "type",
    "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Crates that Rust has itself; a project of that name would hide one of them.
const CRATES_OF_RUST: [&str; 6] = ["alloc", "core", "proc-macro", "proc_macro", "std", "test"];

/// Folders of cargo's that what it builds of the project would get into.
const FOLDERS_OF_CARGO: [&str; 4] = ["build", "deps", "examples", "incremental"];

/// The host, and the crates in the project's folder `vendor`.
const OURS: [&str; 5] = ["mcpfn", "mcpfn-sdk", "mcpfn-sdk-macros", "mcpfn_sdk", "mcpfn_sdk_macros"];

/// Says what is wrong with a name, if anything is.
pub(super) fn check(name: &str) -> Result<(), &'static str> {
    let Some(first) = name.chars().next() else {
        return Err("it is empty");
    };
    if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_') {
        return Err("only ASCII letters, digits, `-` and `_` can be in it");
    }
    if !first.is_ascii_alphabetic() {
        return Err("it must begin with a letter");
    }
    if name.len() > 64 {
        return Err("it is longer than 64 characters");
    }
    if KEYWORDS.contains(&name) {
        return Err("it is a keyword of Rust");
    }
    if CRATES_OF_RUST.contains(&name) {
        return Err("Rust has a crate of that name itself");
    }
    if FOLDERS_OF_CARGO.contains(&name) {
        return Err("cargo has a folder of that name in what it builds");
    }
    if OURS.contains(&name) {
        return Err("mcpfn and its SDK are called that");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_names_are_taken() {
        for name in ["a", "my-tools", "my_tools", "Tools2", "async-tools", &"a".repeat(64)] {
            assert_eq!(check(name), Ok(()), "{name}");
        }
    }

    #[track_caller]
    fn refused(names: &[&str], expected: &str) {
        for name in names {
            assert_eq!(check(name), Err(expected), "{name}");
        }
    }

    #[test]
    fn names_that_are_no_crate_are_refused() {
        refused(&[""], "it is empty");
        refused(
            &[".", "..", "a/b", "a b", "é", "a.b"],
            "only ASCII letters, digits, `-` and `_` can be in it",
        );
        refused(&["-a", "_", "2tools"], "it must begin with a letter");
        refused(&[&"a".repeat(65)], "it is longer than 64 characters");
        refused(&KEYWORDS, "it is a keyword of Rust");
    }

    #[test]
    fn names_of_others_are_refused() {
        refused(&["test", "core", "std", "proc-macro"], "Rust has a crate of that name itself");
        refused(&["deps"], "cargo has a folder of that name in what it builds");
        refused(&["mcpfn", "mcpfn-sdk", "mcpfn_sdk"], "mcpfn and its SDK are called that");
    }
}

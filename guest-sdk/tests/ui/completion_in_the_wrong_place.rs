use mcpfn_sdk::{Completing, blob_input, mcp_prompt, mcp_tool};

fn words(_: &Completing) -> [&'static str; 0] {
    []
}

#[mcp_tool]
fn tool(#[completion(words)] word: String) -> String {
    word
}

#[mcp_prompt]
fn binding(
    #[completion(words)]
    #[blob_input(path = "a/a")]
    word: String,
) -> String {
    word
}

#[mcp_prompt]
fn nobody(#[completion] word: String) -> String {
    word
}

#[mcp_prompt]
fn text(#[completion("words")] word: String) -> String {
    word
}

#[mcp_prompt]
fn twice(
    #[completion(words)]
    #[completion(words)]
    word: String,
) -> String {
    word
}

fn wrong(_: &Completing) -> u8 {
    0
}

#[mcp_prompt]
fn no_list(#[completion(wrong)] word: String) -> String {
    word
}

fn main() {}

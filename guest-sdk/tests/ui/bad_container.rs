use mcpfn_sdk::{Container, blob_container, blob_input, mcp_tool};

#[mcp_tool]
fn unnamed(#[blob_container] notes: Container) {
    drop(notes);
}

#[mcp_tool]
fn name(#[blob_container("My_Notes")] notes: Container) {
    drop(notes);
}

#[mcp_tool]
fn key(#[blob_container("notes", conection = "Other")] notes: Container) {
    drop(notes);
}

#[mcp_tool]
fn wrong_type(#[blob_container("notes")] notes: String) {
    drop(notes);
}

#[mcp_tool]
fn twice(#[blob_container("notes")] one: Container, #[blob_container("notes")] two: Container) {
    drop((one, two));
}

#[mcp_tool]
fn both(#[blob_container("notes")] #[blob_input(path = "notes/a")] notes: Container) {
    drop(notes);
}

#[mcp_tool]
fn argument(
    #[blob_container("notes")]
    #[arg(name = "x")]
    notes: Container,
) {
    drop(notes);
}

#[mcp_tool]
#[blob_container("notes")]
fn above(notes: String) {
    drop(notes);
}

#[blob_container("notes")]
fn alone() {}

fn main() {}

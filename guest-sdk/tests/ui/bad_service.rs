use mcpfn_sdk::{BlobReader, Delete, Out, http_input, http_output, mcp_tool, queue_output};

#[mcp_tool]
fn nowhere(#[http_input(path = "/a")] a: String) {
    drop(a);
}

#[mcp_tool]
fn unknown(#[http_input(connection = "A", path = "/{mcptoolargs.b}")] a: String) {
    drop(a);
}

#[mcp_tool]
fn pieces(#[http_input(connection = "A")] a: BlobReader) {
    drop(a);
}

#[mcp_tool]
fn method(#[http_output(connection = "A", method = "GET")] a: Out<String>) {
    drop(a);
}

#[mcp_tool]
fn deletion(#[http_output(connection = "A", content_type = "text/plain")] a: Out<Delete>) {
    drop(a);
}

#[mcp_tool]
fn encoding(#[queue_output(queue_name = "jobs", encoding = "hex")] a: Out<String>) {
    drop(a);
}

#[mcp_tool]
fn taken_back(#[queue_output(queue_name = "jobs")] a: Out<Delete>) {
    drop(a);
}

#[mcp_tool]
fn dropped(#[queue_output(queue_name = "jobs", time_to_live = 0)] a: Out<String>) {
    drop(a);
}

fn main() {}

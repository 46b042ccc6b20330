//! The least that a server can do for `tools/call`: HTTP, JSON-RPC, and one tool in memory.

use std::{
    borrow::Cow,
    convert::Infallible,
    io::{self, Write},
};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::{
    Method, Request, Response, StatusCode,
    body::Incoming,
    header::{CONTENT_TYPE, HeaderValue},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::net::{TcpListener, TcpStream};

/// The one tool.
const TOOL: &str = "trivial_0000";

/// A JSON-RPC request, borrowed from the body.
#[derive(Deserialize)]
struct Message<'a> {
    jsonrpc: Cow<'a, str>,
    #[serde(borrow)]
    id: &'a RawValue,
    method: Cow<'a, str>,
    #[serde(borrow)]
    params: Params<'a>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    arguments: Arguments<'a>,
}

#[derive(Deserialize)]
struct Arguments<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
}

#[derive(Serialize)]
struct Reply<'a> {
    jsonrpc: &'static str,
    id: &'a RawValue,
    result: ToolResult<'a>,
}

#[derive(Serialize)]
struct ToolResult<'a> {
    content: [Content<'a>; 1],
}

#[derive(Serialize)]
struct Content<'a> {
    r#type: &'static str,
    text: &'a str,
}

fn main() -> io::Result<()> {
    // As in host/src/cli/mod.rs.
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.event_interval(8).enable_all();
    builder.build()?.block_on(serve())
}

async fn serve() -> io::Result<()> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    writeln!(io::stdout(), "Serving 1 tool at http://{}/mcp", listener.local_addr()?)?;
    loop {
        let (stream, _) = listener.accept().await?;
        tokio::spawn(connection(stream));
    }
}

async fn connection(stream: TcpStream) {
    // A client that goes away is no matter of ours.
    let _ = stream.set_nodelay(true);
    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service_fn(respond)).await;
}

async fn respond(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    if request.method() != Method::POST || request.uri().path() != "/mcp" {
        return Ok(response(StatusCode::NOT_FOUND, Vec::new()));
    }
    let Ok(body) = request.into_body().collect().await else {
        return Ok(response(StatusCode::BAD_REQUEST, Vec::new()));
    };
    Ok(match answer(&body.to_bytes()) {
        Some(reply) => response(StatusCode::OK, reply),
        None => response(StatusCode::BAD_REQUEST, Vec::new()),
    })
}

/// The reply to a call of the tool; nothing for anything else.
fn answer(body: &[u8]) -> Option<Vec<u8>> {
    let message: Message<'_> = serde_json::from_slice(body).ok()?;
    let is_call = message.jsonrpc == "2.0" && message.method == "tools/call";
    if !is_call || message.params.name != TOOL {
        return None;
    }
    let content = [Content { r#type: "text", text: &message.params.arguments.text }];
    let reply = Reply { jsonrpc: "2.0", id: message.id, result: ToolResult { content } };
    serde_json::to_vec(&reply).ok()
}

fn response(status: StatusCode, body: Vec<u8>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

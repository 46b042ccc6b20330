//! The tool in the official Rust SDK: streamable HTTP without sessions, replies as JSON.

use std::{
    io::{self, Write},
    sync::Arc,
};

use hyper::server::conn::http1;
use hyper_util::{rt::TokioIo, service::TowerToHyperService};
use rmcp::{
    ServerHandler,
    handler::server::{router::tool::ToolRouter, wrapper::Parameters},
    model::{ServerCapabilities, ServerConfig},
    schemars, tool, tool_handler, tool_router,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
    },
};
use serde::Deserialize;
use tokio::net::TcpListener;

/// The arguments of the tool.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Arguments {
    /// What to answer.
    text: String,
}

/// The server of one tool.
#[derive(Clone, Debug)]
struct Native {
    tool_router: ToolRouter<Self>,
}

#[tool_router]
impl Native {
    fn new() -> Self {
        Self { tool_router: Self::tool_router() }
    }

    #[tool(name = "trivial_0000", description = "Answers with its argument.")]
    fn trivial(&self, Parameters(arguments): Parameters<Arguments>) -> String {
        arguments.text
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Native {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }
}

fn main() -> io::Result<()> {
    // As in host/src/cli/mod.rs.
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.event_interval(8).enable_all();
    builder.build()?.block_on(serve())
}

async fn serve() -> io::Result<()> {
    let mut config = StreamableHttpServerConfig::default();
    config.legacy_session_mode = false;
    config.json_response = true;
    // Made once: a request takes a copy, as the SDK's own guide has it.
    let native = Native::new();
    let service = StreamableHttpService::new(
        move || Ok(native.clone()),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    let service = TowerToHyperService::new(service);
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    writeln!(io::stdout(), "Serving 1 tool at http://{}/mcp", listener.local_addr()?)?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let connection =
            http1::Builder::new().serve_connection(TokioIo::new(stream), service.clone());
        tokio::spawn(async move {
            // A client that goes away is no matter of ours.
            let _ = connection.await;
        });
    }
}

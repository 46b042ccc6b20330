//! The official Rust SDK as a client, in both eras.
//!
//! `rmcp_client URL` lists, calls, takes a structured result, is asked, is told of progress and cancels, and says
//! so in one line. It ends with 1 and the reason where a step fails.

use std::{
    io::{self, Write},
    process::ExitCode,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use rmcp::{
    ClientHandler, ClientLifecycleMode, ClientServiceExt, ErrorData, RoleClient,
    model::{
        CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ClientRequest,
        ElicitRequestParams, ElicitResult, ElicitationAction, Implementation,
        ProgressNotificationParam, ProtocolVersion, Request,
    },
    service::{NotificationContext, PeerRequestOptions, RequestContext, RunningService},
    transport::StreamableHttpClientTransport,
};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

/// How long one era may take.
const DEADLINE: Duration = Duration::from_mins(1);

/// How long the call that is cancelled runs before it is.
const BEFORE_CANCEL: Duration = Duration::from_secs(1);

const NAME: &str = "Ferris";

/// What the server asked and told.
#[derive(Clone, Default)]
struct Client {
    n_questions: Arc<AtomicUsize>,
    progress: Arc<Mutex<Vec<f64>>>,
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let capabilities = ClientCapabilities::builder().enable_elicitation().build();
        ClientConfig::new(capabilities, Implementation::new("mcpfn-tests", "0"))
    }

    async fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        self.n_questions.fetch_add(1, Ordering::Relaxed);
        let mut answer = ElicitResult::new(ElicitationAction::Accept);
        // One question is for a name, the other for a user.
        let content = json!({ "name": NAME, "username": NAME, "email": "ferris@example.com" });
        answer.content = Some(content);
        Ok(answer)
    }

    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.progress.lock().expect("no holder panics").push(params.progress);
    }
}

#[tokio::main]
async fn main() -> Result<ExitCode> {
    let url = std::env::args().nth(1).context("usage: rmcp_client URL")?;
    let modern = vec![ProtocolVersion::V_2026_07_28];
    let eras = [
        ("modern", ClientLifecycleMode::Discover { preferred_versions: modern }),
        ("legacy", ClientLifecycleMode::Initialize),
    ];
    let mut lines = Vec::new();
    for (era, lifecycle) in eras {
        let steps = timeout(DEADLINE, drive(&url, lifecycle)).await;
        match steps.unwrap_or_else(|_| Err(anyhow::anyhow!("no end after {DEADLINE:?}"))) {
            Ok(steps) => lines.push(format!("{era}: {steps}")),
            Err(error) => {
                writeln!(io::stderr(), "rmcp: {era}: {error:#}")?;
                return Ok(ExitCode::FAILURE);
            }
        }
    }
    writeln!(io::stdout(), "rmcp: {}", lines.join("; "))?;
    Ok(ExitCode::SUCCESS)
}

async fn drive(url: &str, lifecycle: ClientLifecycleMode) -> Result<String> {
    let client = Client::default();
    let transport = StreamableHttpClientTransport::from_uri(url);
    let service = client.clone().serve_with_lifecycle(transport, lifecycle).await?;

    let tools = service.list_all_tools().await.context("tools/list")?;
    ensure!(tools.iter().any(|tool| tool.name == "slow_compute"), "no `slow_compute` in {tools:?}");

    let simple = call(&service, "test_simple_text", json!({})).await?;
    ensure!(!text(&simple).is_empty(), "`test_simple_text` says nothing");

    let structured = call(&service, "structured", json!({ "windy": true })).await?;
    let sky = structured.structured_content.as_ref().map(|content| &content["sky"]);
    ensure!(sky == Some(&json!("cloudy")), "`structured` answers {sky:?}");

    // The fixtures of one era are asked in the other, too: they are written once for both.
    for tool in ["test_input_required_result_elicitation", "test_elicitation"] {
        let before = client.n_questions.load(Ordering::Relaxed);
        let answer = text(&call(&service, tool, json!({ "message": "Who are you?" })).await?);
        let asked = client.n_questions.load(Ordering::Relaxed) - before;
        ensure!(asked == 1, "`{tool}` asked {asked} times");
        ensure!(answer.contains(NAME), "`{tool}` answers `{answer}`");
    }

    call(&service, "test_tool_with_progress", json!({})).await?;
    let progress = client.progress.lock().expect("no holder panics").clone();
    ensure!(progress == [0.0, 50.0, 100.0], "the progress was {progress:?}");

    cancel(&service).await?;
    service.cancel().await?;
    Ok("listed, called, structured, asked, progressed, cancelled".to_owned())
}

async fn call(
    service: &RunningService<RoleClient, Client>,
    tool: &'static str,
    arguments: Value,
) -> Result<CallToolResult> {
    let mut params = CallToolRequestParams::new(tool);
    params.arguments = arguments.as_object().cloned();
    let result = service.call_tool(params).await.with_context(|| format!("`{tool}`"))?;
    ensure!(result.is_error != Some(true), "`{tool}` failed: {}", text(&result));
    Ok(result)
}

/// Cancels a call of half a minute, and makes another: the connection must still be good.
async fn cancel(service: &RunningService<RoleClient, Client>) -> Result<()> {
    let mut params = CallToolRequestParams::new("slow_compute");
    params.arguments = json!({ "seconds": 30, "label": "rmcp" }).as_object().cloned();
    let request = ClientRequest::CallToolRequest(Request::new(params));
    let started = Instant::now();
    let options = PeerRequestOptions::no_options();
    let handle = service.send_cancellable_request(request, options).await?;
    // Nothing tells a client that its call has begun.
    sleep(BEFORE_CANCEL).await;
    handle
        .cancel(Some("no longer needed".to_owned()))
        .await
        .context("`notifications/cancelled`")?;
    call(service, "test_simple_text", json!({})).await?;
    let took = started.elapsed();
    ensure!(took < Duration::from_secs(15), "the cancelled call held up the next for {took:?}");
    Ok(())
}

/// The texts of a result, joined.
fn text(result: &CallToolResult) -> String {
    let result = serde_json::to_value(result).unwrap_or_default();
    let blocks = result["content"].as_array().cloned().unwrap_or_default();
    blocks.iter().filter_map(|block| block["text"].as_str()).collect()
}

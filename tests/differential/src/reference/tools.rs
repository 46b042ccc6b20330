//! What the tools do.

use std::{
    io::{self, Write},
    time::Duration,
};

use rmcp::{
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock,
        CreateTaskResult, ErrorData, InputRequest, JsonObject, LoggingLevel,
        LoggingMessageNotificationParam, ProgressNotificationParam,
    },
    service::{RequestContext, RoleServer},
    task_manager::{TaskContext, TaskExit, TaskFuture, TaskOptions},
};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::{Asked, Reference, asked::is_modern, error, from, invalid_params};

/// The tools that ask one thing: what, under which key, and with which state.
const ASKING: &[(&str, &str, &str, Option<&str>)] = &[
    ("test_elicitation", "user", "user", None),
    ("test_elicitation_sep1034_defaults", "defaults", "defaults", None),
    ("test_elicitation_sep1330_enums", "enums", "enums", None),
    ("test_input_required_result_capabilities", "sampling", "capital_question", None),
    ("test_input_required_result_elicitation", "name", "user_name", None),
    ("test_input_required_result_list_roots", "roots", "client_roots", None),
    ("test_input_required_result_request_state", "confirm", "confirm", Some("state")),
    ("test_input_required_result_sampling", "sampling", "capital_question", None),
    ("test_input_required_result_tampered_state", "confirm", "confirm", Some("sealed")),
    ("test_sampling", "sampling", "sampling", None),
    ("test_streaming_elicitation", "name", "user_name", None),
];

pub(super) async fn call(
    server: &Reference,
    request: CallToolRequestParams,
    context: RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let arguments = request.arguments.unwrap_or_default();
    let asked = Asked::new(request.input_responses, request.request_state);
    let asking = ASKING.iter().find(|(name, ..)| *name == request.name);
    if let Some((_, question, key, state)) = asking {
        return ask_one(&context, asked, (key, server.question(question)?), *state).await;
    }
    match &*request.name {
        "greet" => Ok(text(format!("Hello, {}!", string(&arguments, "name")))),
        "test_missing_capability" if is_modern(&context) => {
            let declared = context.client_capabilities().unwrap_or_default();
            match declared.sampling {
                Some(_) => Ok(text("sampling is there")),
                None => Err(ErrorData::missing_required_client_capability(
                    ClientCapabilities::builder().enable_sampling().build(),
                )),
            }
        }
        "test_missing_capability" => Ok(text("not asked for")),
        "test_input_required_result_multi_round" => multi_round(server, &context, asked).await,
        "test_input_required_result_multiple_inputs" => multiple(server, &context, asked).await,
        "test_logging_tool" | "test_tool_with_logging" => log(&context).await,
        "test_tool_with_progress" => progress(&context).await,
        "test_trigger_tool_change" | "test_trigger_prompt_change" => {
            trigger(server, &request.name).await
        }
        "slow_compute" => slow_compute(server, &context, &arguments).await,
        // The suite calls the first tool of the list with nothing.
        "confirm_delete" if !has_tasks(&context) => Ok(text("nothing to delete")),
        "confirm_delete" | "failing_job" | "multi_input" | "protocol_error_job" => {
            job(server, &context, &request.name)
        }
        "test_tool_with_task" => {
            let mut asked = asked;
            let question = server.question("name")?;
            let Some(answers) = asked.ask(&context, &[("user_name", question)]).await? else {
                return Ok(asked.required(None).into());
            };
            let name = answers[0]["content"]["name"].as_str().unwrap_or_default().to_owned();
            need_tasks(&context)?;
            Ok(spawn(server, move |_| Box::pin(async move { Ok(result(format!("for {name}"))) })))
        }
        name => {
            let result = server.fixtures.results.get(name);
            let result = result.ok_or_else(|| invalid_params("unknown tool"))?;
            Ok(CallToolResponse::Complete(from(result.clone())?))
        }
    }
}

fn result(text: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

fn text(text: impl Into<String>) -> CallToolResponse {
    CallToolResponse::Complete(result(text))
}

fn string<'a>(arguments: &'a JsonObject, name: &str) -> &'a str {
    arguments.get(name).and_then(Value::as_str).unwrap_or_default()
}

async fn ask_one(
    context: &RequestContext<RoleServer>,
    mut asked: Asked,
    question: (&str, InputRequest),
    state: Option<&str>,
) -> Result<CallToolResponse, ErrorData> {
    let Some(answers) = asked.ask(context, &[question]).await? else {
        return Ok(asked.required(state).into());
    };
    if is_modern(context) && asked.state.as_deref() != state {
        return Err(invalid_params("this is not the state that was given out"));
    }
    let answer = &answers[0];
    let name = answer["content"]["name"].as_str();
    let said = name.map_or_else(|| answer.to_string(), |name| format!("Hello, {name}!"));
    Ok(text(if state.is_some() { format!("state-ok {said}") } else { said }))
}

async fn multi_round(
    server: &Reference,
    context: &RequestContext<RoleServer>,
    mut asked: Asked,
) -> Result<CallToolResponse, ErrorData> {
    let second = asked.state.as_deref() == Some("round 1");
    let last = asked.state.as_deref() == Some("round 2");
    let (key, state) = if second || last { ("step2", "round 2") } else { ("step1", "round 1") };
    match asked.ask(context, &[(key, server.question("name")?)]).await? {
        Some(_) => Ok(text("done")),
        None => Ok(asked.required(Some(state)).into()),
    }
}

async fn multiple(
    server: &Reference,
    context: &RequestContext<RoleServer>,
    mut asked: Asked,
) -> Result<CallToolResponse, ErrorData> {
    let questions = [
        ("user_name", server.question("name")?),
        ("greeting", server.question("sampling")?),
        ("client_roots", server.question("roots")?),
    ];
    match asked.ask(context, &questions).await? {
        Some(_) => Ok(text("all three")),
        None => Ok(asked.required(Some("three")).into()),
    }
}

async fn log(context: &RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
    if !is_modern(context) || context.meta.log_level().is_some() {
        for line in ["started", "processing", "completed"] {
            let param = LoggingMessageNotificationParam::new(LoggingLevel::Info, json!(line));
            // A client that went away is told by the end of the call.
            let _ = context.peer.notify_logging_message(param).await;
            sleep(Duration::from_millis(50)).await;
        }
    }
    Ok(text("logged"))
}

async fn progress(context: &RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
    if let Some(token) = context.meta.get_progress_token() {
        for step in [0.0, 50.0, 100.0] {
            let param = ProgressNotificationParam::new(token.clone(), step).with_total(100.0);
            let _ = context.peer.notify_progress(param).await;
            sleep(Duration::from_millis(50)).await;
        }
    }
    Ok(text("made progress"))
}

async fn trigger(server: &Reference, name: &str) -> Result<CallToolResponse, ErrorData> {
    let listeners = server.listeners.lock().expect("no holder panics").clone();
    for listener in listeners {
        // One that did not ask for it refuses it.
        let _ = if name == "test_trigger_tool_change" {
            listener.notify_tool_list_changed().await
        } else {
            listener.notify_prompt_list_changed().await
        };
    }
    Ok(text("triggered"))
}

fn has_tasks(context: &RequestContext<RoleServer>) -> bool {
    context.client_capabilities().is_some_and(|declared| declared.supports_tasks())
}

fn need_tasks(context: &RequestContext<RoleServer>) -> Result<(), ErrorData> {
    if has_tasks(context) {
        return Ok(());
    }
    let needed = ClientCapabilities::builder().enable_tasks().build();
    Err(ErrorData::missing_required_client_capability(needed))
}

fn spawn(server: &Reference, job: impl FnOnce(TaskContext) -> TaskFuture) -> CallToolResponse {
    let options = TaskOptions::new().with_poll_interval_ms(100);
    CreateTaskResult::new(server.tasks.spawn(options, job)).into()
}

async fn slow_compute(
    server: &Reference,
    context: &RequestContext<RoleServer>,
    arguments: &JsonObject,
) -> Result<CallToolResponse, ErrorData> {
    let seconds = arguments.get("seconds").and_then(Value::as_f64).unwrap_or_default();
    let (pause, label) = (Duration::from_secs_f64(seconds), string(arguments, "label").to_owned());
    if has_tasks(context) {
        return Ok(spawn(server, move |task| {
            Box::pin(async move {
                tokio::select! {
                    () = sleep(pause) => Ok(result(format!("computed {label}"))),
                    () = task.cancelled() => Err(TaskExit::Cancelled),
                }
            })
        }));
    }
    tokio::select! {
        () = sleep(pause) => Ok(text(format!("computed {label}"))),
        () = context.ct.cancelled() => {
            // The test of a client looks for it.
            let _ = writeln!(io::stderr(), "slow_compute {label} outcome=\"cancelled\"");
            Err(ErrorData::internal_error("cancelled", None))
        }
    }
}

fn job(
    server: &Reference,
    context: &RequestContext<RoleServer>,
    name: &str,
) -> Result<CallToolResponse, ErrorData> {
    need_tasks(context)?;
    let confirm = server.question("confirm")?;
    Ok(match name {
        "confirm_delete" => spawn(server, move |task| {
            Box::pin(async move {
                task.request_input("confirm", confirm).await?;
                Ok(result("deleted"))
            })
        }),
        "multi_input" => spawn(server, move |task| {
            Box::pin(async move {
                tokio::try_join!(
                    task.request_input("first", confirm.clone()),
                    task.request_input("second", confirm.clone()),
                )?;
                Ok(result("both"))
            })
        }),
        "failing_job" => spawn(server, |_| {
            Box::pin(async {
                sleep(Duration::from_secs(1)).await;
                Ok(CallToolResult::error(vec![ContentBlock::text("it failed")]))
            })
        }),
        _ => spawn(server, |_| {
            Box::pin(async { Err(TaskExit::Error(error(-32603, "a fault of the server"))) })
        }),
    })
}

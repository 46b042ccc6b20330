//! A server in the official Rust SDK that has the fixtures of the conformance suite.

#![expect(deprecated, reason = "what a revision removed is still served to older clients")]

mod asked;
mod tools;

use std::{
    borrow::Cow,
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use rmcp::{
    ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CancelTaskParams, CompleteRequestParams,
        CompleteResult, ErrorCode, ErrorData, GetPromptRequestParams, GetPromptResponse,
        GetTaskParams, GetTaskResult, InputRequest, ListPromptsResult, ListResourceTemplatesResult,
        ListResourcesResult, ListToolsResult, PaginatedRequestParams, Prompt,
        ReadResourceRequestParams, ReadResourceResponse, Resource, ResourceTemplate,
        ServerCapabilities, ServerConfig, SetLevelRequestParams, SubscribeRequestParams,
        SubscriptionFilter, Tool, UnsubscribeRequestParams, UpdateTaskParams,
    },
    service::{RequestContext, RoleServer, SubscriptionContext, SubscriptionSink},
    task_manager::TaskManager,
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};

use self::asked::Asked;

/// What the server has, as the suite asks for it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Fixtures {
    tools: Vec<Tool>,
    /// What the tools answer that do nothing.
    results: Map<String, Value>,
    resources: Vec<Resource>,
    contents: Map<String, Value>,
    resource_templates: Vec<ResourceTemplate>,
    prompts: Vec<Prompt>,
    /// What the prompts answer that have no arguments.
    messages: Map<String, Value>,
    /// What the tools ask the client.
    questions: BTreeMap<String, InputRequest>,
}

/// The server; each request and each session has a clone.
#[derive(Clone)]
pub struct Reference {
    fixtures: Arc<Fixtures>,
    tasks: TaskManager,
    listeners: Arc<Mutex<Vec<SubscriptionSink>>>,
}

impl std::fmt::Debug for Reference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reference").finish_non_exhaustive()
    }
}

impl Reference {
    /// A server with all fixtures.
    pub fn new() -> serde_json::Result<Self> {
        Ok(Self {
            fixtures: Arc::new(serde_json::from_str(include_str!("fixtures.json"))?),
            tasks: TaskManager::new(),
            listeners: Arc::default(),
        })
    }

    fn question(&self, name: &str) -> Result<InputRequest, ErrorData> {
        let question = self.fixtures.questions.get(name).cloned();
        question.ok_or_else(|| ErrorData::internal_error(format!("no question `{name}`"), None))
    }
}

/// A complete result from its wire form.
fn from<T: DeserializeOwned>(mut value: Value) -> Result<T, ErrorData> {
    // The SDK leaves it out again for older clients.
    value["resultType"] = json!("complete");
    serde_json::from_value(value)
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

fn invalid_params(message: impl Into<Cow<'static, str>>) -> ErrorData {
    ErrorData::invalid_params(message, None)
}

/// There are no pages, so that every cursor is one that was never given out.
fn check_cursor(request: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.and_then(|request| request.cursor) {
        Some(_) => Err(invalid_params("unknown cursor")),
        None => Ok(()),
    }
}

impl ServerHandler for Reference {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_completions()
            .enable_logging()
            .enable_prompts()
            .enable_prompts_list_changed()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_resources_subscribe()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_tasks()
            .build();
        ServerConfig::new(capabilities)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        check_cursor(request)?;
        Ok(ListToolsResult::with_all_items(self.fixtures.tools.clone()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.fixtures.tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        tools::call(self, request, context).await
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        check_cursor(request)?;
        Ok(ListResourcesResult::with_all_items(self.fixtures.resources.clone()))
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        check_cursor(request)?;
        Ok(ListResourceTemplatesResult::with_all_items(self.fixtures.resource_templates.clone()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri;
        let id = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data"));
        let content = match (self.fixtures.contents.get(&uri), id) {
            (Some(content), _) => content.clone(),
            (None, Some(id)) => {
                let text = json!({ "id": id, "data": format!("Data for ID: {id}") });
                json!({ "uri": uri, "mimeType": "application/json", "text": text.to_string() })
            }
            (None, None) => {
                let data = json!({ "uri": uri });
                return Err(ErrorData::resource_not_found("Resource not found", Some(data)));
            }
        };
        Ok(ReadResourceResponse::Complete(from(json!({ "contents": [content] }))?))
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        check_cursor(request)?;
        Ok(ListPromptsResult::with_all_items(self.fixtures.prompts.clone()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let argument = |name: &str| match request.arguments.as_ref().and_then(|all| all.get(name)) {
            Some(Value::String(value)) => Ok(value.clone()),
            _ => Err(invalid_params(format!("missing argument `{name}`"))),
        };
        let text = match &*request.name {
            "test_prompt_with_arguments" => {
                format!("Prompt with arguments: {}, {}", argument("arg1")?, argument("arg2")?)
            }
            "test_prompt_with_embedded_resource" => {
                let resource = json!({ "uri": argument("resourceUri")?, "mimeType": "text/plain",
                    "text": "Embedded resource content for testing." });
                let block = json!({ "type": "resource", "resource": resource });
                let message = json!({ "role": "user", "content": block });
                return Ok(GetPromptResponse::Complete(from(json!({ "messages": [message] }))?));
            }
            "test_input_required_result_prompt" => {
                let mut asked = Asked::new(request.input_responses, None);
                let question = self.question("name")?;
                match asked.ask(&context, &[("user_context", question)]).await? {
                    Some(_) => "Prompt with context".to_owned(),
                    None => return Ok(asked.required(None).into()),
                }
            }
            name => {
                let messages = self.fixtures.messages.get(name);
                let messages = messages.ok_or_else(|| invalid_params("unknown prompt"))?;
                return Ok(GetPromptResponse::Complete(from(messages.clone())?));
            }
        };
        let block = json!({ "type": "text", "text": text });
        let message = json!({ "role": "user", "content": block });
        Ok(GetPromptResponse::Complete(from(json!({ "messages": [message] }))?))
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let known = |name: &str| self.fixtures.prompts.iter().any(|prompt| prompt.name == name);
        if let rmcp::model::Reference::Prompt(prompt) = &request.r#ref
            && !known(&prompt.name)
        {
            return Err(invalid_params("unknown prompt"));
        }
        from(json!({ "completion": { "values": ["one", "two"], "total": 2, "hasMore": false } }))
    }

    async fn set_level(
        &self,
        _: SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn subscribe(
        &self,
        _: SubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(
        &self,
        _: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.listeners.lock().expect("no holder panics").push(context.sink().clone());
        context.cancelled().await;
        self.listeners
            .lock()
            .expect("no holder panics")
            .retain(|it| it.id() != context.sink().id());
        Ok(())
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        Ok(GetTaskResult::new(self.tasks.get_task(&request.task_id)?))
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.tasks.update_task(&request.task_id, request.input_responses)
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.tasks.cancel_task(&request.task_id)
    }
}

/// An error of a code that the SDK has no function for.
fn error(code: i32, message: &'static str) -> ErrorData {
    ErrorData::new(ErrorCode(code), message, None)
}

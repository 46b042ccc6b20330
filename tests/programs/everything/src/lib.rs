//! All that a component can have, in one: a tour of the SDK. Names and texts are those that the official conformance
//! suite asks for.

mod asking;
mod content;
mod prompts;
mod resources;
mod running;
mod schema;
mod tasks;

use mcpfn_sdk::mcp_tool;

/// Says what this component is.
#[mcp_tool(read_only = true)]
fn about() -> &'static str {
    "The fixtures of the conformance suite, and a tour of the SDK."
}

mcpfn_sdk::functions![
    about,
    content::test_simple_text,
    content::test_error_handling,
    content::test_image_content,
    content::test_audio_content,
    content::test_embedded_resource,
    content::test_multiple_content_types,
    schema::json_schema_2020_12_tool,
    schema::test_custom_header,
    running::test_tool_with_logging,
    running::test_logging_tool,
    running::test_tool_with_progress,
    running::test_reconnection,
    running::test_trigger_tool_change,
    running::test_trigger_prompt_change,
    running::test_trigger_resource_change,
    running::test_trigger_resource_update,
    asking::elicitation::test_elicitation,
    asking::elicitation::test_elicitation_sep1034_defaults,
    asking::elicitation::test_elicitation_sep1330_enums,
    asking::elicitation::test_streaming_elicitation,
    asking::elicitation::test_input_required_result_elicitation,
    asking::elicitation::test_elicitation_url,
    asking::sampling::test_sampling,
    asking::sampling::test_missing_capability,
    asking::sampling::test_input_required_result_sampling,
    asking::test_input_required_result_list_roots,
    asking::test_input_required_result_multiple_inputs,
    asking::test_input_required_result_capabilities,
    asking::rounds::test_input_required_result_request_state,
    asking::rounds::test_input_required_result_tampered_state,
    asking::rounds::test_input_required_result_multi_round,
    tasks::greet,
    tasks::slow_compute,
    tasks::failing_job,
    tasks::protocol_error_job,
    tasks::confirm_delete,
    tasks::multi_input,
    tasks::test_tool_with_task,
    resources::static_text,
    resources::static_binary,
    resources::template,
    resources::watched,
    prompts::test_simple_prompt,
    prompts::test_prompt_with_arguments,
    prompts::test_prompt_with_embedded_resource,
    prompts::test_prompt_with_image,
    prompts::test_input_required_result_prompt;
    skills = ["skills/pdf-processing"]
];

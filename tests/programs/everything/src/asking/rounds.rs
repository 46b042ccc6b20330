//! Questions over several rounds, and what is kept between them.

use mcpfn_sdk::{Ask, Stop, ToolArguments, mcp_tool};

use super::Name;

/// A form with yes or no.
#[derive(ToolArguments)]
struct Confirmation {
    ok: bool,
}

/// A form with a color.
#[derive(ToolArguments)]
struct Color {
    color: String,
}

/// Asks to confirm, and finds what it kept.
#[mcp_tool]
pub(crate) fn test_input_required_result_request_state(ask: Ask) -> Result<String, Stop> {
    confirmed(&ask, "request-state")
}

/// Asks to confirm; a client that changes the state is refused.
#[mcp_tool]
pub(crate) fn test_input_required_result_tampered_state(ask: Ask) -> Result<String, Stop> {
    confirmed(&ask, "tampered-state")
}

/// Asks for a name, then for a color.
#[mcp_tool]
pub(crate) fn test_input_required_result_multi_round(ask: Ask) -> Result<String, Stop> {
    let Name { name } = ask.form("step1", "Step 1: What is your name?")?;
    let Color { color } = ask.form("step2", "Step 2: What is your favorite color?")?;
    Ok(format!("{name} likes {color}."))
}

fn confirmed(ask: &Ask, state: &str) -> Result<String, Stop> {
    if ask.is_first() {
        ask.keep(&state)?;
    }
    let Confirmation { ok } = ask.form("confirm", "Please confirm")?;
    if ask.kept::<String>().as_deref() != Some(state) {
        return Err("what was kept is gone".into());
    }
    Ok(format!("state-ok, confirmed: {ok}"))
}

//! Forms that a function asks with, and what a person filled in.

use serde_json::{Value, value::RawValue};

use super::check::{Check, TooLong};
use crate::{
    function::{Ask, InputRequest, Json, Schema},
    schema_error::{Values, reason},
};

/// Whether every form can be answered: nobody should be asked for what no answer fits. An error names the question.
pub(super) fn check_forms(request: &InputRequest) -> Result<(), (String, String)> {
    for question in &request.questions {
        if let Ask::Form { schema, .. } = &question.ask {
            form(schema).map_err(|reason| (question.key.clone(), reason))?;
        }
    }
    Ok(())
}

/// The compiled schema of a form.
fn form(schema: &Json) -> Result<Check, String> {
    let schema = Schema::parse(schema.get().to_owned()).map_err(|error| error.to_string())?;
    let check = Check::new(&schema)?;
    // A form is flat (2025-11-25, client/elicitation, Requested Schema), and without references a check takes no time.
    if check.refers() { Err("has a reference".to_owned()) } else { Ok(check) }
}

/// Whether the content of a form fits its schema. An error names the place and what is expected there.
pub async fn check_answer(schema: &Json, content: &RawValue) -> Result<(), String> {
    let check = form(schema).map_err(|error| format!("its schema is broken: {error}"))?;
    let content: Value = serde_json::from_str(content.get()).map_err(|error| error.to_string())?;
    let judged = check.run(content, |validator, content| {
        let error = validator.validate(content).err()?;
        let path = error.instance_path().to_string();
        let place = if path.is_empty() { "/" } else { &path };
        Some(format!("{place}: {}", reason(&error, Values::Hidden)))
    });
    match judged.await {
        Ok((_, None)) => Ok(()),
        Ok((_, Some(fault))) => Err(fault),
        Err(TooLong) => Err("it takes too long to be checked".to_owned()),
    }
}

//! What a person filled in, against the schema of the form.

use serde_json::{Value, value::RawValue};

use super::check::{Check, TooLong};
use crate::{
    function::{Json, Schema},
    schema_error::{Values, reason},
};

/// Whether the content of a form fits its schema. An error names the place and what is expected there.
pub async fn check_answer(schema: &Json, content: &RawValue) -> Result<(), String> {
    let schema = Schema::parse(schema.get().to_owned()).map_err(|error| error.to_string())?;
    let check = Check::new(&schema).map_err(|error| format!("its schema is broken: {error}"))?;
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

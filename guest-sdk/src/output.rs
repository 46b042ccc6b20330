//! Structured results whose schema is published.

use std::{
    collections::{BTreeMap, HashMap},
    hash::BuildHasher,
};

use serde_json::Value;

use crate::{Schema, schema};

/// A type that may be a structured result, or a field of one, with a schema that the host publishes.
///
/// [`derive(ToolOutput)`](derive@crate::ToolOutput) implements it. A type that is only `Serialize` can be returned
/// too, without a schema.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no output schema",
    label = "not a type of structured result",
    note = "derive `ToolOutput` for it; or return a type that is only `Serialize`, and say `output_schema = ..`"
)]
pub trait ToolOutput {
    /// Whether an object may lack it.
    const OPTIONAL: bool = false;

    /// What it looks like in JSON.
    fn schema() -> Schema;

    /// Appends it to `json`, as JSON text.
    fn write_json(&self, json: &mut String);

    /// Whether an object leaves it out.
    fn is_absent(&self) -> bool {
        false
    }
}

macro_rules! scalars {
    ($($schema:ident: $($scalar:ty)*;)*) => { $( $(
        impl ToolOutput for $scalar {
            fn schema() -> Schema {
                Schema::$schema()
            }

            fn write_json(&self, json: &mut String) {
                json.push_str(&serde_json::to_string(self).expect("a scalar is always valid JSON"));
            }
        }
    )* )* };
}

scalars! {
    integer: i8 i16 i32 i64 isize u8 u16 u32 u64 usize;
    number: f32 f64;
    boolean: bool;
    string: String &str char;
    any: Value;
}

impl<T: ToolOutput> ToolOutput for Option<T> {
    const OPTIONAL: bool = true;

    fn schema() -> Schema {
        T::schema()
    }

    fn write_json(&self, json: &mut String) {
        match self {
            Some(value) => value.write_json(json),
            None => json.push_str("null"),
        }
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<T: ToolOutput> ToolOutput for Vec<T> {
    fn schema() -> Schema {
        Schema::array(T::schema())
    }

    fn write_json(&self, json: &mut String) {
        json.push_str(&schema::list(self.iter().map(to_json)));
    }
}

macro_rules! maps {
    ($($map:ident $($hasher:ident)?;)*) => { $(
        impl<T: ToolOutput $(, $hasher: Default + BuildHasher)?> ToolOutput for $map<String, T $(, $hasher)?> {
            fn schema() -> Schema {
                Schema::map(T::schema())
            }

            fn write_json(&self, json: &mut String) {
                let mut object = ObjectWriter::begin();
                for (key, value) in self {
                    object.field(key, value);
                }
                json.push_str(&object.finish());
            }
        }
    )* };
}

maps! { BTreeMap; HashMap S; }

pub(crate) fn to_json<T: ToolOutput>(value: &T) -> String {
    let mut json = String::new();
    value.write_json(&mut json);
    json
}

/// Writes the fields of a struct; used by the derive.
#[derive(Debug)]
pub struct ObjectWriter(String);

impl ObjectWriter {
    /// Begins an object.
    pub fn begin() -> Self {
        Self(String::from("{"))
    }

    /// Writes a field, unless it is absent.
    pub fn field<T: ToolOutput>(&mut self, name: &str, value: &T) {
        if !value.is_absent() {
            schema::push(&mut self.0, name, to_json(value));
        }
    }

    /// Ends the object.
    pub fn finish(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

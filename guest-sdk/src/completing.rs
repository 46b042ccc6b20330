//! Values for an argument that is being typed.

use crate::{Arguments, wit};

/// An argument of a prompt, or a variable of a resource's URI, that somebody is typing.
///
/// A function that takes it suggests values; `#[completion(..)]` on the parameter names the function:
///
/// ```
/// use mcpfn_sdk::{Completing, Suggestions, mcp_prompt, testing};
///
/// fn cities(typed: &Completing) -> Suggestions {
///     match typed.argument("country") {
///         Some("DE") => typed.among(["Berlin", "Bonn", "Ulm"]),
///         _ => typed.among(["Belém", "Berlin", "Bonn", "Ulm"]),
///     }
/// }
///
/// /// Plans a trip.
/// #[mcp_prompt]
/// fn trip(country: Option<String>, #[completion(cities)] city: String) -> String {
///     format!("Plan a trip to {city} ({}).", country.unwrap_or_default())
/// }
///
/// # fn main() {
/// let suggestions = testing::Call::new(r#"{ "country": "DE" }"#).complete::<trip>("city", "be").unwrap();
/// assert_eq!(suggestions.values(), ["Berlin"]);
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Completing {
    argument: String,
    value: String,
    others: Vec<(String, String)>,
}

impl Completing {
    pub(crate) fn new(argument: String, value: String, arguments: &Arguments<'_>) -> Self {
        let text =
            |(name, json): (&str, &str)| Some((name.to_owned(), serde_json::from_str(json).ok()?));
        Self { argument, value, others: arguments.iter().filter_map(text).collect() }
    }

    /// The argument, by its name in the declaration.
    pub fn name(&self) -> &str {
        &self.argument
    }

    /// What was typed so far.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Another argument, if it is known already. Nobody has checked it.
    pub fn argument(&self, name: &str) -> Option<&str> {
        let (_, value) = self.others.iter().find(|(other, _)| other == name)?;
        Some(value)
    }

    /// Those of `values` that begin with what was typed, case ignored.
    pub fn among<T: Into<String>>(&self, values: impl IntoIterator<Item = T>) -> Suggestions {
        let typed = self.value.to_lowercase();
        let values = values.into_iter().map(Into::into);
        values.filter(|value| value.to_lowercase().starts_with(&typed)).collect::<Vec<_>>().into()
    }
}

/// Values for an argument, best first. Any list of texts becomes one.
///
/// ```
/// use mcpfn_sdk::Suggestions;
///
/// let suggestions = Suggestions::from(["Berlin", "Bonn"]).of_total(12);
/// assert_eq!(suggestions.values(), ["Berlin", "Bonn"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suggestions {
    values: Vec<String>,
    total: Option<u32>,
    more: bool,
}

/// The protocol's limit for one answer.
const MAX_VALUES: usize = 100;

impl Suggestions {
    /// Says how many there are in all.
    #[must_use]
    pub fn of_total(mut self, total: u32) -> Self {
        self.total = Some(total);
        self
    }

    /// Says that there are more than these, and that nobody counted them.
    #[must_use]
    pub fn and_more(mut self) -> Self {
        self.more = true;
        self
    }

    /// The values, best first.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    pub(crate) fn into_wit(self) -> wit::Suggestions {
        let n_values = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        let more = self.more || self.total.is_some_and(|total| total > n_values);
        wit::Suggestions { values: self.values, total: self.total, more }
    }
}

impl<I: IntoIterator<Item = T>, T: Into<String>> From<I> for Suggestions {
    fn from(values: I) -> Self {
        let mut values: Vec<String> = values.into_iter().map(Into::into).collect();
        let total = u32::try_from(values.len()).ok();
        values.truncate(MAX_VALUES);
        Self { values, total, more: false }
    }
}

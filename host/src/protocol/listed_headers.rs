//! The request headers that a function asked for.

use super::Context;
use crate::function::Function;

/// The headers that the function lists. A function that lists one with a secret does not load.
pub(super) fn listed_headers(context: &Context<'_>, function: &Function) -> Vec<(String, String)> {
    let Some(headers) = context.headers else { return Vec::new() };
    let listed = function.headers.iter();
    listed.filter_map(|name| Some((name.clone(), headers.joined(name)?))).collect()
}

//! Where the compiler shows what is wrong with what a macro wrote.

use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;

/// The place that the compiler shows, where our own names still mean what they mean here, even if the type came
/// through a `macro_rules` of the guest.
pub(crate) fn shown_at(tokens: &impl ToTokens) -> Span {
    tokens.span().resolved_at(Span::call_site())
}

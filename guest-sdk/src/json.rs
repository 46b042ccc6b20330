//! JSON by serde, said out loud.

/// A value that goes through serde as JSON.
///
/// The SDK serializes any `Serialize` on its own; the wrapper is for where a type could be read in two ways, such as
/// `Json<Vec<u8>>` for an array of numbers instead of bytes, and for arguments that serde should read.
///
/// ```
/// use mcpfn_sdk::{Json, mcp_tool};
///
/// /// Counts up.
/// #[mcp_tool]
/// fn count_to(n: u8) -> Json<Vec<u8>> {
///     Json((1..=n).collect())
/// }
/// # fn main() { assert_eq!(count_to(2).0, [1, 2]) }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Json<T>(pub T);

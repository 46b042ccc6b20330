//! What a function changed that clients may have read: they are told, and read again. In a native test, nobody is told.
//!
//! ```
//! use mcpfn_sdk::{changes, mcp_tool};
//!
//! /// Saves the menu of the day.
//! #[mcp_tool]
//! fn save_menu(menu: String) {
//!     // .. save it, then
//!     changes::resource_updated("menu://today");
//! }
//! # fn main() { save_menu(String::new()) }
//! ```

use crate::wit::changes::ListKind;

/// The list of tools has other entries, or other texts.
pub fn tools() {
    list(ListKind::Tools);
}

/// The list of resources has other entries, or other texts.
pub fn resources() {
    list(ListKind::Resources);
}

/// The list of prompts has other entries, or other texts.
pub fn prompts() {
    list(ListKind::Prompts);
}

/// A resource has other contents. Clients that subscribed to exactly this URI are told.
pub fn resource_updated(uri: &str) {
    if cfg!(target_family = "wasm") {
        crate::wit::changes::resource_updated(uri);
    }
}

fn list(kind: ListKind) {
    if cfg!(target_family = "wasm") {
        crate::wit::changes::list_changed(kind);
    }
}

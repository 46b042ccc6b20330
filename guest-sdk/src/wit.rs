//! The types of the contract, generated from `wit/`. The SDK wraps all that a tool needs of them.

mod bindings {
    #![expect(
        missing_docs,
        reason = "generated; what the contract says is documented, the glue is not"
    )]
    #![expect(
        clippy::same_length_and_capacity,
        reason = "generated: that is how the ABI hands over a list"
    )]

    wit_bindgen::generate!({
        path: "wit",
        world: "function",
        pub_export_macro: true,
        export_macro_name: "export_component",
        default_bindings_module: "::mcpfn_sdk::wit",
    });
}

pub use bindings::mcpfn::function::{blobs, changes, context, log, progress, streams, types::*};
#[doc(hidden)]
pub use bindings::{export_component, exports};

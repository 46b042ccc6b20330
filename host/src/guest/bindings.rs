//! The host's side of the WIT package `mcpfn:function@0.1.0`, generated.

wasmtime::component::bindgen!({
    path: "../wit",
    world: "function",
    imports: { "mcpfn:function/blobs": async, "mcpfn:function/streams": async },
    exports: { default: async },
    // Descriptions are kept in the cache.
    additional_derives: [serde::Deserialize, serde::Serialize],
    with: {
        "mcpfn:function/blobs.container": super::handle::Container,
        "mcpfn:function/streams.reader": super::handle::Reader,
        "mcpfn:function/streams.writer": super::handle::Writer,
    },
});

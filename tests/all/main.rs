//! Tests of the real binary, over HTTP and over standard input and output. `cargo xtask test` builds
//! what they need and tells them where it is.

mod harness;

mod arguments; // what a tool accepts, and what it says of the rest
mod asking_legacy; // questions in the middle of a call
mod asking_modern; // questions, and calls that come again with answers
mod asking_state; // what a client carries from a question to its answers
mod azurite; // declared storage on Azure Blob Storage
mod blobs; // declared storage, by name and content
mod cache; // what is kept from one start to the next
mod cancellation; // calls that their clients give up
mod clients; // other people's MCP clients
mod commands; // what does not serve: call, list, check, schema
mod completion; // values for an argument that is being typed
mod conformance; // the official suite
mod connections; // HTTP below the protocol: hosts, origins, bodies, many at once
mod differential; // beside the official Rust SDK
mod guest_storage; // what the SDK makes of storage
mod guests; // components that misbehave
mod heard; // progress and log lines, for those who asked
mod http_binding; // services behind bindings
mod languages; // components that are not of Rust
mod limits; // what one invocation may use, and how many there may be
mod listening; // streams on which the host speaks by itself
mod loading; // what stops a start
mod malformed; // messages that are none
mod memory; // what clients leave behind
mod new_project; // new, build, call, without a clone
mod old_transport; // 2024-11-05, with a stream and posts beside it
mod prompts; // messages by name
mod protocol_legacy; // 2025-11-25 and older
mod protocol_modern; // 2026-07-28
mod queue_binding; // messages for workers, on Azure's queues
mod reload; // what changes while the host serves
mod resources; // what is read under a URI
mod results; // what a tool answers
mod samples; // the samples that no other test starts
mod sessions; // legacy clients that introduced themselves
mod skills; // instructions for a model
mod stdio; // the same on standard input and output
mod storage; // declared storage on every kind of storage
mod storage_servers; // what other tests take for granted of storage
mod streams; // replies that become streams of events
mod tasks; // calls that go on in the background
mod tasks_asking; // questions of such calls
mod tidy; // the walls between the modules
mod warm; // instances that are kept between calls

//! Write MCP tools, resources and prompts as functions; the `mcpfn` host runs them.
//!
//! # A tool
//! A tool is a function with [`mcp_tool`] on it. Its doc comment is what the model reads about it, its parameters are
//! the arguments, and [`functions!`] says which functions the component has:
//!
//! ```
//! use mcpfn_sdk::mcp_tool;
//!
//! /// Adds two numbers.
//! #[mcp_tool]
//! fn add(
//!     /// The first number.
//!     a: f64,
//!     /// The second number; 1 when it is left out.
//!     #[arg(default = 1.0)]
//!     b: f64,
//! ) -> f64 {
//!     a + b
//! }
//!
//! mcpfn_sdk::functions![add];
//! # fn main() { assert_eq!(add(1.0, 2.0), 3.0) }
//! ```
//!
//! The crate is a `cdylib` that depends on this one alone. `mcpfn build`, or `cargo build --target wasm32-wasip2`,
//! makes the component; copy it into the host's `functions/`. Natively the same crate builds, lints and tests: a tool
//! stays an ordinary function, and [`testing`] calls it as the host would.
//!
//! # Arguments
//! A parameter is an argument of its name. Its type gives the schema: texts, numbers, `bool`, `Vec<T>`, maps,
//! `Option<T>` for one that may be left out, and what you derive [`Argument`](derive@Argument) for: structs inside
//! the arguments, and enums of texts. `#[arg(..)]` adds constraints, a default, or another name; see [`mcp_tool`]. The
//! host checks all of it before the tool runs. One struct with [`ToolArguments`](derive@ToolArguments) takes all
//! arguments at once.
//!
//! A parameter of type [`ToolContext`] tells who calls, and how.
//!
//! # Storage
//! What a tool reads and writes is declared. [`blob_input`] fills a parameter from a blob; [`blob_output`] writes
//! what the tool returns, or what it sets on a parameter of type [`Out<T>`](Out). A path names arguments in braces:
//!
//! ```
//! use mcpfn_sdk::{blob_input, blob_output, mcp_tool};
//!
//! /// Saves a note.
//! #[mcp_tool]
//! #[blob_output(name = "$return", path = "notes/{mcptoolargs.title}.txt")]
//! fn save_note(title: String, text: String) -> String {
//!     text
//! }
//!
//! /// Gets a note.
//! #[mcp_tool]
//! fn get_note(
//!     title: String,
//!     #[blob_input(path = "notes/{mcptoolargs.title}.txt")] note: Option<String>,
//! ) -> Result<String, String> {
//!     note.ok_or_else(|| format!("there is no note `{title}`"))
//! }
//!
//! mcpfn_sdk::functions![save_note, get_note];
//! # fn main() { assert!(get_note("a".into(), None).is_err()) }
//! ```
//!
//! The type of the parameter says how a blob is read and written: as text, bytes or JSON, or in pieces by a
//! [`BlobReader`] and a [`BlobWriter`], so that it may be larger than memory. [`BlobList`] is which blobs there are,
//! [`Out<Delete>`](Delete) deletes. [`blob_output`] has keys for the media type, for metadata, and for writing only where
//! there is no such blob (`overwrite = false`) or what was read is there still (`if_match = ".."`). Where only running
//! code can know the name, [`Container`] has all of it as functions.
//!
//! # Services and queues
//! [`http_input`] fills a parameter with what a service answers, [`http_output`] sends it a request, and
//! [`queue_output`] leaves work for later. Where the service is and what proves who asks is a connection of the host: no
//! secret comes here.
//!
//! ```
//! use mcpfn_sdk::{Out, http_input, mcp_tool, queue_output};
//!
//! /// Tells the weather, and has a chart drawn of it.
//! #[mcp_tool]
//! fn weather(
//!     town: String,
//!     #[http_input(connection = "Weather", path = "/towns/{mcptoolargs.town}")] forecast: Option<String>,
//!     #[queue_output(queue_name = "charts")] chart: Out<String>,
//! ) -> Result<String, String> {
//!     chart.set(town.clone());
//!     forecast.ok_or_else(|| format!("nobody knows the weather of `{town}`"))
//! }
//!
//! mcpfn_sdk::functions![weather];
//! # fn main() { assert!(weather("a".into(), None, Out::new()).is_err()) }
//! ```
//!
//! # Results
//! Text, numbers, bytes, content blocks ([`Content`], [`Reply`]), or structured content: a struct with
//! [`ToolOutput`](derive@ToolOutput), whose schema is published, or any `Serialize`. An `Err` is a tool error with its
//! message kept. [`Return`] has the table.
//!
//! # Resources and prompts
//! [`mcp_resource`] makes a function the content of a URI, [`mcp_prompt`] one of the messages that a person picks. Their
//! parameters are the variables of the URI, and the arguments of the prompt; `#[completion(..)]` on one names a function
//! that suggests values while it is typed, see [`Completing`]:
//!
//! ```
//! use mcpfn_sdk::{Completing, Suggestions, blob_input, mcp_prompt, mcp_resource};
//!
//! /// A note.
//! #[mcp_resource(uri = "note://{title}", mime_type = "text/plain")]
//! fn note(title: String, #[blob_input(path = "notes/{title}.txt")] note: Option<String>) -> Option<String> {
//!     note
//! }
//!
//! /// Translates a text.
//! #[mcp_prompt]
//! fn translate(text: String, #[completion(languages)] language: String) -> String {
//!     format!("Translate into {language}:\n{text}")
//! }
//!
//! fn languages(typed: &Completing) -> Suggestions {
//!     typed.among(["English", "Esperanto", "Swedish"])
//! }
//!
//! mcpfn_sdk::functions![note, translate];
//! # fn main() { assert_eq!(note("a".into(), None), None) }
//! ```
//!
//! [`ResourceReturn`] and [`PromptReturn`] have the tables of what they may return.
//!
//! # Asking
//! A function asks the person, or the client's model, with a parameter of type [`Ask`]; it reads as if the answer came
//! at once. [`ToolContext::capabilities`] says what the client can be asked.
//!
//! # While it runs
//! [`progress::report`] says how far it is, [`changes`] what clients should read again, and
//! `#[mcp_tool(task = "optional")]` that a client need not wait for it.
//!
//! # Skills
//! `functions![add; skills = ["skills/adding"]]` publishes a folder of instructions for a model; see [`functions!`].
//!
//! serde is re-exported, so that a guest needs no dependency of its own for it; its derives are told where it is with
//! `#[serde(crate = "mcpfn_sdk::serde")]`.
//!
//! # Logging
//! [`log::info!`](log) and its siblings, or plain `println!`: both reach the host's log with the invocation's id.

// What the derives write names the crate.
extern crate self as mcpfn_sdk;

mod answer;
mod argument;
mod arguments;
mod ask;
mod blob;
mod call;
mod capabilities;
pub mod changes;
mod completing;
#[doc(hidden)]
pub mod constraint;
mod content;
mod contents;
mod context;
mod declaration;
mod failure;
mod json;
pub mod log;
mod message;
mod output;
mod parameter;
mod probe;
mod probe_contents;
pub mod progress;
mod question;
mod reply;
mod returned;
#[doc(hidden)]
pub mod runtime;
mod schema;
mod stop;
pub mod testing;
mod text_argument;
mod text_parameter;
pub mod wit;

pub use answer::{Answer, Root};
pub use argument::{Argument, ArgumentError};
pub use arguments::{Arguments, ToolArguments};
pub use ask::Ask;
pub use blob::{
    BlobDetails, BlobEntry, BlobForm, BlobInput, BlobList, BlobOutput, BlobReader, BlobWriter,
    Blobs, Container, ContainerError, Delete, Out,
};
pub use capabilities::Capabilities;
pub use completing::{Completing, Suggestions};
pub use constraint::Text;
pub use content::Content;
pub use contents::{ResourceContents, ResourceReturn};
pub use context::{Client, ToolContext, Transport};
pub use json::Json;
/// ```
/// mod greet {
///     /// Says hello.
///     #[mcpfn_sdk::mcp_tool]
///     pub fn hello() -> &'static str {
///         "hello"
///     }
/// }
///
/// mcpfn_sdk::functions![greet::hello];
/// # fn main() {}
/// ```
#[doc(inline)]
pub use mcpfn_sdk_macros::functions;
/// ```
/// use mcpfn_sdk::mcp_prompt;
///
/// /// Explains a word.
/// #[mcp_prompt(title = "Explain")]
/// fn explain(
///     /// The word.
///     #[arg(title = "Word")]
///     word: String,
///     /// For whom.
///     #[arg(default = "a child")]
///     listener: String,
/// ) -> String {
///     format!("Explain `{word}` to {listener}.")
/// }
/// # fn main() { assert_eq!(explain("tax".into(), "me".into()), "Explain `tax` to me.") }
/// ```
#[doc(inline)]
pub use mcpfn_sdk_macros::mcp_prompt;
/// ```
/// use mcpfn_sdk::{mcp_resource, serde_json::{Value, json}};
///
/// /// The weather of a day.
/// #[mcp_resource(uri = "weather://{town}/{day}", annotations = r#"{ "audience": ["assistant"] }"#)]
/// fn weather(town: String, day: u32) -> Option<Value> {
///     (town == "Ulm").then(|| json!({ "day": day, "rain": true }))
/// }
/// # fn main() { assert!(weather("Bonn".into(), 1).is_none()) }
/// ```
#[doc(inline)]
pub use mcpfn_sdk_macros::mcp_resource;
/// ```
/// use mcpfn_sdk::mcp_tool;
///
/// /// Finds houses.
/// #[mcp_tool(title = "House finder", read_only = true)]
/// fn find_houses(
///     /// Where to look.
///     town: String,
///     /// How many rooms at least.
///     #[arg(min = 1, max = 20, default = 2)]
///     rooms: u8,
/// ) -> Option<String> {
///     (town == "Ulm" && rooms < 4).then(|| "Fischergasse 1".to_owned())
/// }
/// # fn main() { assert!(find_houses("Ulm".into(), 2).is_some()) }
/// ```
#[doc(inline)]
pub use mcpfn_sdk_macros::mcp_tool;
pub use mcpfn_sdk_macros::{
    Argument, ToolArguments, ToolOutput, blob_container, blob_input, blob_output, http_input,
    http_output, queue_output,
};
pub use message::{PromptMessage, PromptReturn};
pub use output::ToolOutput;
pub use question::Question;
pub use reply::Reply;
pub use returned::Return;
pub use schema::{Property, Schema};
pub use serde;
pub use serde_json;
pub use stop::{Refusal, Stop};
pub use text_argument::TextArgument;

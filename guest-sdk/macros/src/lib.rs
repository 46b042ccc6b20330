//! The attributes and derives of `mcpfn-sdk`, which re-exports them: a guest does not name this crate.
//!
//! Each file is one step: `attribute` is the grammar; `trigger` names the kinds of function, `tool`, `resource` and
//! `prompt` read what is said about them, `binding`, `container`, `argument` and `completion` the attributes beside,
//! `blob`, `http` and `queue` say what theirs take; `function` takes a function apart, `check` says what must hold between the parts, `expand` and `outcome` write.

mod about;
mod argument;
mod attribute;
mod binding;
mod blob;
mod check;
mod completion;
mod container;
mod declaration;
mod derive;
mod doc;
mod expand;
mod function;
mod functions;
mod http;
mod name;
mod outcome;
mod output;
mod prompt;
mod queue;
mod resource;
mod shown_at;
mod skills;
mod template;
mod tool;
mod trigger;
mod uri;

use proc_macro::TokenStream;
use quote::ToTokens;
use syn::{DeriveInput, Error, ItemFn, parse_macro_input};

use crate::{
    binding::{Direction, Form},
    trigger::Kind,
};

/// Makes a function a tool.
///
/// The function stays what it is, for tests and for other code. Its doc comment is the tool's description, its name
/// the tool's name, its parameters the arguments, their doc comments the arguments' descriptions.
///
/// | key | means |
/// | --- | --- |
/// | `name = ".."` | the tool's name, if not the function's: 1 to 64 of `A-Z`, `a-z`, `0-9`, `_`, `-`, `.`, `/` |
/// | `title = ".."` | a name for people |
/// | `description = ".."` | in place of the doc comment |
/// | `read_only`, `destructive`, `idempotent`, `open_world` `= true` or `false` | the protocol's hints |
/// | `task = ".."` | whether it may run in the background, where the client takes tasks: `"forbidden"` (the default), `"optional"`, `"required"`, or `"after_input"` once its questions are answered |
/// | `headers = ["x-.."]` | the request headers that `ToolContext::header` may read; never a secret one |
/// | `input_schema = ..` | a JSON Schema, published unchanged in place of that of the parameters |
/// | `output_schema = ..` | a JSON Schema of the structured result, in place of that of the type |
/// | `icons = ..`, `meta = ..` | the protocol's `icons` and `_meta` |
///
/// The last four take JSON in a text, which is checked while compiling, or a constant such as `SCHEMA` or
/// `include_str!("schema.json")`.
///
/// # Arguments
/// On a parameter, or on a field of a struct of arguments, `#[arg(..)]` takes:
///
/// | key | for | JSON Schema |
/// | --- | --- | --- |
/// | `name = ".."`, `title = ".."`, `description = ".."` | all | the name, `title`, `description` |
/// | `default = ..` | texts, numbers, `bool`, enums | `default`; the argument may be left out |
/// | `min = ..`, `max = ..` | numbers | `minimum`, `maximum` |
/// | `min_length = ..`, `max_length = ..` | texts | `minLength`, `maxLength` |
/// | `pattern = ".."`, `format = ".."` | texts | `pattern`, `format` |
/// | `min_items = ..`, `max_items = ..` | lists | `minItems`, `maxItems` |
///
/// Flat arguments without constraints are published exactly as Azure Functions would; others as a JSON Schema
/// document.
#[proc_macro_attribute]
pub fn mcp_tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let function = parse_macro_input!(item as ItemFn);
    expand::expand(Kind::Tool, attribute.into(), function).into()
}

/// Makes a function the content of a URI, or of every URI of a template.
///
/// The variables of the template are the parameters, by their names: `String`, numbers, `bool`, enums of texts, and
/// `Option` of these. A variable without a parameter, or the other way round, does not compile.
///
/// | key | means |
/// | --- | --- |
/// | `uri = ".."` | the URI, or the template: `{name}` is one segment, `{+name}` may have a `/` |
/// | `name = ".."` | the name that programs list it by, if not the function's |
/// | `title = ".."` | a name for people |
/// | `description = ".."` | in place of the doc comment |
/// | `mime_type = ".."` | the media type of what it returns |
/// | `size = ..` | the size in bytes, when it is known |
/// | `annotations = ..` | the protocol's annotations, a JSON object: `audience`, `priority`, `lastModified` |
/// | `headers`, `icons`, `meta` | as for `mcp_tool` |
///
/// A parameter may have `#[completion(function)]`, which names who suggests values for it, or `#[arg(name = "..")]`,
/// where the variable has another name. In the path of a `#[blob_input(..)]` a variable is `{name}`, or
/// `{mcpresourceargs.name}`.
#[proc_macro_attribute]
pub fn mcp_resource(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let function = parse_macro_input!(item as ItemFn);
    expand::expand(Kind::Resource, attribute.into(), function).into()
}

/// Makes a function a prompt: messages that a person picks by name.
///
/// Its parameters are the arguments, their doc comments the arguments' descriptions: `String`, numbers, `bool`, enums
/// of texts, and `Option` of these for one that may be left out. They come as texts.
///
/// | key | means |
/// | --- | --- |
/// | `name = ".."` | the prompt's name, if not the function's: 1 to 64 of `A-Z`, `a-z`, `0-9`, `_`, `-`, `.`, `/` |
/// | `title = ".."` | a name for people |
/// | `description = ".."` | in place of the doc comment |
/// | `headers`, `icons`, `meta` | as for `mcp_tool` |
///
/// On a parameter, `#[arg(..)]` takes `name`, `title`, `description` and `default`, and `#[completion(function)]` names
/// who suggests values for it. In the path of a `#[blob_input(..)]` an argument is `{mcppromptargs.name}`.
#[proc_macro_attribute]
pub fn mcp_prompt(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let function = parse_macro_input!(item as ItemFn);
    expand::expand(Kind::Prompt, attribute.into(), function).into()
}

/// Fills a parameter from a blob, or with the names of blobs, before the function runs.
///
/// It stands on the parameter, or above the function with the parameter's name: `name = ".."`. The type of the parameter
/// says how the blob is read: `String`, `Vec<u8>`, any `Deserialize`, `BlobReader` in pieces; `BlobList` is which blobs
/// there are. A blob that does not exist fails the call, unless the parameter is an `Option`.
///
/// | key | for | means |
/// | --- | --- | --- |
/// | `path = ".."` | all | container and name: `snippets/{mcptoolargs.name}.json`; of a list, what the names begin with |
/// | `connection = ".."` | all | the connection, if it is not the default one |
/// | `max_bytes = ..` | blobs | the size above which the call fails; 64 MiB, and none for a `BlobReader` |
/// | `max_items = ..` | lists | how many blobs a page has at most: 1,000, and up to 5,000 |
/// | `after = ".."` | lists | the `next` of the page before: `{mcptoolargs.cursor=}`, where the `=` stands for the first page |
///
/// `path` and `after` have arguments in braces; one that there is not does not compile. Arguments of a prompt are
/// `{mcppromptargs.name}`, variables of a resource `{name}` or `{mcpresourceargs.name}`.
#[proc_macro_attribute]
pub fn blob_input(attribute: TokenStream, item: TokenStream) -> TokenStream {
    below_trigger(&blob::INPUT, attribute, item)
}

/// Writes or deletes a blob after a tool has succeeded.
///
/// Above the function it writes what the function returns (`name = "$return"`, the default), or what the parameter
/// of that `name` was set to; on a parameter of type `Out<T>` it writes what that was set to, and on a `BlobWriter` what
/// was written to it in pieces. `Out<Delete>` deletes.
///
/// | key | means |
/// | --- | --- |
/// | `path = ".."`, `connection = ".."` | as for `blob_input` |
/// | `max_bytes = ..` | the size above which the call fails; 64 MiB, and none for a `BlobWriter` |
/// | `content_type = ".."` | the media type, if it does not follow from the ending of the name |
/// | `metadata(author = "..", ..)` | what is said about the blob; the texts have arguments in braces |
/// | `overwrite = false` | the call fails where there is such a blob already |
/// | `if_match = ".."` | the call fails if the blob is not what the input of this name read; that has the same path |
///
/// The last two are not for a `BlobWriter`, and only the first line is for `Out<Delete>`.
#[proc_macro_attribute]
pub fn blob_output(attribute: TokenStream, item: TokenStream) -> TokenStream {
    below_trigger(&blob::OUTPUT, attribute, item)
}

/// Fills a parameter with what a service answers, before the function runs.
///
/// It stands on the parameter, or above the function with the parameter's name: `name = ".."`. The type of the parameter
/// says how the answer is read: `String`, `Vec<u8>`, any `Deserialize`. What the service does not have (404, 410) fails
/// the call, unless the parameter is an `Option`.
///
/// | key | means |
/// | --- | --- |
/// | `connection = ".."` | the connection, which the owner of the host defines with its url and its secrets |
/// | `path = ".."` | what is put behind the url, query included: `/weather/{mcptoolargs.town}?units=metric` |
/// | `headers(accept = "..", ..)` | headers, with `_` for each `-`; none that is a secret |
/// | `max_bytes = ..` | the size above which the call fails; 1 MiB |
/// | `timeout = ..` | how many seconds the service may take; 10 |
///
/// `path` and `headers` have arguments in braces; in `path` they are percent-encoded.
#[proc_macro_attribute]
pub fn http_input(attribute: TokenStream, item: TokenStream) -> TokenStream {
    below_trigger(&http::INPUT, attribute, item)
}

/// Sends a request to a service after a tool has succeeded.
///
/// Above the function it sends what the function returns (`name = "$return"`, the default), or what the parameter of that
/// `name` was set to; on a parameter of type `Out<T>` it sends what that was set to: a `String` as text, `Vec<u8>` as
/// bytes, any `Serialize` as JSON. `Out<Delete>` is a `DELETE`. What a function returns has to be JSON, unless there is
/// a `content_type`.
///
/// | key | means |
/// | --- | --- |
/// | `connection`, `path`, `headers`, `timeout` | as for `http_input` |
/// | `method = ".."` | `POST`, `PUT`, `PATCH` or `DELETE`; `POST` |
/// | `content_type = ".."` | the media type, if it is not that of text, bytes or JSON |
#[proc_macro_attribute]
pub fn http_output(attribute: TokenStream, item: TokenStream) -> TokenStream {
    below_trigger(&http::OUTPUT, attribute, item)
}

/// Puts a message into a queue after a tool has succeeded, for work that takes longer than a call.
///
/// Where it stands and what it takes is as for `blob_output`; there is no deletion.
///
/// | key | means |
/// | --- | --- |
/// | `queue_name = ".."` | the queue |
/// | `connection = ".."` | the connection, if it is not the default one |
/// | `encoding = ".."` | `base64`, as Azure Functions read it, or `none`; `base64` |
/// | `visibility_timeout = ..` | how many seconds nobody gets to see the message; 0 |
/// | `time_to_live = ..` | after how many seconds the message is dropped, -1 for never; a week |
#[proc_macro_attribute]
pub fn queue_output(attribute: TokenStream, item: TokenStream) -> TokenStream {
    below_trigger(&queue::OUTPUT, attribute, item)
}

/// Makes a parameter of type `Container` a container of blobs, for names that only running code can know.
///
/// `#[blob_container("notes")] notes: Container`, with a `connection = ".."` if it is not the default one. The function
/// may read, write, list and delete there, whatever it is called with; so host.json has to grant it:
/// `"functions": { "NAME": { "containers": [{ "name": "notes" }] } }`.
#[proc_macro_attribute]
pub fn blob_container(_: TokenStream, item: TokenStream) -> TokenStream {
    let message = "`blob_container` stands on a parameter: `notes: Container`";
    let error = Error::new(proc_macro2::Span::call_site(), message).into_compile_error();
    let item = proc_macro2::TokenStream::from(item);
    quote::quote!(#error #item).into()
}

/// Says which functions the component has, by name or path: once per crate.
///
/// Two functions of one name, case ignored, do not compile.
///
/// `functions![a, b; skills = ["skills/pdf-processing"]]` publishes folders of instructions for a model, too: all files
/// of each, as they are while compiling. The folder is relative to that of the crate, and has a `SKILL.md` whose
/// frontmatter has the folder's name. A changed file is built anew; a file that is added is once any other changes.
#[proc_macro]
pub fn functions(paths: TokenStream) -> TokenStream {
    functions::expand(paths.into()).unwrap_or_else(Error::into_compile_error).into()
}

/// One argument of a tool: a struct with named fields, or an enum whose variants stand for texts.
///
/// Fields take `#[arg(..)]` as parameters do, variants `#[arg(name = "..")]`; above the type
/// `#[arg(rename_all = "camelCase")]` renames them all.
#[proc_macro_derive(Argument, attributes(arg))]
pub fn derive_argument(item: TokenStream) -> TokenStream {
    let input = parse_macro_input!(item as DeriveInput);
    derive::argument(&input).unwrap_or_else(Error::into_compile_error).into()
}

/// All arguments of a tool in one struct, one per field.
///
/// Doc comments of the fields are the descriptions, `Option` fields may be left out, `#[arg(..)]` is as for
/// parameters, and `#[arg(rename_all = "camelCase")]` above the struct renames all fields.
#[proc_macro_derive(ToolArguments, attributes(arg))]
pub fn derive_tool_arguments(item: TokenStream) -> TokenStream {
    let input = parse_macro_input!(item as DeriveInput);
    derive::tool_arguments(&input).unwrap_or_else(Error::into_compile_error).into()
}

/// A structured result whose schema is published: a struct with named fields, and within it enums whose variants
/// stand for texts.
///
/// Needs no serde. `#[output(name = "..", description = "..")]` and `#[output(rename_all = "camelCase")]` set names;
/// serde's `rename`, `rename_all` and `skip` are followed too, so that a type may derive both. An `Option` that is
/// `None` is left out.
#[proc_macro_derive(ToolOutput, attributes(output, serde))]
pub fn derive_tool_output(item: TokenStream) -> TokenStream {
    let input = parse_macro_input!(item as DeriveInput);
    output::expand(&input).unwrap_or_else(Error::into_compile_error).into()
}

/// An attribute that stands above `#[mcp_tool]` is expanded first: it lets the trigger step in front, which then
/// takes all that follow it, in the order in which they were written.
fn below_trigger(form: &Form, attribute: TokenStream, item: TokenStream) -> TokenStream {
    let attribute = proc_macro2::TokenStream::from(attribute);
    // The trigger is in front and took nothing, because its name means nothing here. The compiler says so, if this
    // does not go round forever.
    if binding::keys_below_trigger(&attribute).is_some() {
        return item;
    }
    let mut function = parse_macro_input!(item as ItemFn);
    let Some(at) = function.attrs.iter().position(|attr| Kind::of(attr).is_some()) else {
        let word = form.word;
        let message = match form.direction {
            Direction::Output => format!("`{word}` belongs to a tool: add `#[mcp_tool]`"),
            Direction::Input => format!(
                "`{word}` belongs to a function: add `#[mcp_tool]`, `#[mcp_resource(..)]` or `#[mcp_prompt]`"
            ),
        };
        let error = Error::new(proc_macro2::Span::call_site(), message).into_compile_error();
        return quote::quote!(#error #function).into();
    };
    let trigger = function.attrs.remove(at);
    let word = proc_macro2::Ident::new(form.word, proc_macro2::Span::call_site());
    let tokens = binding::mark_below_trigger(&attribute);
    let own: syn::Attribute = syn::parse_quote!(#[::mcpfn_sdk::#word(#tokens)]);
    function.attrs.splice(0..0, [trigger, own]);
    function.into_token_stream().into()
}

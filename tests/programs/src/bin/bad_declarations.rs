//! A declaration that the SDK refuses to compile, written by hand: an input that is named as what
//! the tool returns.

use mcpfn_sdk::wit::{
    Binding, Completion, Description, Direction, Failure, Function, InputSchema, Invocation,
    TaskSupport, ToolTrigger, Trigger, exports::mcpfn::function::handler::Guest,
};

#[cfg_attr(
    not(target_family = "wasm"),
    expect(dead_code, reason = "natively there is nobody to export it to")
)]
struct Component;

impl Guest for Component {
    fn describe() -> Description {
        let tool = ToolTrigger {
            name: "reads_return".to_owned(),
            title: None,
            description: None,
            input: InputSchema::Properties(Vec::new()),
            output_schema: None,
            annotations: None,
            icons: None,
            meta: None,
            task: TaskSupport::Forbidden,
        };
        let input = Binding {
            name: "$return".to_owned(),
            kind: "blob".to_owned(),
            direction: Direction::Input,
            config: r#"{"path":"notes/todo.txt"}"#.to_owned(),
        };
        let function = Function {
            name: "reads_return".to_owned(),
            trigger: Trigger::Tool(tool),
            bindings: vec![input],
            options: Vec::new(),
        };
        Description { functions: vec![function], skills: Vec::new() }
    }

    fn invoke(_: Invocation) -> Result<Completion, Failure> {
        Err(Failure { message: "nobody can call this".to_owned(), details: None })
    }
}

#[cfg(target_family = "wasm")]
mcpfn_sdk::wit::export_component!(Component with_types_in mcpfn_sdk::wit);

fn main() {}

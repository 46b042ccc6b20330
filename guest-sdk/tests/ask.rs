//! Questions: what the host is asked, and what becomes of the answers.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use mcpfn_sdk::{
    Answer, Argument, Ask, Out, Question, Root, Stop, ToolArguments, ToolContext, blob_output,
    mcp_prompt, mcp_resource, mcp_tool,
    runtime::Function,
    serde_json::{Value, json},
    testing::{self, Call},
    wit::{self, InputRequest, Outcome, TaskSupport, Trigger},
};

fn request<F: Function>(call: Call) -> InputRequest {
    match call.run::<F>().unwrap().outcome {
        Outcome::InputRequired(request) => request,
        other => panic!("no question: {other:?}"),
    }
}

fn text<F: Function>(call: Call) -> String {
    match call.run::<F>().unwrap().outcome {
        Outcome::Text(text) => text,
        other => panic!("no text: {other:?}"),
    }
}

fn keys(request: &InputRequest) -> Vec<&str> {
    request.questions.iter().map(|question| question.key.as_str()).collect()
}

fn call() -> Call {
    Call::new("{}")
}

#[derive(Argument)]
#[arg(rename_all = "lowercase")]
enum Color {
    Red,
    Blue,
}

#[derive(ToolArguments)]
struct Person {
    name: String,
    /// In years.
    #[arg(title = "Age", min = 0, default = 30)]
    age: u8,
    color: Option<Color>,
}

/// Gets to know somebody.
#[mcp_tool(task = "after_input")]
#[blob_output(path = "people/last.txt")]
fn meet(
    ask: Ask,
    #[blob_output(path = "people/name.txt")] file: Out<String>,
) -> Result<String, Stop> {
    file.set("nobody");
    let Person { name, age, color } = ask.form("person", "Who are you?")?;
    let color = color.map(|color| match color {
        Color::Red => "red",
        Color::Blue => "blue",
    });
    Ok(format!("{name} {age} {color:?}"))
}

#[test]
fn a_form_is_asked_with_the_schema_of_its_type() {
    let completion = call().run::<meet>().unwrap();
    assert!(completion.outputs.is_empty());
    let request = request::<meet>(call());
    let [wit::Question { key, ask: wit::Ask::Form(form) }] = &*request.questions else {
        panic!("{request:?} is not one form")
    };
    assert_eq!((key.as_str(), form.message.as_str()), ("person", "Who are you?"));
    assert_eq!(
        form.schema,
        r#"{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer","title":"Age","minimum":0,"default":30,"description":"In years."},"color":{"type":"string","enum":["red","blue"]}},"required":["name"]}"#
    );
    let answer = json!({ "name": "Ada", "color": "blue" });
    let later = call().after(&request).answer("person", answer);
    assert_eq!(text::<meet>(later), r#"Ada 30 Some("blue")"#);
}

#[test]
fn an_answer_that_is_no_use_is_a_failure() {
    let failure =
        |answer: Answer| call().answer("person", answer).run::<meet>().unwrap_err().message;
    assert_eq!(failure(Answer::Declined), "the question `person` was declined");
    assert_eq!(failure(Answer::Cancelled), "the question `person` was cancelled");
    assert_eq!(
        failure(json!({ "name": 1 }).into()),
        "/person: the answer does not fit: /name: expected string, got number"
    );
}

#[test]
fn an_answer_to_another_question_asks_again() {
    let other = call().answer("somebody", json!({}));
    assert_eq!(keys(&request::<meet>(other)), ["person"]);
}

#[derive(ToolArguments)]
struct Step {
    value: String,
}

/// Asks in two rounds.
#[mcp_tool]
fn steps(ask: Ask) -> Result<String, Stop> {
    let first: Step = ask.form("step1", "First?")?;
    let second: Step = ask.form("step2", "Second?")?;
    Ok(format!("{} {}", first.value, second.value))
}

#[test]
fn answers_are_remembered_over_rounds() {
    let first = request::<steps>(call());
    let second = request::<steps>(call().after(&first).answer("step1", json!({ "value": "a" })));
    assert_eq!(keys(&second), ["step2"]);
    assert_ne!(first.state, second.state);
    let third = call().after(&second).answer("step2", json!({ "value": "b" }));
    assert_eq!(text::<steps>(third), "a b");
}

/// Asks for everything at once.
#[mcp_tool]
fn everything(ask: Ask, context: ToolContext) -> Result<String, Stop> {
    let page = ask.url("page", "Sign in.", "https://example.com");
    let sample = ask.sample("sample", "Say hello.", 10);
    let roots = ask.roots("roots");
    page?;
    let (sample, roots) = (sample?, roots?);
    assert_eq!(context.name(), "test");
    Ok(format!("{sample} {roots:?}"))
}

#[test]
fn questions_before_the_first_stop_go_together() {
    let request = request::<everything>(call());
    assert_eq!(keys(&request), ["page", "sample", "roots"]);
    assert!(
        matches!(&request.questions[0].ask, wit::Ask::Url(page) if page.url == "https://example.com")
    );
    let wit::Ask::Sampling(params) = &request.questions[1].ask else { panic!("it is sampling") };
    assert_eq!(
        params.parse::<Value>().unwrap(),
        json!({
            "messages": [{ "role": "user", "content": { "type": "text", "text": "Say hello." } }],
            "maxTokens": 10
        })
    );
    assert!(matches!(&request.questions[2].ask, wit::Ask::Roots));
    // One answer came earlier than the others.
    let part = call().after(&request).answer("page", json!({}));
    let part = match part.run::<everything>().unwrap().outcome {
        Outcome::InputRequired(request) => request,
        other => panic!("no question: {other:?}"),
    };
    assert_eq!(keys(&part), ["sample", "roots"]);
    let sample = json!({ "role": "assistant", "content": [{ "type": "text", "text": "Hi" }] });
    let roots = json!({ "roots": [{ "uri": "file:///a" }] });
    let last = call().after(&part).answer("sample", sample).answer("roots", roots);
    assert_eq!(text::<everything>(last), r#"Hi [Root { uri: "file:///a", name: None }]"#);
}

/// Guesses a number.
#[mcp_prompt]
fn guess(ask: Ask) -> Result<String, Stop> {
    let tries = ask.kept::<u32>().unwrap_or_default();
    assert_eq!(ask.is_first(), tries == 0);
    ask.keep(&(tries + 1))?;
    let question = Question::form("A number?", r#"{ "type": "object" }"#);
    match ask.question("number", question)? {
        Answer::Accepted(number) if number["n"] == 7 => Ok(format!("after {tries}")),
        Answer::Accepted(_) => {
            ask.forget("number");
            Err(ask
                .question("number", Question::form("Another?", r#"{ "type": "object" }"#))
                .unwrap_err())
        }
        no => Err(format!("no number: {}", no.action()).into()),
    }
}

#[test]
fn what_is_kept_comes_back_and_a_forgotten_answer_is_asked_for() {
    let first = request::<guess>(call());
    let second = request::<guess>(call().after(&first).answer("number", json!({ "n": 1 })));
    let wit::Ask::Form(form) = &second.questions[0].ask else { panic!("it is a form") };
    assert_eq!(form.message, "Another?");
    let last = call().after(&second).answer("number", json!({ "n": 7 })).run::<guess>().unwrap();
    let Outcome::Messages(messages) = last.outcome else { panic!("they are messages") };
    assert!(matches!(&messages[0].content.block, wit::Block::Text(text) if text == "after 2"));
    let declined = call().after(&first).answer("number", Answer::Declined);
    assert_eq!(declined.run::<guess>().unwrap_err().message, "no number: decline");
}

type Asked<T> = Result<T, Stop>;

/// Needs to know the roots.
#[mcp_resource(uri = "test://first-root")]
fn first_root(ask: Ask) -> Asked<Option<String>> {
    Ok(ask.roots("roots")?.into_iter().next().map(|Root { uri, .. }| uri))
}

#[test]
fn a_resource_asks_under_another_name_of_result() {
    assert_eq!(keys(&request::<first_root>(call())), ["roots"]);
    let none = call().answer("roots", json!({ "roots": [] })).run::<first_root>().unwrap();
    assert!(matches!(none.outcome, Outcome::Nothing));
}

#[test]
fn what_a_client_can_do_is_known() {
    let of = |json: Value| {
        let context = ToolContext::for_test("test", "{}").with_capabilities(&json);
        let can = context.capabilities();
        [
            can.elicitation_form(),
            can.elicitation_url(),
            can.sampling(),
            can.sampling_tools(),
            can.roots(),
        ]
    };
    assert_eq!(of(json!({})), [false; 5]);
    assert_eq!(of(json!({ "elicitation": {} })), [true, false, false, false, false]);
    assert_eq!(of(json!({ "elicitation": { "url": {} } })), [false, true, false, false, false]);
    let all = json!({ "elicitation": { "form": {}, "url": {} }, "sampling": { "tools": {} }, "roots": {} });
    assert_eq!(of(all), [true; 5]);
}

/// Is a task.
#[mcp_tool(task = "required")]
fn job() {}

#[test]
fn tasks_are_declared() {
    let task = |function: wit::Function| match function.trigger {
        Trigger::Tool(tool) => tool.task,
        other => panic!("{other:?} is no tool"),
    };
    assert_eq!(task(testing::describe::<job>()), TaskSupport::Required);
    assert_eq!(task(testing::describe::<meet>()), TaskSupport::AfterInput);
    assert_eq!(task(testing::describe::<steps>()), TaskSupport::Forbidden);
}

mcpfn_sdk::functions![meet, steps, everything, guess, first_root, job];

//! Asking the client, and going on with the answers.

use std::{cell::RefCell, rc::Rc};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{json, value::RawValue};

use crate::{
    Answer, ArgumentError, Arguments, Question, Root, Schema, Stop, ToolArguments, answer, wit,
};

/// Asks the client: a parameter of any function that has questions.
///
/// A method asks one question under a key of its own, and gives the answer. As long as there is none, it gives a
/// [`Stop`]: the function returns it with `?`, the client gets every question asked so far, and with the answers the
/// function runs again **from its beginning**. So it reads as if the client answered at once:
///
/// ```
/// use mcpfn_sdk::{Ask, Stop, ToolArguments, mcp_tool, serde_json::json};
///
/// #[derive(ToolArguments)]
/// struct Name {
///     /// As it is written on the badge.
///     name: String,
/// }
///
/// /// Greets the person.
/// #[mcp_tool]
/// fn greet(ask: Ask) -> Result<String, Stop> {
///     let Name { name } = ask.form("user_name", "What is your name?")?;
///     Ok(format!("Hello, {name}!"))
/// }
///
/// # fn main() {
/// assert!(greet(Ask::new()).is_err());
/// let ask = Ask::new().answered("user_name", json!({ "name": "Ada" }));
/// assert_eq!(greet(ask).ok().as_deref(), Some("Hello, Ada!"));
/// # }
/// ```
///
/// Questions that do not need each other's answers are asked in one round, when the `?` comes after them:
///
/// ```
/// use mcpfn_sdk::{Ask, Stop};
///
/// fn plan(ask: Ask) -> Result<String, Stop> {
///     let (title, roots) = (ask.sample("title", "Invent a title.", 50), ask.roots("folders"));
///     let (title, roots) = (title?, roots?);
///     Ok(format!("{title}, in {} folders", roots.len()))
/// }
/// # assert!(plan(Ask::new()).is_err());
/// ```
///
/// What a function does before a question is done again in the next round: ask first, act then. What is dear to work
/// out is [kept](Self::keep). Answers are remembered over all rounds, under their keys; they and what is kept may have
/// 64 KiB.
///
/// A client can be asked only for what it declared: see [`ToolContext::capabilities`](crate::ToolContext::capabilities).
#[derive(Clone, Debug, Default)]
pub struct Ask(Rc<RefCell<Round>>);

#[derive(Debug, Default)]
struct Round {
    memory: Memory,
    /// The questions of this round, in the order they were asked.
    open: Vec<wit::Question>,
    is_later: bool,
}

/// What one round leaves to the next: the state of the contract.
#[derive(Debug, Default, Deserialize, Serialize)]
struct Memory {
    answers: Vec<(String, Answer)>,
    kept: Option<Box<RawValue>>,
}

impl Ask {
    pub(crate) fn of_host(resume: Option<&wit::Resumption>) -> Self {
        let ask = Self::new();
        if let Some(resume) = resume {
            let mut round = ask.0.borrow_mut();
            round.is_later = true;
            // Only this SDK writes it. What cannot be read is asked again.
            round.memory = serde_json::from_slice(&resume.state).unwrap_or_default();
            for wit::Answer { key, value } in &resume.answers {
                if let Some(answer) = Answer::of_host(value) {
                    round.memory.put(key, answer);
                }
            }
        }
        ask
    }

    /// Asks for a form: `T` gives the fields, and takes the answer. Its fields are flat: texts, numbers, `bool`, enums
    /// of texts.
    pub fn form<T: ToolArguments>(&self, key: &str, message: &str) -> Result<T, Stop> {
        let question = Question::form(message, form_schema::<T>());
        let answer = self.question(key, question)?.value(key)?.to_string();
        let fields = Arguments::parse(&answer).and_then(|fields| T::from_arguments(&fields));
        fields.map_err(|error| unfit(key, &error))
    }

    /// Asks the person to open a page, and goes on when that is done.
    pub fn url(&self, key: &str, message: &str, url: &str) -> Result<(), Stop> {
        self.question(key, Question::url(message, url))?.value(key).map(|_| ())
    }

    /// Asks the client's model for a text of at most `max_tokens`.
    pub fn sample(&self, key: &str, prompt: &str, max_tokens: u32) -> Result<String, Stop> {
        let content = json!({ "type": "text", "text": prompt });
        let message = json!({ "role": "user", "content": content });
        let params = json!({ "messages": [message], "maxTokens": max_tokens });
        let answer = self.question(key, Question::sampling(&params))?.value(key)?;
        answer::sampled_text(&answer).ok_or_else(|| unfit(key, "it has no text"))
    }

    /// Asks for the folders that the client works in.
    pub fn roots(&self, key: &str) -> Result<Vec<Root>, Stop> {
        let answer = self.question(key, Question::roots())?.value(key)?;
        answer::roots(answer).map_err(|error| unfit(key, &error))
    }

    /// Asks any question, and gives whatever became of it, a no among it.
    ///
    /// ```
    /// use mcpfn_sdk::{Answer, Ask, Question, Stop, serde_json::json};
    ///
    /// fn delete(ask: Ask) -> Result<&'static str, Stop> {
    ///     let form = r#"{ "type": "object", "properties": { "sure": { "type": "boolean", "default": false } } }"#;
    ///     Ok(match ask.question("sure", Question::form("Delete it?", form))? {
    ///         Answer::Accepted(fields) if fields["sure"] == true => "deleted",
    ///         _ => "kept",
    ///     })
    /// }
    ///
    /// let ask = Ask::new().answered("sure", json!({ "sure": true }));
    /// assert_eq!(delete(ask).ok(), Some("deleted"));
    /// assert_eq!(delete(Ask::new().answered("sure", Answer::Declined)).ok(), Some("kept"));
    /// ```
    pub fn question(&self, key: &str, question: Question) -> Result<Answer, Stop> {
        if let Some(answer) = self.answer(key) {
            return Ok(answer);
        }
        let mut round = self.0.borrow_mut();
        if !round.open.iter().any(|earlier| earlier.key == key) {
            round.open.push(wit::Question { key: key.to_owned(), ask: question.into_wit() });
        }
        drop(round);
        Err(Stop::for_answers(self.clone()))
    }

    /// The answer to a question, if there is one: asks nothing.
    pub fn answer(&self, key: &str) -> Option<Answer> {
        let round = self.0.borrow();
        let (_, answer) = round.memory.answers.iter().find(|(known, _)| known == key)?;
        Some(answer.clone())
    }

    /// Forgets an answer, so that its question can be asked again: it was not good enough.
    pub fn forget(&self, key: &str) {
        self.0.borrow_mut().memory.answers.retain(|(known, _)| known != key);
    }

    /// Whether nothing was asked yet.
    pub fn is_first(&self) -> bool {
        !self.0.borrow().is_later
    }

    /// Keeps a value for the next round, in place of one kept before. A client can neither read nor change it.
    ///
    /// ```
    /// use mcpfn_sdk::{Ask, Stop};
    ///
    /// fn count(ask: Ask) -> Result<u32, Stop> {
    ///     let rounds = ask.kept::<u32>().unwrap_or_default() + 1;
    ///     ask.keep(&rounds)?;
    ///     ask.roots("roots")?;
    ///     Ok(rounds)
    /// }
    /// # assert!(count(Ask::new()).is_err());
    /// ```
    pub fn keep(&self, value: &impl Serialize) -> Result<(), Stop> {
        let kept = serde_json::value::to_raw_value(value);
        self.0.borrow_mut().memory.kept = Some(kept.map_err(Stop::failed)?);
        Ok(())
    }

    /// What was kept, if it is a `T`.
    pub fn kept<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_str(self.0.borrow().memory.kept.as_ref()?.get()).ok()
    }

    /// The request that a [`Stop`] for answers becomes.
    pub(crate) fn request(&self) -> wit::InputRequest {
        let round = self.0.borrow();
        let state = serde_json::to_vec(&round.memory);
        wit::InputRequest {
            questions: round.open.clone(),
            state: state.expect("texts and JSON are always valid JSON"),
        }
    }
}

/// What a test makes.
impl Ask {
    /// The first round, without an answer.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with one more answer: a [`Answer`], or the JSON value of an accepted one.
    #[must_use]
    pub fn answered(self, key: &str, answer: impl Into<Answer>) -> Self {
        let mut round = self.0.borrow_mut();
        round.is_later = true;
        round.memory.put(key, answer.into());
        drop(round);
        self
    }

    /// The keys of the questions that are open.
    pub fn open(&self) -> Vec<String> {
        self.0.borrow().open.iter().map(|question| question.key.clone()).collect()
    }
}

impl Memory {
    fn put(&mut self, key: &str, answer: Answer) {
        self.answers.retain(|(known, _)| known != key);
        self.answers.push((key.to_owned(), answer));
    }
}

fn form_schema<T: ToolArguments>() -> String {
    let mut properties = T::properties();
    for property in &mut properties {
        property.description = property.description.take().filter(|text| !text.is_empty());
    }
    Schema::object(properties).to_json()
}

fn unfit(key: &str, error: &(impl std::fmt::Display + ?Sized)) -> Stop {
    Stop::failed(ArgumentError::new(format!("the answer does not fit: {error}")).at(key))
}

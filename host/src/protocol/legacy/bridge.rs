//! Runs the function of a legacy request to its end: its questions go to the client as requests on the stream of the
//! call, and it is invoked again with the answers.

use std::{future::pending, pin::pin, sync::Arc, time::Duration};

use futures_util::future::try_join_all;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::time::timeout;

use super::session::{Peer, random};
use crate::{
    function::{Answer, Invocation, Outcome, Question, Resumption},
    protocol::{
        Context, Outgoing, Protocol,
        asking::{MAX_ROUNDS, Request, read_answer},
        client::Abilities,
        jsonrpc::{self, Response},
        raw,
        run::{Ended, Fault, once},
    },
    state::{Address, Sealer},
};

/// How long a client, and the person at it, may take for an answer.
const PATIENCE: Duration = Duration::from_mins(10);

/// What the ids of our requests begin with, before they are signed.
const ASKED: &[u8] = b"asked ";

/// The JSON-RPC code by which clients say that the person refused sampling (2025-11-25, client/sampling).
const REFUSED: i64 = -1;

#[derive(Deserialize)]
struct ErrorObject<'a> {
    code: Option<i64>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
}

/// Runs a function, and asks the client for as long as the function does.
pub(super) async fn run(
    protocol: &Protocol,
    context: &Context<'_>,
    peer: Option<&Peer>,
    invocation: Invocation,
) -> Ended {
    let mut invocation = Arc::new(invocation);
    for _ in 0..MAX_ROUNDS {
        let request = {
            let run = pin!(once(&protocol.host, &invocation));
            match run.await {
                Ok(Outcome::InputRequired(request)) => request,
                ended => return ended,
            }
        };
        let answers = ask(protocol, context, peer, &request.questions).await;
        let answers = answers.map_err(Fault::Asking)?;
        let resume = Resumption { state: request.state, answers };
        invocation = Arc::new(invocation.resumed(resume));
    }
    Err(Fault::Asking("the function asks without end".to_owned()))
}

/// Asks all questions at once. An error is for the client.
async fn ask(
    protocol: &Protocol,
    context: &Context<'_>,
    peer: Option<&Peer>,
    questions: &[Question],
) -> Result<Vec<Answer>, String> {
    let (Some(peer), Some(_)) = (peer, context.outgoing) else {
        return Err(
            "the client has to be asked, and cannot be reached (it has no session, or takes no \
                    event stream)"
                .to_owned(),
        );
    };
    let abilities = Abilities::parse(peer.capabilities.get());
    abilities.allow(questions).map_err(|error| error.to_string())?;
    let asked = questions.iter().map(|question| one(protocol, context, peer, question));
    tokio::select! {
        biased;
        answers = timeout(PATIENCE, try_join_all(asked)) => match answers {
            Ok(answers) => answers,
            Err(_) => Err(format!("the client did not answer within {} s", PATIENCE.as_secs())),
        },
        () = stopped(context) => {
            Err("the client was asked, and nothing more is heard of it".to_owned())
        }
    }
}

/// Waits until no answer can come any more.
async fn stopped(context: &Context<'_>) {
    match context.stopped {
        Some(stopped) => _ = stopped.clone().changed().await,
        None => pending().await,
    }
}

async fn one(
    protocol: &Protocol,
    context: &Context<'_>,
    peer: &Peer,
    question: &Question,
) -> Result<Answer, String> {
    let id = request_id(&protocol.shared.sealer, peer);
    let request = Request::legacy(question, &id);
    let message = jsonrpc::request(&id, request.method(), &request.params());
    let Some(outgoing) = context.outgoing.filter(|outgoing| outgoing.push(message)) else {
        return Err("the client does not read what it is asked".to_owned());
    };
    let open = Open { outgoing, id: Some(&id) };
    let address = address(peer, &id);
    let letter = protocol.shared.mailbox.receive(&address, 0).await;
    open.close();
    protocol.shared.mailbox.discard(&address, u64::MAX).await;
    let text = std::str::from_utf8(&letter.content).map_err(|error| error.to_string())?;
    match text.split_at_checked(1) {
        Some(("r", result)) => {
            let result: &RawValue =
                serde_json::from_str(result).map_err(|error| error.to_string())?;
            read_answer(question, result).await.map_err(|error| error.to_string())
        }
        Some(("e", error)) => refused(question, error),
        _ => Err("the client's answer was lost".to_owned()),
    }
}

/// A question without an answer. Dropped, it is taken back: nobody waits for the answer any more.
struct Open<'a> {
    outgoing: &'a Outgoing,
    id: Option<&'a str>,
}

impl Open<'_> {
    /// It was answered.
    fn close(mut self) {
        self.id = None;
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        if let Some(request_id) = self.id {
            let params = Cancelled { request_id };
            // Who does not read it answers all the same: that letter waits for nobody, and goes with its time.
            self.outgoing.push(jsonrpc::notification("notifications/cancelled", &params));
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Cancelled<'a> {
    request_id: &'a str,
}

/// What an error of the client is: the person said no, or the client failed.
fn refused(question: &Question, error: &str) -> Result<Answer, String> {
    let error: Option<ErrorObject<'_>> = raw::object(error);
    let Some(ErrorObject { code, message }) = error else {
        return Err("the client answered with an error".to_owned());
    };
    if code == Some(REFUSED) {
        let value = crate::function::AnswerValue::Declined;
        return Ok(Answer { key: question.key.clone(), value });
    }
    let message = message.and_then(raw::string).unwrap_or_default();
    let message = &message[..message.floor_char_boundary(200)];
    Err(format!("the client answered with an error: {message}"))
}

/// An id that only we can have given, and to this client: answers to others are not kept.
fn request_id(sealer: &Sealer, peer: &Peer) -> String {
    sealer.sign(&[ASKED, &asked_of(peer), random().as_bytes()].concat())
}

/// Whether a client was asked with this id.
fn is_asked(sealer: &Sealer, peer: &Peer, id: &str) -> bool {
    let asked = sealer.verify(id);
    asked.is_some_and(|content| content.starts_with(&[ASKED, &asked_of(peer)].concat()))
}

/// A session in a few bytes.
fn asked_of(peer: &Peer) -> [u8; blake3::OUT_LEN] {
    *blake3::hash(peer.id.as_bytes()).as_bytes()
}

fn address(peer: &Peer, id: &str) -> Address {
    Address::new("answer", &[&peer.id, id])
}

/// Takes in what a client answers. What answers nothing of ours is ignored, as it always was.
pub(in crate::protocol) async fn answered(
    protocol: &Protocol,
    peer: &Peer,
    response: &Response<'_>,
) {
    let Some(id) = response.id.as_deref().and_then(raw::string) else { return };
    if !is_asked(&protocol.shared.sealer, peer, &id) {
        return;
    }
    let address = address(peer, &id);
    // The first answer counts.
    if protocol.shared.mailbox.latest(&address).await.is_some() {
        return;
    }
    let letter = match &response.outcome {
        Ok(result) => format!("r{result}"),
        Err(error) => format!("e{error}"),
    };
    if let Err(error) = protocol.shared.mailbox.post(&address, letter.into()).await {
        tracing::warn!(%error, "an answer of a client is lost");
    }
}

#[cfg(test)]
mod tests {
    use super::{is_asked, request_id};
    use crate::{protocol::legacy::session::Peer, state::Sealer};

    #[test]
    fn only_the_client_that_was_asked_can_answer() {
        let sealer = Sealer::random();
        let peer = || Peer::introduce(&sealer, "2025-11-25", None, None, None);
        let (peer, other) = (peer(), peer());
        let id = request_id(&sealer, &peer);
        assert!(is_asked(&sealer, &peer, &id));
        assert!(!is_asked(&sealer, &other, &id));
        assert!(!is_asked(&Sealer::random(), &peer, &id));
        // A session is signed with the same key, and is no question.
        assert!(!is_asked(&sealer, &peer, &peer.id));
        assert_ne!(id, request_id(&sealer, &peer));
    }
}

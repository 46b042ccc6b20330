//! The mixed load: connections of every kind, each answer checked against its kind.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    io,
    time::Duration,
};

use bench::{
    connection::Connection,
    exchange::{Answer, write_request},
};
use futures_util::{StreamExt, stream::FuturesUnordered};
use tokio::time::{sleep, timeout};

use crate::kinds::{Expected, Kind};

/// How long a call that will be cancelled is left alone.
const PATIENCE: Duration = Duration::from_millis(20);

/// Nothing takes longer, be it a bad tool on a busy machine.
const DEADLINE: Duration = Duration::from_secs(10);

/// What all connections count in.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    next_number: Cell<u64>,
    completed: RefCell<BTreeMap<Kind, u64>>,
    wrong: RefCell<Vec<String>>,
    n_wrong: Cell<u64>,
    stop: Cell<bool>,
}

impl Tally {
    pub(crate) fn stop(&self) {
        self.stop.set(true);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.get()
    }

    pub(crate) fn completed(&self, kind: Kind) -> u64 {
        self.completed.borrow().get(&kind).copied().unwrap_or_default()
    }

    pub(crate) fn n_wrong(&self) -> u64 {
        self.n_wrong.get()
    }

    /// The first of the wrong answers.
    pub(crate) fn wrong(&self) -> Vec<String> {
        self.wrong.borrow().clone()
    }

    pub(crate) fn next_number(&self) -> u64 {
        self.next_number.set(self.next_number.get() + 1);
        self.next_number.get()
    }

    fn complete(&self, kind: Kind) {
        *self.completed.borrow_mut().entry(kind).or_default() += 1;
    }

    fn fail(&self, kind: Kind, what: &str) {
        self.n_wrong.set(self.n_wrong.get() + 1);
        let mut wrong = self.wrong.borrow_mut();
        if wrong.len() < 10 {
            wrong.push(format!("{}: {what}", kind.name()));
        }
    }
}

/// Loads a port until it is told to stop.
pub(crate) async fn run(port: u16, tally: &Tally) {
    let kinds = Kind::ALL.into_iter().flat_map(|kind| vec![kind; kind.n_connections()]);
    let connections: FuturesUnordered<_> = kinds.map(|kind| calls(port, kind, tally)).collect();
    connections.collect::<()>().await;
}

async fn calls(port: u16, kind: Kind, tally: &Tally) {
    let mut connection = None;
    while !tally.stop.get() {
        let number = tally.next_number();
        let call = timeout(DEADLINE, call(port, &mut connection, kind, number));
        match call.await {
            Ok(Ok(None)) => tally.complete(kind),
            Ok(Ok(Some(wrong))) => tally.fail(kind, &wrong),
            Ok(Err(error)) => {
                connection = None;
                tally.fail(kind, &error.to_string());
                sleep(PATIENCE).await;
            }
            Err(_) => {
                connection = None;
                tally.fail(kind, &format!("no answer in {DEADLINE:?}"));
            }
        }
    }
}

/// One call; what is wrong with its answer, if anything is.
async fn call(
    port: u16,
    kept: &mut Option<Connection>,
    kind: Kind,
    number: u64,
) -> io::Result<Option<String>> {
    let mut request = Vec::new();
    write_request(number, "tools/call", &kind.params(number), &mut request);
    let mut connection = match kept.take() {
        Some(connection) => connection,
        None => Connection::open(port).await?,
    };
    let expected = kind.expected(number);
    if expected == Expected::Nothing {
        let left = timeout(PATIENCE, connection.send(&request)).await;
        return Ok(left.is_ok().then(|| String::from("an answer before it was left")));
    }
    let response = connection.send(&request).await?;
    let wrong = match Answer::read(number, &response) {
        Ok(answer) if expected.is(&answer) => None,
        Ok(answer) => {
            let text: String = answer.text.chars().take(200).collect();
            Some(format!("expected {expected:?}, got `{text}` (error: {})", answer.is_error))
        }
        Err(wrong) => Some(wrong),
    };
    *kept = Some(connection);
    Ok(wrong)
}

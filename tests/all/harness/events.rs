//! A stream of events, read one by one.

use serde_json::Value;
use tokio::time::timeout;

use super::{
    http::{Connection, Head},
    process::DEADLINE,
};

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    /// Where to read on after it.
    pub(crate) id: Option<String>,
    /// Its type.
    pub(crate) kind: String,
    /// What it says.
    pub(crate) data: String,
}

impl Event {
    /// The message that it carries.
    pub(crate) fn message(&self) -> Value {
        serde_json::from_str(&self.data)
            .unwrap_or_else(|error| panic!("no message ({error}): {self:?}"))
    }

    /// None: a comment.
    fn parse(block: &str) -> Option<Self> {
        let mut event = Self { id: None, kind: "message".to_owned(), data: String::new() };
        let mut is_comment = true;
        for line in block.lines() {
            let (name, value) = line.split_once(':').unwrap_or((line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match name {
                "id" => event.id = Some(value.to_owned()),
                "event" => value.clone_into(&mut event.kind),
                "data" => event.data.push_str(value),
                "" => continue,
                _ => {}
            }
            is_comment = false;
        }
        (!is_comment).then_some(event)
    }
}

/// The events of one response, as they come. Dropping it closes the connection.
pub(crate) struct EventStream {
    connection: Connection,
    head: Head,
    text: Vec<u8>,
}

impl EventStream {
    /// Sends a request whose answer is a stream, on a connection of its own.
    pub(super) async fn open(mut connection: Connection, request: &[u8]) -> Self {
        let head = timeout(DEADLINE, connection.send_for_head(request))
            .await
            .expect("the host answers in time");
        assert_eq!(head.header("content-type"), Some("text/event-stream"), "{head:?}");
        assert_eq!(head.status, 200, "{head:?}");
        assert!(head.is_chunked(), "{head:?}");
        Self { connection, head, text: Vec::new() }
    }

    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.header(name)
    }

    /// The next event or comment as it came. None: the stream has ended.
    pub(crate) async fn next_block(&mut self) -> Option<String> {
        timeout(DEADLINE, self.block()).await.expect("the host says something in time")
    }

    /// The next event. None: the stream has ended.
    pub(crate) async fn next(&mut self) -> Option<Event> {
        let event = async {
            loop {
                if let Some(event) = Event::parse(&self.block().await?) {
                    return Some(event);
                }
            }
        };
        timeout(DEADLINE, event).await.expect("the host says more than comments")
    }

    async fn block(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.text.windows(2).position(|window| window == b"\n\n") {
                let block = self.text.drain(..end + 2).collect();
                return Some(String::from_utf8(block).expect("events are text"));
            }
            match self.connection.read_chunk().await {
                Some(chunk) => self.text.extend(chunk),
                None => break,
            }
        }
        assert!(self.text.is_empty(), "the stream ended within an event");
        None
    }

    /// The next event that has a message.
    pub(crate) async fn next_message(&mut self) -> Value {
        loop {
            let event = self.next().await.expect("the stream goes on");
            if !event.data.is_empty() {
                return event.message();
            }
        }
    }

    /// All that still comes.
    pub(crate) async fn rest(mut self) -> Vec<Event> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            events.push(event);
        }
        events
    }
}

//! A server for tests, which answers as it is told: real storage misbehaves too seldom.

use std::sync::{Arc, Mutex};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

const ETAG: &str = "ETag: \"1\"\r\n";

/// What came in: the head, and the body.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) head: String,
    pub(super) body: Vec<u8>,
}

/// What goes out.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    /// A status, further headers, and a body.
    Whole(u16, &'static str, &'static str),
    /// A body that ends before the length that was told.
    Short(&'static str),
    /// The connection ends.
    Lost,
    /// Nothing, and the connection stays.
    Silence,
}

/// Serves until it is dropped, one request for each connection.
pub(super) struct Server {
    pub(super) address: String,
    requests: Arc<Mutex<Vec<Request>>>,
    task: JoinHandle<()>,
}

impl Request {
    pub(super) fn line(&self) -> &str {
        self.head.lines().next().unwrap_or_default()
    }

    /// The value of a header.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then_some(value)
        })
    }
}

impl Server {
    /// `answer` gets each request, and how many there were before it.
    pub(super) async fn start(
        answer: impl Fn(&Request, usize) -> Answer + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let task = tokio::spawn(serve(listener, Arc::clone(&requests), answer));
        Self { address, requests, task }
    }

    /// A server that answers everything alike.
    pub(super) async fn always(answer: Answer) -> Self {
        Self::start(move |_, _| answer.clone()).await
    }

    /// A server that answers the first request in one way, and all others in another.
    pub(super) async fn once(first: Answer, then: Answer) -> Self {
        let answer = move |n_before| if n_before == 0 { first.clone() } else { then.clone() };
        Self::start(move |_, n_before| answer(n_before)).await
    }

    /// What came in so far.
    pub(super) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// The first lines of what came in so far.
    pub(super) fn lines(&self) -> Vec<String> {
        self.requests().iter().map(|request| request.line().to_owned()).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(
    listener: TcpListener,
    requests: Arc<Mutex<Vec<Request>>>,
    answer: impl Fn(&Request, usize) -> Answer,
) {
    let mut silent = Vec::new();
    loop {
        let (mut stream, _) = listener.accept().await.unwrap();
        // One that is opened and not used.
        let Some(request) = read_request(&mut stream).await else { continue };
        let n_before = requests.lock().unwrap().len();
        let answer = answer(&request, n_before);
        let is_head = request.line().starts_with("HEAD ");
        requests.lock().unwrap().push(request);
        let date = "Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT\r\nConnection: close\r\n";
        let text = match answer {
            Answer::Whole(status, headers, body) => {
                let length = body.len();
                let etag = if headers.contains("ETag") { "" } else { ETAG };
                let body = if is_head { "" } else { body };
                format!(
                    "HTTP/1.1 {status} Said\r\n{date}{etag}{headers}Content-Length: {length}\r\n\r\n{body}"
                )
            }
            Answer::Short(body) => {
                let length = body.len() + 10;
                format!("HTTP/1.1 200 OK\r\n{date}{ETAG}Content-Length: {length}\r\n\r\n{body}")
            }
            Answer::Lost => continue,
            Answer::Silence => {
                silent.push(stream);
                continue;
            }
        };
        // A client that went away is no matter here.
        let _ = stream.write_all(text.as_bytes()).await;
    }
}

/// A request, once its body is there too.
pub(super) async fn read_request(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let head = loop {
        if let Some(end) = bytes.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            break end + 4;
        }
        if stream.read_buf(&mut bytes).await.unwrap() == 0 {
            return None;
        }
    };
    let mut request =
        Request { head: String::from_utf8_lossy(&bytes[..head]).into_owned(), body: Vec::new() };
    let length: usize =
        request.header("content-length").map_or(0, |length| length.parse().unwrap());
    while bytes.len() < head + length {
        assert_ne!(stream.read_buf(&mut bytes).await.unwrap(), 0);
    }
    request.body = bytes.split_off(head);
    Some(request)
}

//! A server of this process, for tests: it answers as a test says and keeps what it was asked.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    task::{JoinHandle, JoinSet},
};

/// Makes the answer to a request, given it and how many were before it.
type Answering = dyn Fn(&str, usize) -> String + Send + Sync;

/// A server that ends when it is dropped.
pub(super) struct LocalServer {
    pub(super) address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
    n_sockets: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl LocalServer {
    /// Answers each request by itself.
    pub(super) async fn answering(
        answering: impl Fn(&str, usize) -> String + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let n_sockets = Arc::new(AtomicUsize::new(0));
        let answering: Arc<Answering> = Arc::new(answering);
        let task = tokio::spawn({
            let (asked, n_sockets) = (Arc::clone(&asked), Arc::clone(&n_sockets));
            async move {
                // Ends with the server.
                let mut serving = JoinSet::new();
                loop {
                    let (stream, _) = listener.accept().await.unwrap();
                    n_sockets.fetch_add(1, Ordering::SeqCst);
                    serving.spawn(serve(stream, Arc::clone(&asked), Arc::clone(&answering)));
                }
            }
        });
        Self { address, asked, n_sockets, task }
    }

    /// The requests so far, head and body, the names of headers in lower case.
    pub(super) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    /// How many connections were made.
    pub(super) fn n_sockets(&self) -> usize {
        self.n_sockets.load(Ordering::SeqCst)
    }
}

impl Drop for LocalServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// An answer with a body.
pub(super) fn answer(status: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

async fn serve(mut stream: TcpStream, asked: Arc<Mutex<Vec<String>>>, answering: Arc<Answering>) {
    let mut bytes = Vec::new();
    loop {
        let Some(request) = read(&mut stream, &mut bytes).await else { return };
        let answer = {
            let mut asked = asked.lock().unwrap();
            asked.push(request);
            answering(&asked[asked.len() - 1], asked.len() - 1)
        };
        if stream.write_all(answer.as_bytes()).await.is_err() {
            return;
        }
    }
}

/// Takes one request out of what was read. None: the other side has closed.
async fn read(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> Option<String> {
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8(bytes[..end + 4].to_vec()).unwrap();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let whole = end + 4 + length.map_or(0, |length| length.parse().unwrap());
            if bytes.len() >= whole {
                let request: Vec<u8> = bytes.drain(..whole).collect();
                return Some(String::from_utf8_lossy(&request).into_owned());
            }
        }
        if stream.read_buf(bytes).await.ok()? == 0 {
            return None;
        }
    }
}

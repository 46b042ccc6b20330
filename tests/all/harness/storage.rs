//! Storage services that a test starts, kills and starts again, and the libraries that others use them with.

use std::{
    path::{Path, PathBuf},
    process::{Output, Stdio},
};

use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdout, Command},
    time::timeout,
};

use super::{
    prepared::{node_modules, peer, python, repository},
    process::{DEADLINE, terminate},
};

/// Azurite's published account.
const AZURE_KEY: &str =
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

/// The account of `tests/storage`.
const S3_ACCESS_KEY: &str = "test-access-key";
const S3_SECRET_KEY: &str = "test-secret-key";
const S3_REGION: &str = "us-east-1";

/// Azure's storage as Azurite has it, with nothing in it.
pub(crate) struct Azurite {
    blobs: Server,
    queues: Option<Server>,
    folder: TempDir,
    kept: Kept,
}

/// Where Azurite keeps blobs.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(crate) enum Kept {
    InMemory,
    /// A kill loses what it was given in the 5 s before: it writes down what there is no oftener.
    InFolder,
}

/// An S3 server with nothing in it.
///
/// What it has answered to is there after a kill; what it has not may be, but whole.
pub(crate) struct S3 {
    server: Server,
    folder: TempDir,
}

/// A process that listens.
struct Server {
    child: Child,
    port: u16,
    /// Kept, since a write to a closed pipe would end it.
    _stdout: Lines<BufReader<ChildStdout>>,
}

impl Azurite {
    /// On a free port.
    pub(crate) async fn start(kept: Kept) -> Self {
        Self::start_on(0, kept).await
    }

    /// On this port.
    pub(crate) async fn start_on(port: u16, kept: Kept) -> Self {
        let folder = TempDir::new().expect("a folder");
        let blobs = azurite("blob", port, folder.path(), kept).await;
        Self { blobs, queues: None, folder, kept }
    }

    /// With the service for queues beside the one for blobs.
    pub(crate) async fn with_queues(mut self) -> Self {
        self.queues = Some(azurite("queue", 0, self.folder.path(), self.kept).await);
        self
    }

    /// The text of the setting of a connection.
    pub(crate) fn connection_string(&self) -> String {
        let endpoint = |kind, server: &Server| {
            format!("{kind}Endpoint=http://127.0.0.1:{}/devstoreaccount1;", server.port)
        };
        let blobs = endpoint("Blob", &self.blobs);
        let queues = self.queues.as_ref().map(|queues| endpoint("Queue", queues));
        format!(
            "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey={AZURE_KEY};\
             {blobs}{}",
            queues.unwrap_or_default()
        )
    }

    /// What must be in no message: the address and the key.
    pub(crate) fn secrets(&self) -> [String; 2] {
        [format!("127.0.0.1:{}", self.blobs.port), AZURE_KEY.to_owned()]
    }

    /// Ends it by SIGKILL.
    pub(crate) async fn kill(&mut self) {
        self.blobs.kill().await;
        if let Some(queues) = &mut self.queues {
            queues.kill().await;
        }
    }

    /// Ends it by SIGTERM, at which it writes down what it has.
    pub(crate) async fn stop(&mut self) {
        self.blobs.stop().await;
        if let Some(queues) = &mut self.queues {
            queues.stop().await;
        }
    }

    /// Starts it again on the same ports and folder.
    pub(crate) async fn restart(&mut self) {
        let folder = self.folder.path();
        self.blobs = azurite("blob", self.blobs.port, folder, self.kept).await;
        if let Some(queues) = &mut self.queues {
            *queues = azurite("queue", queues.port, folder, self.kept).await;
        }
    }

    /// What Azure's library prints: see `tests/clients/azure_blob.py`, where a connection comes second.
    pub(crate) async fn library(&self, arguments: &[&str], input: &str) -> String {
        self.run("azure_blob.py", arguments, input).await
    }

    /// The same of `tests/clients/azure_queue.py`.
    pub(crate) async fn queue_library(&self, arguments: &[&str], input: &str) -> String {
        self.run("azure_queue.py", arguments, input).await
    }

    async fn run(&self, script: &str, arguments: &[&str], input: &str) -> String {
        let mut command = client(script);
        command.arg(arguments[0]).arg(self.connection_string()).args(&arguments[1..]);
        succeeded(arguments, run(command, input).await)
    }
}

impl S3 {
    /// On a free port.
    pub(crate) async fn start() -> Self {
        let folder = TempDir::new().expect("a folder");
        let server = s3(folder.path(), 0, &[]).await;
        Self { server, folder }
    }

    /// Where buckets, objects and unfinished uploads are.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The settings of a connection.
    pub(crate) fn environment(&self, connection: &str) -> Vec<(String, String)> {
        let settings = [
            ("endpoint", &*self.endpoint()),
            ("region", S3_REGION),
            ("pathStyle", "true"),
            ("accessKeyId", S3_ACCESS_KEY),
            ("secretAccessKey", S3_SECRET_KEY),
        ];
        settings.map(|(name, value)| (format!("{connection}__{name}"), value.to_owned())).into()
    }

    /// Ends it by SIGKILL.
    pub(crate) async fn kill(&mut self) {
        self.server.kill().await;
    }

    /// Starts it again on the same port and folder.
    pub(crate) async fn restart(&mut self) {
        self.restart_with(&[]).await;
    }

    /// The same with trouble: see the options of `s3_server`.
    pub(crate) async fn restart_with(&mut self, options: &[&str]) {
        self.server.kill().await;
        self.server = s3(self.folder.path(), self.server.port, options).await;
    }

    /// What `boto3` prints: see `tests/clients/s3_object.py`.
    pub(crate) async fn library(&self, arguments: &[&str], input: &str) -> String {
        succeeded(arguments, run(self.client(arguments), input).await)
    }

    /// Why it does not do that.
    pub(crate) async fn library_error(&self, arguments: &[&str], input: &str) -> String {
        let output = run(self.client(arguments), input).await;
        assert!(!output.status.success(), "{arguments:?} is done");
        String::from_utf8(output.stderr).expect("text")
    }

    /// `boto3` as a process, for what a test does meanwhile.
    pub(crate) fn client(&self, arguments: &[&str]) -> Command {
        let mut command = client("s3_object.py");
        command
            .args(arguments)
            .env("AWS_ENDPOINT_URL_S3", self.endpoint())
            .env("AWS_DEFAULT_REGION", S3_REGION)
            .env("AWS_ACCESS_KEY_ID", S3_ACCESS_KEY)
            .env("AWS_SECRET_ACCESS_KEY", S3_SECRET_KEY);
        command
    }

    fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.server.port)
    }
}

impl Server {
    /// Waits for the line that says the port.
    async fn start(mut command: Command, listening: &str) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("the server starts");
        let mut lines = BufReader::new(child.stdout.take().expect("stdout is piped")).lines();
        let line = async {
            while let Some(line) = lines.next_line().await.expect("stdout is text") {
                if let Some((_, port)) = line.split_once(listening) {
                    return port.trim().parse().expect("a port");
                }
            }
            panic!("the server ended before it listened");
        };
        let port = timeout(DEADLINE, line).await.expect("the server listens in time");
        Self { child, port, _stdout: lines }
    }

    async fn kill(&mut self) {
        self.child.kill().await.expect("the server is killed");
    }

    async fn stop(&mut self) {
        terminate(self.child.id().expect("the server runs")).await;
        let ended = timeout(DEADLINE, self.child.wait()).await;
        ended.expect("the server ends in time").expect("the server ends");
    }
}

async fn azurite(service: &str, port: u16, folder: &Path, kept: Kept) -> Server {
    let main: PathBuf = ["azurite", "dist", "src", service, "main.js"].iter().collect();
    let mut command = Command::new("node");
    command
        .arg(node_modules().join(main))
        .args([format!("--{service}Host"), "127.0.0.1".to_owned()])
        .args([format!("--{service}Port"), port.to_string()])
        .args(["--skipApiVersionCheck", "--disableTelemetry", "--silent"])
        .current_dir(folder);
    if kept == Kept::InMemory {
        command.arg("--inMemoryPersistence");
    } else {
        command.arg("--location").arg(folder);
    }
    Server::start(command, "listens on http://127.0.0.1:").await
}

async fn s3(folder: &Path, port: u16, options: &[&str]) -> Server {
    let mut command = Command::new(peer("s3_server"));
    command.arg(folder).args(["--port", &port.to_string()]).args(options);
    Server::start(command, "Serving at http://127.0.0.1:").await
}

fn client(script: &str) -> Command {
    let mut command = Command::new(python());
    command
        .arg(repository().join("tests/clients").join(script))
        .env("NO_PROXY", "127.0.0.1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}

async fn run(mut command: Command, input: &str) -> Output {
    let mut child = command.spawn().expect("Python starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    // One that reads nothing may have ended.
    let _ = stdin.write_all(input.as_bytes()).await;
    drop(stdin);
    child.wait_with_output().await.expect("it ran")
}

fn succeeded(arguments: &[&str], output: Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {}: {errors}", output.status);
    String::from_utf8(output.stdout).expect("text")
}

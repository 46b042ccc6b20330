//! One running host, and what it prints.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio as Pipe},
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
    sync::Notify,
    time::timeout,
};

use super::{
    events::EventStream,
    http::{Connection, Response},
    prepared,
};

/// How long any single event may take before the test fails.
pub(super) const DEADLINE: Duration = Duration::from_mins(1);

/// What the host is started with.
pub(crate) struct Builder {
    folder: TempDir,
    environment: Vec<(String, String)>,
    arguments: Vec<&'static str>,
    small_disk: Option<&'static str>,
}

impl Builder {
    fn new() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        fs::create_dir(folder.path().join("functions")).expect("the functions folder");
        Self::again(folder).file("host.json", json!({ "version": "2.0" }).to_string())
    }

    /// In the folder of a command that ended.
    pub(crate) fn again(folder: TempDir) -> Self {
        Self { folder, environment: Vec::new(), arguments: Vec::new(), small_disk: None }
    }

    /// Puts compiled programs into the functions folder.
    pub(crate) fn programs(self, names: &[&str]) -> Self {
        for name in names {
            let to = self.folder.path().join("functions").join(format!("{name}.wasm"));
            fs::copy(prepared::program(name), to).expect("a program is copied");
        }
        self
    }

    /// Replaces host.json.
    pub(crate) fn host_json(self, json: Value) -> Self {
        self.file("host.json", json.to_string())
    }

    /// Writes a file beside host.json.
    pub(crate) fn file(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        fs::write(self.folder.path().join(name), content).expect("a file is written");
        self
    }

    /// Sets a variable of the process.
    pub(crate) fn environment(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Gives `start` one more argument.
    pub(crate) fn argument(mut self, argument: &'static str) -> Self {
        self.arguments.push(argument);
        self
    }

    /// Gives the host a disk of one mebibyte in this folder beside host.json, in a namespace of its own.
    pub(crate) fn on_a_disk_of_one_mebibyte(mut self, folder: &'static str) -> Self {
        fs::create_dir(self.folder.path().join(folder)).expect("a folder");
        self.small_disk = Some(folder);
        self
    }

    /// The folder of host.json.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Runs a command to its end.
    pub(crate) async fn run(self, command: &[&str]) -> Finished {
        self.run_with_input(command, "").await
    }

    /// Runs a command to its end, with a text on standard input.
    pub(crate) async fn run_with_input(self, command: &[&str], input: &str) -> Finished {
        let mut child =
            self.command(command).stdin(Pipe::piped()).spawn().expect("the host starts");
        let mut stdin = child.stdin.take().expect("stdin is piped");
        stdin.write_all(input.as_bytes()).await.expect("the host reads its input");
        drop(stdin);
        let output = timeout(DEADLINE, child.wait_with_output())
            .await
            .expect("the command ends")
            .expect("it ran");
        Finished {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("stdout is text"),
            stderr: String::from_utf8(output.stderr).expect("stderr is text"),
            folder: self.folder,
        }
    }

    /// Starts the host on a free port and waits until it serves.
    pub(crate) async fn start(self) -> Host {
        let mut child = self
            .command(&["start", "--port", "0"])
            .args(&self.arguments)
            .spawn()
            .expect("the host starts");
        let log = Log::default();
        log.follow(child.stderr.take().expect("stderr is piped"));
        let mut stdout = BufReader::new(child.stdout.take().expect("stdout is piped")).lines();
        let serving = async {
            loop {
                match stdout.next_line().await.expect("stdout is text") {
                    Some(line) if line.starts_with("Serving ") => break line,
                    Some(line) => log.push(line),
                    None => panic!("the host ended before it served:\n{}", log.text()),
                }
            }
        };
        let line = timeout(DEADLINE, serving).await.expect("the host serves in time");
        let port = line
            .split("127.0.0.1:")
            .nth(1)
            .and_then(|rest| rest.split('/').next())
            .and_then(|p| p.parse().ok());
        let port = port.unwrap_or_else(|| panic!("no port in `{line}`"));
        log.push(line);
        log.follow(stdout.into_inner());
        Host { child, log, port, folder: self.folder }
    }

    /// Starts the host on standard input and output.
    pub(crate) fn start_stdio(self) -> Stdio {
        let mut stdio = self.start_stdio_unread();
        stdio.log.follow(stdio.child.stderr.take().expect("stderr is piped"));
        stdio
    }

    /// The same, with a log that nobody reads.
    pub(crate) fn start_stdio_unread(self) -> Stdio {
        let mut child = self
            .command(&["start", "--stdio"])
            .args(&self.arguments)
            .stdin(Pipe::piped())
            .spawn()
            .expect("the host starts");
        let stdout = BufReader::new(child.stdout.take().expect("stdout is piped")).lines();
        Stdio { stdin: child.stdin.take(), stdout, child, log: Log::default(), folder: self.folder }
    }

    fn command(&self, command: &[&str]) -> Command {
        let program = env!("CARGO_BIN_EXE_mcpfn");
        let mut process = match self.small_disk {
            None => Command::new(program),
            Some(folder) => {
                let script = format!("mount -t tmpfs -o size=1m none {folder} && exec \"$@\"");
                let mut process = Command::new("unshare");
                process.args(["--user", "--map-root-user", "--mount", "sh", "-c"]);
                process.args([&*script, "sh", program]);
                process
            }
        };
        process
            .args(command)
            .current_dir(self.folder.path())
            .env_remove("AzureWebJobsStorage")
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Pipe::null())
            .stdout(Pipe::piped())
            .stderr(Pipe::piped())
            .kill_on_drop(true);
        process
    }
}

/// A command that ended.
#[derive(Debug)]
pub(crate) struct Finished {
    /// The exit code.
    pub(crate) code: Option<i32>,
    /// What it printed.
    pub(crate) stdout: String,
    /// What it printed for people.
    pub(crate) stderr: String,
    /// Where it ran.
    pub(crate) folder: TempDir,
}

/// A host that serves HTTP. It is killed when the test ends; its log is shown when the test fails.
pub(crate) struct Host {
    child: Child,
    log: Log,
    port: u16,
    folder: TempDir,
}

impl Host {
    /// A host with these programs and default settings.
    pub(crate) async fn start(programs: &[&str]) -> Self {
        Self::builder().programs(programs).start().await
    }

    /// What a host can be started with.
    pub(crate) fn builder() -> Builder {
        Builder::new()
    }

    /// `http://127.0.0.1:PORT`
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The port it listens on.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The folder of host.json.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A file of the default storage.
    pub(crate) fn blob(&self, name: &str) -> PathBuf {
        self.folder.path().join(".mcpfn/storage").join(name)
    }

    /// The process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id().expect("the host runs")
    }

    /// Opens a connection of its own.
    pub(crate) async fn connect(&self) -> Connection {
        Connection::open(self.port).await
    }

    /// Sends raw bytes on a new connection.
    pub(crate) async fn raw(&self, bytes: &[u8]) -> Response {
        let mut connection = self.connect().await;
        timeout(DEADLINE, connection.send(bytes)).await.expect("the host answers in time")
    }

    /// Sends a request whose answer is a stream, on a new connection.
    pub(crate) async fn open_stream(&self, bytes: &[u8]) -> EventStream {
        EventStream::open(self.connect().await, bytes).await
    }

    /// Posts a body to `/mcp` with more headers than those every post has.
    pub(crate) async fn post(&self, headers: &[(&str, &str)], body: &[u8]) -> Response {
        self.raw(&request(headers, body)).await
    }

    /// Posts a request in the form of 2026-07-28.
    pub(crate) async fn post_modern(&self, method: &str, params: Value) -> Response {
        self.raw(&modern(method, params)).await
    }

    /// Posts a request in the form of 2025-11-25.
    pub(crate) async fn post_legacy(&self, method: &str, params: Value) -> Response {
        let body =
            json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
        self.post(&[("MCP-Protocol-Version", "2025-11-25")], body.as_bytes()).await
    }

    /// Calls a tool and gives its result.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Value {
        let response =
            self.post_modern("tools/call", json!({ "name": tool, "arguments": arguments })).await;
        assert!(response.body["result"].is_object(), "no result of `{tool}`: {}", response.text);
        response.body["result"].clone()
    }

    /// Calls a tool that answers with one text.
    pub(crate) async fn call_text(&self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        assert_ne!(result["isError"], true, "`{tool}` failed: {result}");
        text(&result)
    }

    /// Calls a tool that fails, and gives the text of its error.
    pub(crate) async fn call_error(&self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        assert_eq!(result["isError"], true, "`{tool}` did not fail: {result}");
        text(&result)
    }

    /// Waits for a line of the log, and gives it.
    pub(crate) async fn logged(&self, needle: &str) -> String {
        self.log.wait(needle).await
    }

    /// Waits until a line of the log is there for the nth time, from 1, and gives it.
    pub(crate) async fn logged_again(&self, needle: &str, n: usize) -> String {
        self.log.wait_for(needle, n).await
    }

    /// The log so far.
    pub(crate) fn log_lines(&self) -> Vec<String> {
        self.log.lines().clone()
    }

    /// Asks the host to end, as a service manager does, and waits for it.
    pub(crate) async fn stop(mut self) -> (ExitStatus, Stopped) {
        terminate(self.pid()).await;
        let status = timeout(DEADLINE, self.child.wait())
            .await
            .expect("the host ends in time")
            .expect("it ran");
        (
            status,
            Stopped {
                folder: std::mem::replace(&mut self.folder, TempDir::new().expect("a folder")),
            },
        )
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.log.show_on_panic();
    }
}

/// The folder of a host that ended.
pub(crate) struct Stopped {
    folder: TempDir,
}

impl Stopped {
    /// Starts a host in the same folder.
    pub(crate) async fn start(self) -> Host {
        self.builder().start().await
    }

    /// What a host in the same folder can be started with.
    pub(crate) fn builder(self) -> Builder {
        Builder::again(self.folder)
    }
}

/// A host that serves its standard input and output.
pub(crate) struct Stdio {
    stdin: Option<ChildStdin>,
    stdout: Lines<BufReader<ChildStdout>>,
    child: Child,
    log: Log,
    folder: TempDir,
}

impl Stdio {
    /// The folder of host.json.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id().expect("the host runs")
    }

    /// Waits until a line of the log is there for the nth time, from 1, and gives it.
    pub(crate) async fn logged_again(&self, needle: &str, n: usize) -> String {
        self.log.wait_for(needle, n).await
    }

    /// Asks the host to end, as a service manager does.
    pub(crate) async fn terminate(&self) {
        terminate(self.pid()).await;
    }

    /// Sends one line.
    pub(crate) async fn send(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("the input is open");
        stdin.write_all(format!("{line}\n").as_bytes()).await.expect("the host reads its input");
    }

    /// Reads one message.
    pub(crate) async fn receive(&mut self) -> Value {
        let line =
            timeout(DEADLINE, self.stdout.next_line()).await.expect("the host answers in time");
        let line = line.expect("stdout is text").expect("the host still speaks");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("not JSON ({error}): {line}"))
    }

    /// Closes the input and waits for the end; gives what was still said.
    pub(crate) async fn close(mut self) -> (ExitStatus, Vec<Value>) {
        drop(self.stdin.take());
        let mut rest = Vec::new();
        while let Some(line) =
            timeout(DEADLINE, self.stdout.next_line()).await.expect("it ends").expect("text")
        {
            rest.push(serde_json::from_str(&line).expect("every line is JSON"));
        }
        (
            timeout(DEADLINE, self.child.wait())
                .await
                .expect("the host ends in time")
                .expect("it ran"),
            rest,
        )
    }
}

impl Drop for Stdio {
    fn drop(&mut self) {
        self.log.show_on_panic();
    }
}

/// What a host printed, so far.
#[derive(Clone, Default)]
struct Log {
    lines: Arc<Mutex<Vec<String>>>,
    changed: Arc<Notify>,
}

impl Log {
    fn follow(&self, stream: impl AsyncRead + Unpin + Send + 'static) {
        let log = self.clone();
        tokio::spawn(async move {
            let mut lines = BufReader::new(stream).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                log.push(line);
            }
        });
    }

    fn push(&self, line: String) {
        self.lines().push(line);
        self.changed.notify_waiters();
    }

    fn text(&self) -> String {
        self.lines().join("\n")
    }

    fn lines(&self) -> MutexGuard<'_, Vec<String>> {
        self.lines.lock().expect("no test panics while it holds the log")
    }

    async fn wait(&self, needle: &str) -> String {
        self.wait_for(needle, 1).await
    }

    async fn wait_for(&self, needle: &str, n: usize) -> String {
        let found = async {
            loop {
                let changed = self.changed.notified();
                let line =
                    self.lines().iter().filter(|line| line.contains(needle)).nth(n - 1).cloned();
                match line {
                    Some(line) => break line,
                    None => changed.await,
                }
            }
        };
        let line = timeout(DEADLINE, found).await;
        line.unwrap_or_else(|_| panic!("`{needle}` is not in the log"))
    }

    #[expect(clippy::print_stderr, reason = "the log of a host that failed a test")]
    fn show_on_panic(&self) {
        if std::thread::panicking() {
            eprintln!("--- the host printed:\n{}\n---", self.text());
        }
    }
}

pub(super) async fn terminate(pid: u32) {
    let status = Command::new("kill").arg("-TERM").arg(pid.to_string()).status().await;
    assert!(status.expect("kill runs").success(), "a process is asked to end");
}

/// The texts of a result, joined.
fn text(result: &Value) -> String {
    let mut text = String::new();
    for block in result["content"].as_array().into_iter().flatten() {
        write!(text, "{}", block["text"].as_str().unwrap_or_default())
            .expect("a string takes every write");
    }
    text
}

/// A request of 2026-07-28 with all that it must carry, as bytes.
pub(crate) fn modern(method: &str, mut params: Value) -> Vec<u8> {
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
    let capabilities = &mut params["_meta"]["io.modelcontextprotocol/clientCapabilities"];
    if capabilities.is_null() {
        *capabilities = json!({});
    }
    let mut headers = vec![("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method)];
    let name = match method {
        "resources/read" => params["uri"].as_str(),
        "tasks/get" | "tasks/update" | "tasks/cancel" => params["taskId"].as_str(),
        _ => params["name"].as_str(),
    };
    let name = name.map(str::to_owned);
    if let Some(name) = &name {
        headers.push(("Mcp-Name", name));
    }
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
    request(&headers, body.as_bytes())
}

/// A post to `/mcp`, as bytes.
pub(crate) fn request(headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let mut head = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n",
        body.len()
    );
    for (name, value) in headers {
        write!(head, "{name}: {value}\r\n").expect("a string takes every write");
    }
    head.push_str("\r\n");
    [head.as_bytes(), body].concat()
}

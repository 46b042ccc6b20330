//! What the type `queue` must do, on a folder and against a server of this process, through the registry.

use std::{fs, path::Path, sync::Arc, time::SystemTime};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value as JsonValue, json};

use crate::{
    binding::{
        BindingError, Connections, DeclarationError, Memory, OutputBinding, Registry, Scope,
        contract::{declaration, schema, with_name},
        local_server::{LocalServer, answer},
        scope::Root,
    },
    function::Direction,
};

/// A registry with these connections.
fn registry(root: &Path, urls: &[(&str, &str)]) -> Registry {
    Registry::new(Connections {
        root: root.to_owned(),
        urls: urls.iter().map(|(name, url)| ((*name).to_owned(), (*url).to_owned())).collect(),
        headers: Vec::new(),
        settings: Arc::new(|name| {
            let settings = [
                ("Jobs", "from-setting"),
                ("NoQueues", "BlobEndpoint=https://b.example;SharedAccessSignature=sv=1&sig=a"),
                (
                    "Plain",
                    "BlobEndpoint=https://b.example;QueueEndpoint=http://q.example;AccountKey=YQ==",
                ),
                ("Signature", "QueueEndpoint=https://q.example;SharedAccessSignature=sv=1&sig=a"),
            ];
            settings.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        }),
        memory: Memory::default(),
    })
    .unwrap()
}

fn output(
    registry: &Registry,
    config: JsonValue,
) -> Result<Box<dyn OutputBinding>, DeclarationError> {
    let declared = declaration("queue", Direction::Output, config);
    registry.output(&declared, &Scope::new(Root::Tool, &schema()))
}

async fn put(registry: &Registry, config: JsonValue, bytes: &[u8]) -> Result<(), BindingError> {
    let output = output(registry, config).unwrap();
    let target = with_name("a", |data| output.resolve(data))?.unwrap();
    output.write(&target, bytes, None).await
}

/// The messages in a folder, in the order in which they are to be taken.
fn messages(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect();
    found.sort();
    found
}

#[tokio::test]
async fn a_folder_keeps_a_file_for_each_message_in_order() {
    let root = tempfile::tempdir().unwrap();
    let registry = registry(root.path(), &[("AzureWebJobsStorage", "file:storage")]);
    let jobs = root.path().join("storage/.mcpfn-queues/jobs");
    put(&registry, json!({"queueName": "jobs", "visibilityTimeout": 60}), b"later").await.unwrap();
    put(&registry, json!({"queueName": "jobs"}), b"\xff\0").await.unwrap();
    put(&registry, json!({"queueName": "jobs", "encoding": "none"}), b"<a>").await.unwrap();
    put(&registry, json!({"queueName": "%Jobs%"}), b"").await.unwrap();
    let found = messages(&jobs);
    let mut now: Vec<_> = found[..2].iter().map(|(_, bytes)| bytes.as_slice()).collect();
    now.sort_unstable();
    assert_eq!(now, [&b"<a>"[..], b"\xff\0"], "as they were set, whatever the encoding");
    assert_eq!((found.len(), found[2].1.as_slice()), (3, &b"later"[..]));
    let time = |name: &str| name.split('-').next().unwrap().parse::<u128>().unwrap();
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis();
    assert!(time(&found[0].0) <= since && time(&found[2].0) > since + 50_000, "{found:?}");
    assert!(
        found.iter().all(|(name, _)| Path::new(name).extension().is_some_and(|end| end == "msg"))
    );
    assert_eq!(messages(&jobs.with_file_name("from-setting")).len(), 1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        fs::write(root.path().join("plain"), "").unwrap();
        assert_eq!(mode(&jobs.join(&found[0].0)), mode(&root.path().join("plain")));
    }
}

#[tokio::test]
async fn a_folder_that_takes_nothing_is_one_sentence_and_works_again_afterwards() {
    let root = tempfile::tempdir().unwrap();
    let registry = registry(root.path(), &[]);
    let config = json!({"queueName": "jobs"});
    let queues = root.path().join(".mcpfn/storage/.mcpfn-queues");
    fs::create_dir_all(queues.parent().unwrap()).unwrap();
    fs::write(&queues, "in the way").unwrap();
    let error = put(&registry, config.clone(), b"a").await.unwrap_err();
    assert_eq!(error.public_message(), "the storage of connection `AzureWebJobsStorage` failed");
    fs::remove_file(&queues).unwrap();
    put(&registry, config, b"a").await.unwrap();
    assert_eq!(messages(&queues.join("jobs")).len(), 1);
}

#[tokio::test]
async fn a_probe_says_what_is_in_the_way_of_a_queue_and_no_secret() {
    let root = tempfile::tempdir().unwrap();
    let registry = Registry::new(Connections {
        root: root.path().to_owned(),
        urls: vec![("Files".to_owned(), "file:storage".to_owned())],
        headers: Vec::new(),
        settings: Arc::new(|name| {
            let signed = "QueueEndpoint=http://127.0.0.1:1/a;SharedAccessSignature=sv=1&sig=SECRET";
            (name == "Signed").then(|| signed.to_owned())
        }),
        memory: Memory::default(),
    })
    .unwrap();
    for connection in ["Files", "Signed"] {
        output(&registry, json!({"queueName": "jobs", "connection": connection})).unwrap();
    }
    let found = async || {
        let probes = registry.probe().await;
        let findings = probes.into_iter().flat_map(|probe| probe.findings);
        findings.map(|finding| finding.found).collect::<Vec<_>>()
    };
    let missing = Ok("not there yet (it is made at the first message)".to_owned());
    let before = found().await;
    assert_eq!(before[0], missing);
    let error = before[1].clone().unwrap_err();
    assert!(error.starts_with("cannot be reached (") && !error.contains("SECRET"), "{error}");
    // What lies below is told too.
    assert!(error.contains("refused"), "{error}");
    let queues = root.path().join("storage/.mcpfn-queues");
    fs::create_dir_all(&queues).unwrap();
    fs::write(queues.join("jobs"), "in the way").unwrap();
    assert_eq!(found().await[0], Err("failed (not a directory)".to_owned()));
    fs::remove_file(queues.join("jobs")).unwrap();
    fs::create_dir(queues.join("jobs")).unwrap();
    assert_eq!(found().await[0], Ok("there".to_owned()));
}

#[tokio::test]
async fn sixty_four_kib_is_the_end_on_every_connection() {
    let root = tempfile::tempdir().unwrap();
    let registry = registry(root.path(), &[]);
    let (base64, none) =
        (json!({"queueName": "jobs"}), json!({"queueName": "jobs", "encoding": "none"}));
    put(&registry, base64.clone(), &vec![0; 48 * 1024]).await.unwrap();
    put(&registry, none.clone(), &vec![b'a'; 64 * 1024]).await.unwrap();
    for (config, bytes, message) in [
        (
            &base64,
            vec![0; 48 * 1024 + 1],
            "the message is larger than 48 KiB, which are 64 KiB in base64",
        ),
        (
            &base64,
            vec![0; 1024 * 1024],
            "the message is larger than 48 KiB, which are 64 KiB in base64",
        ),
        (&none, vec![b'a'; 64 * 1024 + 1], "the message is larger than 64 KiB"),
        (&none, vec![0xff], "the message is not UTF-8 text (declare `\"encoding\": \"base64\"`)"),
        (
            &none,
            vec![b'a', 0x1b],
            "the message holds a control character (declare `\"encoding\": \"base64\"`)",
        ),
    ] {
        assert_eq!(
            put(&registry, config.clone(), &bytes).await.unwrap_err().public_message(),
            message
        );
    }
    assert_eq!(messages(&root.path().join(".mcpfn/storage/.mcpfn-queues/jobs")).len(), 2);
}

async fn azure(
    answering: impl Fn(&str, usize) -> String + Send + Sync + 'static,
) -> (LocalServer, Registry) {
    let server = LocalServer::answering(answering).await;
    let address = server.address;
    let text = format!(
        "AccountName=a;AccountKey=YQ==;BlobEndpoint=http://127.0.0.1:1/a;QueueEndpoint=http://{address}/a/"
    );
    let settings = move |name: &str| (name == "Queues").then(|| text.clone());
    let registry = Registry::new(Connections {
        root: "/nowhere".into(),
        urls: Vec::new(),
        headers: Vec::new(),
        settings: Arc::new(settings),
        memory: Memory::default(),
    });
    (server, registry.unwrap())
}

#[tokio::test]
async fn a_message_goes_to_azure_signed_and_in_base64_and_a_missing_queue_is_made() {
    let (server, registry) = azure(|request, n_before| match n_before {
        0 => answer("404 QueueNotFound", ""),
        _ if request.starts_with("PUT") => answer("201 Created", ""),
        _ => answer("201 Created", "<QueueMessagesList/>"),
    })
    .await;
    let config = json!({"queueName": "jobs", "connection": "Queues", "visibilityTimeout": 5, "timeToLive": -1});
    put(&registry, config, b"\xffjob").await.unwrap();
    let asked = server.asked();
    let lines: Vec<_> = asked.iter().map(|request| request.lines().next().unwrap()).collect();
    let message = "POST /a/jobs/messages?visibilitytimeout=5&messagettl=-1 HTTP/1.1";
    assert_eq!(lines, [message, "PUT /a/jobs HTTP/1.1", message]);
    for request in &asked {
        let signed = request.lines().any(|line| line.starts_with("authorization: SharedKey a:"));
        assert!(signed && request.contains("\r\nx-ms-version: "), "{request}");
    }
    let body = asked[2].split("\r\n\r\n").nth(1).unwrap();
    let text = BASE64_STANDARD.encode(b"\xffjob");
    assert_eq!(body, format!("<QueueMessage><MessageText>{text}</MessageText></QueueMessage>"));
}

#[tokio::test]
async fn text_goes_to_azure_as_it_is_but_for_what_xml_needs() {
    let (server, registry) = azure(|_, _| answer("201 Created", "")).await;
    let config = json!({"queueName": "jobs", "connection": "Queues", "encoding": "none"});
    put(&registry, config, "<é & \"b\">\r\n".as_bytes()).await.unwrap();
    let asked = server.asked();
    let body = asked[0].split("\r\n\r\n").nth(1).unwrap();
    let expected =
        "<QueueMessage><MessageText>&lt;é &amp; \"b\"&gt;&#13;\n</MessageText></QueueMessage>";
    assert_eq!(body, expected);
    assert!(asked[0].starts_with("POST /a/jobs/messages HTTP/1.1"));
}

#[tokio::test]
async fn what_azure_answers_becomes_one_sentence() {
    for (status, n_asked, kind) in [
        ("503 Busy", 3, "is busy (try again later)"),
        ("403 Forbidden", 1, "denied access"),
        ("500 Broken", 1, "failed"),
    ] {
        let (server, registry) = azure(move |_, _| answer(status, "<Error>detail</Error>")).await;
        let config = json!({"queueName": "jobs", "connection": "Queues"});
        let error = put(&registry, config, b"a").await.unwrap_err();
        assert_eq!(error.public_message(), format!("the storage of connection `Queues` {kind}"));
        assert_eq!(server.asked().len(), n_asked);
    }
    let (server, registry) = azure(|_, _| answer("404 QueueNotFound", "")).await;
    let config = json!({"queueName": "jobs", "connection": "Queues"});
    put(&registry, config.clone(), b"a").await.unwrap_err();
    assert_eq!(server.asked().len(), 2, "a queue that cannot be made is not made again");
    drop(server);
    let error = put(&registry, config, b"a").await.unwrap_err();
    assert_eq!(error.public_message(), "the storage of connection `Queues` cannot be reached");
}

#[test]
fn declarations_that_cannot_work_are_errors() {
    let urls = [("Memory", "memory:"), ("Service", "https://x.example"), ("Store", "file:x")];
    let registry = registry(Path::new("/nowhere"), &urls);
    let check = |mut config: JsonValue, message: &str| {
        if config.get("connection").is_none() {
            config["connection"] = json!("Store");
        }
        assert_eq!(output(&registry, config).map(|_| ()).unwrap_err().to_string(), message);
    };
    check(
        json!({}),
        "`queueName`: is missing (expected 3 to 63 of `a` to `z`, `0` to `9` and single `-` between them)",
    );
    check(
        json!({"queue": "jobs"}),
        "`queue`: unknown key (expected `queueName`, `connection`, `encoding`, `visibilityTimeout`, `timeToLive`)",
    );
    for name in ["ab", "ABC", "a_c", "-abc", "abc-", "a--c", "", "..", "a/bc", &"x".repeat(64)] {
        check(
            json!({"queueName": name}),
            &format!(
                "queueName `{name}`: is no name of a queue (expected 3 to 63 of `a` to `z`, `0` to `9` and single `-` \
                 between them)"
            ),
        );
    }
    check(
        json!({"queueName": "jobs-{mcptoolargs.name}"}),
        "queueName `jobs-{mcptoolargs.name}`: the name of a queue must be fixed: it may hold no expression",
    );
    check(
        json!({"queueName": "jobs", "encoding": "base65"}),
        "`encoding`: unknown `base65` (did you mean `base64`?)",
    );
    for seconds in [json!(-1), json!(604_801)] {
        check(
            json!({"queueName": "jobs", "visibilityTimeout": seconds}),
            "`visibilityTimeout`: expected a number of seconds from 0 to 604800",
        );
    }
    check(
        json!({"queueName": "jobs", "visibilityTimeout": "00:01:00"}),
        "`visibilityTimeout`: expected a whole number of seconds",
    );
    for seconds in [0, -2, 2_147_483_648_i64] {
        check(
            json!({"queueName": "jobs", "timeToLive": seconds}),
            "`timeToLive`: expected a number of seconds from 1 to 2147483647, or -1 for no end",
        );
    }
    check(
        json!({"queueName": "jobs", "visibilityTimeout": 61, "timeToLive": 60}),
        "`visibilityTimeout`: a message would be gone before it is to be seen (`timeToLive` is shorter)",
    );
    for connection in ["Memory", "Service"] {
        check(
            json!({"queueName": "jobs", "connection": connection}),
            &format!(
                "connection `{connection}`: has no queues (expected an Azure or a `file:` connection)"
            ),
        );
    }
    check(
        json!({"queueName": "jobs", "connection": "NoQueues"}),
        "connection `NoQueues`: the connection string has no `AccountName` and no `QueueEndpoint`",
    );
    check(
        json!({"queueName": "jobs", "connection": "Plain"}),
        "connection `Plain`: the queue endpoint of the connection string is no https address, or no http address \
         beside blobs on http",
    );
    output(&registry, json!({"queueName": "jobs", "connection": "Signature"})).unwrap();
    let schema = schema();
    let declared = declaration("queue", Direction::Input, json!({"queueName": "jobs"}));
    let error = registry.input(&declared, &Scope::new(Root::Tool, &schema)).unwrap_err();
    assert_eq!(error.to_string(), "`direction`: a queue is written only (expected `out`)");
    let scope = Scope::new(Root::Tool, &schema);
    let config = json!({"queueName": "jobs", "connection": "Store", "timeToLive": 60});
    registry.output(&declaration("queue", Direction::Output, config), &scope).unwrap();
    assert_eq!(
        scope.into_notices(),
        ["`timeToLive`: a folder keeps a message until somebody takes it"]
    );
}

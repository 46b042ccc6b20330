//! `mcpfn start`: serve.

mod reload;

use std::{
    future::pending,
    io::{self, Write},
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
};

use anyhow::{Context, anyhow};
use serde_json::json;
use tokio::net::TcpListener;

use self::reload::{Reloader, Text};
use super::{Failure, Sources, runtime, say, table};
use crate::{
    config::{Config, Environment},
    function::Catalog,
    host::{Host, Loader},
    protocol::{Live, Protocol, Shared},
    shutdown::Shutdown,
    state::{MemoryMailbox, MemoryTasks, Sealer},
    transport::{DialogConfig, http, stdio},
};

/// The setting with the key that all hosts share which serve the same clients.
const STATE_KEY: &str = "McpStateKey";
const MIN_SECRET: usize = 32;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    sources: Sources,
    /// The port; 0 takes any free one.
    #[arg(long, default_value_t = 7071, conflicts_with = "stdio")]
    port: u16,
    /// The address to listen on.
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), conflicts_with = "stdio")]
    address: IpAddr,
    /// Serve one client on standard input and output instead of HTTP.
    #[arg(long)]
    stdio: bool,
    /// Serve what is there at the start, whatever changes later. Without it, components that are added, replaced or
    /// removed, and a changed host.json or local.settings.json, are served at once.
    #[arg(long)]
    no_watch: bool,
}

pub(super) fn run(args: Args, environment: &Environment) -> Result<(), Failure> {
    if !args.address.is_loopback() {
        return Err(Failure::Configuration(anyhow!(
            "--address {} can be reached from other machines, so it needs a key or OAuth, which this version \
             does not have (expected 127.0.0.1 or ::1)",
            args.address
        )));
    }
    let text = Text::read(&args.sources)?;
    let config = Arc::new(args.sources.config(environment)?);
    let watched = Watched { text, config, environment };
    let runtime = runtime()?;
    let served = if args.stdio {
        runtime.block_on(on_stdio(&args, watched))
    } else {
        runtime.block_on(on_http(&args, watched))
    };
    // Standard input is read on a thread of its own, which ends only with its next line.
    runtime.shutdown_background();
    served
}

/// The configuration, and what it was read from.
struct Watched<'a> {
    text: Text,
    config: Arc<Config>,
    environment: &'a Environment,
}

async fn on_http(args: &Args, watched: Watched<'_>) -> Result<(), Failure> {
    let config = Arc::clone(&watched.config);
    let address = SocketAddr::new(args.address, args.port);
    // Before the components are compiled: a port that is taken should not cost a minute to find out.
    let listener = TcpListener::bind(address)
        .await
        .with_context(|| format!("{address} cannot be listened on (another --port may be free)"))
        .map_err(Failure::Run)?;
    let address = listener.local_addr()?;
    let serving = Serving::load(args, watched)?;
    let (shutdown, insisted) = shutdown()?;
    announce(&serving.host, &config, address)?;
    let limits = http::Config {
        body_limit: config.max_body,
        legacy_sse: config.legacy.sse,
        ..http::Config::default()
    };
    let live = serving.live();
    tokio::select! {
        () = http::serve(listener, Arc::clone(&live), limits, shutdown) => {}
        () = insisted => say("stopped, with calls unanswered"),
        () = serving.follow(live) => {}
    }
    Ok(())
}

async fn on_stdio(args: &Args, watched: Watched<'_>) -> Result<(), Failure> {
    let config = Arc::clone(&watched.config);
    let serving = Serving::load(args, watched)?;
    say(&format!("serving {} on standard input and output", counts(serving.host.catalog())));
    let limits = DialogConfig { message_limit: config.max_body, ..DialogConfig::default() };
    let (input, output) = (tokio::io::stdin(), tokio::io::stdout());
    let (shutdown, insisted) = shutdown()?;
    let live = serving.live();
    tokio::select! {
        served = stdio::serve(input, output, Arc::clone(&live), limits, shutdown) => Ok(served?),
        () = insisted => Ok(()),
        () = serving.follow(live) => Ok(()),
    }
}

/// What is served, and what follows its changes.
struct Serving {
    host: Arc<Host>,
    loader: Loader,
    reloader: Option<Reloader>,
    shared: Shared,
}

impl Serving {
    fn load(args: &Args, watched: Watched<'_>) -> Result<Self, Failure> {
        let Watched { text, config, environment } = watched;
        // Before loading, so that nothing is missed that changes meanwhile.
        let watched =
            (!args.no_watch).then(|| Reloader::new(&args.sources, text, &config, environment));
        let reloader = watched.and_then(|watched| {
            let tell = |error: &io::Error| {
                say(&format!(
                    "note: changes are not served until the next start: nothing can be watched ({error})"
                ));
            };
            watched.inspect_err(tell).ok()
        });
        // Nothing is served yet, so the seconds that compiling takes are nobody's wait but ours.
        let shared = shared(&config)?;
        let (loader, host) = tokio::task::block_in_place(|| args.sources.loader(&config))?;
        Ok(Self { host, loader, reloader, shared })
    }

    fn live(&self) -> Arc<Live> {
        Arc::new(Live::new(Protocol::new(Arc::clone(&self.host), self.shared.clone())))
    }

    /// Swaps what is served whenever it changes. Never completes.
    async fn follow(self, live: Arc<Live>) {
        // What is served is in `live` from here on: this version must be able to end.
        let Self { host, loader, reloader, shared: _ } = self;
        drop(host);
        match reloader {
            Some(reloader) => reloader.run(loader, live).await,
            None => pending().await,
        }
    }
}

/// What outlives a reload, in the memory of this host.
fn shared(config: &Config) -> Result<Shared, Failure> {
    let mailbox = Arc::new(MemoryMailbox::new(config.legacy.session_timeout));
    Ok(Shared::new(mailbox, Arc::<MemoryTasks>::default(), sealer(config)?))
}

/// The key of what clients carry: the one that all hosts are given, or the user's own.
fn sealer(config: &Config) -> Result<Sealer, Failure> {
    if let Some(secret) = config.settings.get(STATE_KEY) {
        if secret.len() < MIN_SECRET {
            return Err(Failure::Configuration(anyhow!(
                "the setting `{STATE_KEY}` has {} characters, which could be guessed (expected at least {MIN_SECRET}, \
                 as `openssl rand -base64 32` makes them)",
                secret.len()
            )));
        }
        return Ok(Sealer::with_secret(secret));
    }
    let local = match &config.data_folder {
        Some(folder) => Sealer::local(folder).map_err(|error| error.to_string()),
        None => Err("there is no home folder".to_owned()),
    };
    Ok(local.unwrap_or_else(|reason| {
        say(&format!(
            "note: the key of sessions and questions is not kept ({reason}): after a restart clients begin anew \
             (the setting `{STATE_KEY}` gives one)"
        ));
        Sealer::random()
    }))
}

/// The first wish to stop, after which calls in flight are answered, and the second, after which nothing is.
fn shutdown() -> io::Result<(impl Future<Output = ()>, impl Future<Output = ()>)> {
    let (mut first, mut second) = (Shutdown::listen()?, Shutdown::listen()?);
    let requested = async move {
        first.requested().await;
        say("stopping once the calls in flight are answered, in 30 s at most (again to stop now)");
    };
    let insisted = async move {
        second.requested().await;
        second.requested().await;
    };
    Ok((requested, insisted))
}

/// What a person needs to know to use the host.
fn announce(host: &Host, config: &Config, address: SocketAddr) -> Result<(), Failure> {
    let url = format!("http://{address}/mcp");
    let client =
        json!({ "mcpServers": { config.server.name.clone(): { "type": "http", "url": url } } });
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{} {}\n", config.server.name, config.server.version)?;
    writeln!(stdout, "{}", table::functions(host.catalog()))?;
    writeln!(stdout, "Client configuration:\n{client:#}\n")?;
    // Last, and only once requests are answered: scripts wait for this line.
    writeln!(
        stdout,
        "Serving {} at {url} (also at /runtime/webhooks/mcp)",
        counts(host.catalog())
    )?;
    stdout.flush()?;
    Ok(())
}

/// How many there are of each kind: `3 tools, 1 resource`. Tools are what everyone looks for, so none of them is told
/// too when there is nothing else.
fn counts(catalog: &Catalog) -> String {
    let n_of = |kind: &str| {
        catalog.functions().iter().filter(|function| function.trigger.kind() == kind).count()
    };
    let counts = [
        (n_of("tool"), "tool"),
        (n_of("resource"), "resource"),
        (n_of("prompt"), "prompt"),
        (catalog.skills().len(), "skill"),
    ];
    let counted: Vec<String> = counts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}{}", if count == 1 { "" } else { "s" }))
        .collect();
    if counted.is_empty() { "0 tools".to_owned() } else { counted.join(", ") }
}

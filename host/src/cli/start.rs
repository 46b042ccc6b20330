//! `mcpfn start`: serve.

use std::{
    io::{self, Write},
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
};

use anyhow::{Context, anyhow};
use serde_json::json;
use tokio::net::TcpListener;

use super::{Failure, Sources, runtime, say, table};
use crate::{
    config::{Config, Environment},
    host::Host,
    protocol::Protocol,
    shutdown::Shutdown,
    transport::{http, stdio},
};

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
}

pub(super) fn run(args: Args, environment: &Environment) -> Result<(), Failure> {
    if !args.address.is_loopback() {
        return Err(Failure::Configuration(anyhow!(
            "--address {} can be reached from other machines, so it needs a key or OAuth, which this version \
             does not have (expected 127.0.0.1 or ::1)",
            args.address
        )));
    }
    let config = Arc::new(args.sources.config(environment)?);
    let runtime = runtime()?;
    let served = if args.stdio {
        runtime.block_on(on_stdio(&args, &config))
    } else {
        runtime.block_on(on_http(&args, &config))
    };
    // Standard input is read on a thread of its own, which ends only with its next line.
    runtime.shutdown_background();
    served
}

async fn on_http(args: &Args, config: &Arc<Config>) -> Result<(), Failure> {
    let address = SocketAddr::new(args.address, args.port);
    // Before the components are compiled: a port that is taken should not cost a minute to find out.
    let listener = TcpListener::bind(address)
        .await
        .with_context(|| format!("{address} cannot be listened on (another --port may be free)"))
        .map_err(Failure::Run)?;
    let address = listener.local_addr()?;
    // Nothing is served yet, so the seconds that compiling takes are nobody's wait but ours.
    let (_loader, host) = tokio::task::block_in_place(|| args.sources.loader(config))?;
    let (shutdown, insisted) = shutdown()?;
    announce(&host, config, address)?;
    let protocol = Arc::new(Protocol::new(host));
    let limits = http::Config { body_limit: config.max_body, ..http::Config::default() };
    tokio::select! {
        () = http::serve(listener, protocol, limits, shutdown) => {}
        () = insisted => say("stopped, with calls unanswered"),
    }
    Ok(())
}

async fn on_stdio(args: &Args, config: &Arc<Config>) -> Result<(), Failure> {
    // Nothing is served yet, so the seconds that compiling takes are nobody's wait but ours.
    let (_loader, host) = tokio::task::block_in_place(|| args.sources.loader(config))?;
    say(&format!("serving {} on standard input and output", tools(&host)));
    let protocol = Arc::new(Protocol::new(host));
    let limits = stdio::Config { line_limit: config.max_body, ..stdio::Config::default() };
    let (input, output) = (tokio::io::stdin(), tokio::io::stdout());
    let (shutdown, insisted) = shutdown()?;
    tokio::select! {
        served = stdio::serve(input, output, protocol, limits, shutdown) => Ok(served?),
        () = insisted => Ok(()),
    }
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
    writeln!(stdout, "Serving {} at {url} (also at /runtime/webhooks/mcp)", tools(host))?;
    stdout.flush()?;
    Ok(())
}

fn tools(host: &Host) -> String {
    match host.catalog().functions().len() {
        1 => "1 tool".to_owned(),
        n_tools => format!("{n_tools} tools"),
    }
}

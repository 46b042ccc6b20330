//! Load: connections that each send the next request when the answer to the last one is there, or the same in this
//! process.

use std::{
    cell::{Cell, RefCell},
    process,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use futures_util::{StreamExt, stream::FuturesUnordered};
use hdrhistogram::Histogram;
use tokio::time::sleep;

use crate::{
    connection::Connection,
    cores,
    exchange::Exchange,
    sample::{CpuTimes, Sample},
    server::Server,
};

/// No answer takes longer than this; one that does counts as this.
const MAX_LATENCY_NS: u64 = 60_000_000_000;

/// How hard, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// How many requests are in flight at a time.
    pub n_connections: usize,
    /// How long nothing is counted, at first.
    pub warm_up: Duration,
    /// How long it is counted.
    pub duration: Duration,
}

/// What is done in this very process, any number of times, some at a time.
pub trait Work: Sync {
    /// Does it once: how long that took, or what is wrong with what came of it. No two of a run have the same number.
    fn once(&self, number: u64) -> impl Future<Output = Result<Duration, String>>;
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Right answers.
    pub n_answers: u64,
    /// Wrong answers, or none. They count from the very first request.
    pub n_failures: u64,
    /// What was wrong first.
    pub first_failure: Option<String>,
    /// How long it was counted.
    pub elapsed: Duration,
    /// From a request to its answer, in nanoseconds.
    pub latency: Histogram<u64>,
    /// Processor time of the server; where there is none, of this process.
    pub server_cpu: Duration,
    /// Processor time of the client.
    pub client_cpu: Duration,
    /// What the server held at the end.
    pub sample: Sample,
}

impl Measured {
    /// Right answers in a second.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    pub fn per_second(&self) -> f64 {
        self.n_answers as f64 / self.elapsed.as_secs_f64()
    }

    /// A quantile of the latency, in microseconds.
    #[expect(clippy::cast_precision_loss, reason = "latencies are far below 2^52")]
    pub fn latency_us(&self, quantile: f64) -> f64 {
        self.latency.value_at_quantile(quantile) as f64 / 1e3
    }

    /// Processor time of the server for each answer, in microseconds.
    pub fn server_us(&self) -> f64 {
        self.per_answer(self.server_cpu)
    }

    /// Processor time of the client for each answer, in microseconds.
    pub fn client_us(&self) -> f64 {
        self.per_answer(self.client_cpu)
    }

    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    fn per_answer(&self, time: Duration) -> f64 {
        time.as_secs_f64() * 1e6 / self.n_answers.max(1) as f64
    }
}

impl Load {
    /// Loads a server from one thread, on the core of the client.
    pub fn run(self, server: &Server, exchange: &(dyn Exchange + Sync)) -> Result<Measured> {
        let address = server.port();
        self.drive(server.pid(), async |tally| connection(address, exchange, tally).await)
    }

    /// Does work of this process from one thread, on the core of the client, where its own threads are too.
    pub fn run_here(self, work: &impl Work) -> Result<Measured> {
        self.drive(process::id(), async |tally| worker(work, tally).await)
    }

    /// Runs as many as there are connections until the time is over.
    fn drive(self, pid: u32, each: impl AsyncFn(&Tally) + Send) -> Result<Measured> {
        cores::on(cores::client(), || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(self.measure(pid, each))
        })
    }

    async fn measure(self, pid: u32, each: impl AsyncFn(&Tally)) -> Result<Measured> {
        let tally = Tally::new()?;
        let connections: FuturesUnordered<_> =
            (0..self.n_connections).map(|_| each(&tally)).collect();
        let measured = async {
            let measured = self.count(pid, &tally).await;
            tally.stop.set(true);
            measured
        };
        let (measured, ()) = tokio::join!(measured, connections.collect::<()>());
        let mut measured = measured?;
        measured.n_failures = tally.n_failures.get();
        measured.first_failure = tally.first_failure.take();
        Ok(measured)
    }

    async fn count(self, pid: u32, tally: &Tally) -> Result<Measured> {
        let cpu = || Ok::<_, anyhow::Error>((CpuTimes::take(pid)?, own_cpu()?));
        sleep(self.warm_up).await;
        let (server_before, client_before) = cpu()?;
        tally.n_answers.set(0);
        tally.latency.borrow_mut().reset();
        let started = Instant::now();
        sleep(self.duration).await;
        let elapsed = started.elapsed();
        let (server_after, client_after) = cpu()?;
        Ok(Measured {
            n_answers: tally.n_answers.get(),
            n_failures: 0,
            first_failure: None,
            elapsed,
            latency: tally.latency.borrow().clone(),
            server_cpu: server_after.since(&server_before),
            client_cpu: client_after.since(&client_before),
            sample: Sample::take(pid)?,
        })
    }
}

/// What all connections count in.
struct Tally {
    next_number: Cell<u64>,
    n_answers: Cell<u64>,
    n_failures: Cell<u64>,
    first_failure: RefCell<Option<String>>,
    latency: RefCell<Histogram<u64>>,
    stop: Cell<bool>,
}

impl Tally {
    fn new() -> Result<Self> {
        Ok(Self {
            next_number: Cell::new(1),
            n_answers: Cell::new(0),
            n_failures: Cell::new(0),
            first_failure: RefCell::new(None),
            latency: RefCell::new(Histogram::new_with_bounds(1, MAX_LATENCY_NS, 3)?),
            stop: Cell::new(false),
        })
    }

    fn next_number(&self) -> u64 {
        self.next_number.replace(self.next_number.get() + 1)
    }

    fn succeed(&self, latency: Duration) {
        let latency = u64::try_from(latency.as_nanos()).unwrap_or(u64::MAX);
        self.n_answers.set(self.n_answers.get() + 1);
        self.latency.borrow_mut().saturating_record(latency);
    }

    fn fail(&self, failure: String) {
        self.n_failures.set(self.n_failures.get() + 1);
        self.first_failure.borrow_mut().get_or_insert(failure);
    }
}

async fn connection(port: u16, exchange: &dyn Exchange, tally: &Tally) {
    let mut request = Vec::new();
    while !tally.stop.get() {
        let mut connection = match Connection::open(port).await {
            Ok(connection) => connection,
            Err(error) => return tally.fail(format!("cannot connect: {error}")),
        };
        while !tally.stop.get() {
            let number = tally.next_number();
            exchange.write(number, &mut request);
            let sent = Instant::now();
            let response = match connection.send(&request).await {
                Ok(response) => response,
                Err(error) => {
                    tally.fail(format!("no answer: {error}"));
                    break;
                }
            };
            let latency = sent.elapsed();
            match exchange.check(number, &response) {
                Ok(()) => tally.succeed(latency),
                Err(failure) => tally.fail(failure),
            }
        }
    }
}

async fn worker(work: &impl Work, tally: &Tally) {
    while !tally.stop.get() {
        match work.once(tally.next_number()).await {
            Ok(latency) => tally.succeed(latency),
            Err(failure) => tally.fail(failure),
        }
        // Work that never waits would keep the clock from being looked at.
        tokio::task::yield_now().await;
    }
}

/// Sends one request on a connection of its own; fails unless the answer is the right one.
pub fn ask(port: u16, number: u64, exchange: &dyn Exchange) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut request = Vec::new();
        exchange.write(number, &mut request);
        let mut connection = Connection::open(port).await?;
        let response = connection.send(&request).await?;
        exchange.check(number, &response).map_err(anyhow::Error::msg)
    })
}

fn own_cpu() -> Result<CpuTimes> {
    CpuTimes::take(process::id()).context("our own time")
}

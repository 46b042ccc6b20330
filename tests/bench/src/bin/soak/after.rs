//! After the load: whether everything that calls hold was given back.

use std::time::Duration;

use anyhow::Result;
use bench::{
    connection::Connection,
    exchange::{Answer, write_request},
    sample::Sample,
};
use futures_util::future::join_all;
use tokio::time::{Instant, sleep};

/// How many calls one function may have at a time: half of all, so that two functions have all places.
pub(crate) const PER_FUNCTION: u64 = 128;

/// Over half of a call's time: a call that has to wait for another one cannot end in time.
const SLEEP_MS: u64 = 600;

/// How long files may take to be closed.
const SETTLE: Duration = Duration::from_secs(10);

/// Calls as many sleeping tools at once as the host lets run; what failed.
pub(crate) async fn burst(port: u16, tools: [&str; 2]) -> Vec<String> {
    let calls = (0..2 * PER_FUNCTION).map(|number| {
        let tool = tools[usize::from(number >= PER_FUNCTION)];
        let params = format!(r#"{{"name":"{tool}","arguments":{{"ms":{SLEEP_MS}}}}}"#);
        async move {
            let mut request = Vec::new();
            write_request(number, "tools/call", &params, &mut request);
            let mut connection = Connection::open(port).await.map_err(|error| error.to_string())?;
            let response = connection.send(&request).await.map_err(|error| error.to_string())?;
            let answer = Answer::read(number, &response)?;
            if answer.text == format!("slept {SLEEP_MS} ms") {
                Ok(())
            } else {
                Err(answer.text.into_owned())
            }
        }
    });
    join_all(calls).await.into_iter().filter_map(Result::err).collect()
}

/// One call, whatever its answer.
pub(crate) async fn call(port: u16, params: &str) -> Result<()> {
    let mut request = Vec::new();
    write_request(0, "tools/call", params, &mut request);
    Connection::open(port).await?.send(&request).await?;
    Ok(())
}

/// How many files the host holds, once there are no more than at first or it has had its time.
pub(crate) async fn files(pid: u32, at_first: u64) -> Result<u64> {
    let started = Instant::now();
    loop {
        let n_files = Sample::take(pid)?.n_files;
        if n_files <= at_first || started.elapsed() > SETTLE {
            return Ok(n_files);
        }
        sleep(Duration::from_millis(50)).await;
    }
}

//! Sends every message to the host and to the reference, and compares the answers.
//!
//! `differential HOST_URL REFERENCE_URL TABLE` prints each difference and what explains it, and ends with 1 where
//! one is unexplained, or an explanation has nothing to explain. With a pattern of names after that, as in
//! `modern/tools/call/*`, it shows what is sent and both answers instead.

use std::{
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use anyhow::{Result, bail};
use differential::{differences, exchange::Target, messages};

#[tokio::main]
async fn main() -> Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [host, reference, table, pattern @ ..] = &arguments[..] else {
        bail!("usage: differential HOST_URL REFERENCE_URL TABLE [PATTERN]");
    };
    let (host, reference) = (Target::parse(host)?, Target::parse(reference)?);
    if let [pattern] = pattern {
        show(&host, &reference, pattern).await?;
        return Ok(ExitCode::SUCCESS);
    }
    let table = differences::read(Path::new(table))?;
    let mut n_used = vec![0; table.len()];
    let mut n_unexplained = 0;
    let messages = messages::all();
    let mut stdout = io::stdout().lock();
    for message in &messages {
        let (host, reference) = tokio::try_join!(host.send(message), reference.send(message))?;
        if host == reference {
            continue;
        }
        let (host, reference) = (host.to_string(), reference.to_string());
        let entry = table.iter().position(|it| it.explains(&message.name, &host, &reference));
        let why = if let Some(entry) = entry {
            n_used[entry] += 1;
            &table[entry].because
        } else {
            n_unexplained += 1;
            "UNEXPLAINED"
        };
        writeln!(stdout, "{}: {host} | {reference} | {why}", message.name)?;
    }
    let unused = table.iter().zip(&n_used).filter(|(_, n_used)| **n_used == 0);
    let mut n_unused = 0;
    for (entry, _) in unused {
        n_unused += 1;
        writeln!(
            stdout,
            "NOTHING TO EXPLAIN: {:?}: {} | {}",
            entry.messages, entry.host, entry.reference
        )?;
    }
    writeln!(
        stdout,
        "{} messages, {} differences explained, {n_unexplained} unexplained, {n_unused} explanations too many",
        messages.len(),
        n_used.iter().sum::<usize>(),
    )?;
    let is_explained = n_unexplained == 0 && n_unused == 0;
    Ok(if is_explained { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Shows the messages of a pattern, and what becomes of them.
async fn show(host: &Target, reference: &Target, pattern: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    for message in messages::all() {
        if !differences::matches(pattern, &message.name) {
            continue;
        }
        writeln!(stdout, "{}\n{}", message.name, message.verb)?;
        for (name, value) in &message.headers {
            writeln!(stdout, "{name}: {value}")?;
        }
        writeln!(stdout, "\n{}", String::from_utf8_lossy(&message.body))?;
        let (host, reference) = tokio::try_join!(host.send(&message), reference.send(&message))?;
        writeln!(stdout, "host: {host}\nreference: {reference}\n")?;
    }
    Ok(())
}

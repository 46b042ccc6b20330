//! What a soak leaves behind: a page, a plot, and lines on the terminal.

use std::{fmt::Write as _, fs, path::Path};

use anyhow::Result;
use bench::{
    machine::Machine,
    plot::{Lines, Series, lines},
    sample::Sample,
    statistics::as_f64,
};

use crate::{kinds::Kind, verdict::Seen};

/// One second of it.
#[derive(Clone, Debug)]
pub(crate) struct Second {
    pub(crate) sample: Sample,
    /// Completed since the start, in the order of [`Kind::ALL`].
    pub(crate) completed: [u64; Kind::ALL.len()],
}

/// Draws memory, files and calls over time.
pub(crate) fn plot(seconds: &[Second]) -> String {
    let series = |name: &str, value: &dyn Fn(&Second) -> f64| Series {
        name: name.to_owned(),
        values: seconds.iter().map(value).collect(),
    };
    let per_second = |idx: usize| {
        let counts = seconds.iter().map(|second| second.completed[idx]);
        let before = std::iter::once(0).chain(counts.clone());
        counts.zip(before).map(|(now, before)| as_f64(now - before)).collect()
    };
    let kinds = Kind::ALL.iter().enumerate();
    let calls: Vec<Series> = kinds
        .map(|(idx, kind)| Series { name: kind.name().to_owned(), values: per_second(idx) })
        .collect();
    let (often, rarely) = calls
        .into_iter()
        .partition(|series: &Series| series.values.iter().copied().fold(0.0, f64::max) > 200.0);
    lines(&[
        Lines {
            title: "Memory of the host (MiB)".into(),
            series: vec![
                series("resident", &|second| as_f64(second.sample.rss_kib) / 1024.0),
                series("anonymous", &|second| as_f64(second.sample.anonymous_kib) / 1024.0),
            ],
        },
        Lines {
            title: "Open files and threads of the host".into(),
            series: vec![
                series("files", &|second| as_f64(second.sample.n_files)),
                series("threads", &|second| as_f64(second.sample.n_threads)),
            ],
        },
        Lines { title: "Calls per second".into(), series: often },
        Lines { title: "Calls per second, rarer kinds".into(), series: rarely },
    ])
}

/// The page, in Markdown.
pub(crate) fn page(machine: &Machine, minutes: f64, seconds: &[Second], seen: &Seen) -> String {
    let mut page = String::new();
    let (third, end) = seen.memory();
    let verdict = match seen.broken() {
        broken if broken.is_empty() => "Every rule held.".to_owned(),
        broken => format!("Broken: {}.", broken.join("; ")),
    };
    write!(
        page,
        "# Soak\n\nWritten by `cargo xtask soak`: 32 connections make good and bad calls at once, a component is \
         replaced\nevery few seconds, and every answer is checked to be the right one for its kind.\n\n\
         {machine}\n- {minutes} minutes\n\n{verdict}\n\n\
         Resident memory at a third of the time: {:.1} MiB, at the end: {:.1} MiB ({:+.1} %).\n\
         Open files before the load: {}, after it: {}.\n\n\
         | kind | connections | completed |\n| --- | ---: | ---: |\n",
        third / 1024.0,
        end / 1024.0,
        (end / third - 1.0) * 100.0,
        seen.idle_files.0,
        seen.idle_files.1,
    )
    .expect("a string takes every write");
    for (idx, kind) in Kind::ALL.iter().enumerate() {
        let completed = seconds.last().map_or(0, |second| second.completed[idx]);
        writeln!(page, "| {} | {} | {completed} |", kind.name(), kind.n_connections())
            .expect("a string takes every write");
    }
    writeln!(page, "\n![Memory, files and calls over time](soak.svg)")
        .expect("a string takes every write");
    page
}

/// Writes both into a folder.
pub(crate) fn write(folder: &Path, page: &str, plot: &str) -> Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("soak.md"), page)?;
    Ok(fs::write(folder.join("soak.svg"), plot)?)
}

//! The page that a run leaves behind, and its plot.

use std::fmt::Write as _;

use bench::{
    machine::Machine,
    plot::{Bar, Bars, bars},
};

use crate::{
    bounds::{bounds, short},
    many, neighbors,
    plan::{CONCURRENCY, Plan},
    reload,
    subjects::{SUBJECTS, cycle_key, invoke_key, key, overwritten_key},
    tally::Tally,
};

/// The page, in Markdown. `profile` is what was written by hand about where the time goes, `storage` a section.
pub(crate) fn page(
    machine: &Machine,
    plan: &Plan,
    tally: &Tally,
    profile: &str,
    storage: &str,
) -> String {
    let profile = match profile.trim() {
        "" => String::new(),
        text => format!("## What a call costs\n\n{text}\n\n"),
    };
    let wrong = match tally.wrong() {
        [] => String::from("No answer was wrong."),
        wrong => format!("Wrong answers:\n\n- {}", wrong.join("\n- ")),
    };
    format!(
        "# Benchmarks\n\nWritten by `cargo xtask bench`, all figures in one run, or with `--storage` the section Storage \
         alone, which has its own date.\n\n{machine}\n- {} repetitions of {} s each, medians; the subjects take turns \
         within a repetition\n\n{}\n{wrong}\n\n{}{}{}{profile}{}{}{}{}{storage}",
        plan.n_repetitions,
        plan.duration.as_secs_f64(),
        HOW,
        promises(plan, tally),
        subjects(tally),
        engine(plan, tally),
        components(plan, tally),
        starts(plan, tally),
        replacing(tally),
        beside(tally),
    )
}

const HOW: &str = "\
The server keeps to one core and the client to another. Each connection sends its next request when the answer to
the last one is there, and the client checks every answer. The tool answers with its argument: in `floor` and in
`rmcp, native` it is a function of the server; in the host it runs in a fresh sandbox for each call, except where it
says warm. `floor` is the least that a server can do in Rust with hyper and serde_json (`tests/bench/src/bin/floor.rs`);
`cycle` is the least that the engine needs for a fresh instance, without a server (`cycle.rs`). Where its caches are
overwritten, 4 MiB are written to between calls, whose time is taken off: so much of what many components cost is that
each finds the caches full of others. All are built with the release profile. CPU is the processor time of the server, of all its threads.
";

fn promises(plan: &Plan, tally: &Tally) -> String {
    let rows = bounds(tally, plan).into_iter().map(|bound| bound.row());
    table("## Promises", "| what | measured | bound | |", "| --- | ---: | ---: | --- |", rows)
}

fn subjects(tally: &Tally) -> String {
    let rows = CONCURRENCY.into_iter().flat_map(|n_connections| {
        SUBJECTS.into_iter().map(move |subject| {
            let Some(figures) = tally.load(&key(subject, n_connections)) else {
                return format!("| {subject} | {n_connections} | not measured | | | | | | |");
            };
            format!(
                "| {subject} | {n_connections} | {:.0} | {} | {} | {} | {:.0} % | {} | {} |",
                figures.per_second,
                short(figures.p50_us),
                short(figures.p99_us),
                short(figures.server_us),
                figures.spread * 100.0,
                short(figures.rss_mib),
                short(figures.client_us),
            )
        })
    });
    let mut text = table(
        "## One tool",
        "| subject | c | calls/s | p50, us | p99, us | CPU/call, us | spread | RSS, MiB | client CPU/call, us |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        rows,
    );
    text.push_str("![CPU, p50 and p99 of each subject](benchmarks.svg)\n\n");
    text
}

fn engine(plan: &Plan, tally: &Tally) -> String {
    let row = |what: String, one: f64, two: f64| {
        format!(
            "| {what} | {one:.0} | {} | {two:.0} | {} | {} |",
            short(1e6 / one),
            short(2e6 / two),
            short(two / one)
        )
    };
    let cycles = plan.cycle_components.into_iter().map(|n_components| {
        let number = |n_threads| tally.number(&cycle_key(n_threads, n_components));
        row(format!("cycle, {n_components} components in turn"), number(1), number(2))
    });
    let overwritten = |n_threads| tally.number(&overwritten_key(n_threads));
    let overwritten = row(
        String::from("cycle, 1 component, caches overwritten between calls"),
        overwritten(1),
        overwritten(2),
    );
    let invoke = |n_threads| tally.number(&invoke_key(n_threads));
    let invoke = row(String::from("host in process, without HTTP"), invoke(1), invoke(2));
    table(
        "## The engine alone, and the host without HTTP",
        "| what | one thread, calls/s | us | two threads, calls/s | us of a thread | two / one |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
        cycles.chain([overwritten, invoke]),
    )
}

fn components(plan: &Plan, tally: &Tally) -> String {
    let mut rows = Vec::new();
    for n_components in plan.components {
        let lines = [
            (format!("{n_components} loaded, one called"), many::one_called(n_components)),
            (
                format!("{n_components} loaded, {} called in turn", plan.in_turn),
                many::in_turn(n_components),
            ),
            (format!("{n_components} loaded, tools/list"), many::listed(n_components)),
        ];
        for (what, key) in lines {
            if let Some(figures) = tally.load(&key) {
                rows.push(format!(
                    "| {what} | {:.0} | {} | {} | {} | {} |",
                    figures.per_second,
                    short(figures.p50_us),
                    short(figures.p99_us),
                    short(figures.server_us),
                    short(figures.rss_mib)
                ));
            }
        }
    }
    table(
        "## Many components (c=16)",
        "| what | requests/s | p50, us | p99, us | CPU/request, us | RSS, MiB |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
        rows,
    )
}

fn starts(plan: &Plan, tally: &Tally) -> String {
    let row = |what: String, key: &str, idle: f64| {
        format!("| {what} | {} | {} |", short(tally.number(key)), short(idle))
    };
    let cached = plan.components.into_iter().map(|n_components| {
        let idle = tally.number(&many::idle_mib(n_components));
        row(format!("host, {n_components} cached"), &many::start_ms(n_components), idle)
    });
    let rows = [
        row(String::from("floor"), many::START_FLOOR, f64::NAN),
        row(String::from("host, 1 not cached"), many::START_COLD, f64::NAN),
    ];
    table(
        "## Start to first reply, and idle memory",
        "| what | ms | RSS after it, MiB |",
        "| --- | ---: | ---: |",
        rows.into_iter().chain(cached),
    )
}

fn replacing(tally: &Tally) -> String {
    let rows = [format!(
        "| {} | {} |",
        short(tally.number(reload::SWAP_MS)),
        short(tally.largest(reload::SWAP_MS))
    )];
    table(
        "## A new version answers (c=8, every answer checked to be whole)",
        "| median, ms | slowest, ms |",
        "| ---: | ---: |",
        rows,
    )
}

fn beside(tally: &Tally) -> String {
    let rows = [neighbors::ALONE, neighbors::BESIDE].map(|key| match tally.load(key) {
        Some(figures) => format!(
            "| {key} | {:.0} | {} | {} |",
            figures.per_second,
            short(figures.p50_us / 1e3),
            short(figures.p99_us / 1e3)
        ),
        None => format!("| {key} | not measured | | |"),
    });
    table(
        "## Bad neighbors: four loop and four eat memory, on the same core",
        "| what | calls/s | p50, ms | p99, ms |",
        "| --- | ---: | ---: | ---: |",
        rows,
    )
}

/// A heading and a table.
pub(crate) fn table(
    title: &str,
    head: &str,
    alignment: &str,
    rows: impl IntoIterator<Item = String>,
) -> String {
    let mut text = format!("{title}\n\n{head}\n{alignment}\n");
    for row in rows {
        writeln!(text, "{row}").expect("a string takes every write");
    }
    text.push('\n');
    text
}

/// Processor time and latency of each subject at c=16.
pub(crate) fn plot(tally: &Tally) -> String {
    let measured =
        SUBJECTS.into_iter().filter_map(|subject| Some((subject, tally.load(&key(subject, 16))?)));
    let measured: Vec<_> = measured.collect();
    let panel = |title: &str, values: &dyn Fn(&crate::tally::Figures) -> Vec<f64>| Bars {
        title: title.to_owned(),
        bars: measured
            .iter()
            .map(|(subject, figures)| Bar { label: (*subject).to_owned(), values: values(figures) })
            .collect(),
    };
    // A Python that starts anew for each call is a thousand times the floor: it would hide all the others.
    let cpu = panel("CPU of the server for each call, 16 at a time (us)", &|figures| {
        vec![figures.server_us]
    });
    let latency =
        panel("Latency, 16 at a time (us)", &|figures| vec![figures.p50_us, figures.p99_us]);
    let small = |bars: &Bars| {
        let is_small =
            |bar: &&Bar| !bar.label.contains("Python") && !bar.label.contains("JavaScript");
        Bars {
            title: format!("{} - native and Rust", bars.title),
            bars: bars.bars.iter().filter(is_small).cloned().collect(),
        }
    };
    bars(&[small(&cpu), small(&latency), cpu, latency], &["p50", "p99"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_every_part_even_where_nothing_was_measured() {
        let page = page(&Machine::this(), &Plan::QUICK, &Tally::default(), "By hand.", "## Last\n");
        for part in [
            "## Promises",
            "## One tool",
            "not measured",
            "## What a call costs\n\nBy hand.",
            "\n\n## Last\n",
        ] {
            assert!(page.contains(part), "no {part} in\n{page}");
        }
        assert!(plot(&Tally::default()).contains("</svg>"));
    }
}

//! The figures that are promised: ratios of figures of one run, and how far they may go.

use crate::{
    many, neighbors,
    plan::Plan,
    reload,
    subjects::{cycle_key, invoke_key, key},
    tally::Tally,
};

/// A promise, and what came of it.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    /// What is compared.
    pub(crate) what: String,
    /// What came of it.
    pub(crate) value: f64,
    /// How far it may go.
    pub(crate) limit: Limit,
    pub(crate) unit: &'static str,
}

/// How far a value may go.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Limit {
    Below(f64),
    AtLeast(f64),
}

impl Bound {
    /// Whether it holds; nothing where it was not measured.
    pub(crate) fn holds(&self) -> Option<bool> {
        if self.value.is_nan() {
            return None;
        }
        Some(match self.limit {
            Limit::Below(most) => self.value <= most,
            Limit::AtLeast(least) => self.value >= least,
        })
    }

    /// One row of a table.
    pub(crate) fn row(&self) -> String {
        let unit = self.unit;
        let limit = match self.limit {
            Limit::Below(most) => format!("at most {}", short(most)),
            Limit::AtLeast(least) => format!("at least {}", short(least)),
        };
        let (value, verdict) = match self.holds() {
            None => (String::from("-"), "not measured"),
            Some(true) => (short(self.value), "holds"),
            Some(false) => (short(self.value), "**falls short**"),
        };
        format!("| {} | {value}{unit} | {limit}{unit} | {verdict} |", self.what)
    }
}

/// All promises.
pub(crate) fn bounds(tally: &Tally, plan: &Plan) -> Vec<Bound> {
    let load = |key: &str| tally.load(key);
    let server_us = |key: &str| load(key).map_or(f64::NAN, |figures| figures.server_us);
    let per_second = |key: &str| load(key).map_or(f64::NAN, |figures| figures.per_second);
    let p99_ms = |key: &str| load(key).map_or(f64::NAN, |figures| figures.p99_us / 1e3);
    let [host, floor, rmcp] =
        ["host, Rust", "floor", "rmcp, native"].map(|subject| server_us(&key(subject, 16)));
    let cycle = 1e6 / tally.number(&cycle_key(1, 1));
    let [few, _, many] = plan.components;
    let one = per_second(&many::one_called(few));
    let slower = |key: &str| one / per_second(key);
    let added = f64::from(u32::try_from(many - few).unwrap_or(u32::MAX));
    let start = |n_components| tally.number(&many::start_ms(n_components));
    let idle = |n_components| tally.number(&many::idle_mib(n_components));
    let alone = p99_ms(neighbors::ALONE);

    let ratio = |what: &str, value, limit| Bound { what: what.to_owned(), value, limit, unit: "" };
    let ms = |what: &str, value, limit| Bound { unit: " ms", ..ratio(what, value, limit) };
    let in_turn = plan.in_turn;
    vec![
        ratio(
            "CPU per call, c=16: host / (floor + cycle)",
            host / (floor + cycle),
            Limit::Below(1.3),
        ),
        ratio("CPU per call, c=16: host / rmcp", host / rmcp, Limit::Below(1.0)),
        ratio("CPU per call, c=16: floor / rmcp", floor / rmcp, Limit::Below(0.4)),
        ratio(
            &format!("time of a call: one of {many} loaded / one of {few}"),
            slower(&many::one_called(many)),
            Limit::Below(1.05),
        ),
        ratio(
            &format!("time of a call: {in_turn} of {many} in turn / one of {few}"),
            slower(&many::in_turn(many)),
            Limit::Below(2.0),
        ),
        ratio(
            "calls per second: two threads / one, engine alone",
            tally.number(&cycle_key(2, 1)) / tally.number(&cycle_key(1, 1)),
            Limit::AtLeast(1.7),
        ),
        ratio(
            "calls per second: two threads / one, host in process",
            tally.number(&invoke_key(2)) / tally.number(&invoke_key(1)),
            Limit::AtLeast(1.7),
        ),
        ratio(
            &format!("start to first reply: {few} cached / floor"),
            start(few) / tally.number(many::START_FLOOR),
            Limit::Below(3.0),
        ),
        ms("start, each further component", (start(many) - start(few)) / added, Limit::Below(1.0)),
        Bound {
            unit: " KiB",
            ..ratio(
                "memory, each further idle component",
                (idle(many) - idle(few)) * 1024.0 / added,
                Limit::Below(256.0),
            )
        },
        ms("new version answers, the slowest", tally.largest(reload::SWAP_MS), Limit::Below(300.0)),
        ms(
            "p99 of a good tool beside bad ones",
            p99_ms(neighbors::BESIDE),
            Limit::Below(f64::max(3.0 * alone, 20.0)),
        ),
        ms("the longest loop", tally.largest(neighbors::LOOPS_MS), Limit::Below(1100.0)),
        ms("the longest meal", tally.largest(neighbors::EATS_MS), Limit::Below(1100.0)),
    ]
}

/// Three places, about.
pub(crate) fn short(value: f64) -> String {
    match value.abs() {
        _ if value.is_nan() => String::from("-"),
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_says_whether_it_holds() {
        let bound = |value, limit| Bound { what: "x".into(), value, limit, unit: " ms" };
        let rows = [
            (bound(1.5, Limit::Below(2.0)), "| x | 1.50 ms | at most 2.00 ms | holds |"),
            (
                bound(1.5, Limit::AtLeast(1.7)),
                "| x | 1.50 ms | at least 1.70 ms | **falls short** |",
            ),
            (bound(f64::NAN, Limit::Below(2.0)), "| x | - ms | at most 2.00 ms | not measured |"),
        ];
        for (bound, expected) in rows {
            assert_eq!(bound.row(), expected);
        }
    }

    #[test]
    fn nothing_measured_is_no_promise_broken() {
        let bounds = bounds(&Tally::default(), &Plan::QUICK);
        assert!(bounds.iter().all(|bound| bound.holds().is_none()));
    }
}

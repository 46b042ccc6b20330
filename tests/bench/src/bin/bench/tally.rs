//! Figures of several repetitions, by what they are of, and what was wrong meanwhile.

use std::collections::BTreeMap;

use bench::{
    load::Measured,
    statistics::{median, spread},
};

/// All repetitions of all figures.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    loads: BTreeMap<String, Vec<Measured>>,
    numbers: BTreeMap<String, Vec<f64>>,
    wrong: Vec<String>,
}

/// The medians of a load.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figures {
    pub(crate) per_second: f64,
    pub(crate) p50_us: f64,
    pub(crate) p99_us: f64,
    pub(crate) server_us: f64,
    pub(crate) client_us: f64,
    pub(crate) rss_mib: f64,
    /// Of the server's time, over the repetitions.
    pub(crate) spread: f64,
}

impl Tally {
    pub(crate) fn add_load(&mut self, key: impl Into<String>, measured: Measured) {
        let key = key.into();
        if measured.n_failures > 0 {
            let first = measured.first_failure.as_deref().unwrap_or_default();
            self.wrong.push(format!("{key}: {} wrong answers: {first}", measured.n_failures));
        }
        self.loads.entry(key).or_default().push(measured);
    }

    pub(crate) fn add_number(&mut self, key: impl Into<String>, number: f64) {
        self.numbers.entry(key.into()).or_default().push(number);
    }

    pub(crate) fn add_wrong(&mut self, wrong: String) {
        self.wrong.push(wrong);
    }

    /// What was wrong, one line each.
    pub(crate) fn wrong(&self) -> &[String] {
        &self.wrong
    }

    /// The medians of a load, if it was measured.
    pub(crate) fn load(&self, key: &str) -> Option<Figures> {
        let all = self.loads.get(key)?;
        let of = |figure: &dyn Fn(&Measured) -> f64| all.iter().map(figure).collect::<Vec<_>>();
        Some(Figures {
            per_second: median(&of(&Measured::per_second)),
            p50_us: median(&of(&|measured| measured.latency_us(0.5))),
            p99_us: median(&of(&|measured| measured.latency_us(0.99))),
            server_us: median(&of(&Measured::server_us)),
            client_us: median(&of(&Measured::client_us)),
            rss_mib: median(&of(&|measured| mib(measured.sample.rss_kib))),
            spread: spread(&of(&Measured::server_us)),
        })
    }

    /// The median of a number; not a number where it was not measured.
    pub(crate) fn number(&self, key: &str) -> f64 {
        median(self.numbers.get(key).map_or(&[], Vec::as_slice))
    }

    /// The largest of a number.
    pub(crate) fn largest(&self, key: &str) -> f64 {
        self.numbers.get(key).into_iter().flatten().copied().fold(f64::NAN, f64::max)
    }
}

#[expect(clippy::cast_precision_loss, reason = "memory is far below 2^52 KiB")]
pub(crate) fn mib(kib: u64) -> f64 {
    kib as f64 / 1024.0
}

//! What must hold after hours, as sentences for what does not.

use bench::statistics::median_around;

/// How much larger memory may be at the end than at a third of the time.
const GROWTH: f64 = 1.05;

/// The same for a soak of few samples, whose medians still move with the tools that eat memory.
const GROWTH_OF_FEW: f64 = 1.25;

/// Ten minutes.
const FEW: usize = 600;

/// What was seen.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Resident memory, one value for each second, in KiB.
    pub(crate) rss_kib: Vec<f64>,
    /// Open files, likewise.
    pub(crate) n_files: Vec<f64>,
    /// Open files before the load, and after it.
    pub(crate) idle_files: (u64, u64),
    /// How many answers were wrong, and the first of them.
    pub(crate) n_wrong: u64,
    pub(crate) first_wrong: Option<String>,
    /// Kinds of which no call was completed.
    pub(crate) not_called: Vec<&'static str>,
    /// What failed in the burst at the end.
    pub(crate) burst: Vec<String>,
    /// New versions that did not answer in time.
    pub(crate) late_versions: u64,
}

impl Seen {
    /// Memory at a third of the time and at its end, in KiB.
    pub(crate) fn memory(&self) -> (f64, f64) {
        third_and_end(&self.rss_kib)
    }

    /// One sentence for each rule that is broken.
    pub(crate) fn broken(&self) -> Vec<String> {
        let mut broken = Vec::new();
        if self.n_wrong > 0 {
            let first = self.first_wrong.as_deref().unwrap_or_default();
            broken.push(format!("{} answers were wrong, the first one: {first}", self.n_wrong));
        }
        for kind in &self.not_called {
            broken.push(format!("no call of the kind `{kind}` was completed"));
        }
        let (third, end) = self.memory();
        let growth = if self.rss_kib.len() < FEW { GROWTH_OF_FEW } else { GROWTH };
        if end > third * growth {
            broken.push(format!(
                "memory grew from {:.1} MiB at a third of the time to {:.1} MiB at the end",
                third / 1024.0,
                end / 1024.0
            ));
        }
        let (third, end) = third_and_end(&self.n_files);
        // The connections of cancelled calls come and go.
        if end > third + 4.0 {
            broken.push(format!("open files grew from {third} to {end} under load"));
        }
        if self.idle_files.1 > self.idle_files.0 {
            broken.push(format!(
                "{} files were open before the load and {} after it",
                self.idle_files.0, self.idle_files.1
            ));
        }
        if let Some(first) = self.burst.first() {
            broken.push(format!(
                "{} of the calls after the load found no place, the first one: {first}",
                self.burst.len()
            ));
        }
        if self.late_versions > 0 {
            broken.push(format!("{} new versions did not answer in time", self.late_versions));
        }
        broken
    }
}

fn third_and_end(values: &[f64]) -> (f64, f64) {
    let last = values.len().saturating_sub(1);
    (median_around(values, last / 3), median_around(values, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_host_breaks_no_rule() {
        // It may be larger at first: only the last two thirds count.
        let mut rss_kib = vec![1000.0; 60];
        rss_kib[..5].fill(10.0);
        let seen = Seen { rss_kib, n_files: vec![40.0; 60], idle_files: (9, 9), ..Seen::default() };
        assert_eq!(seen.broken(), [""; 0]);
    }

    #[test]
    fn each_broken_rule_is_a_sentence() {
        let growing: Vec<f64> = (0..600).map(|second| 1000.0 + f64::from(second)).collect();
        let seen = Seen {
            rss_kib: growing.clone(),
            n_files: growing,
            idle_files: (9, 10),
            n_wrong: 1,
            first_wrong: Some("x".into()),
            not_called: vec!["good"],
            burst: vec!["timed out".into()],
            late_versions: 2,
        };
        assert_eq!(seen.broken().len(), 7, "{:?}", seen.broken());
    }
}

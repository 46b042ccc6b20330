//! A good tool beside four that loop and four that eat memory, on one core.

use std::{panic, thread, time::Duration};

use anyhow::Result;
use bench::{
    cores,
    exchange::{Calls, Failing},
    folder::Folder,
    programs::Programs,
};
use serde_json::json;

use crate::{plan::Plan, subjects::TOOL, tally::Tally};

pub(crate) const ALONE: &str = "a good tool alone";
pub(crate) const BESIDE: &str = "a good tool beside bad ones";
pub(crate) const LOOPS_MS: &str = "the longest loop, ms";
pub(crate) const EATS_MS: &str = "the longest meal, ms";

const TIMED_OUT: &str = "the tool timed out after 1 s";

/// How many requests of each kind are in flight at a time.
const N_CONNECTIONS: usize = 4;

/// Measures both.
pub(crate) fn measure(programs: &Programs, plan: &Plan, tally: &mut Tally) -> Result<()> {
    let folder = Folder::new(&json!({ "version": "2.0", "functionTimeout": "00:00:01" }))?;
    for program in ["trivial", "spin", "eat_memory"] {
        folder.copy(&programs.component(program)?)?;
    }
    let server = folder.start(&programs.program("mcpfn")?, Some(cores::SERVER))?;
    let loops = Failing { tool: "loops_forever", errors: &[TIMED_OUT] };
    // On one core with all the others, its time may be over before its memory.
    let eats = Failing { tool: "eats_memory", errors: &["the tool ran out of memory", TIMED_OUT] };
    let mut load = plan.load(N_CONNECTIONS);
    for _ in 0..plan.n_repetitions {
        tally.add_load(ALONE, load.run(&server, &Calls::new([TOOL]))?);
        // Long enough that a loop ends.
        load.duration = load.duration.max(Duration::from_secs(3));
        let (good, bad) = thread::scope(|scope| {
            let bad = [&loops, &eats].map(|bad| scope.spawn(|| load.run(&server, bad)));
            let good = load.run(&server, &Calls::new([TOOL]));
            let bad = bad.map(|bad| bad.join().unwrap_or_else(|panic| panic::resume_unwind(panic)));
            (good, bad)
        });
        tally.add_load(BESIDE, good?);
        for (key, bad) in [LOOPS_MS, EATS_MS].into_iter().zip(bad) {
            let bad = bad?;
            tally.add_number(key, bad.latency_us(1.0) / 1e3);
            tally.add_load(format!("{key} (all)"), bad);
        }
    }
    Ok(())
}

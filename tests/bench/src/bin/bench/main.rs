//! Measures everything in one run, and writes the page of it.

mod bounds;
mod many;
mod neighbors;
mod page;
mod plan;
mod reload;
mod subjects;
mod tally;

use std::{
    env, fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Result, bail};
use bench::{machine::Machine, programs::Programs};

use crate::{plan::Plan, tally::Tally};

/// `bench [--quick | --brief] COMPONENTS DOCS [PROFILE]`
fn main() -> Result<()> {
    let mut args: Vec<String> = env::args().skip(1).collect();
    let plan = match args.first().map(String::as_str) {
        Some("--quick") => {
            args.remove(0);
            Plan::QUICK
        }
        Some("--brief") => {
            args.remove(0);
            Plan::BRIEF
        }
        _ => Plan::FULL,
    };
    let (components, docs, profile) = match &args[..] {
        [components, docs] => (components, docs, String::new()),
        // It is there once somebody has written it.
        [components, docs, profile] => {
            (components, docs, fs::read_to_string(profile).unwrap_or_default())
        }
        _ => bail!("usage: bench [--quick | --brief] COMPONENTS DOCS [PROFILE]"),
    };
    let machine = Machine::this();
    let programs = Programs::beside_this(Path::new(components))?;
    let tally = measure(&programs, &plan)?;

    let docs = PathBuf::from(docs);
    fs::create_dir_all(&docs)?;
    let page = page::page(&machine, &plan, &tally, &profile);
    fs::write(docs.join("benchmarks.md"), &page)?;
    fs::write(docs.join("benchmarks.svg"), page::plot(&tally))?;
    io::stdout().write_all(page.as_bytes())?;
    match tally.wrong() {
        [] => Ok(()),
        wrong => bail!("there were wrong answers: {}", wrong.join("; ")),
    }
}

fn measure(programs: &Programs, plan: &Plan) -> Result<Tally> {
    let mut tally = Tally::default();
    subjects::measure(programs, plan, &mut tally)?;
    many::measure(programs, plan, &mut tally)?;
    reload::measure(programs, plan, &mut tally)?;
    neighbors::measure(programs, plan, &mut tally)?;
    Ok(tally)
}

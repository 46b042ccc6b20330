//! Measures everything in one run, and writes the page of it.

mod bounds;
mod many;
mod neighbors;
mod page;
mod plan;
mod reload;
mod storage;
mod subjects;
mod tally;

use std::{
    env, fs,
    io::{self, Write as _},
    path::PathBuf,
};

use anyhow::{Result, bail};
use bench::{machine::Machine, programs::Programs};

use crate::{plan::Plan, tally::Tally};

const USAGE: &str =
    "usage: bench [--quick | --brief] [--storage] COMPONENTS NODE_MODULES DOCS [PROFILE]";

/// What is measured.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Part {
    All,
    Storage,
}

/// See [`USAGE`].
fn main() -> Result<()> {
    let (mut plan, mut part) = (Plan::FULL, Part::All);
    let mut paths = Vec::new();
    for arg in env::args().skip(1) {
        match &*arg {
            "--quick" => plan = Plan::QUICK,
            "--brief" => plan = Plan::BRIEF,
            "--storage" => part = Part::Storage,
            _ => paths.push(PathBuf::from(arg)),
        }
    }
    let (components, node_modules, docs, profile) = match &paths[..] {
        [components, node_modules, docs] => (components, node_modules, docs, String::new()),
        // It is there once somebody has written it.
        [components, node_modules, docs, profile] => {
            (components, node_modules, docs, fs::read_to_string(profile).unwrap_or_default())
        }
        _ => bail!(USAGE),
    };
    let machine = Machine::this();
    let programs = Programs::beside_this(components)?;
    fs::create_dir_all(docs)?;
    let page_file = docs.join("benchmarks.md");
    let tally = match part {
        Part::All => Some(measure(&programs, &plan)?),
        Part::Storage => None,
    };
    // Later than all else, and with its own date.
    let storage_machine = Machine::this();
    let storage = storage::measure(&programs, node_modules, &plan)?;
    let section = storage::section(&storage_machine, &plan, &storage);
    let mut wrong = storage.tally.wrong().to_vec();
    if let Some(tally) = &tally {
        let page = page::page(&machine, &plan, tally, &profile, &section);
        fs::write(page_file, &page)?;
        fs::write(docs.join("benchmarks.svg"), page::plot(tally))?;
        io::stdout().write_all(page.as_bytes())?;
        wrong.extend_from_slice(tally.wrong());
    } else {
        // There may be no page yet.
        let page = fs::read_to_string(&page_file).unwrap_or_default();
        fs::write(page_file, storage::replace(&page, &section))?;
        io::stdout().write_all(section.as_bytes())?;
    }
    if !wrong.is_empty() {
        bail!("there were wrong answers: {}", wrong.join("; "));
    }
    Ok(())
}

fn measure(programs: &Programs, plan: &Plan) -> Result<Tally> {
    let mut tally = Tally::default();
    subjects::measure(programs, plan, &mut tally)?;
    many::measure(programs, plan, &mut tally)?;
    reload::measure(programs, plan, &mut tally)?;
    neighbors::measure(programs, plan, &mut tally)?;
    Ok(tally)
}

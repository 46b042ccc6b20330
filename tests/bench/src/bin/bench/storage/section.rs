//! The section of the page about storage, which can be written alone.

use bench::machine::Machine;

use super::{
    AZURITE, CONCURRENCY, Cell, FOLDER, HOST_AZURITE, HOST_FOLDER, LENGTHS, NO_STORAGE, Operation,
    SUBJECTS, SYNCED_FOLDER, Storage,
};
use crate::{bounds::short, page::table, plan::Plan};

const TITLE: &str = "## Storage";

const HOW: &str = "\
The sample `snippets` saves and gets texts through the host, and `object_store` does the same in the client's process,
on the client's core, with neither HTTP nor a guest. The host's folder has each file and the folder that lists it on
disk before it answers; `object_store`'s does that only where it says synced, so that is what saves to folders are
compared with. `host, no storage` are tools of the same host that take and answer with the same texts. Azurite keeps
blobs in memory, on the core of the host. What is saved replaces one of 64 blobs, and what is got was just saved:
every answer is checked, and after each load of saves all blobs. The disk has nothing left to write when a load begins.
";

/// The section.
pub(crate) fn section(machine: &Machine, plan: &Plan, storage: &Storage) -> String {
    let wrong = match storage.tally.wrong() {
        [] => String::from("No answer and no blob was wrong."),
        wrong => format!("Wrong answers and blobs:\n\n- {}", wrong.join("\n- ")),
    };
    format!(
        "{TITLE}\n\n- {}\n- folders on {}\n- {} repetitions of {} s each, medians; the subjects take turns within a \
         repetition\n\n{HOW}\n{wrong}\n\n{}{}",
        machine.moment(),
        storage.file_system,
        plan.n_repetitions,
        plan.storage_duration.as_secs_f64(),
        compared(storage),
        figures(storage),
    )
}

/// A page with this section in the place of the one that it has, or at its end.
pub(crate) fn replace(page: &str, section: &str) -> String {
    let heading = format!("\n{TITLE}\n");
    let Some(start) = page.find(&heading).map(|at| at + 1) else {
        let page = if page.is_empty() { "# Benchmarks\n" } else { page };
        return format!("{}\n\n{section}", page.trim_end());
    };
    let next = page[start + 1..].find("\n## ").map_or(page.len(), |at| start + 1 + at + 1);
    format!("{}{section}{}", &page[..start], &page[next..])
}

fn compared(storage: &Storage) -> String {
    let p50 = |cell: Cell, subject| {
        storage.tally.load(&cell.key(subject)).map_or(f64::NAN, |figures| figures.p50_us)
    };
    let places = [("folder", HOST_FOLDER), ("Azurite", HOST_AZURITE)];
    let rows = places.into_iter().flat_map(|(place, host)| {
        cells().into_iter().map(move |cell| {
            let direct = match (host, cell.operation) {
                (HOST_AZURITE, _) => AZURITE,
                (_, Operation::Save) => SYNCED_FOLDER,
                (_, Operation::Get) => FOLDER,
            };
            let [host, direct, bare] = [host, direct, NO_STORAGE].map(|it| p50(cell, it));
            format!(
                "| {place} | {cell} | {} | {} | {} | {} | {} | {} |",
                short(host),
                short(direct),
                short(host / direct),
                short(host - direct),
                short(bare),
                short(host - direct - bare),
            )
        })
    });
    table(
        "### p50 of a call, in us",
        "| where | what | c | host | object_store | host / object_store | overhead: host - object_store | host, no \
         storage | rest of the overhead |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        rows,
    )
}

fn figures(storage: &Storage) -> String {
    let rows = cells().into_iter().flat_map(|cell| {
        SUBJECTS.into_iter().filter_map(move |subject| {
            if subject == SYNCED_FOLDER && cell.operation == Operation::Get {
                return None;
            }
            Some(match storage.tally.load(&cell.key(subject)) {
                None => format!("| {cell} | {subject} | not measured | | |"),
                Some(figures) => format!(
                    "| {cell} | {subject} | {:.0} | {} | {} |",
                    figures.per_second,
                    short(figures.p50_us),
                    short(figures.p99_us)
                ),
            })
        })
    });
    table(
        "### All figures",
        "| what | c | subject | calls/s | p50, us | p99, us |",
        "| --- | ---: | --- | ---: | ---: | ---: |",
        rows,
    )
}

fn cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for operation in [Operation::Save, Operation::Get] {
        for length in LENGTHS {
            for n_at_a_time in CONCURRENCY {
                cells.push(Cell { operation, length, n_at_a_time });
            }
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_replaces_itself_and_nothing_else() {
        let page = replace("# Benchmarks\n\n## A\n\na\n\n## B\n\nb\n", "## Storage\n\none\n");
        assert_eq!(page, "# Benchmarks\n\n## A\n\na\n\n## B\n\nb\n\n## Storage\n\none\n");
        assert_eq!(replace(&page, "## Storage\n\none\n"), page);
        let between = "# Benchmarks\n\n## Storage\n\none\n\n### More\n\n## B\n\nb\n";
        let replaced = replace(between, "## Storage\n\ntwo\n\n");
        assert_eq!(replaced, "# Benchmarks\n\n## Storage\n\ntwo\n\n## B\n\nb\n");
        assert_eq!(replace("", "## Storage\n"), "# Benchmarks\n\n## Storage\n");
    }

    #[test]
    fn a_section_says_what_was_not_measured() {
        let section = section(&Machine::this(), &Plan::QUICK, &Storage::default());
        assert!(section.starts_with("## Storage\n"), "{section}");
        assert!(
            section.contains("| save 1 KiB | 16 | host, Azurite | not measured |"),
            "{section}"
        );
    }
}

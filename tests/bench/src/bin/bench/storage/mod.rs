//! Saving and getting through the host, and by `object_store` in this process.

mod azurite;
mod direct;
mod section;

pub(crate) use self::section::{replace, section};

use std::{
    env, fmt, fs,
    io::{self, Write as _},
    path::Path,
    process::Command,
    rc::Rc,
};

use anyhow::{Context as _, Result, ensure};
use bench::{
    cores,
    folder::Folder,
    load::{Load, Measured, ask},
    machine::file_system,
    programs::Programs,
    server::Server,
    snippets::{Gets, Saves},
};
use serde_json::json;
use tempfile::TempDir;

use self::direct::Place;
use crate::{plan::Plan, tally::Tally};

/// How long snippets are.
const LENGTHS: [usize; 2] = [1 << 10, 64 << 10];

/// How many are saved or got at a time.
const CONCURRENCY: [usize; 2] = [1, 16];

/// The tools of the sample.
const SAVE: &str = "save_snippet";
const GET: &str = "get_snippets";

const NO_STORAGE: &str = "host, no storage";
const HOST_FOLDER: &str = "host, folder";
const FOLDER: &str = "object_store, folder";
const SYNCED_FOLDER: &str = "object_store, folder, synced";
const HOST_AZURITE: &str = "host, Azurite";
const AZURITE: &str = "object_store, Azurite";

const SUBJECTS: [&str; 6] = [NO_STORAGE, FOLDER, SYNCED_FOLDER, HOST_FOLDER, AZURITE, HOST_AZURITE];

/// What is measured at a time.
#[derive(Clone, Copy, Debug)]
struct Cell {
    operation: Operation,
    length: usize,
    n_at_a_time: usize,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Operation {
    Save,
    Get,
}

/// Who does it.
struct Subject {
    name: &'static str,
    way: Way,
    /// Where it leaves snippets.
    place: Option<Place>,
}

enum Way {
    /// By tools of a host.
    Tools { host: Rc<Host>, save: &'static str, get: &'static str },
    /// Without one.
    Direct(Place),
}

/// A host and its folder.
struct Host {
    server: Server,
    _folder: Folder,
}

/// What was measured, and on what.
#[derive(Debug, Default)]
pub(crate) struct Storage {
    pub(crate) tally: Tally,
    /// What the folders are on.
    file_system: String,
}

/// Measures all of it; Azurite is in `node_modules`.
pub(crate) fn measure(programs: &Programs, node_modules: &Path, plan: &Plan) -> Result<Storage> {
    let (unsynced, synced) = (TempDir::new()?, TempDir::new()?);
    let mut subjects = on_folders(programs, unsynced.path(), synced.path())?;
    let azurite = azurite::start(node_modules);
    match azurite.as_ref() {
        Ok(azurite) => subjects.extend(on_azurite(programs, azurite.port())?),
        // The page says that it is missing.
        Err(error) => writeln!(io::stderr(), "not measured: Azurite: {error:#}")?,
    }
    let mut tally = Tally::default();
    for repetition in 1..=plan.n_repetitions {
        for length in LENGTHS {
            for place in subjects.iter().filter_map(|subject| subject.place.as_ref()) {
                place.fill(length)?;
            }
            for n_at_a_time in CONCURRENCY {
                for operation in [Operation::Save, Operation::Get] {
                    let cell = Cell { operation, length, n_at_a_time };
                    for subject in subjects.iter().filter(|subject| subject.takes_part(cell)) {
                        subject.measure(cell, plan, &mut tally)?;
                    }
                }
            }
        }
        writeln!(io::stderr(), "storage: {repetition} of {} repetitions", plan.n_repetitions)?;
    }
    Ok(Storage { tally, file_system: file_system(&env::temp_dir()) })
}

fn on_folders(programs: &Programs, unsynced: &Path, synced: &Path) -> Result<Vec<Subject>> {
    let folder = Folder::new(&json!({
        "version": "2.0",
        "connections": { "AzureWebJobsStorage": { "url": "file:storage" } },
    }))?;
    let kept = folder.path().join("storage");
    fs::create_dir(&kept)?;
    let host = Rc::new(Host::start(programs, folder)?);
    let storeless =
        Way::Tools { host: Rc::clone(&host), save: "lose_snippet", get: "make_snippet" };
    Ok(vec![
        Subject { name: NO_STORAGE, way: storeless, place: None },
        Subject::direct(FOLDER, Place::Folder(unsynced.to_owned())),
        Subject::direct(SYNCED_FOLDER, Place::Synced(synced.to_owned())),
        Subject::host(HOST_FOLDER, host, Place::Folder(kept)),
    ])
}

fn on_azurite(programs: &Programs, port: u16) -> Result<[Subject; 2]> {
    let folder = Folder::new(&json!({
        "version": "2.0",
        "connections": { "AzureWebJobsStorage": { "url": "%AZURITE%" } },
    }))?;
    let settings = json!({ "Values": { "AZURITE": azurite::connection_string(port) } });
    fs::write(folder.path().join("local.settings.json"), settings.to_string())?;
    let host = Rc::new(Host::start(programs, folder)?);
    // Makes the container, which `object_store` does not.
    let save = Saves { tool: SAVE, length: LENGTHS[0] };
    ask(host.server.port(), 1, &save).context("the first snippet in Azurite")?;
    let place = Place::Azurite(port);
    Ok([Subject::direct(AZURITE, place.clone()), Subject::host(HOST_AZURITE, host, place)])
}

impl Subject {
    fn direct(name: &'static str, place: Place) -> Self {
        Self { name, way: Way::Direct(place.clone()), place: Some(place) }
    }

    fn host(name: &'static str, host: Rc<Host>, place: Place) -> Self {
        Self { name, way: Way::Tools { host, save: SAVE, get: GET }, place: Some(place) }
    }

    /// Getting is the same whether saving syncs or not.
    fn takes_part(&self, cell: Cell) -> bool {
        self.name != SYNCED_FOLDER || cell.operation == Operation::Save
    }

    fn measure(&self, cell: Cell, plan: &Plan, tally: &mut Tally) -> Result<()> {
        let key = cell.key(self.name);
        let load = plan.storage_load(cell.n_at_a_time);
        // What the one before left to be written would be waited for by the next one that syncs.
        let synced = Command::new("sync").status().context("cannot run `sync`")?;
        ensure!(synced.success(), "`sync` failed ({synced})");
        let measured = self.load(cell, load).with_context(|| key.clone())?;
        tally.add_load(&key, measured);
        if let (Operation::Save, Some(place)) = (cell.operation, &self.place)
            && let Err(error) = place.verify(cell.length)
        {
            tally.add_wrong(format!("{key}: afterwards, {error:#}"));
        }
        Ok(())
    }

    fn load(&self, cell: Cell, load: Load) -> Result<Measured> {
        let Cell { operation, length, .. } = cell;
        match &self.way {
            Way::Direct(place) => load.run_here(&place.open(operation, length)?),
            Way::Tools { host, save, get } => match operation {
                Operation::Save => load.run(&host.server, &Saves { tool: save, length }),
                Operation::Get => load.run(&host.server, &Gets { tool: get, length }),
            },
        }
    }
}

impl Host {
    fn start(programs: &Programs, folder: Folder) -> Result<Self> {
        for component in ["snippets", "storeless"] {
            folder.copy(&programs.component(component)?)?;
        }
        let server = folder.start(&programs.program("mcpfn")?, Some(cores::SERVER))?;
        Ok(Self { server, _folder: folder })
    }
}

impl Cell {
    /// The key of a subject's load.
    fn key(self, subject: &str) -> String {
        format!("{subject}, {self}")
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operation = match self.operation {
            Operation::Save => "save",
            Operation::Get => "get",
        };
        write!(f, "{operation} {} KiB | {}", self.length >> 10, self.n_at_a_time)
    }
}

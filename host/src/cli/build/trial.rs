//! Loads what was built once, so that a component that no host would load is told where it was made.

use std::{fs, path::Path, sync::Arc};

use anyhow::anyhow;

use crate::{
    function::{ComponentName, Limits},
    guest::{self, Cache, Component, Engine, Source},
};

/// Every memory that a host could be told to give: this is no place to judge that.
const MEMORY: usize = 4 << 30;

/// Asks the component for its functions and skills. The fault is one line.
pub(super) fn describe(path: &Path) -> Result<(), String> {
    try_describe(path).map_err(|error| {
        let text = format!("{error:#}");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    })
}

fn try_describe(path: &Path) -> anyhow::Result<()> {
    let wasm = fs::read(path)?;
    let engine = Arc::new(Engine::new(&guest::Config::default())?);
    let name = Arc::new(ComponentName(path.display().to_string()));
    let limits = Limits { memory: MEMORY, ..Limits::default() };
    let source = Source { name, wasm: &wasm, content: blake3::hash(&wasm) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let cache = Cache::none();
    let load = Component::load(&engine, &cache, &source, &limits, || {});
    let (_, declared) = runtime.block_on(load)?;
    if declared.functions.is_empty() && declared.skills.is_empty() {
        return Err(anyhow!("it declares no function and no skill"));
    }
    Ok(())
}

//! Tries every connection: lists each container that bindings use, once.

use futures_util::future::join_all;
use tokio::time::timeout;

use super::{
    connection::{InUse, Opened},
    fault::Fault,
    store::Store,
};
use crate::binding::{Finding, Probe, StorageFault};

/// What services give at most in one answer.
const PAGE: usize = 1_000;

pub(super) async fn all(opened: &Opened) -> Vec<Probe> {
    join_all(opened.in_use().into_iter().map(connection)).await
}

async fn connection(in_use: InUse) -> Probe {
    let InUse { name, service, containers } = in_use;
    let findings = containers
        .iter()
        .map(async |(at, store)| Finding { at: at.clone(), found: container(store).await });
    Probe {
        connection: name,
        kind: service.kind(),
        place: service.place(),
        findings: join_all(findings).await,
    }
}

async fn container(store: &Store) -> Result<String, String> {
    // One more tells whether there are more.
    let Ok(counted) = timeout(Probe::MAX_TIME, store.count(PAGE + 1)).await else {
        return Err(StorageFault::Timeout.to_string());
    };
    match counted {
        Ok(Some(1)) => Ok("1 blob".to_owned()),
        Ok(Some(n_blobs)) if n_blobs > PAGE => Ok(format!("more than {PAGE} blobs")),
        Ok(Some(n_blobs)) => Ok(format!("{n_blobs} blobs")),
        Ok(None) if store.is_made() => {
            Ok("not there yet (it is made at the first write)".to_owned())
        }
        Ok(None) => Err(StorageFault::Missing.to_string()),
        Err(Fault::Storage(kind, detail)) => Err(format!("{kind} ({detail})")),
        // Neither is asked for here.
        Err(Fault::TooLarge | Fault::Conflict) => Err(StorageFault::Other.to_string()),
    }
}

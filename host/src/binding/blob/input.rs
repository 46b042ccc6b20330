//! Blobs as inputs: one that is read, or the names of many.

use async_trait::async_trait;
use chrono::{DateTime, SecondsFormat};
use serde_json::json;

use super::{
    Fault, Place, Store,
    declaration::{Declared, Form},
    path,
    store::{Reading, Stat},
};
use crate::{
    binding::{
        BindingData, BindingError, DeclarationError, Download, Found, FoundContent, InputBinding,
        Scope, Target, Version, content,
        expression::{Purpose, Template},
    },
    function::{BlobEntry, Value},
};

/// One blob.
#[derive(Debug)]
pub(super) struct ReadInput {
    place: Place,
    form: Form,
}

/// Which blobs there are.
#[derive(Debug)]
pub(super) struct ListInput {
    place: Place,
    after: Option<Template>,
    max_items: usize,
}

/// A blob that the function reads in pieces.
#[derive(Debug)]
struct BlobDownload {
    reading: Reading,
    size: u64,
    n_left: u64,
    connection: String,
    max_bytes: u64,
}

impl ReadInput {
    pub(super) fn new(place: Place, form: Form) -> Self {
        Self { place, form }
    }

    fn value(&self, bytes: Vec<u8>) -> Result<Value, BindingError> {
        match self.form {
            Form::Binary | Form::Stream => Ok(Value::Bytes(bytes)),
            Form::String => Ok(content::text(bytes)),
            Form::Json => content::json(bytes, "the blob"),
        }
    }
}

#[async_trait]
impl InputBinding for ReadInput {
    fn resolve(&self, data: &BindingData<'_>) -> Result<Option<Target>, BindingError> {
        self.place.target(data)
    }

    async fn read(&self, target: &Target) -> Result<Option<Found>, BindingError> {
        let Place { store, max_bytes, .. } = &self.place;
        let fault = |fault| self.place.fault(fault);
        if self.form == Form::Stream {
            let Some((stat, reading)) = store.open(target.as_str()).await.map_err(fault)? else {
                return Ok(None);
            };
            if stat.size > *max_bytes {
                return Err(self.place.fault(Fault::TooLarge));
            }
            let version = version(&stat);
            let content = FoundContent::Stream(Box::new(BlobDownload {
                reading,
                size: stat.size,
                n_left: stat.size,
                connection: self.place.connection.clone(),
                max_bytes: *max_bytes,
            }));
            return Ok(Some(Found { content, version }));
        }
        let Some((bytes, stat)) = store.read(target.as_str(), *max_bytes).await.map_err(fault)?
        else {
            return Ok(None);
        };
        let content = FoundContent::Whole(self.value(bytes)?);
        Ok(Some(Found { content, version: version(&stat) }))
    }
}

impl ListInput {
    pub(super) fn new(
        place: Place,
        declared: &Declared,
        settings: &dyn Fn(&str) -> Option<String>,
        scope: &Scope<'_>,
    ) -> Result<Self, DeclarationError> {
        let after = declared.after.as_ref();
        let template =
            |text: &String| Template::parse("after", text, Purpose::Text, settings, scope);
        let after = after.map(template).transpose()?;
        Ok(Self { place, after, max_items: declared.max_items })
    }
}

#[async_trait]
impl InputBinding for ListInput {
    fn resolve(&self, data: &BindingData<'_>) -> Result<Option<Target>, BindingError> {
        // Without it, the list begins at its beginning.
        let after = self.after.as_ref().map(|after| after.text(data)).transpose()?.flatten();
        if let Some(after) = &after {
            path::check_prefix(after, usize::MAX).map_err(|reason| BindingError::Content {
                reason: format!("the name to go on after {reason}"),
            })?;
        }
        Ok(self.place.target(data)?.map(|target| target.with(vec![after])))
    }

    async fn read(&self, target: &Target) -> Result<Option<Found>, BindingError> {
        let store: &Store = &self.place.store;
        let after = target.texts().first().and_then(Option::as_deref);
        let page = store
            .list(target.as_str(), after, self.max_items)
            .await
            .map_err(|fault| self.place.fault(fault))?;
        let items: Vec<_> = page.items.iter().map(item).collect();
        let mut list = json!({ "items": items });
        if let Some(next) = page.next {
            list["next"] = next.into();
        }
        let content = FoundContent::Whole(Value::Json(list.to_string()));
        Ok(Some(Found { content, version: None }))
    }
}

/// As a list gives it: times as RFC 3339 has them.
fn item(entry: &BlobEntry) -> serde_json::Value {
    let modified =
        entry.modified_ms.and_then(|ms| DateTime::from_timestamp_millis(i64::try_from(ms).ok()?));
    json!({
        "name": entry.name,
        "size": entry.size,
        "modified": modified.map(|at| at.to_rfc3339_opts(SecondsFormat::Millis, true)),
        "etag": entry.etag,
    })
}

#[async_trait]
impl Download for BlobDownload {
    fn size(&self) -> Option<u64> {
        Some(self.size)
    }

    async fn read(&mut self, max: usize) -> Result<Vec<u8>, BindingError> {
        if max == 0 {
            return Ok(Vec::new());
        }
        let read = self.reading.read(max).await;
        let bytes = read.map_err(|fault| fault.of_binding(&self.connection, self.max_bytes))?;
        let n_read = bytes.len() as u64;
        // What was cut short would pass for the whole.
        if n_read > self.n_left || (n_read == 0 && self.n_left > 0) {
            let reason = "the blob changed while it was read".to_owned();
            return Err(BindingError::Content { reason });
        }
        self.n_left -= n_read;
        Ok(bytes)
    }
}

fn version(stat: &Stat) -> Option<Version> {
    stat.etag.clone().map(Version)
}

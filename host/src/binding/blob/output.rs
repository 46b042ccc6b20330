//! Blobs as outputs: one that is written, or deleted.

use async_trait::async_trait;
use bytes::Bytes;

use super::{
    Fault, Place,
    declaration::{Declared, Form, When},
    store::{About, Writing},
};
use crate::{
    binding::{
        BindingData, BindingError, DeclarationError, OutputBinding, Scope, Seen, StreamOutput,
        Target, Upload, Version,
        expression::{Purpose, Template},
    },
    function::Condition,
};

/// A blob that is written.
#[derive(Debug)]
pub(super) struct WriteOutput {
    place: Place,
    form: Form,
    when: When,
    content_type: Option<String>,
    metadata: Vec<(String, Template)>,
}

/// A blob that is deleted when its output is set, whatever to.
#[derive(Debug)]
pub(super) struct DeleteOutput {
    place: Place,
}

/// A blob that the function writes in pieces.
#[derive(Debug)]
struct BlobUpload {
    writing: Writing,
    connection: String,
    n_bytes: u64,
    max_bytes: u64,
}

impl WriteOutput {
    pub(super) fn new(
        place: Place,
        declared: Declared,
        settings: &dyn Fn(&str) -> Option<String>,
        scope: &Scope<'_>,
    ) -> Result<Self, DeclarationError> {
        let Declared { form, when, content_type, metadata, .. } = declared;
        let template = |(name, text): (String, String)| {
            let key = format!("metadata/{name}");
            Ok((name, Template::parse(&key, &text, Purpose::Text, settings, scope)?))
        };
        let metadata = metadata.into_iter().map(template).collect::<Result<_, _>>()?;
        Ok(Self { place, form, when, content_type, metadata })
    }

    /// What is declared, and a media type by the ending of the name.
    fn about(&self, target: &Target) -> About {
        let of_name = || About::of_name(target.as_str()).content_type;
        let names = self.metadata.iter().map(|(name, _)| name);
        let metadata = names.zip(target.texts());
        About {
            content_type: self.content_type.clone().or_else(of_name),
            metadata: metadata
                .filter_map(|(name, text)| Some((name.clone(), text.clone()?)))
                .collect(),
        }
    }

    /// The values of metadata; one that is made of something missing is left out.
    fn metadata(&self, data: &BindingData<'_>) -> Result<Vec<Option<String>>, BindingError> {
        let value = |(name, template): &(String, Template)| {
            let value = template.text(data)?;
            if value.as_ref().is_some_and(|value| !value.is_ascii()) {
                let reason =
                    format!("metadata `{name}` is not ASCII, and storages take nothing else");
                return Err(BindingError::Content { reason });
            }
            Ok(value)
        };
        self.metadata.iter().map(value).collect()
    }

    /// What has to hold, and what is said if it does not.
    fn condition(&self, seen: Option<&Seen>) -> Result<(Condition, String), BindingError> {
        Ok(match (&self.when, seen) {
            (When::Always, _) => (Condition::Always, String::new()),
            (When::Absent, _) => (Condition::Absent, "there is such a blob already".to_owned()),
            (When::Unchanged(input), Some(Seen::Version(Version(etag)))) => {
                let reason = format!("the blob has changed since input `{input}` was read");
                (Condition::Unchanged(etag.clone()), reason)
            }
            (When::Unchanged(input), Some(Seen::Unversioned) | None) => {
                let reason = format!("the storage tells no version of what input `{input}` read");
                return Err(BindingError::Conflict { reason });
            }
            (When::Unchanged(input), Some(Seen::Nothing)) => {
                let reason = format!("the blob was made since input `{input}` was read");
                (Condition::Absent, reason)
            }
        })
    }
}

#[async_trait]
impl OutputBinding for WriteOutput {
    fn resolve(&self, data: &BindingData<'_>) -> Result<Option<Target>, BindingError> {
        let metadata = self.metadata(data)?;
        Ok(self.place.target(data)?.map(|target| target.with(metadata)))
    }

    fn follows(&self) -> Option<&str> {
        match &self.when {
            When::Unchanged(input) => Some(input),
            When::Always | When::Absent => None,
        }
    }

    async fn write(
        &self,
        target: &Target,
        bytes: &[u8],
        seen: Option<&Seen>,
    ) -> Result<(), BindingError> {
        if bytes.len() as u64 > self.place.max_bytes {
            return Err(self.place.fault(Fault::TooLarge));
        }
        let (condition, otherwise) = self.condition(seen)?;
        let about = self.about(target);
        let bytes = Bytes::copy_from_slice(bytes);
        let write = self.place.store.write(target.as_str(), bytes, &condition, &about);
        match write.await {
            Ok(_) => Ok(()),
            Err(Fault::Conflict) => Err(BindingError::Conflict { reason: otherwise }),
            Err(fault) => Err(self.place.fault(fault)),
        }
    }

    fn stream(&self) -> Option<&dyn StreamOutput> {
        (self.form == Form::Stream).then_some(self)
    }
}

#[async_trait]
impl StreamOutput for WriteOutput {
    async fn begin(&self, target: &Target) -> Result<Box<dyn Upload>, BindingError> {
        let Place { store, connection, max_bytes, .. } = &self.place;
        let about = self.about(target);
        let begun = store.begin(target.as_str(), &about).await;
        let writing = begun.map_err(|fault| self.place.fault(fault))?;
        Ok(Box::new(BlobUpload {
            writing,
            connection: connection.clone(),
            n_bytes: 0,
            max_bytes: *max_bytes,
        }))
    }
}

#[async_trait]
impl Upload for BlobUpload {
    async fn write(&mut self, bytes: Vec<u8>) -> Result<(), BindingError> {
        self.n_bytes += bytes.len() as u64;
        if self.n_bytes > self.max_bytes {
            return Err(BindingError::TooLarge { max_bytes: self.max_bytes });
        }
        let written = self.writing.write(bytes).await;
        written.map_err(|fault| fault.of_binding(&self.connection, self.max_bytes))
    }

    async fn complete(self: Box<Self>) -> Result<(), BindingError> {
        let Self { writing, connection, max_bytes, .. } = *self;
        writing.complete().await.map_err(|fault| fault.of_binding(&connection, max_bytes))
    }
}

impl DeleteOutput {
    pub(super) fn new(place: Place) -> Self {
        Self { place }
    }
}

#[async_trait]
impl OutputBinding for DeleteOutput {
    fn resolve(&self, data: &BindingData<'_>) -> Result<Option<Target>, BindingError> {
        self.place.target(data)
    }

    async fn write(
        &self,
        target: &Target,
        _bytes: &[u8],
        _seen: Option<&Seen>,
    ) -> Result<(), BindingError> {
        let delete = self.place.store.delete(target.as_str());
        delete.await.map_err(|fault| self.place.fault(fault))
    }
}

//! What one invocation lets its guest reach while it runs: its streams, and the containers that it was granted.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;

use super::{callable::NamedOutput, error::causes};
use crate::{
    binding::{BindingError, Download, Target, Upload},
    function::{Container, Sink, Source, Storage, StorageError},
};

/// The containers of a function, by name.
pub(super) type Containers = BTreeMap<String, Arc<dyn Container>>;

/// An input, as far as the guest may open it.
#[derive(Debug)]
pub(super) enum Opening {
    /// There is nothing at its place.
    Missing,
    /// It can be opened.
    Ready(Box<dyn Download>),
    /// It was opened.
    Taken,
}

/// What one invocation may reach.
#[derive(Debug)]
pub(super) struct OpenStorage {
    inputs: Mutex<HashMap<String, Opening>>,
    outputs: Arc<[NamedOutput]>,
    targets: Vec<Option<Target>>,
    begun: Mutex<HashMap<String, Arc<Begun>>>,
    containers: Arc<Containers>,
}

/// An output that is being written.
#[derive(Debug)]
struct Begun(tokio::sync::Mutex<State>);

#[derive(Debug)]
enum State {
    Beginning,
    Open(Box<dyn Upload>),
    Failed(BindingError),
    Over,
}

/// An input that is being read.
#[derive(Debug)]
struct OpenInput(Box<dyn Download>);

impl OpenStorage {
    pub(super) fn new(
        inputs: HashMap<String, Opening>,
        outputs: Arc<[NamedOutput]>,
        targets: Vec<Option<Target>>,
        containers: Arc<Containers>,
    ) -> Self {
        let (inputs, begun) = (Mutex::new(inputs), Mutex::default());
        Self { inputs, outputs, targets, begun, containers }
    }

    /// Whether the guest wrote to an output, or wanted to.
    pub(super) fn has_begun(&self, output: &str) -> bool {
        lock(&self.begun).contains_key(output)
    }

    /// Makes what was written to an output its content.
    pub(super) async fn complete(&self, output: &str) -> Result<(), BindingError> {
        let Some(begun) = lock(&self.begun).get(output).cloned() else { return Ok(()) };
        let state = std::mem::replace(&mut *begun.0.lock().await, State::Over);
        match state {
            State::Open(upload) => upload.complete().await,
            State::Failed(error) => Err(error),
            State::Beginning | State::Over => {
                let reason = "it was begun and given up".to_owned();
                Err(BindingError::Content { reason })
            }
        }
    }
}

#[async_trait]
impl Storage for OpenStorage {
    async fn open(&self, input: &str) -> Result<Box<dyn Source>, StorageError> {
        let mut inputs = lock(&self.inputs);
        let Some(opening) = inputs.get_mut(input) else { return Err(StorageError::Denied) };
        match std::mem::replace(opening, Opening::Taken) {
            Opening::Ready(download) => Ok(Box::new(OpenInput(download))),
            Opening::Taken => Err(StorageError::Denied),
            Opening::Missing => {
                *opening = Opening::Missing;
                Err(StorageError::NotFound)
            }
        }
    }

    async fn create(&self, output: &str) -> Result<Arc<dyn Sink>, StorageError> {
        let found = self.outputs.iter().position(|declared| declared.name == output);
        let index = found.ok_or(StorageError::Denied)?;
        let stream = self.outputs[index].binding.stream().ok_or(StorageError::Denied)?;
        // Taken down before anything else: an output that was begun in vain is one that failed.
        let begun = {
            let mut all = lock(&self.begun);
            if all.contains_key(output) {
                return Err(StorageError::Denied);
            }
            let begun = Arc::new(Begun(tokio::sync::Mutex::new(State::Beginning)));
            all.insert(output.to_owned(), Arc::clone(&begun));
            begun
        };
        let upload = if let Some(target) = &self.targets[index] {
            stream.begin(target).await
        } else {
            let reason = "an argument in its path is missing".to_owned();
            Err(BindingError::Content { reason })
        };
        match upload {
            Ok(upload) => {
                *begun.0.lock().await = State::Open(upload);
                Ok(begun)
            }
            Err(error) => {
                let told = public(&error);
                *begun.0.lock().await = State::Failed(error);
                Err(told)
            }
        }
    }

    fn container(&self, name: &str) -> Result<Arc<dyn Container>, StorageError> {
        self.containers.get(name).map(Arc::clone).ok_or(StorageError::Denied)
    }
}

#[async_trait]
impl Sink for Begun {
    async fn write(&self, bytes: Vec<u8>) -> Result<(), StorageError> {
        let mut state = self.0.lock().await;
        // Taken out meanwhile: what lacks a piece, because of a fault or because nobody waited, is not kept, whatever the
        // guest makes of it.
        match std::mem::replace(&mut *state, State::Over) {
            State::Open(mut upload) => match upload.write(bytes).await {
                Ok(()) => {
                    *state = State::Open(upload);
                    Ok(())
                }
                Err(error) => {
                    let told = public(&error);
                    *state = State::Failed(error);
                    Err(told)
                }
            },
            State::Failed(error) => {
                let told = public(&error);
                *state = State::Failed(error);
                Err(told)
            }
            State::Beginning | State::Over => Err(StorageError::Denied),
        }
    }
}

#[async_trait]
impl Source for OpenInput {
    fn size(&self) -> Option<u64> {
        self.0.size()
    }

    async fn read(&mut self, max: usize) -> Result<Vec<u8>, StorageError> {
        self.0.read(max).await.map_err(|error| public(&error))
    }
}

/// What a guest is told; the detail goes to the log.
fn public(error: &BindingError) -> StorageError {
    match error {
        BindingError::TooLarge { .. } => StorageError::TooLarge,
        BindingError::Storage { .. } => {
            tracing::error!("{}", causes(error));
            StorageError::Other(error.public_message())
        }
        _ => StorageError::Other(error.public_message()),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

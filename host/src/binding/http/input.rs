//! What a service answers, as an input.

use std::time::Duration;

use async_trait::async_trait;
use reqwest::{Method, Response, StatusCode};

use super::{
    declaration::{Declared, Form},
    place::Place,
    service::Request,
};
use crate::{
    binding::{BindingData, BindingError, Found, FoundContent, InputBinding, Target, content},
    function::Value,
};

/// A request that reads.
#[derive(Debug)]
pub(super) struct GetInput {
    place: Place,
    form: Form,
    max_bytes: u64,
    timeout: Duration,
}

impl GetInput {
    pub(super) fn new(place: Place, declared: &Declared) -> Self {
        let Declared { form, max_bytes, timeout, .. } = *declared;
        Self { place, form, max_bytes, timeout }
    }

    async fn ask(&self, target: &Target) -> Result<Option<Vec<u8>>, BindingError> {
        let request = Request {
            method: &Method::GET,
            path: target.as_str(),
            headers: self.place.headers(target)?,
            body: Vec::new(),
        };
        match self.place.service.send_repeatedly(&request).await {
            Ok(answer) if answer.status() == StatusCode::NO_CONTENT => Ok(None),
            Ok(answer) => self.body(answer).await.map(Some),
            // There is no such thing, as there may be no such blob.
            Err(BindingError::Answer { status: 404 | 410, .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn body(&self, mut answer: Response) -> Result<Vec<u8>, BindingError> {
        if answer.content_length().is_some_and(|length| length > self.max_bytes) {
            return Err(self.too_large());
        }
        let mut body = Vec::new();
        while let Some(piece) =
            answer.chunk().await.map_err(|error| self.place.service.fault(error))?
        {
            if (body.len() + piece.len()) as u64 > self.max_bytes {
                return Err(self.too_large());
            }
            body.extend_from_slice(&piece);
        }
        Ok(body)
    }

    fn too_large(&self) -> BindingError {
        BindingError::Content {
            reason: format!("the answer of the service is larger than {} bytes", self.max_bytes),
        }
    }

    fn value(&self, body: Vec<u8>) -> Result<Value, BindingError> {
        match self.form {
            Form::Binary => Ok(Value::Bytes(body)),
            Form::String => Ok(content::text(body)),
            Form::Json => content::json(body, "the answer of the service"),
        }
    }
}

#[async_trait]
impl InputBinding for GetInput {
    fn resolve(&self, data: &BindingData<'_>) -> Result<Option<Target>, BindingError> {
        self.place.target(data)
    }

    async fn read(&self, target: &Target) -> Result<Option<Found>, BindingError> {
        let body = self.place.service.within(self.timeout, self.ask(target)).await?;
        let Some(body) = body else { return Ok(None) };
        Ok(Some(Found { content: FoundContent::Whole(self.value(body)?), version: None }))
    }
}

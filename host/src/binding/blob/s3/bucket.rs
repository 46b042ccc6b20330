//! Making a bucket, which `object_store` does not.

use std::sync::Arc;

use async_trait::async_trait;
use object_store::{
    aws::AwsAuthorizer,
    client::{HttpRequest, HttpRequestBody},
};

use super::Service;
use crate::binding::blob::{fault::Fault, object::MakeContainer};

/// Makes a bucket.
#[derive(Debug)]
pub(super) struct Maker {
    bucket: String,
    service: Arc<Service>,
}

/// The bucket could not be made.
#[derive(Debug, thiserror::Error)]
#[error("bucket `{bucket}` could not be made: status code: {status}")]
struct NotMade {
    bucket: String,
    status: u16,
}

impl Maker {
    pub(super) fn new(service: &Arc<Service>, bucket: &str) -> Self {
        Self { bucket: bucket.to_owned(), service: Arc::clone(service) }
    }
}

#[async_trait]
impl MakeContainer for Maker {
    /// `CreateBucket`; another host may have been faster. Where the name is somebody else's, the write says so.
    /// <https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateBucket.html>
    async fn make(&self) -> Result<(), Fault> {
        let Self { bucket, service } = self;
        // The region that needs no word is the one that takes none.
        let body = match service.region.as_str() {
            "us-east-1" => HttpRequestBody::empty(),
            region => HttpRequestBody::from(format!(
                "<CreateBucketConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\
                 <LocationConstraint>{region}</LocationConstraint></CreateBucketConfiguration>"
            )),
        };
        let mut request = HttpRequest::new(body);
        *request.method_mut() = "PUT".parse().expect("a method of HTTP");
        let address = service.address(bucket);
        // A host needs a path, which is signed.
        let path = if address.matches('/').count() == 2 { "/" } else { "" };
        *request.uri_mut() = format!("{address}{path}").parse().map_err(Fault::other)?;
        let credential = service.credentials.get_credential().await.map_err(Fault::of_store)?;
        AwsAuthorizer::new(&credential, "s3", &service.region)
            .try_authorize(&mut request, None)
            .map_err(Fault::of_store)?;
        let response = service.pool.send(request).await.map_err(Fault::other)?;
        match response.status().as_u16() {
            200 | 409 => Ok(()),
            status => Err(Fault::other(NotMade { bucket: bucket.clone(), status })),
        }
    }
}

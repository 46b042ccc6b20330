//! The requests that are answered; any other is 501 `NotImplemented`.

use std::{
    fs::File,
    io::{self, Seek as _, SeekFrom},
    ops::Range,
    time::Duration,
};

use s3s::{
    S3, S3Error, S3Request, S3Response, S3Result,
    dto::{
        AbortMultipartUploadInput, AbortMultipartUploadOutput, Bucket,
        CompleteMultipartUploadInput, CompleteMultipartUploadOutput, CreateBucketInput,
        CreateBucketOutput, CreateMultipartUploadInput, CreateMultipartUploadOutput,
        DeleteBucketInput, DeleteBucketOutput, DeleteObjectInput, DeleteObjectOutput,
        DeleteObjectsInput, DeleteObjectsOutput, DeletedObject, ETagCondition, GetObjectInput,
        GetObjectOutput, HeadBucketInput, HeadBucketOutput, HeadObjectInput, HeadObjectOutput,
        ListBucketsInput, ListBucketsOutput, ListMultipartUploadsInput, ListMultipartUploadsOutput,
        ListObjectsV2Input, ListObjectsV2Output, MultipartUpload, PutObjectInput, PutObjectOutput,
        StreamingBlob, UploadPartInput, UploadPartOutput,
    },
    s3_error,
};
use tokio::io::AsyncReadExt as _;
use tokio_util::io::ReaderStream;

use super::{
    file::{About, Staged},
    list,
    store::{Condition, Store},
    uploads::{Upload, Uploads},
};

/// What answers.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) store: Store,
    pub(crate) uploads: Uploads,
    /// How long each request waits.
    pub(crate) slow: Duration,
}

#[async_trait::async_trait]
impl S3 for Service {
    async fn list_buckets(
        &self,
        _: S3Request<ListBucketsInput>,
    ) -> S3Result<S3Response<ListBucketsOutput>> {
        self.wait().await;
        let bucket = |name| Bucket { name: Some(name), ..Bucket::default() };
        let buckets = self.store.names().into_iter().map(bucket).collect();
        Ok(S3Response::new(ListBucketsOutput {
            buckets: Some(buckets),
            ..ListBucketsOutput::default()
        }))
    }

    async fn create_bucket(
        &self,
        request: S3Request<CreateBucketInput>,
    ) -> S3Result<S3Response<CreateBucketOutput>> {
        self.wait().await;
        self.store.create(request.input.bucket)?;
        Ok(S3Response::new(CreateBucketOutput::default()))
    }

    async fn delete_bucket(
        &self,
        request: S3Request<DeleteBucketInput>,
    ) -> S3Result<S3Response<DeleteBucketOutput>> {
        self.wait().await;
        self.store.remove(&request.input.bucket)?;
        Ok(S3Response::new(DeleteBucketOutput::default()))
    }

    async fn head_bucket(
        &self,
        request: S3Request<HeadBucketInput>,
    ) -> S3Result<S3Response<HeadBucketOutput>> {
        self.wait().await;
        self.store.check(&request.input.bucket)?;
        Ok(S3Response::new(HeadBucketOutput::default()))
    }

    async fn list_objects_v2(
        &self,
        request: S3Request<ListObjectsV2Input>,
    ) -> S3Result<S3Response<ListObjectsV2Output>> {
        self.wait().await;
        Ok(S3Response::new(list::page(&self.store, request.input)?))
    }

    async fn put_object(
        &self,
        request: S3Request<PutObjectInput>,
    ) -> S3Result<S3Response<PutObjectOutput>> {
        let input = request.input;
        self.store.check(&input.bucket)?;
        let about = About {
            key: input.key,
            content_type: input.content_type,
            metadata: input.metadata,
            ..About::default()
        };
        let (staged, about) = Staged::receive(self.store.staging(), input.body, about).await?;
        self.wait().await;
        let e_tag = Some(about.etag());
        let condition = Condition { matches: input.if_match, matches_not: input.if_none_match };
        self.store.put(&input.bucket, staged, about, &condition)?;
        Ok(S3Response::new(PutObjectOutput { e_tag, ..PutObjectOutput::default() }))
    }

    async fn get_object(
        &self,
        request: S3Request<GetObjectInput>,
    ) -> S3Result<S3Response<GetObjectOutput>> {
        self.wait().await;
        let input = request.input;
        let (file, about) = self.store.object(&input.bucket, &input.key)?;
        read_if(&about, input.if_match.as_ref(), input.if_none_match.as_ref())?;
        let range = input.range.map(|range| range.check(about.size)).transpose()?;
        let content_range =
            range.as_ref().map(|it| format!("bytes {}-{}/{}", it.start, it.end - 1, about.size));
        let range = range.unwrap_or(0..about.size);
        Ok(S3Response::new(GetObjectOutput {
            content_length: Some((range.end - range.start).cast_signed()),
            content_range,
            accept_ranges: Some("bytes".to_owned()),
            body: Some(content(file, range).map_err(S3Error::internal_error)?),
            e_tag: Some(about.etag()),
            last_modified: about.modified(),
            content_type: about.content_type,
            metadata: about.metadata,
            ..GetObjectOutput::default()
        }))
    }

    async fn head_object(
        &self,
        request: S3Request<HeadObjectInput>,
    ) -> S3Result<S3Response<HeadObjectOutput>> {
        self.wait().await;
        let input = request.input;
        let about = self.store.about(&input.bucket, &input.key)?;
        read_if(&about, input.if_match.as_ref(), input.if_none_match.as_ref())?;
        Ok(S3Response::new(HeadObjectOutput {
            content_length: Some(about.size.cast_signed()),
            accept_ranges: Some("bytes".to_owned()),
            e_tag: Some(about.etag()),
            last_modified: about.modified(),
            content_type: about.content_type,
            metadata: about.metadata,
            ..HeadObjectOutput::default()
        }))
    }

    async fn delete_object(
        &self,
        request: S3Request<DeleteObjectInput>,
    ) -> S3Result<S3Response<DeleteObjectOutput>> {
        self.wait().await;
        let input = request.input;
        let condition = Condition { matches: input.if_match, matches_not: None };
        self.store.delete(&input.bucket, &input.key, &condition)?;
        Ok(S3Response::new(DeleteObjectOutput::default()))
    }

    async fn delete_objects(
        &self,
        request: S3Request<DeleteObjectsInput>,
    ) -> S3Result<S3Response<DeleteObjectsOutput>> {
        self.wait().await;
        let input = request.input;
        let mut deleted = Vec::new();
        for object in input.delete.objects {
            let matches = object.e_tag.map(ETagCondition::ETag);
            self.store.delete(
                &input.bucket,
                &object.key,
                &Condition { matches, matches_not: None },
            )?;
            deleted.push(DeletedObject { key: Some(object.key), ..DeletedObject::default() });
        }
        Ok(S3Response::new(DeleteObjectsOutput {
            deleted: Some(deleted),
            ..DeleteObjectsOutput::default()
        }))
    }

    async fn create_multipart_upload(
        &self,
        request: S3Request<CreateMultipartUploadInput>,
    ) -> S3Result<S3Response<CreateMultipartUploadOutput>> {
        self.wait().await;
        let input = request.input;
        self.store.check(&input.bucket)?;
        let about = About {
            key: input.key.clone(),
            content_type: input.content_type,
            metadata: input.metadata,
            ..About::default()
        };
        let upload = Upload { bucket: input.bucket.clone(), about };
        let id = self.uploads.create(&upload).map_err(S3Error::internal_error)?;
        Ok(S3Response::new(CreateMultipartUploadOutput {
            bucket: Some(input.bucket),
            key: Some(input.key),
            upload_id: Some(id),
            ..CreateMultipartUploadOutput::default()
        }))
    }

    async fn upload_part(
        &self,
        request: S3Request<UploadPartInput>,
    ) -> S3Result<S3Response<UploadPartOutput>> {
        let input = request.input;
        self.upload(&input.upload_id, &input.bucket, &input.key)?;
        let staging = self.store.staging();
        let (staged, about) = Staged::receive(staging, input.body, About::default()).await?;
        self.wait().await;
        let e_tag = Some(about.etag());
        self.uploads.put(&input.upload_id, input.part_number, staged, about)?;
        Ok(S3Response::new(UploadPartOutput { e_tag, ..UploadPartOutput::default() }))
    }

    async fn complete_multipart_upload(
        &self,
        request: S3Request<CompleteMultipartUploadInput>,
    ) -> S3Result<S3Response<CompleteMultipartUploadOutput>> {
        let input = request.input;
        let mut about = self.upload(&input.upload_id, &input.bucket, &input.key)?;
        let parts = input.multipart_upload.and_then(|upload| upload.parts).unwrap_or_default();
        let staging = self.store.staging();
        let staged = tokio::task::block_in_place(|| {
            self.uploads.join(&input.upload_id, &parts, staging, &mut about)
        })?;
        self.wait().await;
        let e_tag = Some(about.etag());
        let condition = Condition { matches: input.if_match, matches_not: input.if_none_match };
        self.store.put(&input.bucket, staged, about, &condition)?;
        self.uploads.remove(&input.upload_id)?;
        Ok(S3Response::new(CompleteMultipartUploadOutput {
            bucket: Some(input.bucket),
            key: Some(input.key),
            e_tag,
            ..CompleteMultipartUploadOutput::default()
        }))
    }

    async fn abort_multipart_upload(
        &self,
        request: S3Request<AbortMultipartUploadInput>,
    ) -> S3Result<S3Response<AbortMultipartUploadOutput>> {
        self.wait().await;
        let input = request.input;
        self.upload(&input.upload_id, &input.bucket, &input.key)?;
        self.uploads.remove(&input.upload_id)?;
        Ok(S3Response::new(AbortMultipartUploadOutput::default()))
    }

    async fn list_multipart_uploads(
        &self,
        request: S3Request<ListMultipartUploadsInput>,
    ) -> S3Result<S3Response<ListMultipartUploadsOutput>> {
        self.wait().await;
        let bucket = request.input.bucket;
        self.store.check(&bucket)?;
        let mut uploads = Vec::new();
        for id in self.uploads.ids().map_err(S3Error::internal_error)? {
            // One that ended meanwhile is none.
            if let Ok(upload) = self.uploads.get(&id)
                && upload.bucket == bucket
            {
                uploads.push(MultipartUpload {
                    key: Some(upload.about.key),
                    upload_id: Some(id),
                    ..MultipartUpload::default()
                });
            }
        }
        Ok(S3Response::new(ListMultipartUploadsOutput {
            bucket: Some(bucket),
            is_truncated: Some(false),
            uploads: Some(uploads),
            ..ListMultipartUploadsOutput::default()
        }))
    }
}

impl Service {
    async fn wait(&self) {
        tokio::time::sleep(self.slow).await;
    }

    /// What an upload will be, if the request is for the same object as its beginning was.
    fn upload(&self, id: &str, bucket: &str, key: &str) -> S3Result<About> {
        let upload = self.uploads.get(id)?;
        if upload.bucket != bucket || upload.about.key != key {
            return Err(s3_error!(NoSuchUpload));
        }
        Ok(upload.about)
    }
}

fn read_if(
    about: &About,
    matches: Option<&ETagCondition>,
    matches_not: Option<&ETagCondition>,
) -> S3Result<()> {
    if matches.is_some_and(|condition| !about.fits(condition)) {
        return Err(s3_error!(PreconditionFailed));
    }
    if matches_not.is_some_and(|condition| about.fits(condition)) {
        return Err(s3_error!(NotModified));
    }
    Ok(())
}

/// Without what is known of it, which comes behind.
fn content(mut file: File, range: Range<u64>) -> io::Result<StreamingBlob> {
    file.seek(SeekFrom::Start(range.start))?;
    let file = tokio::fs::File::from_std(file).take(range.end - range.start);
    Ok(StreamingBlob::wrap(ReaderStream::with_capacity(file, 64 * 1024)))
}

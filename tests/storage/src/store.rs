//! Buckets and objects: each object a file, all of them listed in memory under one lock.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io,
    ops::Bound,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard},
};

use s3s::{
    S3Error, S3Result,
    crypto::{Checksum as _, Sha256},
    dto::ETagCondition,
    s3_error,
};

use super::file::{About, Staged, hex};

/// All buckets of a folder.
#[derive(Debug)]
pub(crate) struct Store {
    buckets: PathBuf,
    staging: PathBuf,
    listed: Mutex<BTreeMap<String, Objects>>,
}

/// What is in a bucket, by key, in the order of bytes.
pub(crate) type Objects = BTreeMap<String, About>;

/// What has to be true of the object that is there, if any, for a write to be done.
#[derive(Debug)]
pub(crate) struct Condition {
    pub(crate) matches: Option<ETagCondition>,
    pub(crate) matches_not: Option<ETagCondition>,
}

impl Store {
    /// Reads what is there, and removes what a killed server was writing.
    pub(crate) fn open(folder: &Path) -> io::Result<Self> {
        let (buckets, staging) = (folder.join("buckets"), folder.join("staging"));
        if staging.exists() {
            fs::remove_dir_all(&staging)?;
        }
        fs::create_dir_all(&staging)?;
        fs::create_dir_all(&buckets)?;
        let mut listed = BTreeMap::new();
        for bucket in fs::read_dir(&buckets)? {
            let bucket = bucket?;
            let mut objects = Objects::new();
            for object in fs::read_dir(bucket.path())? {
                let about = About::read(&mut File::open(object?.path())?)?;
                objects.insert(about.key.clone(), about);
            }
            listed.insert(bucket.file_name().to_string_lossy().into_owned(), objects);
        }
        Ok(Self { buckets, staging, listed: Mutex::new(listed) })
    }

    /// Where files are written before they are in place.
    pub(crate) fn staging(&self) -> &Path {
        &self.staging
    }

    /// Makes an empty bucket.
    pub(crate) fn create(&self, bucket: String) -> S3Result<()> {
        let mut listed = self.lock();
        if listed.contains_key(&bucket) {
            return Err(s3_error!(BucketAlreadyOwnedByYou));
        }
        fs::create_dir(self.buckets.join(&bucket)).map_err(S3Error::internal_error)?;
        listed.insert(bucket, Objects::new());
        Ok(())
    }

    /// Removes an empty bucket.
    pub(crate) fn remove(&self, bucket: &str) -> S3Result<()> {
        let mut listed = self.lock();
        if !known(listed.get(bucket))?.is_empty() {
            return Err(s3_error!(BucketNotEmpty));
        }
        fs::remove_dir(self.buckets.join(bucket)).map_err(S3Error::internal_error)?;
        listed.remove(bucket);
        Ok(())
    }

    /// The names of all buckets.
    pub(crate) fn names(&self) -> Vec<String> {
        self.lock().keys().cloned().collect()
    }

    /// Fails where there is no such bucket.
    pub(crate) fn check(&self, bucket: &str) -> S3Result<()> {
        known(self.lock().get(bucket)).map(|_| ())
    }

    /// What is known of an object.
    pub(crate) fn about(&self, bucket: &str, key: &str) -> S3Result<About> {
        let listed = self.lock();
        known(listed.get(bucket))?.get(key).cloned().ok_or_else(|| s3_error!(NoSuchKey))
    }

    /// An object as it is now, whatever is put in its place later.
    pub(crate) fn object(&self, bucket: &str, key: &str) -> S3Result<(File, About)> {
        let listed = self.lock();
        let object = known(listed.get(bucket))?.get(key);
        let about = object.cloned().ok_or_else(|| s3_error!(NoSuchKey))?;
        let file = File::open(self.place(bucket, key)).map_err(S3Error::internal_error)?;
        Ok((file, about))
    }

    /// Puts an object in place if the condition holds, with nothing between the two.
    pub(crate) fn put(
        &self,
        bucket: &str,
        staged: Staged,
        mut about: About,
        condition: &Condition,
    ) -> S3Result<()> {
        let mut listed = self.lock();
        let objects = listed.get_mut(bucket).ok_or_else(|| s3_error!(NoSuchBucket))?;
        condition.check(objects.get(&about.key))?;
        let place = self.place(bucket, &about.key);
        staged.put(&place, &mut about).map_err(S3Error::internal_error)?;
        objects.insert(about.key.clone(), about);
        Ok(())
    }

    /// Removes an object, if it is there.
    pub(crate) fn delete(&self, bucket: &str, key: &str, condition: &Condition) -> S3Result<()> {
        let mut listed = self.lock();
        let objects = listed.get_mut(bucket).ok_or_else(|| s3_error!(NoSuchBucket))?;
        condition.check(objects.get(key))?;
        if objects.contains_key(key) {
            fs::remove_file(self.place(bucket, key)).map_err(S3Error::internal_error)?;
            objects.remove(key);
        }
        Ok(())
    }

    /// What `visit` makes of the objects whose keys come after one.
    pub(crate) fn list<T>(
        &self,
        bucket: &str,
        after: Bound<&str>,
        visit: impl FnOnce(&mut dyn Iterator<Item = &About>) -> T,
    ) -> S3Result<T> {
        let listed = self.lock();
        let objects = known(listed.get(bucket))?;
        let mut found = objects.range::<str, _>((after, Bound::Unbounded)).map(|(_, about)| about);
        Ok(visit(&mut found))
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Objects>> {
        self.listed.lock().expect("no thread panics under the lock")
    }

    /// By a digest: keys are longer than names of files, and may be anything.
    fn place(&self, bucket: &str, key: &str) -> PathBuf {
        self.buckets.join(bucket).join(hex(Sha256::checksum(key.as_bytes()).as_ref()))
    }
}

impl Condition {
    /// Answers as S3 does, also that an `ETag` for an object that is not there is a 404.
    fn check(&self, there: Option<&About>) -> S3Result<()> {
        match (&self.matches, there) {
            (Some(_), None) => return Err(s3_error!(NoSuchKey)),
            (Some(condition), Some(about)) if !about.fits(condition) => {
                return Err(s3_error!(PreconditionFailed, "the ETag is another one"));
            }
            _ => {}
        }
        match (&self.matches_not, there) {
            (Some(condition), Some(about)) if about.fits(condition) => {
                Err(s3_error!(PreconditionFailed, "the object is there"))
            }
            _ => Ok(()),
        }
    }
}

fn known(objects: Option<&Objects>) -> S3Result<&Objects> {
    objects.ok_or_else(|| s3_error!(NoSuchBucket))
}

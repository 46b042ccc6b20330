//! One page of a bucket's objects.

use std::ops::Bound;

use s3s::{
    S3Result,
    dto::{CommonPrefix, EncodingType, ListObjectsV2Input, ListObjectsV2Output, Object},
    s3_error,
};

use super::{
    file::{About, hex},
    store::Store,
};

/// As many as S3 gives at most.
const MAX_KEYS: i32 = 1000;

/// Lists objects, or what their keys have in common up to a delimiter.
pub(crate) fn page(store: &Store, input: ListObjectsV2Input) -> S3Result<ListObjectsV2Output> {
    let prefix = input.prefix.clone().unwrap_or_default();
    let max_keys = input.max_keys.unwrap_or(MAX_KEYS).clamp(0, MAX_KEYS);
    let after = match &input.continuation_token {
        Some(token) => {
            Some(key_of(token).ok_or_else(|| s3_error!(InvalidArgument, "no such token"))?)
        }
        None => input.start_after.clone(),
    };
    let from = match &after {
        Some(after) if *after >= prefix => Bound::Excluded(&**after),
        _ => Bound::Included(&*prefix),
    };
    let mut page = Page { names: Names::new(&input), ..Page::default() };
    let rest = store.list(&input.bucket, from, |objects| {
        for about in objects.take_while(|about| about.key.starts_with(&prefix)) {
            let tail = &about.key[prefix.len()..];
            let delimiter = input.delimiter.as_deref().filter(|it| !it.is_empty());
            let common = delimiter.and_then(|it| Some(&tail[..tail.find(it)? + it.len()]));
            let common = common.map(|common| format!("{prefix}{common}"));
            // A page that ended with a common prefix goes on behind all that has it.
            if common.is_some() && (common == page.common || common.as_ref() == after.as_ref()) {
                continue;
            }
            if page.count == max_keys {
                return true;
            }
            page.add(about, common);
        }
        false
    })?;
    let names = page.names;
    Ok(ListObjectsV2Output {
        is_truncated: Some(rest),
        next_continuation_token: rest.then(|| hex(page.last.as_bytes())),
        key_count: Some(page.count),
        max_keys: Some(max_keys),
        contents: Some(page.objects),
        common_prefixes: Some(page.prefixes),
        continuation_token: input.continuation_token,
        start_after: input.start_after.map(|it| names.write(&it)),
        delimiter: input.delimiter.map(|it| names.write(&it)),
        prefix: Some(names.write(&prefix)),
        encoding_type: input.encoding_type,
        name: Some(input.bucket),
        ..ListObjectsV2Output::default()
    })
}

#[derive(Debug, Default)]
struct Page {
    names: Names,
    objects: Vec<Object>,
    prefixes: Vec<CommonPrefix>,
    count: i32,
    common: Option<String>,
    last: String,
}

impl Page {
    fn add(&mut self, about: &About, common: Option<String>) {
        self.count += 1;
        self.last.clone_from(common.as_ref().unwrap_or(&about.key));
        let name = Some(self.names.write(&self.last));
        if common.is_some() {
            self.prefixes.push(CommonPrefix { prefix: name });
        } else {
            self.objects.push(Object {
                key: name,
                size: Some(about.size.cast_signed()),
                e_tag: Some(about.etag()),
                last_modified: about.modified(),
                ..Object::default()
            });
        }
        self.common = common;
    }
}

/// How names are written.
#[derive(Debug, Default)]
enum Names {
    #[default]
    Plain,
    Encoded,
}

impl Names {
    fn new(input: &ListObjectsV2Input) -> Self {
        let asked = input.encoding_type.as_ref().map(EncodingType::as_str);
        if asked == Some(EncodingType::URL) { Self::Encoded } else { Self::Plain }
    }

    fn write(&self, name: &str) -> String {
        let encode = |byte: u8| match byte {
            b'/' | b'-' | b'.' | b'_' | b'*' => char::from(byte).to_string(),
            _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        };
        match self {
            Self::Plain => name.to_owned(),
            Self::Encoded => name.bytes().map(encode).collect(),
        }
    }
}

/// The key behind which a page begins: a token is its bytes.
fn key_of(token: &str) -> Option<String> {
    let digits = |at| u8::from_str_radix(token.get(at..at + 2)?, 16).ok();
    let bytes = (0..token.len()).step_by(2).map(digits).collect::<Option<_>>()?;
    String::from_utf8(bytes).ok()
}

//! Media types: by the ending of a name, and as people write them.

/// By the ending of a path. None: not one that is known here.
pub(crate) fn by_ending(path: &str) -> Option<&'static str> {
    let ending = path.rsplit('/').next().and_then(|name| name.rsplit_once('.'));
    let ending = ending.map(|(_, ending)| ending.to_ascii_lowercase());
    Some(match ending.as_deref()? {
        "md" | "markdown" => "text/markdown",
        "txt" => "text/plain",
        "json" => "application/json",
        "yaml" | "yml" => "application/yaml",
        "toml" => "application/toml",
        "csv" => "text/csv",
        "html" | "htm" => "text/html",
        "css" => "text/css",
        "xml" => "application/xml",
        "js" | "mjs" => "text/javascript",
        "ts" => "text/x-typescript",
        "py" => "text/x-python",
        "rs" => "text/x-rust",
        "sh" => "application/x-sh",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "svg" => "image/svg+xml",
        "pdf" => "application/pdf",
        "mp3" => "audio/mpeg",
        "wav" => "audio/wav",
        "mp4" => "video/mp4",
        "gz" => "application/gzip",
        "zip" => "application/zip",
        _ => return None,
    })
}

/// `type/subtype`, with or without parameters (RFC 9110, 8.3.1): clients choose by it how to show what they get.
///
/// ASCII alone: it is put into headers.
pub(crate) fn check(media_type: &str) -> Result<(), String> {
    if !media_type.is_ascii() {
        return Err(format!("media type `{}` is not ASCII", media_type.escape_debug()));
    }
    let token = |text: &str| {
        !text.is_empty()
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
    };
    let essence = media_type.split_once(';').map_or(media_type, |(essence, _)| essence).trim_end();
    let is_plain = !media_type.contains(char::is_control);
    match essence.split_once('/') {
        Some((kind, subtype)) if token(kind) && token(subtype) && is_plain => Ok(()),
        _ => Err(format!(
            "media type `{}` is none (expected something like `text/plain`)",
            media_type.escape_debug()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn media_types_are_ascii_parameters_included() {
        for fine in ["text/plain", "text/plain; charset=utf-8", "application/vnd.a+json;v=\"1 2\""]
        {
            assert_eq!(check(fine), Ok(()), "{fine}");
        }
        for bad in
            ["text/plain; name=é", "text/plän", "text", "text/plain;\u{7f}", "a/b;c=\u{2028}"]
        {
            assert!(check(bad).is_err(), "{bad}");
        }
    }
}

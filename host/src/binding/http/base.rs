//! The URL of a connection, and how a path is put behind it so that the result stays below it.

use reqwest::Url;

use crate::binding::{expression::Replaced, segment};

/// Parts of a query that look like a key, where a key in host.json would be read by whoever reads the file.
const SECRET_PARAMETERS: [&str; 14] = [
    "access_token",
    "api-key",
    "api_key",
    "apikey",
    "appid",
    "auth",
    "client_secret",
    "code",
    "key",
    "password",
    "secret",
    "sig",
    "signature",
    "token",
];

/// The URL of a connection. [`Debug`](std::fmt::Debug) shows its place alone.
#[derive(Clone)]
pub(super) struct Base {
    /// Scheme, host and port.
    origin: String,
    /// The path, as it is.
    path: String,
    query: Option<String>,
    /// What people are told: as it is configured, since any part may be a key, and without its query.
    place: String,
}

impl Base {
    /// Reads a URL. Errors hold no part of it.
    pub(super) fn parse(text: &Replaced) -> Result<Self, String> {
        let url: Url =
            text.text().trim().parse().map_err(|error| format!("the url is none: {error}"))?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err("a name or a password does not belong in a url: use `headers`, with `%SETTING%` for the \
                        secret"
                .to_owned());
        }
        if url.fragment().is_some() {
            return Err("a url of a service has no `#`".to_owned());
        }
        let place = text.configured().trim().split('?').next().unwrap_or_default().to_owned();
        Ok(Self {
            origin: url.origin().ascii_serialization(),
            path: url.path().to_owned(),
            query: url.query().map(str::to_owned),
            place,
        })
    }

    /// The parameter of a query that is a key and was written in the open.
    pub(super) fn open_secret(configured: &str) -> Option<&str> {
        let (_, query) = configured.split_once('?')?;
        let mut parameters = query.split('&').filter_map(|pair| pair.split_once('='));
        let is_secret =
            |name: &str| SECRET_PARAMETERS.iter().any(|own| own.eq_ignore_ascii_case(name));
        let found = parameters.find(|(name, value)| is_secret(name) && !value.contains('%'));
        found.map(|(name, _)| name)
    }

    /// It as it is configured, where a setting stands for itself, and without its query.
    pub(super) fn place(&self) -> &str {
        &self.place
    }

    /// Puts a path, which is empty or begins with `/` or `?`, behind it. None: the result would not be what was put
    /// together, but something that a parser makes of it.
    pub(super) fn join(&self, path: &str) -> Option<Url> {
        let (path, query) = match path.split_once('?') {
            None => (path, None),
            Some((path, query)) => (path, Some(query)),
        };
        // A server that decodes a path before it looks at it must not be led out either.
        if !(path.is_empty() || path.starts_with('/')) || segment::hides_dots(path) {
            return None;
        }
        let own =
            if path.is_empty() { self.path.as_str() } else { self.path.trim_end_matches('/') };
        let path = format!("{own}{path}");
        let queries: Vec<&str> = self.query.as_deref().into_iter().chain(query).collect();
        let query = (!queries.is_empty()).then(|| queries.join("&"));
        let mut text = format!("{}{path}", self.origin);
        if let Some(query) = &query {
            text.push('?');
            text.push_str(query);
        }
        let url: Url = text.parse().ok()?;
        let is_same = url.origin().ascii_serialization() == self.origin
            && url.username().is_empty()
            && url.password().is_none()
            && url.path() == path
            && url.query() == query.as_deref()
            && url.fragment().is_none();
        is_same.then_some(url)
    }
}

impl std::fmt::Debug for Base {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Base").field(&self.place).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binding::expression::replace_settings;

    #[track_caller]
    fn check(base: &str, path: &str, joined: Option<&str>) {
        let url = Base::parse(&Replaced::nothing_in(base)).unwrap().join(path);
        assert_eq!(url.as_ref().map(Url::as_str), joined);
    }

    #[test]
    fn a_path_is_put_behind_the_url_and_a_query_to_its_query() {
        check("https://a.example", "", Some("https://a.example/"));
        check("https://a.example", "/x", Some("https://a.example/x"));
        check("https://a.example:443/v1/", "/x?y=1", Some("https://a.example/v1/x?y=1"));
        check("https://a.example/v1/", "", Some("https://a.example/v1/"));
        check("https://a.example/v1", "?y=1", Some("https://a.example/v1?y=1"));
        check(
            "HTTP://A.example:8080/v1?k=1",
            "/x?y=%2F",
            Some("http://a.example:8080/v1/x?k=1&y=%2F"),
        );
        check("https://a.example/v1", "//b.example/x", Some("https://a.example/v1//b.example/x"));
    }

    #[test]
    fn a_setting_stands_for_itself_wherever_it_is() {
        let setting = |name: &str| match name {
            "HOST" => Some("secret.example".to_owned()),
            "WHOLE" => Some("https://secret.example/secret?k=secret".to_owned()),
            _ => Some("secret".to_owned()),
        };
        for (configured, place) in [
            ("https://api.example/%KEY%/v1?k=%KEY%", "https://api.example/%KEY%/v1"),
            ("https://%KEY%.example/v1", "https://%KEY%.example/v1"),
            ("https://%HOST%:8080", "https://%HOST%:8080"),
            ("%WHOLE%", "%WHOLE%"),
            ("https://api.example?k=plain", "https://api.example"),
        ] {
            let base = Base::parse(&replace_settings(configured, &setting).unwrap()).unwrap();
            assert_eq!(base.place(), place);
            let shown = format!("{base:?}");
            assert!(!shown.contains("secret") && !shown.contains("plain"), "{shown}");
        }
    }

    #[test]
    fn what_a_parser_would_change_is_none() {
        for path in [
            "/../x",
            "/%2e%2E/x",
            "/a/.",
            "/a\\..\\x",
            "/a\tb",
            "/a#b",
            "/a b",
            "/é",
            "/x?a'b",
            "@b/x",
        ] {
            check("https://a.example/v1", path, None);
        }
    }
}

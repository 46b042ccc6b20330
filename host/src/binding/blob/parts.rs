//! The details of a connection: settings `NAME__part`, as Azure names them.

/// Every part that some kind of connection knows.
const ALL: [&str; 16] = [
    "accessKeyId",
    "accountName",
    "blobServiceUri",
    "clientId",
    "clientSecret",
    "credential",
    "endpoint",
    "managedIdentityResourceId",
    "pathStyle",
    "queueServiceUri",
    "region",
    "secretAccessKey",
    "serviceAccountKey",
    "serviceUri",
    "sessionToken",
    "tenantId",
];

/// Looks up the parts of one connection.
pub(super) struct Parts<'a> {
    connection: &'a str,
    settings: &'a dyn Fn(&str) -> Option<String>,
}

impl<'a> Parts<'a> {
    pub(super) fn new(connection: &'a str, settings: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self { connection, settings }
    }

    /// A part. Azure takes `:` for `__` where a file may have it, and `AzureWebJobs` before every name.
    pub(super) fn get(&self, part: &str) -> Option<String> {
        ["", "AzureWebJobs"].iter().find_map(|prefix| self.with_prefix(prefix, part))
    }

    /// A part under the very name of the connection: what says where the storage is has its turn under every name.
    pub(super) fn own(&self, part: &str) -> Option<String> {
        self.with_prefix("", part)
    }

    fn with_prefix(&self, prefix: &str, part: &str) -> Option<String> {
        let connection = self.connection;
        self.setting(&format!("{prefix}{connection}__{part}"))
            .or_else(|| self.setting(&format!("{prefix}{connection}:{part}")))
    }

    /// What a part is called, for messages.
    pub(super) fn name(&self, part: &str) -> String {
        format!("`{}__{part}`", self.connection)
    }

    /// A setting of its own; an empty one is as good as none.
    pub(super) fn setting(&self, name: &str) -> Option<String> {
        let value = (self.settings)(name)?;
        // A secret from a file often ends with a line break.
        let value = value.trim();
        (!value.is_empty()).then(|| value.to_owned())
    }

    /// Refuses the parts that a kind of connection does not have: whoever set them expects something of them.
    pub(super) fn only(&self, kind: &str, known: &[&str]) -> Result<(), String> {
        // Headers and addresses are made of them; a service account key is JSON on many lines.
        let is_broken = |value: &str| value.trim().contains(char::is_control);
        let mut lines = known.iter().filter(|part| **part != "serviceAccountKey");
        if let Some(part) = lines.find(|part| self.get(part).is_some_and(|value| is_broken(&value)))
        {
            return Err(format!("the setting {} holds a control character", self.name(part)));
        }
        let foreign = ALL.iter().find(|part| !known.contains(part) && self.get(part).is_some());
        match foreign {
            None => Ok(()),
            Some(part) => Err(format!("the setting {} does not go with {kind}", self.name(part))),
        }
    }

    /// Two parts that make sense together only.
    pub(super) fn both(
        &self,
        [first, second]: [&str; 2],
    ) -> Result<Option<(String, String)>, String> {
        match (self.get(first), self.get(second)) {
            (Some(one), Some(other)) => Ok(Some((one, other))),
            (None, None) => Ok(None),
            (Some(_), None) => Err(self.lacks(first, second)),
            (None, Some(_)) => Err(self.lacks(second, first)),
        }
    }

    /// What to say where a part is there without the one that it needs.
    pub(super) fn lacks(&self, there: &str, missing: &str) -> String {
        format!(
            "the setting {} needs {} beside it, which has no value",
            self.name(there),
            self.name(missing)
        )
    }
}

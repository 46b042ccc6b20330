//! The methods that are served: a closed set, so that the compiler lists what each era must answer.

/// A method of either era.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// `server/discover`, modern only.
    Discover,
    /// `initialize`, legacy only.
    Initialize,
    /// `ping`, legacy only.
    Ping,
    /// `tools/list`
    ToolsList,
    /// `tools/call`
    ToolsCall,
}

impl Method {
    /// Finds a method. Names are case-sensitive.
    pub(super) fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "server/discover" => Self::Discover,
            "initialize" => Self::Initialize,
            "ping" => Self::Ping,
            "tools/list" => Self::ToolsList,
            "tools/call" => Self::ToolsCall,
            _ => return None,
        })
    }

    /// Whether it runs a function, and so may take its time.
    pub(super) fn runs_function(self) -> bool {
        match self {
            Self::ToolsCall => true,
            Self::Discover | Self::Initialize | Self::Ping | Self::ToolsList => false,
        }
    }

    /// Its name, for the log: what a client made up never gets there.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Discover => "server/discover",
            Self::Initialize => "initialize",
            Self::Ping => "ping",
            Self::ToolsList => "tools/list",
            Self::ToolsCall => "tools/call",
        }
    }
}

//! The methods that are served: closed sets, so that the compiler lists what each era must answer.

/// A method of either era.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// `server/discover`, modern only.
    Discover,
    /// `initialize`, legacy only.
    Initialize,
    /// `ping`, legacy only.
    Ping,
    /// `logging/setLevel`, legacy only.
    SetLevel,
    /// One that is answered from what is written down.
    List(List),
    /// `tools/call`
    ToolsCall,
    /// `resources/read`
    ResourcesRead,
    /// `resources/subscribe`, legacy only.
    ResourcesSubscribe,
    /// `resources/unsubscribe`, legacy only.
    ResourcesUnsubscribe,
    /// `prompts/get`
    PromptsGet,
    /// `completion/complete`
    CompletionComplete,
    /// `tasks/get`, modern only.
    TasksGet,
    /// `tasks/update`, modern only.
    TasksUpdate,
    /// `tasks/cancel`, modern only.
    TasksCancel,
    /// `subscriptions/listen`, modern only.
    Listen,
}

/// A method that is answered from what is written down for each version, in both eras.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum List {
    /// `tools/list`
    Tools,
    /// `resources/list`
    Resources,
    /// `resources/templates/list`
    Templates,
    /// `resources/directory/read`
    Directory,
    /// `prompts/list`
    Prompts,
    /// `skills/list`
    Skills,
    /// `skills/get`
    Skill,
}

impl Method {
    /// Finds a method. Names are case-sensitive.
    pub(super) fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "server/discover" => Self::Discover,
            "initialize" => Self::Initialize,
            "ping" => Self::Ping,
            "logging/setLevel" => Self::SetLevel,
            "tools/list" => Self::List(List::Tools),
            "resources/list" => Self::List(List::Resources),
            "resources/templates/list" => Self::List(List::Templates),
            "resources/directory/read" => Self::List(List::Directory),
            "prompts/list" => Self::List(List::Prompts),
            "skills/list" => Self::List(List::Skills),
            "skills/get" => Self::List(List::Skill),
            "tools/call" => Self::ToolsCall,
            "resources/read" => Self::ResourcesRead,
            "resources/subscribe" => Self::ResourcesSubscribe,
            "resources/unsubscribe" => Self::ResourcesUnsubscribe,
            "prompts/get" => Self::PromptsGet,
            "completion/complete" => Self::CompletionComplete,
            "tasks/get" => Self::TasksGet,
            "tasks/update" => Self::TasksUpdate,
            "tasks/cancel" => Self::TasksCancel,
            "subscriptions/listen" => Self::Listen,
            _ => return None,
        })
    }

    /// Whether it may take its time, and be cancelled.
    pub(super) fn takes_time(self) -> bool {
        match self {
            Self::ToolsCall
            | Self::ResourcesRead
            | Self::PromptsGet
            | Self::CompletionComplete
            | Self::TasksUpdate
            | Self::Listen => true,
            Self::Discover
            | Self::Initialize
            | Self::Ping
            | Self::SetLevel
            | Self::List(_)
            | Self::ResourcesSubscribe
            | Self::ResourcesUnsubscribe
            | Self::TasksGet
            | Self::TasksCancel => false,
        }
    }

    /// Its name, for the log: what a client made up never gets there.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Discover => "server/discover",
            Self::Initialize => "initialize",
            Self::Ping => "ping",
            Self::SetLevel => "logging/setLevel",
            Self::List(List::Tools) => "tools/list",
            Self::List(List::Resources) => "resources/list",
            Self::List(List::Templates) => "resources/templates/list",
            Self::List(List::Directory) => "resources/directory/read",
            Self::List(List::Prompts) => "prompts/list",
            Self::List(List::Skills) => "skills/list",
            Self::List(List::Skill) => "skills/get",
            Self::ToolsCall => "tools/call",
            Self::ResourcesRead => "resources/read",
            Self::ResourcesSubscribe => "resources/subscribe",
            Self::ResourcesUnsubscribe => "resources/unsubscribe",
            Self::PromptsGet => "prompts/get",
            Self::CompletionComplete => "completion/complete",
            Self::TasksGet => "tasks/get",
            Self::TasksUpdate => "tasks/update",
            Self::TasksCancel => "tasks/cancel",
            Self::Listen => "subscriptions/listen",
        }
    }
}

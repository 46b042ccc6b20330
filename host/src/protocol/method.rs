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
    /// `logging/setLevel`, legacy only.
    SetLevel,
    /// `resources/subscribe`, legacy only.
    ResourcesSubscribe,
    /// `resources/unsubscribe`, legacy only.
    ResourcesUnsubscribe,
    /// `tasks/get`, modern only.
    TasksGet,
    /// `tasks/update`, modern only.
    TasksUpdate,
    /// `tasks/cancel`, modern only.
    TasksCancel,
    /// `subscriptions/listen`, modern only.
    Listen,
    /// `resources/list`
    ResourcesList,
    /// `resources/templates/list`
    ResourcesTemplatesList,
    /// `resources/read`
    ResourcesRead,
    /// `resources/directory/read`
    ResourcesDirectoryRead,
    /// `prompts/list`
    PromptsList,
    /// `prompts/get`
    PromptsGet,
    /// `completion/complete`
    CompletionComplete,
    /// `skills/list`
    SkillsList,
    /// `skills/get`
    SkillsGet,
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
            "logging/setLevel" => Self::SetLevel,
            "resources/subscribe" => Self::ResourcesSubscribe,
            "resources/unsubscribe" => Self::ResourcesUnsubscribe,
            "tasks/get" => Self::TasksGet,
            "tasks/update" => Self::TasksUpdate,
            "tasks/cancel" => Self::TasksCancel,
            "subscriptions/listen" => Self::Listen,
            "resources/list" => Self::ResourcesList,
            "resources/templates/list" => Self::ResourcesTemplatesList,
            "resources/read" => Self::ResourcesRead,
            "resources/directory/read" => Self::ResourcesDirectoryRead,
            "prompts/list" => Self::PromptsList,
            "prompts/get" => Self::PromptsGet,
            "completion/complete" => Self::CompletionComplete,
            "skills/list" => Self::SkillsList,
            "skills/get" => Self::SkillsGet,
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
            | Self::Listen => true,
            Self::Discover
            | Self::Initialize
            | Self::Ping
            | Self::ToolsList
            | Self::SetLevel
            | Self::ResourcesSubscribe
            | Self::ResourcesUnsubscribe
            | Self::TasksGet
            | Self::TasksUpdate
            | Self::TasksCancel
            | Self::ResourcesList
            | Self::ResourcesTemplatesList
            | Self::ResourcesDirectoryRead
            | Self::PromptsList
            | Self::SkillsList
            | Self::SkillsGet => false,
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
            Self::SetLevel => "logging/setLevel",
            Self::ResourcesSubscribe => "resources/subscribe",
            Self::ResourcesUnsubscribe => "resources/unsubscribe",
            Self::TasksGet => "tasks/get",
            Self::TasksUpdate => "tasks/update",
            Self::TasksCancel => "tasks/cancel",
            Self::Listen => "subscriptions/listen",
            Self::ResourcesList => "resources/list",
            Self::ResourcesTemplatesList => "resources/templates/list",
            Self::ResourcesRead => "resources/read",
            Self::ResourcesDirectoryRead => "resources/directory/read",
            Self::PromptsList => "prompts/list",
            Self::PromptsGet => "prompts/get",
            Self::CompletionComplete => "completion/complete",
            Self::SkillsList => "skills/list",
            Self::SkillsGet => "skills/get",
        }
    }
}

//! All functions of the host, by name.

use std::{collections::HashMap, sync::Arc};

use super::{ComponentName, Function};

/// All functions, in a fixed order, found by the name that the client uses.
#[derive(Debug, Default)]
pub struct Catalog {
    functions: Vec<Arc<Function>>,
    tools: HashMap<String, usize>,
}

/// Two functions want one name. Names are unique, case ignored.
#[derive(Debug)]
pub struct NameTaken {
    /// `function` or `tool`.
    pub what: &'static str,
    /// The name as the second one wrote it.
    pub name: String,
    /// The component that had it first.
    pub first: Arc<ComponentName>,
    /// The component that wants it too.
    pub second: Arc<ComponentName>,
}

impl Catalog {
    /// Orders the functions by tool name and numbers them, so that every replica lists them alike.
    pub fn new(mut functions: Vec<Function>) -> Result<Self, NameTaken> {
        functions.sort_by(|a, b| a.tool().name.cmp(&b.tool().name));
        let mut names: HashMap<String, usize> = HashMap::new();
        let mut tools: HashMap<String, usize> = HashMap::new();
        for (index, function) in functions.iter().enumerate() {
            let taken = |what, name: &str, first: usize| NameTaken {
                what,
                name: name.to_owned(),
                first: Arc::clone(&functions[first].component),
                second: Arc::clone(&function.component),
            };
            let tool = &function.tool().name;
            if let Some(first) = tools.insert(fold(tool), index) {
                return Err(taken("tool", tool, first));
            }
            if let Some(first) = names.insert(fold(&function.name), index) {
                return Err(taken("function", &function.name, first));
            }
        }
        let number = |(index, function)| Arc::new(Function { index, ..function });
        Ok(Self { functions: functions.into_iter().enumerate().map(number).collect(), tools })
    }

    /// Every function, ordered by tool name.
    pub fn functions(&self) -> &[Arc<Function>] {
        &self.functions
    }

    /// The function behind a tool name, case ignored as in Azure Functions.
    pub fn tool(&self, name: &str) -> Option<&Arc<Function>> {
        // The exact spelling is the common one: fold only names that have something to fold.
        let index = if name.bytes().any(|b| b.is_ascii_uppercase() || !b.is_ascii()) {
            self.tools.get(&fold(name))
        } else {
            self.tools.get(name)
        };
        index.map(|&index| &self.functions[index])
    }
}

fn fold(name: &str) -> String {
    name.to_lowercase()
}

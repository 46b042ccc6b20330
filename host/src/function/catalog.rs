//! All functions and skills of the host, by name.

#[cfg(test)]
mod tests;

use std::{
    cmp::Reverse,
    collections::{HashMap, hash_map::Entry},
    sync::Arc,
};

use super::{ComponentName, Function, ResourceUri, Skill, SkillFile, Trigger, Variables};

/// All functions and skills, in a fixed order, found by the names that clients use.
#[derive(Debug, Default)]
pub struct Catalog {
    functions: Vec<Arc<Function>>,
    skills: Vec<Arc<Skill>>,
    names: HashMap<String, usize>,
    tools: HashMap<String, usize>,
    prompts: HashMap<String, usize>,
    resources: HashMap<String, usize>,
    // Those with the most fixed text first.
    templates: Vec<usize>,
    // A skill, and a file of it.
    files: HashMap<String, (usize, usize)>,
}

/// Two functions or skills want one name. Names are unique; case is ignored, except in a URI.
#[derive(Debug)]
pub struct NameTaken {
    /// `function`, `tool`, `prompt`, `resource` or `skill`.
    pub what: &'static str,
    /// The name as the second one wrote it.
    pub name: String,
    /// The component that had it first.
    pub first: Arc<ComponentName>,
    /// The component that wants it too.
    pub second: Arc<ComponentName>,
}

impl Catalog {
    /// Orders the functions by kind and name and numbers them, so that every replica lists them alike.
    pub fn new(
        mut functions: Vec<Function>,
        mut skills: Vec<Arc<Skill>>,
    ) -> Result<Self, NameTaken> {
        let order =
            |function: &Function| (function.trigger.rank(), function.trigger.name().to_owned());
        functions.sort_by_cached_key(order);
        skills.sort_by(|a, b| a.name.cmp(&b.name));
        let mut catalog = Self::default();
        catalog.add_skills(&skills)?;
        let mut shapes = HashMap::new();
        for (index, function) in functions.iter().enumerate() {
            let name = function.trigger.name();
            let (table, key) = match &function.trigger {
                Trigger::Tool(_) => (&mut catalog.tools, fold(name)),
                Trigger::Prompt(_) => (&mut catalog.prompts, fold(name)),
                Trigger::Resource(resource) => match &resource.uri {
                    ResourceUri::Fixed(uri) => {
                        if let Some((skill, _)) = catalog.files.get(uri) {
                            let first = &skills[*skill].component;
                            return Err(taken("resource", uri, first, &function.component));
                        }
                        (&mut catalog.resources, uri.clone())
                    }
                    ResourceUri::Template(template) => {
                        catalog.templates.push(index);
                        (&mut shapes, template.shape())
                    }
                },
            };
            let component = |index: usize| &functions[index].component;
            if let Some(first) = table.insert(key, index) {
                let kind = function.trigger.kind();
                return Err(taken(kind, name, component(first), &function.component));
            }
            if let Some(first) = catalog.names.insert(fold(&function.name), index) {
                let (first, second) = (component(first), &function.component);
                return Err(taken("function", &function.name, first, second));
            }
        }
        let literal_len = |index: &usize| match &functions[*index].trigger {
            Trigger::Resource(resource) => match &resource.uri {
                ResourceUri::Template(template) => template.literal_len(),
                ResourceUri::Fixed(_) => 0,
            },
            Trigger::Tool(_) | Trigger::Prompt(_) => 0,
        };
        // Stable: of equal ones the first by name.
        catalog.templates.sort_by_key(|index| Reverse(literal_len(index)));
        let number = |(index, function)| Arc::new(Function { index, ..function });
        catalog.functions = functions.into_iter().enumerate().map(number).collect();
        catalog.skills = skills;
        Ok(catalog)
    }

    fn add_skills(&mut self, skills: &[Arc<Skill>]) -> Result<(), NameTaken> {
        for (index, skill) in skills.iter().enumerate() {
            // Names of skills have no upper case, and they are in order.
            if let Some(before) = index.checked_sub(1).map(|before| &skills[before])
                && before.name == skill.name
            {
                return Err(taken("skill", &skill.name, &before.component, &skill.component));
            }
            for (file_index, file) in skill.files.iter().enumerate() {
                match self.files.entry(file.uri.clone()) {
                    Entry::Vacant(vacant) => _ = vacant.insert((index, file_index)),
                    Entry::Occupied(_) => unreachable!("the name is in it, and paths are unique"),
                }
            }
        }
        Ok(())
    }

    /// Every function: tools, resources, prompts, each ordered by name.
    pub fn functions(&self) -> &[Arc<Function>] {
        &self.functions
    }

    /// Every skill, ordered by name.
    pub fn skills(&self) -> &[Arc<Skill>] {
        &self.skills
    }

    /// The function of this name, which is the one in host.json; case is ignored.
    pub fn function(&self, name: &str) -> Option<&Arc<Function>> {
        self.find(&self.names, name)
    }

    /// The function behind the name of a tool, case ignored as in Azure Functions.
    pub fn tool(&self, name: &str) -> Option<&Arc<Function>> {
        self.find(&self.tools, name)
    }

    /// The function behind the name of a prompt, case ignored as in Azure Functions.
    pub fn prompt(&self, name: &str) -> Option<&Arc<Function>> {
        self.find(&self.prompts, name)
    }

    /// The function that a URI is read from, and what the URI says for its variables. A fixed URI comes before a
    /// template, and of templates the one with the most fixed text.
    pub fn resource(&self, uri: &str) -> Option<(&Arc<Function>, Variables<'_>)> {
        if let Some(&index) = self.resources.get(uri) {
            return Some((&self.functions[index], Vec::new()));
        }
        self.templates.iter().find_map(|&index| {
            let function = &self.functions[index];
            match &function.resource()?.uri {
                ResourceUri::Template(template) => Some((function, template.values(uri)?)),
                ResourceUri::Fixed(_) => None,
            }
        })
    }

    /// The function behind a template, or a fixed URI, as it is listed.
    pub fn template(&self, text: &str) -> Option<&Arc<Function>> {
        let listed = self.templates.iter().chain(self.resources.get(text));
        listed.map(|&index| &self.functions[index]).find(|function| function.trigger.name() == text)
    }

    /// The file of a skill that is read under a URI.
    pub fn file(&self, uri: &str) -> Option<(&Arc<Skill>, &SkillFile)> {
        let &(skill, file) = self.files.get(uri)?;
        let skill = &self.skills[skill];
        Some((skill, &skill.files[file]))
    }

    fn find(&self, table: &HashMap<String, usize>, name: &str) -> Option<&Arc<Function>> {
        // The exact spelling is the common one: fold only names that have something to fold.
        let index = if name.bytes().any(|b| b.is_ascii_uppercase() || !b.is_ascii()) {
            table.get(&fold(name))
        } else {
            table.get(name)
        };
        index.map(|&index| &self.functions[index])
    }
}

fn fold(name: &str) -> String {
    name.to_lowercase()
}

fn taken(
    what: &'static str,
    name: &str,
    first: &Arc<ComponentName>,
    second: &Arc<ComponentName>,
) -> NameTaken {
    NameTaken { what, name: name.to_owned(), first: Arc::clone(first), second: Arc::clone(second) }
}

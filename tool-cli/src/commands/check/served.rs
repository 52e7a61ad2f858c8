//! The tools that the calls of a line are checked against.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use serde_json::Value;
use tool_core::{Catalogue, Dialect, Tool};

/// Tools, and those whose definitions cannot be used.
#[derive(Debug)]
pub(super) struct Served {
    pub(super) catalogue: Catalogue,
    /// By name, why a tool cannot be.
    pub(super) broken: HashMap<String, String>,
}

impl From<Catalogue> for Served {
    fn from(catalogue: Catalogue) -> Self {
        Self {
            catalogue,
            broken: HashMap::new(),
        }
    }
}

impl Served {
    /// Tools with these definitions, which are only good for checking.
    pub(super) fn import(definitions: &Value, dialect: Dialect) -> Result<Self, String> {
        let definitions = dialect
            .import(definitions)
            .map_err(|error| error.to_string())?;
        let mut names = HashSet::new();
        let mut broken = HashMap::new();
        let mut tools = Vec::with_capacity(definitions.len());
        for definition in definitions {
            let name = definition.name.clone();
            if !names.insert(name.clone()) {
                return Err(format!("two are named '{name}'"));
            }
            match Tool::new(definition, |_, _| async {}) {
                Ok(tool) => tools.push(tool),
                Err(error) => {
                    broken.insert(name, error.to_string());
                }
            }
        }
        let catalogue = Catalogue::new(tools).map_err(|error| error.to_string())?;
        Ok(Self { catalogue, broken })
    }
}

/// The lists of tools that lines bring, each compiled once.
#[derive(Debug)]
pub(super) struct ServedLists {
    dialect: Dialect,
    by_text: HashMap<Box<str>, Rc<Served>>,
    bytes: usize,
}

/// What is kept, in bytes of the lists' text. The compiled tools take a
/// multiple of it, and a recording with more lists than this repeats few.
const MOST_BYTES: usize = 8 * 1024 * 1024;

impl ServedLists {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            by_text: HashMap::new(),
            bytes: 0,
        }
    }

    /// The tools of a list, from its text.
    pub(super) fn get(&mut self, text: &str) -> Result<Rc<Served>, String> {
        if let Some(served) = self.by_text.get(text) {
            return Ok(Rc::clone(served));
        }
        let definitions: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let served = Rc::new(Served::import(&definitions, self.dialect)?);
        if self.bytes + text.len() > MOST_BYTES {
            self.by_text.clear();
            self.bytes = 0;
        }
        self.bytes += text.len();
        self.by_text.insert(text.into(), Rc::clone(&served));
        Ok(served)
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_BYTES, ServedLists};
    use std::rc::Rc;
    use tool_core::Dialect;

    #[test]
    fn the_same_list_is_compiled_once_and_memory_is_bounded() {
        let mut lists = ServedLists::new(Dialect::OpenAi);
        let list = r#"[{"type":"function","function":{"name":"a"}}]"#;
        let first = lists.get(list).unwrap();
        assert!(Rc::ptr_eq(&first, &lists.get(list).unwrap()));

        let long = list.replace('[', &format!("[{}", " ".repeat(MOST_BYTES)));
        lists.get(&long).unwrap();
        assert_eq!(lists.by_text.len(), 1);
    }
}

//! Variables whose value is written in the same file.

use super::UNKNOWN;
use rustc_hash::FxHashMap;

/// Values by name. A variable that is given twice with different values is unknown.
#[derive(Debug, Clone, Default)]
pub(super) struct Variables {
    values: FxHashMap<String, Option<String>>,
}

/// Longer values are no paths.
const MAX_VALUE: usize = 4096;

impl Variables {
    /// Notes an assignment. `value` may use variables that are known by now.
    pub fn set(&mut self, name: &str, value: String) {
        let value = (value.len() <= MAX_VALUE).then_some(value);
        match self.values.get_mut(name) {
            None => {
                self.values.insert(name.to_owned(), value);
            }
            Some(known) if *known == value => {}
            Some(known) => *known = None,
        }
    }

    /// A variable that changes while the file runs: of a loop, an argument.
    pub fn forget(&mut self, name: &str) {
        self.values.insert(name.to_owned(), None);
    }

    /// The value of a variable, or its name between marks.
    pub fn expand(&self, name: &str) -> String {
        match self.values.get(name) {
            Some(Some(value)) => value.clone(),
            _ => format!("{UNKNOWN}{name}{UNKNOWN}"),
        }
    }
}

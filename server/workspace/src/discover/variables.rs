//! Variables whose value is in the same file.

use super::UNKNOWN;
use rustc_hash::FxHashMap;

/// Values by name. A variable that is set twice to different values is unknown.
#[derive(Debug, Clone, Default)]
pub(super) struct Variables {
    values: FxHashMap<String, Option<String>>,
    /// They only expand: what looks like an assignment is text.
    frozen: bool,
}

/// Longer values are not paths.
const MAX_VALUE: usize = 4096;

impl Variables {
    /// Records an assignment. `value` may use variables that are already known.
    pub fn set(&mut self, name: &str, value: String) {
        if self.frozen {
            return;
        }
        let value = (value.len() <= MAX_VALUE).then_some(value);
        match self.values.get_mut(name) {
            None => {
                self.values.insert(name.to_owned(), value);
            }
            Some(known) if *known == value => {}
            Some(known) => *known = None,
        }
    }

    /// A variable that changes while the file runs: a loop variable, an argument.
    pub fn forget(&mut self, name: &str) {
        if self.frozen {
            return;
        }
        self.values.insert(name.to_owned(), None);
    }

    /// Uses the variables to read a text that assigns none.
    pub fn while_frozen<T>(&mut self, read: impl FnOnce(&mut Variables) -> T) -> T {
        let before = std::mem::replace(&mut self.frozen, true);
        let result = read(self);
        self.frozen = before;
        result
    }

    /// The value of a variable, or its name between marks.
    pub fn expand(&self, name: &str) -> String {
        match self.values.get(name) {
            Some(Some(value)) => value.clone(),
            _ => format!("{UNKNOWN}{name}{UNKNOWN}"),
        }
    }
}

//! Which patterns are compared with a file: most are for one file name.

use crate::names::is_special;
use rustc_hash::FxHashMap;

/// A pattern of an entry, by their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub entry: usize,
    pub pattern: usize,
}

/// The patterns of all entries.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    /// Those whose last part is a name, by that name.
    named: FxHashMap<String, Vec<Place>>,
    /// All others.
    others: Vec<Place>,
}

impl Patterns {
    /// Adds the patterns of the entry with this number.
    pub fn add(&mut self, entry: usize, patterns: &[String]) {
        for (number, pattern) in patterns.iter().enumerate() {
            let place = Place { entry, pattern: number };
            let name = pattern.rsplit('/').next().unwrap_or_default();
            // A brace may contain slashes.
            if name.bytes().any(is_special) || pattern.contains('{') {
                self.others.push(place);
            } else {
                self.named.entry(name.to_owned()).or_default().push(place);
            }
        }
    }

    /// Those that a file at this path, with slashes, has to be compared with, in the order of the entries.
    pub fn for_file(&self, path: &str) -> Vec<Place> {
        let name = path.rsplit('/').next().unwrap_or_default();
        let named = self.named.get(name).map(Vec::as_slice).unwrap_or_default();
        let mut places = [named, &self.others].concat();
        places.sort_unstable();
        places
    }
}

//! Which keys a map cannot have beside those that it has, where an editor asks for that.

use super::decoded::Decoded;
use lofting_schema::Step;

/// A map in which a key is written.
pub(super) struct AskedKeys {
    /// The way from the document's root. Indices of items are not known.
    path: Vec<Step>,
    /// A place in it.
    at: usize,
    /// Where the last map began that is it, as far as is known.
    start: usize,
    /// The keys that it cannot have.
    excluded: Vec<&'static str>,
}

impl AskedKeys {
    /// The map at the end of a path, and a place in it.
    pub fn new(path: &[Step], at: usize) -> Self {
        AskedKeys { path: path.to_vec(), at, start: 0, excluded: Vec::new() }
    }

    /// The keys that the map cannot have.
    pub fn excluded(self) -> Vec<&'static str> {
        self.excluded
    }

    /// Notes that a map can have one of these keys, and has some.
    pub fn one_of(&mut self, holder: &Decoded<'_>, keys: &[&'static str], there: &[Decoded<'_>]) {
        // The key at the place is being written.
        let at = self.at;
        let is_written = |field: &Decoded<'_>| {
            let key = field.steps().key_range();
            at < key.start || key.end < at
        };
        if self.is_it(holder) && there.iter().any(is_written) {
            self.excluded.extend(keys.iter().filter(|key| !there.iter().any(|own| own.is_called(key))));
        }
    }

    /// Whether the map is the one that is asked for. Of several, it is the one that begins last.
    fn is_it(&mut self, holder: &Decoded<'_>) -> bool {
        let (path, range) = (holder.steps().path(), holder.steps().value().range());
        let is_same = |(own, asked): (&Step, &Step)| match (own, asked) {
            (Step::Index(_), Step::Item) => true,
            (own, asked) => own == asked,
        };
        let is_it = range.start <= self.at
            && range.start >= self.start
            && path.len() == self.path.len()
            && path.iter().zip(&self.path).all(is_same);
        if is_it && range.start > self.start {
            self.start = range.start;
            self.excluded.clear();
        }
        // What is written after a map belongs to no map yet.
        is_it && self.at <= range.end
    }
}

//! What is remembered of the parts of a file, each with a schema of its own.

use super::CheckMemo;
use lofting_memo::Stamp;
use rustc_hash::{FxHashMap, FxHashSet};

/// A schema of parts of a file: what stands for its meaning, and the address of a built-in one, which all share one stamp.
pub type PartSchema = (Stamp, usize);

/// The numbers of schemas of parts.
pub type PartNumbers = FxHashMap<PartSchema, u16>;

/// The number of all schemas beyond those that are numbered: nothing is remembered for these.
pub const FURTHER: u16 = u16::MAX;

impl CheckMemo {
    /// Starts a check of parts with schemas of their own, and gives these numbers, from 1; [`FURTHER`] if there are too
    /// many. What was found with other schemas is forgotten: a schema in the file itself changes with each edit above it,
    /// and the others stay as they are.
    pub fn begin_parts(&mut self, schemas: &FxHashSet<PartSchema>) -> PartNumbers {
        if self.made_with != (Vec::new(), None) || self.schema.is_some() {
            self.made_with = (Vec::new(), None);
            self.schema = None;
            self.forget_values();
        }
        let gone: FxHashSet<u16> =
            self.parts.iter().filter(|(schema, _)| !schemas.contains(schema)).map(|(_, number)| *number).collect();
        if !gone.is_empty() {
            self.parts.retain(|_, number| !gone.contains(number));
            self.forget_parts(&gone);
        }
        let new = schemas.iter().filter(|schema| !self.parts.contains_key(schema)).count();
        if usize::from(self.last_part) + new >= usize::from(FURTHER) {
            self.forget_values();
        }
        for schema in schemas {
            if !self.parts.contains_key(schema) && self.last_part + 1 < FURTHER {
                self.last_part += 1;
                self.parts.insert(*schema, self.last_part);
            }
        }
        self.sweep_if_large();
        self.parts.clone()
    }

    /// Whether no part has had a schema yet.
    pub fn has_no_parts(&self) -> bool {
        self.made_with == (Vec::new(), None) && self.last_part == 0
    }

    /// Whether nothing is remembered of keys.
    pub fn knows_no_keys(&self) -> bool {
        self.clean.documents.is_empty() && self.clean.nodes.is_empty()
    }

    /// One for other parts of the same tree, where what is known of the keys of documents counts as well.
    #[must_use]
    pub fn beside(&self) -> CheckMemo {
        CheckMemo { clean: self.clean.of_documents(), ..CheckMemo::default() }
    }

    /// Adds what was remembered of other parts of the tree, with the same schemas. What has aliases is left out: what their
    /// numbers stand for is known to each memo alone.
    pub fn absorb(&mut self, other: CheckMemo) {
        if self.parts != other.parts {
            return;
        }
        self.walked.extend(other.walked.into_iter().filter(|(key, _)| key.outside == 0));
        self.scores.extend(other.scores.into_iter().filter(|(key, _)| key.names == 0));
        self.known.extend(other.known.into_iter().filter(|((.., names), _)| *names == 0));
        self.fitting.extend(other.fitting);
        self.all_fitting.extend(other.all_fitting);
        self.clean.absorb(other.clean);
        self.stream.absorb(other.stream);
        self.keep_all();
    }

    /// Forgets what was found with the schemas of these numbers.
    fn forget_parts(&mut self, gone: &FxHashSet<u16>) {
        self.walked.retain(|key, _| !gone.contains(&key.part()));
        self.scores.retain(|key, _| !gone.contains(&key.part));
        self.known.retain(|(_, part, _), _| !gone.contains(part));
        self.fitting.retain(|(_, part), _| !gone.contains(part));
        self.all_fitting.retain(|_, (schemas, _)| !schemas.iter().any(|number| gone.contains(number)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_with_one_schema_outlives_the_others() {
        let tree = lofting_syntax::parse("a: a text that is long enough to be remembered\n");
        let document = tree.documents().next().expect("a document").node();
        let green = document.green().expect("a shared node");
        let stamps: Vec<Stamp> = (0..3).map(|_| Stamp::next()).collect();
        let [own, moved, now] = [(stamps[0], 0), (stamps[1], 0), (stamps[2], 0)];
        let mut memo = CheckMemo::default();
        let before = memo.begin_parts(&FxHashSet::from_iter([own, moved]));
        memo.set_fits(green, before[&own], 0);
        memo.set_fits(green, before[&moved], 0);
        memo.set_all_fit(green, "", &[before[&own]]);
        memo.set_all_fit(green, "of both", &[before[&own], before[&moved]]);
        let after = memo.begin_parts(&FxHashSet::from_iter([now, own]));
        assert_eq!(after[&own], before[&own]);
        assert_eq!(memo.fits(green, after[&own]), Some(0));
        assert!(memo.all_fit(green, "", &[after[&own]]));
        assert_eq!(memo.fits(green, before[&moved]), None, "it may be the number of another schema");
        assert!(!memo.all_fit(green, "of both", &[before[&own], before[&moved]]));
        assert_eq!(memo.fits(green, after[&now]), None);
        // Values of a data values schema are not parts.
        memo.begin(&[stamps[0]], None, None);
        let again = memo.begin_parts(&FxHashSet::from_iter([own]));
        assert_eq!(memo.fits(green, again[&own]), None);
    }

    #[test]
    fn numbers_begin_anew_before_they_run_out() {
        let mut memo = CheckMemo::default();
        for first in (0..usize::from(FURTHER) + 1_000).step_by(1_000) {
            let schemas: FxHashSet<PartSchema> = (first..first + 1_000).map(|at| (Stamp::default(), at)).collect();
            let numbers = memo.begin_parts(&schemas);
            assert!(schemas.iter().all(|schema| (1..FURTHER).contains(&numbers[schema])));
        }
        let many: FxHashSet<PartSchema> = (0..usize::from(FURTHER) + 10).map(|at| (Stamp::default(), at)).collect();
        let numbers = memo.begin_parts(&many);
        let numbered: FxHashSet<u16> = numbers.values().copied().collect();
        assert_eq!(numbered.len(), usize::from(FURTHER) - 1, "each number is given once");
        assert!(!numbered.contains(&FURTHER));
        assert!(numbers.len() < many.len(), "those without a number count as further ones");
    }
}

//! What a set of `lofting.toml` names but must not use: files out of reach, and the environment.

use crate::config::{ConfigSet, ListKey};
use crate::discover::command_files::file_of;
use crate::disk::glob::is_pattern;
use crate::disk::{OUT_OF_REACH, Reach};
use crate::input_sets::listing::fixed_part;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// How many entries of all `lofting.toml` of a workspace are used: each is looked up on disk.
const MAX_ENTRIES: usize = 20_000;

/// The entries that were used.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    count: usize,
    /// Paths that were looked up for the text with this reach, and whether they lead out of it: many sets name the same ones.
    known: FxHashMap<PathBuf, bool>,
    reach: Option<Reach>,
}

impl Entries {
    /// Whether a path leads out of a reach.
    fn leads_out(&mut self, path: PathBuf, reach: &Reach) -> bool {
        if self.reach.as_ref() != Some(reach) {
            (self.known, self.reach) = (FxHashMap::default(), Some(reach.clone()));
        }
        *self.known.entry(path).or_insert_with_key(|path| reach.leads_out(path))
    }
}

/// Messages with their ranges in a `lofting.toml`.
type Placed = Vec<(Range<usize>, String)>;

/// The part of a set that is used.
pub(crate) struct Within {
    /// The set without what is left out.
    pub set: ConfigSet,
    /// What it must not name.
    pub left_out: Placed,
    /// What exceeds limits.
    pub errors: Placed,
}

/// The set without what it must not name.
pub(crate) fn within(set: &ConfigSet, base: &Path, reach: &Reach, entries: &mut Entries) -> Within {
    let mut within = Within { set: set.clone(), left_out: Vec::new(), errors: Vec::new() };
    for (key, list) in &mut within.set.lists {
        list.retain(|(text, range)| {
            entries.count += 1;
            if entries.count > MAX_ENTRIES {
                // Reported once: there may be millions.
                if entries.count == MAX_ENTRIES + 1 {
                    let message = format!("only the first {MAX_ENTRIES} entries of the workspace count");
                    within.errors.push((range.clone(), message));
                }
                return false;
            }
            let why = why_not(*key, text, base, reach, entries);
            within.left_out.extend(why.map(|why| (range.clone(), format!("`{text}`: {why}"))));
            why.is_none()
        });
    }
    within
}

/// Why an entry is left out.
fn why_not(key: ListKey, text: &str, base: &Path, reach: &Reach, entries: &mut Entries) -> Option<&'static str> {
    let mut out = |path: PathBuf| entries.leads_out(path, reach).then_some(OUT_OF_REACH);
    match key {
        ListKey::Files | ListKey::DataValueFiles => out(file_of(base, text)),
        ListKey::Values if is_pattern(text) => out(fixed_part(base, text)),
        ListKey::Values => out(file_of(base, text)),
        ListKey::DataValuesEnv | ListKey::DataValuesEnvYaml => {
            (!reach.is_unbounded()).then_some("this reads environment variables")
        }
        ListKey::DataValues | ListKey::DataValuesYaml | ListKey::FileMarks => None,
    }
}

//! Where searches for schemas found nothing, so that what appears there is noticed.

use crate::association::search::SearchLooks;
use crate::association::wishes::Namer;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};

/// Searches that left something missing. Each file or setting is in the last one that was made for it, so that their number
/// does not grow while a name is typed.
#[derive(Debug, Clone, Default)]
pub(crate) struct MissedSchemas(Vec<Missed>);

/// What one search left.
#[derive(Debug, Clone)]
struct Missed {
    /// Those that lack a schema.
    lacking: Vec<Namer>,
    /// Where it was looked for.
    places: FxHashSet<PathBuf>,
}

impl MissedSchemas {
    /// Notes what a search for the schemas of these left. `is_there` tells whether a file is known.
    pub fn note(&mut self, namers: &[Namer], looks: &SearchLooks, is_there: impl Fn(&Path) -> bool) {
        let searched: FxHashSet<&Namer> = namers.iter().collect();
        for missed in &mut self.0 {
            missed.lacking.retain(|namer| !searched.contains(namer));
        }
        self.0.retain(|missed| !missed.lacking.is_empty());
        let lacking = looks.lacking(namers);
        if !lacking.is_empty() {
            let places: FxHashSet<PathBuf> = looks.places().filter(|path| !is_there(path)).cloned().collect();
            self.0.push(Missed { lacking, places });
        }
    }

    /// Where something was looked for.
    pub fn places(&self) -> impl Iterator<Item = &PathBuf> {
        self.0.iter().flat_map(|missed| &missed.places)
    }

    /// Whether something was looked for at a path.
    pub fn holds(&self, path: &Path) -> bool {
        self.0.iter().any(|missed| missed.places.contains(path))
    }

    /// Takes out the searches that looked at a path; returns those for whom they were.
    pub fn take(&mut self, path: &Path) -> Vec<Namer> {
        self.0.extract_if(.., |missed| missed.places.contains(path)).flat_map(|missed| missed.lacking).collect()
    }
}

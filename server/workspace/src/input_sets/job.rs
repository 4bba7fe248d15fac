//! Resolving input sets in the background: a job that can be sent to another thread, and its result.

use crate::discover::command_files::CommandFile;
use crate::disk::Reach;
use crate::files::scan::{FoundFile, look_at};
use crate::input_sets::inline::InlineFiles;
use crate::input_sets::listing::Listings;
use crate::input_sets::resolve::Resolver;
use crate::input_sets::sets::Sets;
use crate::input_sets::state::SetsState;
use crate::inputs::InputFile;
use lofting_document::FileId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// How many files are looked at while a request waits.
const AT_ONCE: usize = 50;

/// How often the files that sets name are looked at in one go: each may be a `lofting.toml` that names others.
const ROUNDS: usize = 8;

/// Everything that sets are made from.
pub struct SetsJob {
    pub(crate) state: SetsState,
    /// Files whose code was run.
    pub(crate) ran: Vec<FileId>,
    /// `ytt` commands by the file they are in.
    pub(crate) commands: Arc<BTreeMap<PathBuf, CommandFile>>,
    /// Files whose text is inside another file, by their path.
    pub(crate) inline_ids: Arc<FxHashMap<PathBuf, FileId>>,
    /// Sets know all their files, including those that only rendering reads.
    pub(crate) all: bool,
    pub(crate) looks: Looks,
}

/// Results of looking at the disk, kept from one resolution to the next.
#[derive(Default)]
pub(crate) struct Looks {
    pub listings: Listings,
    /// Files that were looked at in this resolution.
    pub files: FxHashSet<PathBuf>,
    /// How often there were such files.
    pub rounds: usize,
}

/// The result. It goes to [`crate::Workspace::take_sets`].
pub struct SetsFound {
    pub(crate) looks: Looks,
    pub(crate) outcome: Outcome,
}

/// How resolving ended.
pub(crate) enum Outcome {
    Resolved(Box<ResolvedSets>),
    /// Sets name files that are not in the state. They are added to it, and the sets are resolved once more.
    Files(std::vec::IntoIter<FoundFile>),
    /// A request waits, and this would take too long.
    TooMuch,
}

/// All sets with what follows from them.
#[derive(Default)]
pub(crate) struct ResolvedSets {
    pub sets: Sets,
    pub inline: InlineFiles,
    /// Whether they are equal to the previous ones.
    pub same: bool,
    /// Whether they are few and small.
    pub small: bool,
    /// Files whose code was run, and whether it saw the same inputs as it would now.
    pub saw_the_same: FxHashMap<FileId, bool>,
}

impl SetsJob {
    /// Resolves the sets, within the limits that were given to its [`Looks`].
    pub fn run(mut self) -> SetsFound {
        let (sets, inline, unknown) = Resolver::new(&self).run();
        let outcome = if self.looks.listings.exceeded() {
            Outcome::TooMuch
        } else if unknown.is_empty() || self.looks.rounds >= ROUNDS {
            Outcome::Resolved(Box::new(self.compared(sets, inline)))
        } else {
            self.look(unknown)
        };
        SetsFound { looks: self.looks, outcome }
    }

    fn look(&mut self, files: Vec<(PathBuf, Reach)>) -> Outcome {
        if self.looks.listings.is_at_once() && files.len() > AT_ONCE {
            return Outcome::TooMuch;
        }
        self.looks.rounds += 1;
        let mut found = Vec::new();
        for (path, reach) in files {
            if self.looks.files.insert(path.clone()) {
                found.push(look_at(path, &reach));
            }
        }
        Outcome::Files(found.into_iter())
    }

    fn compared(&self, mut sets: Sets, inline: InlineFiles) -> ResolvedSets {
        let before = &self.state.sets;
        let same = sets.means_the_same(before) && inline == **self.state.inline;
        if same {
            sets.stamp = before.stamp;
        }
        let ran = self.ran.iter().copied();
        let saw_the_same = ran.map(|file| (file, same || seen_by(before, file) == seen_by(&sets, file))).collect();
        ResolvedSets { sets, inline, same, small: self.looks.listings.is_small(), saw_the_same }
    }
}

/// What the code of a file can load and read depends on the set that it belongs to.
fn seen_by(sets: &Sets, file: FileId) -> Option<&[InputFile]> {
    sets.of_file(file).map(|(set, _)| &*set.inputs).find(|inputs| !inputs.is_empty())
}

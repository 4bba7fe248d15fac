//! Searching the disk for schemas that something names, and for those that they refer to.
//!
//! What has to be searched for depends only on a state ([`Wishes`]). Small files are read and parsed at once, so that
//! findings do not flicker. If there is more, a server leaves the search to a job on another thread ([`SearchJob`]): what the
//! job finds arrives as an event, and until it is done no schema is reported as missing that it may still find
//! ([`PendingSchemas`]).

use crate::CancelFlag;
use crate::association::mirrors::Mirrors;
use crate::association::naming::{self, NamedBy, Naming, SchemaProblem};
use crate::association::state::AssociationState;
use crate::association::usable;
use crate::association::wishes::{Namer, Wishes};
use crate::config::FILE_NAME;
use crate::disk::{FileType, Reach};
use crate::files::claims::NO_FILE;
use crate::files::fetched::NotFetched;
use crate::files::scan::{FoundFile, ScanFolder, Scanner, look_at};
use crate::files::table::Kept;
use crate::settings::{SettingName, Settings};
use crate::threads::threads;
use lofting_document::FileId;
use lofting_memo::Stamp;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};

/// How many bytes are read and parsed while a user waits, which takes a millisecond or two.
const AT_ONCE: usize = 64 * 1024;

/// How many files and settings that name schemas, and how many paths, are looked at while a user waits.
const NAMERS_AT_ONCE: usize = 20;
const PLACES_AT_ONCE: usize = 50;

/// How many entries of a directory are looked at if it is named as a schema.
const MAX_ENTRIES: usize = 5_000;

/// How many times the references of files that were found are followed.
const ROUNDS: usize = 50;

/// Files and settings whose schemas are being searched for by a job.
#[derive(Debug, Clone, Default)]
pub(crate) struct PendingSchemas {
    pub namers: FxHashSet<Namer>,
    /// Changes whenever the set changes.
    pub stamp: Stamp,
}

impl PendingSchemas {
    /// Whether no job is searching.
    pub fn is_empty(&self) -> bool {
        self.namers.is_empty()
    }

    /// Whether the schema that a file itself names is being searched for.
    pub fn is_of(&self, file: FileId) -> bool {
        self.namers.contains(&Namer::File(file))
    }

    /// Whether a schema that something names for a file is being searched for.
    pub fn has(&self, naming: &Naming, file: FileId) -> bool {
        !self.is_empty()
            && match naming.by {
                NamedBy::Modeline | NamedBy::Key | NamedBy::Bundle { .. } => self.is_of(file),
                NamedBy::BuiltIn { .. } | NamedBy::BuiltInKind { .. } => self.is_of(file),
                NamedBy::OwnName | NamedBy::Use | NamedBy::Chart => self.is_of(file),
                NamedBy::Configuration { config, .. } => self.is_of(config),
                NamedBy::Setting { .. } => self.namers.contains(&Namer::Settings),
                NamedBy::Catalogue { .. } => self.namers.contains(&Namer::Settings) || self.is_of(file),
            }
    }
}

/// What one search, which takes several rounds, has looked at.
#[derive(Default)]
pub(crate) struct SearchLooks {
    places: FxHashSet<PathBuf>,
    /// Those for which nothing is missing: what is found for others changes nothing for them.
    pub(crate) settled: FxHashSet<Namer>,
    rounds: usize,
}

impl SearchLooks {
    /// Of these files and settings, those that lack a schema after the search.
    pub fn lacking(&self, namers: &[Namer]) -> Vec<Namer> {
        namers.iter().filter(|namer| !self.settled.contains(namer)).copied().collect()
    }

    /// Where the search looked.
    pub fn places(&self) -> impl Iterator<Item = &PathBuf> {
        self.places.iter()
    }
}

/// One round of a search, ready to be sent to another thread.
pub struct SearchJob {
    pub(crate) state: AssociationState,
    pub(crate) namers: Vec<Namer>,
    pub(crate) looks: SearchLooks,
    /// A user waits.
    pub(crate) at_once: bool,
    /// All files are going to be checked, so that what is read is kept.
    pub(crate) keeps: bool,
}

/// What a job found, to be handed to [`crate::Workspace::take_schemas_found`].
pub struct SearchFound {
    pub(crate) looks: SearchLooks,
    pub(crate) outcome: SearchOutcome,
}

pub(crate) enum SearchOutcome {
    /// Files that were not known. They may refer to others, so that another round follows.
    Files(std::vec::IntoIter<FoundFile>),
    /// There is nothing left to find. Holds messages for the user about schemas that settings name.
    Over(Vec<String>),
    /// The search would take too long for a user who waits.
    TooMuch,
}

impl SearchJob {
    /// Runs the round.
    pub fn run(mut self) -> SearchFound {
        let outcome = self.outcome();
        SearchFound { looks: self.looks, outcome }
    }

    fn outcome(&mut self) -> SearchOutcome {
        if self.at_once && (self.namers.len() > NAMERS_AT_ONCE || self.reads_a_long_configuration()) {
            return SearchOutcome::TooMuch;
        }
        let begin = || {
            let wishes = Wishes::new(&self.state);
            let wishes = if self.at_once { wishes.within(AT_ONCE) } else { wishes };
            if self.keeps { wishes.keeping() } else { wishes }
        };
        let settled = &self.looks.settled;
        let asked: Vec<Namer> = self.namers.iter().filter(|namer| !settled.contains(namer)).copied().collect();
        let threads = if self.at_once { 1 } else { threads() };
        let Some((missing, lacking)) = Wishes::of_all(threads, begin, &asked, Wishes::of_namer) else {
            return SearchOutcome::TooMuch;
        };
        let is_lacking: FxHashSet<Namer> = lacking.into_iter().collect();
        // The settings may name a catalogue, which gives files their schemas once it is found.
        let may_settle = !asked.contains(&Namer::Settings);
        let settles = |namer: &Namer| !is_lacking.contains(namer) && (may_settle || *namer == Namer::Settings);
        self.looks.settled.extend(asked.into_iter().filter(settles));
        let mut places: Vec<(PathBuf, Reach)> = missing.disk.into_iter().collect();
        places.retain(|(path, _)| !self.looks.places.contains(path));
        places.sort_by(|(one, _), (other, _)| one.cmp(other));
        if self.at_once && !is_little(&places) {
            return SearchOutcome::TooMuch;
        }
        let mut found = Vec::new();
        for (path, reach) in places {
            self.look(&path, &reach, &mut found);
            self.looks.places.insert(path);
        }
        self.looks.rounds += 1;
        if found.is_empty() || self.looks.rounds > ROUNDS {
            SearchOutcome::Over(self.problems_of_settings())
        } else {
            SearchOutcome::Files(found.into_iter())
        }
    }

    fn reads_a_long_configuration(&self) -> bool {
        let mut configurations = self.state.index.kept(Kept::Configuration).filter_map(|id| self.state.file(id));
        configurations.any(|file| !file.is_quickly_read())
    }

    /// Adds the file at a path, or, if it is a directory, the YAML files below it.
    fn look(&self, path: &Path, reach: &Reach, found: &mut Vec<FoundFile>) {
        match reach.look(path) {
            Ok(FileType::File) => found.push(look_at(path.to_owned(), reach)),
            Ok(FileType::Directory) => {
                let root = self.state.root_of(path).to_owned();
                let folder = ScanFolder { path: path.to_owned(), root, reach: reach.clone() };
                let settings = Settings { maximum_visited: MAX_ENTRIES, ..Settings::default() };
                let below = Scanner::new(vec![folder], &settings).run(&mut |_| {}, &CancelFlag::new()).files;
                let is_new = |file: &FoundFile| !self.state.file_at(&file.path).is_some_and(|known| known.exists());
                found.extend(below.into_iter().filter(is_new));
            }
            // The problem is reported when a file that needs the schema is checked.
            Ok(FileType::Other) | Err(_) => {}
        }
    }

    /// Messages about schemas that settings name and that cannot be used, if this job searched for them.
    fn problems_of_settings(&self) -> Vec<String> {
        let (state, settings) = (&self.state, &self.state.settings);
        let mut messages = Vec::new();
        for setting in settings.schemas.iter().filter(|_| self.namers.contains(&Namer::Settings)) {
            let mut problems = Vec::new();
            for root in state.roots.iter() {
                let naming = naming::of_setting(state, &setting.schema, setting.setting, root);
                let mirrors = Mirrors::of(state, &root.join(FILE_NAME));
                let is_directory = || naming.candidates(&mirrors).iter().any(|(path, reach)| reach.is_directory(path));
                let known = naming.known(state, NO_FILE, &mirrors, false);
                let usable = known.and_then(|file| match usable::problem_of_part(&file) {
                    Some(problem) => Err(SchemaProblem::Unreadable(problem)),
                    None => Ok(()),
                });
                match usable {
                    Err(SchemaProblem::NotFound) if is_directory() => {}
                    Ok(()) | Err(SchemaProblem::Ytt | SchemaProblem::Awaited) => {}
                    Err(problem) => problems.push((root, problem)),
                }
            }
            // `yaml.schemas` is shared with other servers, and a schema need only be in one of several folders.
            if problems.len() < state.roots.len() || setting.setting == SettingName::Yaml {
                continue;
            }
            for (root, problem) in problems {
                let help = match problem {
                    SchemaProblem::OutOfReach => {
                        format!(" Trust the folder {} to allow it. (Setting: lofting.trustedFolders)", root.display())
                    }
                    SchemaProblem::NotFetched(NotFetched { help: Some(ref help), .. }) => {
                        format!(" To fix this, {help}.")
                    }
                    _ => String::new(),
                };
                let schema = &setting.schema;
                messages
                    .push(format!("The setting lofting.schemas names {schema}, but {problem}: it is left out.{help}"));
            }
        }
        messages
    }
}

/// Whether the files at these paths are few and small enough to be read while a user waits.
fn is_little(places: &[(PathBuf, Reach)]) -> bool {
    let mut bytes_left = AT_ONCE as u64;
    let fits = |(path, reach): &(PathBuf, Reach)| {
        let size = match reach.look(path) {
            Ok(FileType::File) => reach.stat(path).map_or(0, |stat| stat.size),
            // A directory may hold many files.
            Ok(FileType::Directory) => return false,
            Ok(FileType::Other) | Err(_) => 0,
        };
        let is_enough = size <= bytes_left;
        bytes_left = bytes_left.saturating_sub(size);
        is_enough
    };
    places.len() <= PLACES_AT_ONCE && places.iter().all(fits)
}

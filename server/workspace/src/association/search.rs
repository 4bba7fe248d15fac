//! Searching the disk for schemas that something names, and for those that they refer to.
//!
//! What has to be searched for depends only on a state ([`Wishes`]). Small files are read and parsed at once, so that
//! findings do not flicker. If there is more, a server leaves the search to a job on another thread ([`SearchJob`]): what the
//! job finds arrives as an event, and until it is done no schema is reported as missing that it may still find
//! ([`PendingSchemas`]).

use crate::CancelFlag;
use crate::association::bundles;
use crate::association::fetched::NotFetched;
use crate::association::mirrors::Mirrors;
use crate::association::naming::{self, NamedBy, Naming, SchemaProblem};
use crate::association::parts::NO_FILE;
use crate::association::wishes::{Namer, Wishes};
use crate::files::disk::{FileType, Reach, Stat};
use crate::files::file::File;
use crate::files::scan::{FoundFile, ScanFolder, Scanner, look_at};
use crate::files::table::Kept;
use crate::input_sets::config::FILE_NAME;
use crate::input_sets::refresh::Taken;
use crate::settings::{SettingName, Settings};
use crate::state::State;
use crate::workspace::Workspace;
use lofting_document::FileId;
use lofting_memo::Stamp;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How many bytes are read and parsed while a user waits, which takes a millisecond or two.
const AT_ONCE: usize = 64 * 1024;

/// How many files and settings that name schemas, and how many paths, are looked at while a user waits.
const NAMERS_AT_ONCE: usize = 20;
const PLACES_AT_ONCE: usize = 50;

/// How many entries of a directory are looked at if it is named as a schema.
const MAX_ENTRIES: usize = 5_000;

/// How many times files that were found are asked what they refer to.
const ROUNDS: usize = 50;

/// Files and settings whose schemas are being searched for by a job.
#[derive(Debug, Clone, Default)]
pub(crate) struct PendingSchemas {
    namers: FxHashSet<Namer>,
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
                NamedBy::Configuration { config, .. } => self.is_of(config),
                NamedBy::Setting { .. } => self.namers.contains(&Namer::Settings),
                NamedBy::Catalogue { .. } => self.namers.contains(&Namer::Settings) || self.is_of(file),
            }
    }
}

/// What has to be searched for, and by whom.
#[derive(Default)]
pub(crate) struct SchemaSearch {
    /// New names: nothing was done about them yet.
    wanted: FxHashSet<Namer>,
    /// Long searches are left to jobs.
    elsewhere: bool,
    /// Names that the next job searches for.
    left: FxHashSet<Namer>,
    /// Names that a running job searches for.
    away: Vec<Namer>,
    is_away: bool,
    /// What the jobs have looked at since the first of them was started.
    looks: Looks,
}

/// What one search, which takes several rounds, has looked at.
#[derive(Default)]
struct Looks {
    places: FxHashSet<PathBuf>,
    rounds: usize,
}

/// One round of a search, ready to be sent to another thread.
pub struct SearchJob {
    state: Arc<State>,
    namers: Vec<Namer>,
    looks: Looks,
    /// A user waits.
    at_once: bool,
    /// All files are going to be checked, so that what is read is kept.
    keeps: bool,
}

/// What a job found, to be handed to [`Workspace::take_schemas_found`].
pub struct SearchFound {
    looks: Looks,
    outcome: SearchOutcome,
}

enum SearchOutcome {
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
        if self.at_once && self.namers.len() > NAMERS_AT_ONCE {
            return SearchOutcome::TooMuch;
        }
        let mut wishes = Wishes::new(&self.state);
        if self.at_once {
            wishes = wishes.within(AT_ONCE);
        }
        if self.keeps {
            wishes = wishes.keeping();
        }
        self.namers.iter().for_each(|namer| wishes.of_namer(*namer));
        let is_too_much = wishes.exceeded();
        let mut places: Vec<(PathBuf, Reach)> = wishes.disk.into_iter().collect();
        places.retain(|(path, _)| !self.looks.places.contains(path));
        places.sort_by(|(one, _), (other, _)| one.cmp(other));
        if is_too_much || (self.at_once && !is_little(&places)) {
            return SearchOutcome::TooMuch;
        }
        let mut found = Vec::new();
        for (path, reach) in places {
            self.look(&path, &reach, &mut found);
            self.looks.places.insert(path);
        }
        self.looks.rounds += 1;
        match found.is_empty() || self.looks.rounds > ROUNDS {
            true => SearchOutcome::Over(self.problems_of_settings()),
            false => SearchOutcome::Files(found.into_iter()),
        }
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
        let (state, settings) = (&*self.state, &self.state.settings);
        let mut messages = Vec::new();
        for setting in settings.schemas.iter().filter(|_| self.namers.contains(&Namer::Settings)) {
            let mut problems = Vec::new();
            for root in state.roots.iter() {
                let naming = naming::of_setting(state, &setting.schema, setting.setting, root);
                let mirrors = Mirrors::of(state, &root.join(FILE_NAME));
                let is_directory = || naming.candidates(&mirrors).iter().any(|(path, reach)| reach.is_directory(path));
                match naming.known(state, NO_FILE, &mirrors, false) {
                    Err(SchemaProblem::NotFound) if is_directory() => {}
                    Ok(_) | Err(SchemaProblem::Ytt | SchemaProblem::Awaited) => {}
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
                        format!(" To mend this, {help}.")
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
    let mut room = AT_ONCE as u64;
    let fits = |(path, reach): &(PathBuf, Reach)| {
        let size = match reach.look(path) {
            Ok(FileType::File) => Stat::of(path).map_or(0, |stat| stat.size),
            // A directory may hold many files.
            Ok(FileType::Directory) => return false,
            Ok(FileType::Other) | Err(_) => 0,
        };
        let is_enough = size <= room;
        room = room.saturating_sub(size);
        is_enough
    };
    places.len() <= PLACES_AT_ONCE && places.iter().all(fits)
}

impl Workspace {
    /// From now on long searches are left to the caller of [`Workspace::take_schema_search`].
    pub fn search_elsewhere(&mut self) {
        self.schema_search.elsewhere = true;
    }

    /// Notes that the schemas that a file names have to be searched for, by the next [`Workspace::search_schemas`].
    pub(crate) fn want_schemas_of(&mut self, file: &File) {
        let may_be_bundled = file.is_open() && file.facts.known_parts && bundles::are_named(&self.state);
        let may_be_catalogued = file.is_open() && self.state.settings.catalogue.is_some();
        if !may_be_bundled && !may_be_catalogued && !Kept::Naming.holds(file) {
            return;
        }
        self.schema_search.wanted.insert(Namer::File(file.id));
        if !file.is_configuration() || (file.config().mirrors.is_empty() && file.config().bundles.is_empty()) {
            return;
        }
        // Schemas that open files name by URL may be in one of its folders now, and those of their kinds in its bundles.
        let names =
            |id: &FileId| self.state.file(*id).is_some_and(|file| file.facts.modeline || file.facts.known_parts);
        let open: Vec<Namer> = self.state.index.kept(Kept::Open).filter(names).map(Namer::File).collect();
        self.schema_search.wanted.extend(open);
    }

    /// Searches for the schemas that a file names.
    pub(crate) fn search_schemas_of(&mut self, file: FileId) {
        if let Some(file) = self.state.file(file).cloned() {
            self.want_schemas_of(&file);
        }
        self.search_schemas([]);
    }

    /// Searches for the schemas that bundles and a catalogue have for these files.
    pub(crate) fn search_schemas_for(&mut self, files: &[FileId]) {
        let (bundled, catalogued) = (bundles::are_named(&self.state), self.state.settings.catalogue.is_some());
        let may_have =
            |id: &&FileId| catalogued || bundled && self.state.file(**id).is_some_and(|file| file.facts.known_parts);
        let namers: Vec<Namer> = files.iter().filter(may_have).copied().map(Namer::File).collect();
        if !namers.is_empty() {
            self.search_schemas(namers);
        }
    }

    /// Searches for the schemas that these name, and for those noted before.
    pub(crate) fn search_schemas(&mut self, namers: impl IntoIterator<Item = Namer>) {
        self.schema_search.wanted.extend(namers);
        let namers: Vec<Namer> = self.schema_search.wanted.drain().collect();
        let mut looks = Looks::default();
        let mut is_over = namers.is_empty();
        while !is_over {
            let found = self.search_job(namers.clone(), looks, self.schema_search.elsewhere).run();
            looks = found.looks;
            is_over = match found.outcome {
                SearchOutcome::Files(new) => {
                    for file in new {
                        self.add_found(file);
                    }
                    false
                }
                SearchOutcome::Over(messages) => {
                    self.tell_all_once(messages);
                    true
                }
                SearchOutcome::TooMuch => {
                    self.schema_search.left.extend(&namers);
                    true
                }
            };
        }
        self.note_pending();
    }

    fn tell_all_once(&mut self, messages: Vec<String>) {
        messages.into_iter().for_each(|message| self.tell_once(message));
    }

    fn search_job(&self, mut namers: Vec<Namer>, looks: Looks, at_once: bool) -> SearchJob {
        namers.sort_unstable();
        SearchJob { state: self.state.clone(), namers, looks, at_once, keeps: !self.schema_search.elsewhere }
    }

    /// The next round of the searches that were left to jobs, if any. The result goes to [`Workspace::take_schemas_found`].
    pub fn take_schema_search(&mut self) -> Option<SearchJob> {
        if self.schema_search.left.is_empty() || self.schema_search.is_away {
            return None;
        }
        self.schema_search.is_away = true;
        self.schema_search.away = self.schema_search.left.drain().collect();
        let looks = std::mem::take(&mut self.schema_search.looks);
        Some(self.search_job(self.schema_search.away.clone(), looks, false))
    }

    /// A job failed and brings nothing.
    pub fn give_up_schema_search(&mut self) {
        self.schema_search.away.clear();
        self.schema_search.is_away = false;
        self.note_pending();
    }

    /// Takes over what a job found, at most this many files per call.
    pub fn take_schemas_found(&mut self, found: &mut SearchFound, files: usize) -> Taken {
        let mut is_other = false;
        match &mut found.outcome {
            SearchOutcome::Files(new) => {
                for file in new.by_ref().take(files) {
                    self.add_found(file);
                }
                if new.len() > 0 {
                    return Taken::More;
                }
                // The files may refer to others.
                self.schema_search.left.extend(self.schema_search.away.drain(..));
                self.schema_search.looks = std::mem::take(&mut found.looks);
                is_other = true;
            }
            SearchOutcome::Over(messages) => {
                let messages = std::mem::take(messages);
                self.tell_all_once(messages);
                self.schema_search.away.clear();
            }
            // Does not happen: no user waits for a job.
            SearchOutcome::TooMuch => self.schema_search.away.clear(),
        }
        self.schema_search.is_away = false;
        is_other |= self.note_pending();
        if is_other { Taken::Other } else { Taken::Same }
    }

    /// Notes in the state what jobs search for. Returns whether that changed.
    fn note_pending(&mut self) -> bool {
        let SchemaSearch { left, away, .. } = &self.schema_search;
        let namers: FxHashSet<Namer> = left.iter().chain(away).copied().collect();
        if namers == self.state.pending_schemas.namers {
            return false;
        }
        let state = self.change();
        state.structure = Stamp::next();
        state.pending_schemas = Arc::new(PendingSchemas { namers, stamp: state.structure });
        true
    }
}

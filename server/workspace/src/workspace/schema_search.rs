//! Searching for schemas that something names: small searches at once, long ones by jobs.

use crate::association::bundles;
use crate::association::catalogue;
use crate::association::search::{PendingSchemas, SearchFound, SearchJob, SearchLooks, SearchOutcome};
use crate::association::state::AssociationState;
use crate::association::wishes::Namer;
use crate::files::fetched::Fetch;
use crate::files::file::File;
use crate::files::table::Kept;
use crate::workspace::Workspace;
use crate::workspace::missed_schemas::MissedSchemas;
use crate::workspace::sets::Taken;
use lofting_document::FileId;
use lofting_memo::Stamp;
use rustc_hash::FxHashSet;
use std::path::Path;
use std::sync::Arc;

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
    looks: SearchLooks,
    missed: Arc<MissedSchemas>,
}

impl Workspace {
    /// From now on long searches are left to the caller of [`Workspace::take_schema_search`].
    pub fn search_elsewhere(&mut self) {
        self.schema_search.elsewhere = true;
    }

    /// Notes that the schemas that a file names have to be searched for, by the next [`Workspace::search_schemas`].
    pub(crate) fn want_schemas_of(&mut self, file: &File) {
        let may_be_bundled = file.is_open() && file.facts.may_name_kinds() && bundles::may_be_named(&self.state);
        let may_be_catalogued = file.is_open() && catalogue::are_used(&self.state);
        let names = |kept: Kept| kept.holds(file);
        if !may_be_bundled && !may_be_catalogued && !names(Kept::Naming) && !names(Kept::Kustomization) {
            return;
        }
        self.schema_search.wanted.insert(Namer::File(file.id));
        // A long one is read elsewhere, so that it is not known here what is in it.
        let moves_none = || file.config().mirrors.is_empty() && file.config().bundles.is_empty();
        if !file.is_configuration() || ((!self.schema_search.elsewhere || file.is_quickly_read()) && moves_none()) {
            return;
        }
        // Schemas that open files name by URL may be in one of its folders now, and those of their kinds in its bundles.
        let names =
            |id: &FileId| self.state.file(*id).is_some_and(|file| file.facts.modeline || file.facts.may_name_kinds());
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

    /// Finds the schemas of these files, wherever something names them, and waits for those that are fetched.
    pub fn find_schemas_of(&mut self, files: &[FileId], fetch: Option<&dyn Fetch>) {
        // A catalogue in a folder that stands for its URL is found first: it names schemas of the files.
        self.search_schemas([Namer::Settings]);
        self.search_schemas_for(files);
        if let Some(fetch) = fetch {
            self.fetch_wishes(files, fetch);
        }
    }

    /// Searches for the schemas that bundles and a catalogue have for these files.
    pub(crate) fn search_schemas_for(&mut self, files: &[FileId]) {
        let (bundled, catalogued) = (bundles::may_be_named(&self.state), catalogue::are_used(&self.state));
        let may_have = |id: &&FileId| {
            catalogued || bundled && self.state.file(**id).is_some_and(|file| file.facts.may_name_kinds())
        };
        let namers: Vec<Namer> = files.iter().filter(may_have).copied().map(Namer::File).collect();
        if !namers.is_empty() {
            self.search_schemas(namers);
        }
    }

    /// Searches for the schemas that these name, and for those noted before.
    pub(crate) fn search_schemas(&mut self, namers: impl IntoIterator<Item = Namer>) {
        self.schema_search.wanted.extend(namers);
        let namers: Vec<Namer> = self.schema_search.wanted.drain().collect();
        let mut looks = SearchLooks::default();
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
                    self.note_missed(&namers, &looks);
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

    /// Notes where a search that is over found nothing, and for whom.
    fn note_missed(&mut self, namers: &[Namer], looks: &SearchLooks) {
        let is_there = |path: &Path| self.state.file_at(path).is_some_and(|file| file.exists());
        Arc::make_mut(&mut self.schema_search.missed).note(namers, looks, is_there);
    }

    /// Where searches for schemas found nothing. What appears there may be one.
    pub(crate) fn missed_schemas(&self) -> Arc<MissedSchemas> {
        self.schema_search.missed.clone()
    }

    /// If searches found nothing at a path where something is now, the next one is also for those that it may be for.
    pub(crate) fn search_again_for(&mut self, path: &Path) {
        if self.schema_search.missed.holds(path) {
            let lacking = Arc::make_mut(&mut self.schema_search.missed).take(path);
            self.schema_search.wanted.extend(lacking);
        }
    }

    fn tell_all_once(&mut self, messages: Vec<String>) {
        messages.into_iter().for_each(|message| self.tell_once(message));
    }

    fn search_job(&self, mut namers: Vec<Namer>, looks: SearchLooks, at_once: bool) -> SearchJob {
        namers.sort_unstable();
        SearchJob {
            state: AssociationState::clone(&self.state),
            namers,
            looks,
            at_once,
            keeps: !self.schema_search.elsewhere,
        }
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

    /// Applies what a job found, at most this many files per call.
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
                let away = std::mem::take(&mut self.schema_search.away);
                self.note_missed(&away, &found.looks);
                self.tell_all_once(messages);
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
        *state.pending_schemas = Arc::new(PendingSchemas { namers, stamp: state.structure });
        true
    }
}

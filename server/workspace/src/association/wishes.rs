//! Schemas that something names or refers to and that are not known: documents of the web, and files on disk. They depend
//! only on a state. Finding some of them leads to the next state, in which more may be missing.

use crate::association::bundles;
use crate::association::catalogue;
use crate::association::following::Following;
use crate::association::json_schemas;
use crate::association::kustomizations;
use crate::association::mirrors::Mirrors;
use crate::association::naming::{self, NamedBy, Naming};
use crate::association::state::AssociationState;
use crate::config::FILE_NAME;
use crate::disk::Reach;
use crate::disk::path::normalise;
use crate::disk::uri::file_uri;
use crate::files::claims::NO_FILE;
use crate::files::fetched::{Wish, document_of};
use crate::files::file::File;
use crate::files::table::Kept;
use crate::settings::local_path;
use crate::threads::map;
use lofting_document::FileId;
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Maximum number of documents of the web per call.
const DOCUMENTS: usize = 500;

/// Maximum number of paths per call, and of schemas whose references are followed.
const PLACES: usize = 20_000;
const FOLLOWED: usize = 20_000;

/// Fewer are not worth another thread.
const SHARE: usize = 64;

/// Something that names schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Namer {
    /// A file: its own schema, or those of other files if it is a `lofting.toml`.
    File(FileId),
    /// The settings.
    Settings,
}

/// What is missing.
#[derive(Default)]
pub(crate) struct Missing {
    /// Documents of the web.
    pub web: Vec<Wish>,
    /// Paths without a known file, each with the reach of the file that names it.
    pub disk: FxHashMap<PathBuf, Reach>,
    /// How often something was met that is missing, however often it is named.
    met: usize,
}

impl Missing {
    fn look(&mut self, path: PathBuf, reach: Reach) {
        self.met += 1;
        if self.disk.len() < PLACES {
            self.disk.entry(path).or_insert(reach);
        }
    }

    fn want(&mut self, wish: Wish) {
        self.met += 1;
        if self.web.len() < DOCUMENTS && !self.web.contains(&wish) {
            self.web.push(wish);
        }
    }

    fn add(&mut self, other: Missing) {
        other.disk.into_iter().for_each(|(path, reach)| self.look(path, reach));
        other.web.into_iter().for_each(|wish| self.want(wish));
    }
}

/// Collects wishes.
pub(crate) struct Wishes<'s> {
    state: &'s AssociationState,
    following: Following<'s>,
    missing: Missing,
    /// Texts and trees of closed files that are read on the way are kept.
    keeps: bool,
}

impl<'s> Wishes<'s> {
    pub fn new(state: &'s AssociationState) -> Wishes<'s> {
        Wishes {
            state,
            following: Following::new(state, FOLLOWED).everywhere(),
            missing: Missing::default(),
            keeps: false,
        }
    }

    /// Stops when more than this many bytes have to be read and parsed.
    pub fn within(self, bytes: usize) -> Wishes<'s> {
        Wishes { following: self.following.within(bytes), ..self }
    }

    /// Keeps the texts and trees of closed files that are read on the way.
    pub fn keeping(self) -> Wishes<'s> {
        Wishes { keeps: true, ..self }
    }

    /// What is missing for all of these, and those for which something is, by several threads if `begin` sets no limit. None
    /// if too much would have to be read.
    pub fn of_all<T: Copy + Send + Sync>(
        threads: usize,
        begin: impl Fn() -> Wishes<'s> + Sync,
        asked: &[T],
        ask: impl Fn(&mut Wishes<'s>, T) + Sync,
    ) -> Option<(Missing, Vec<T>)> {
        let parts: Vec<&[T]> = asked.chunks(asked.len().div_ceil(threads).max(SHARE)).collect();
        let found = map(threads, &parts, 1, |part| {
            let (mut wishes, mut lacking) = (begin(), Vec::new());
            for one in *part {
                let met = wishes.missing.met;
                ask(&mut wishes, *one);
                lacking.extend((wishes.missing.met > met).then_some(*one));
            }
            (!wishes.following.exceeded).then_some((wishes.missing, lacking))
        });
        let (mut missing, mut lacking) = (Missing::default(), Vec::new());
        for part in found {
            let (more, others) = part?;
            missing.add(more);
            lacking.extend(others);
        }
        Some((missing, lacking))
    }

    /// Adds what is missing for a file: the schema that the file, a `lofting.toml`, a setting or a catalogue names.
    pub fn of_file(&mut self, file: &File) {
        let state = self.state;
        if file.is_configuration() {
            return self.of_configuration(file);
        }
        let unread;
        let read = if file.is_open() || self.keeps {
            file
        } else {
            unread = file.unread();
            &unread
        };
        self.of_bundles(read);
        if let Some(schema) = json_schemas::with_own(state, read) {
            let mirrors = Mirrors::of(state, &schema.path);
            self.following.begin(schema.clone(), file_uri(&schema.path).into(), &mirrors);
            self.follow(false);
        }
        let namings = json_schemas::namings(state, read);
        if namings.iter().all(|naming| matches!(naming.by, NamedBy::BuiltIn { .. }))
            && let Some(url) = state.settings.catalogue.as_deref().filter(|_| catalogue::is_lacking(state))
        {
            self.want(url, true);
        }
        let mirrors = Mirrors::of(state, &file.path);
        for naming in namings {
            if self.of_naming(&naming, file.id, &mirrors) {
                return;
            }
        }
    }

    /// Adds what is missing of the schemas that a file or the settings name.
    pub fn of_namer(&mut self, namer: Namer) {
        match namer {
            Namer::Settings => self.of_settings(),
            Namer::File(id) => {
                let state = self.state;
                let Some(file) = state.file(id).filter(|file| file.exists()) else { return };
                if file.is_configuration() { self.of_configuration(file) } else { self.of_own_name(file) }
            }
        }
    }

    /// Adds what is missing of the schema that a file itself names.
    fn of_own_name(&mut self, file: &File) {
        let unread;
        let file = if file.is_open() || self.keeps {
            file
        } else {
            unread = file.unread();
            &unread
        };
        self.of_kustomization(file);
        self.of_bundles(file);
        self.of_catalogue(file);
        // Unlike a modeline, which is near the top, the key `$schema` is found by parsing the file.
        let is_parsed = file.facts.modeline && !file.facts.ytt && file.modeline().is_none();
        if is_parsed && !self.following.takes(file) {
            return;
        }
        if let Some(naming) = naming::in_file(self.state, file) {
            self.of_naming(&naming, file.id, &Mirrors::of(self.state, &file.path));
            return;
        }
        // A modeline may name a schema of ytt, or a directory that contains some.
        let Some(path) = file.modeline().and_then(|modeline| local_path(&modeline.schema)) else { return };
        let beside = file.path.parent().unwrap_or(Path::new("/"));
        for base in [beside, self.state.root_of(&file.path)] {
            self.look(normalise(base, &path), self.state.reach_of(&file.path));
        }
    }

    /// Adds what a kustomization names, which may be of any kind.
    fn of_kustomization(&mut self, file: &File) {
        if kustomizations::is_kustomization(file) && self.following.takes(file) {
            for (path, reach) in kustomizations::unknown(self.state, file) {
                self.look(path, reach);
            }
        }
    }

    /// Adds what is missing of the schema that the catalogue names for a file.
    fn of_catalogue(&mut self, file: &File) {
        for naming in catalogue::namings(self.state, file) {
            self.of_naming(&naming, file.id, &Mirrors::of(self.state, &file.path));
        }
    }

    /// Adds what is missing of the schemas that bundles have for what is in a file.
    fn of_bundles(&mut self, file: &File) {
        if !file.facts.may_name_kinds() || !bundles::are_named(self.state) || !self.following.takes(file) {
            return;
        }
        let mirrors = Mirrors::of(self.state, &file.path);
        for naming in bundles::namings(self.state, file) {
            self.of_naming(&naming, file.id, &mirrors);
        }
    }

    fn of_configuration(&mut self, config: &File) {
        let mirrors = Mirrors::of(self.state, &config.path);
        for entry in config.config().schemas.iter().filter(|entry| !entry.schema.is_empty()) {
            self.of_naming(&Naming::configured(self.state, config, entry, ""), config.id, &mirrors);
        }
    }

    fn of_settings(&mut self) {
        let state = self.state;
        for (path, reach) in catalogue::places(state) {
            self.look(path, reach);
        }
        for file in state.index.kept(Kept::Open).filter_map(|id| state.file(id)) {
            self.of_catalogue(file);
        }
        for setting in &state.settings.schemas {
            for root in state.roots.iter() {
                let naming = naming::of_setting(state, &setting.schema, setting.setting, root);
                self.of_naming(&naming, NO_FILE, &Mirrors::of(state, &root.join(FILE_NAME)));
            }
        }
    }

    /// Adds what is missing for one naming of a schema. Returns whether namings after it do not count.
    fn of_naming(&mut self, naming: &Naming, own: FileId, mirrors: &Arc<Mirrors>) -> bool {
        let places = naming.candidates(mirrors);
        if places.is_empty() {
            self.want(&naming.schema, naming.is_chosen());
        }
        for (path, reach) in places {
            let known = self.state.file_at(&path).filter(|file| file.exists() && file.id != own && reach.names(&path));
            let Some(known) = known else {
                self.look(path, reach);
                continue;
            };
            // Schemas of ytt do not refer to others.
            if !known.facts.ytt || self.following.takes(known) && !known.holds().schema {
                self.following.begin(known.clone(), json_schemas::uri_of(naming, known), mirrors);
                self.follow(naming.is_chosen());
            }
            return true;
        }
        !naming.is_optional()
    }

    /// Adds what is missing of the documents that a schema refers to, directly and indirectly.
    fn follow(&mut self, is_chosen: bool) {
        while let Some((_, documents)) = self.following.next() {
            for document in documents.into_iter().filter(|document| document.file.is_none()) {
                if document.places.is_empty() {
                    self.want(&document.uri, is_chosen);
                }
                for (path, reach) in document.places {
                    self.look(path, reach);
                }
            }
        }
    }

    fn look(&mut self, path: PathBuf, reach: Reach) {
        let is_known = || self.state.file_at(&path).is_some_and(|file| file.exists());
        if reach.names(&path) && !is_known() {
            self.missing.look(path, reach);
        }
    }

    fn want(&mut self, url: &str, is_chosen: bool) {
        if self.state.fetched.is_wanted(url, is_chosen) {
            self.missing.want(Wish { url: document_of(url).to_owned(), is_chosen });
        }
    }
}

//! The only place that changes what the workspace knows.

mod arrivals;
pub(crate) mod disk_look;
pub(crate) mod editing;
mod evaluations;
mod fetched;
mod inline_files;
mod missed_schemas;
mod probe;
mod schema_search;
pub(crate) mod sets;

use crate::association::bundles;
use crate::association::naming;
use crate::association::setting_globs::SettingGlobs;
use crate::association::wishes::Namer;
use crate::config::is_configuration;
use crate::discover::command_files::CommandFile;
use crate::disk::path::normalise;
use crate::disk::{Reach, StoredFolder, Volume};
use crate::evaluation::{Readers, Runner};
use crate::files::contents::{ContentHash, KeepsFindings};
use crate::files::facts::Facts;
use crate::files::file::{File, Origin};
use crate::files::scan::look_at;
use crate::files::table::Kept;
use crate::settings::Settings;
use crate::snapshot::Snapshot;
use crate::state::State;
use crate::workspace::schema_search::SchemaSearch;
use crate::workspace::sets::Resolving;
use lofting_document::{FileId, Options};
use lofting_memo::Stamp;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// Patterns of files that a client should watch for us, relative to the workspace folders.
pub const WATCHED: [&str; 11] = [
    "**/*.yml",
    "**/*.yaml",
    "**/*.json",
    "**/lofting.toml",
    "**/*.star",
    "**/*.sh",
    "**/*.mk",
    "**/Makefile",
    "**/[Jj]ustfile",
    "**/README*",
    "**/{Kustomization,.yamllint}",
];

/// The files of a workspace, owned by one thread.
pub struct Workspace {
    pub(crate) state: Arc<State>,
    pub(crate) runner: Runner,
    /// The files whose code runs again when a file changes.
    pub(crate) readers: Readers,
    /// Directories that were looked at before or outside a scan.
    pub(crate) probed: FxHashSet<PathBuf>,
    /// What is next to opened files and was not read yet.
    pub(crate) around: Vec<PathBuf>,
    /// Directories of the scan with their modification times, to see new files without a watcher.
    pub(crate) directories: Arc<FxHashMap<PathBuf, Option<SystemTime>>>,
    /// `ytt` commands by the file they are in.
    pub(crate) commands: Arc<BTreeMap<PathBuf, CommandFile>>,
    /// `commands` is newer than the files from the texts around them.
    pub(crate) commands_changed: bool,
    /// Files whose text is inside another file, by a path without a real file.
    pub(crate) inline_ids: Arc<FxHashMap<PathBuf, FileId>>,
    /// When and where input sets are resolved.
    pub(crate) resolving: Resolving,
    /// The search for schemas that something names.
    pub(crate) schema_search: SchemaSearch,
    /// A folder as it was, with which a scan compares what it reads.
    pub(crate) before: Option<StoredFolder>,
    /// The files that have the same content there, as far as the scan has read them.
    pub(crate) as_before: FxHashSet<PathBuf>,
    /// Where findings are kept from one run to the next.
    pub(crate) keeper: Option<Arc<dyn KeepsFindings>>,
    /// The contents of files for it, as far as the scan has read them.
    pub(crate) contents: FxHashMap<PathBuf, ContentHash>,
    /// Sets know all their files, including those that only rendering reads.
    pub(crate) all_inputs: bool,
    /// How files are lowered, according to command line flags.
    pub(crate) options: Options,
    /// No language but ytt's is looked for in files that are added from now on.
    pub(crate) only_ytt: bool,
    pub(crate) messages: Vec<String>,
    /// Messages that are not repeated.
    pub(crate) reported: FxHashSet<String>,
}

impl Workspace {
    /// A workspace over these folders. Reads nothing yet.
    pub fn new(roots: Vec<PathBuf>, settings: Settings) -> Self {
        let options = options_of(&settings);
        Workspace {
            state: Arc::new(State::new(roots, settings)),
            runner: Runner::default(),
            readers: Readers::default(),
            probed: FxHashSet::default(),
            around: Vec::new(),
            directories: Arc::default(),
            commands: Arc::default(),
            commands_changed: false,
            inline_ids: Arc::default(),
            resolving: Resolving::default(),
            schema_search: SchemaSearch::default(),
            before: None,
            as_before: FxHashSet::default(),
            keeper: None,
            contents: FxHashMap::default(),
            all_inputs: false,
            options,
            only_ytt: false,
            messages: Vec::new(),
            reported: FxHashSet::default(),
        }
    }

    /// A consistent view of the current state. Costs the same whatever the size of the workspace.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { state: self.state.clone() }
    }

    /// New messages for the user: limits that were reached and the like.
    pub fn take_messages(&mut self) -> Vec<String> {
        std::mem::take(&mut self.messages)
    }

    /// Adds a message for the user, only once.
    pub(crate) fn tell_once(&mut self, message: String) {
        if self.reported.insert(message.clone()) {
            self.messages.push(message);
        }
    }

    /// An editor opened a file; from now on its text counts. Before the first scan is done this looks for schemas
    /// near the file, so that its first findings need not wait; [`Workspace::take_around`] tells what is farther away.
    pub fn open(&mut self, path: &Path, version: i32, text: &str) -> FileId {
        self.open_as(path, version, text, true)
    }

    /// Opens a document. `yaml`: the editor says that it is YAML. If not, the name of the file decides.
    pub fn open_as(&mut self, path: &Path, version: i32, text: &str, yaml: bool) -> FileId {
        let path = normalise(Path::new("/"), path);
        self.probe_near(&path);
        let id = self.id_of(&path);
        self.set_text(id, Origin::Open { version, yaml }, text);
        self.search_schemas_of(id);
        if is_configuration(&path) || self.needs_sets(id) {
            self.refresh_sets();
        }
        id
    }

    /// The whole text of an open file was replaced.
    pub fn replace(&mut self, file: FileId, version: i32, text: &str) {
        if let Some(old) = self.state.file(file).filter(|old| old.is_open()) {
            let yaml = old.is_open_as_yaml();
            self.set_text(file, Origin::Open { version, yaml }, text);
        }
    }

    /// The editor closed a file: the disk counts again.
    pub fn close(&mut self, file: FileId) {
        let Some(old) = self.state.file(file).filter(|old| old.is_open()).cloned() else { return };
        self.read_again(&old);
        // It is no longer looked at. What others need of it is computed again.
        self.state.close(file);
    }

    /// The settings in effect.
    pub fn settings(&self) -> &Settings {
        &self.state.settings
    }

    /// Changes the settings.
    pub fn set_settings(&mut self, settings: Settings) {
        if **self.state.settings == settings {
            return;
        }
        let options = options_of(&settings);
        let trust_changes = self.state.settings.trust != settings.trust;
        let bundle_changes =
            self.state.settings.kubernetes != settings.kubernetes || self.state.settings.built_in != settings.built_in;
        let state = self.change();
        state.setting_globs = Arc::new(SettingGlobs::new(&settings));
        *state.settings = Arc::new(settings);
        state.structure = Stamp::next();
        if options != self.options {
            self.options = options;
            self.read_as_wanted();
        }
        if trust_changes {
            self.look_with_trust();
        }
        self.search_schemas([Namer::Settings]);
        if bundle_changes {
            let open: Vec<FileId> = self.state.index.kept(Kept::Open).collect();
            self.search_schemas_for(&open);
        }
    }

    /// Files named in texts of the workspace are looked up again: paths may now lead further, or less far.
    fn look_with_trust(&mut self) {
        self.probed.clear();
        let naming: Vec<Namer> = self.state.index.kept(Kept::Naming).map(Namer::File).collect();
        self.search_schemas(naming);
        self.refresh_sets_afresh();
    }

    /// From now on files are elsewhere. To be said before anything is read.
    pub(crate) fn read_from(&mut self, volume: Volume) {
        self.change().volume = volume;
        self.forget_bounds();
    }

    /// Changes the workspace folders. New ones need a scan.
    pub fn set_roots(&mut self, roots: Vec<PathBuf>) {
        let roots: Vec<PathBuf> = roots.iter().map(|root| normalise(Path::new("/"), root)).collect();
        if **self.state.roots != roots {
            let state = self.change();
            *state.roots = Arc::new(roots);
            state.structure = Stamp::next();
            state.scanned = false;
            *state.seen_all = false;
            self.forget_bounds();
        }
    }

    pub(crate) fn forget_bounds(&mut self) {
        self.change().bounds = Arc::default();
    }

    /// Whether the folders were walked.
    pub fn is_scanned(&self) -> bool {
        self.state.scanned
    }

    /// The state, to be changed: snapshots keep the old one, and what was derived from it is no longer valid.
    pub(crate) fn change(&mut self) -> &mut State {
        let state = Arc::make_mut(&mut self.state);
        state.begin();
        state
    }

    /// The ID of a path; a new one if the path was never seen.
    pub(crate) fn id_of(&mut self, path: &Path) -> FileId {
        if let Some(id) = self.state.index.get(path) {
            return id;
        }
        let options = self.options;
        let state = self.change();
        let id = state.files.next_id();
        let path: Arc<Path> = Arc::from(path);
        let reach = state.bounds_of(&path);
        state.files.set(Arc::new(File::missing(id, path.clone(), Stamp::next(), options, reach)));
        state.index.add(path, id);
        id
    }

    /// Adds text without a path, such as that of a flag. It is found only by its ID.
    pub(crate) fn add_given(&mut self, name: &str, text: &str) -> FileId {
        let options = self.options;
        let state = self.change();
        let id = state.files.next_id();
        let path: Arc<Path> = Arc::from(Path::new(name));
        state.files.set(Arc::new(File::with_text(id, path, Stamp::next(), Origin::Given, text, options)));
        id
    }

    /// Adds a file on disk that the user names: it is checked whatever it contains.
    pub(crate) fn add_named(&mut self, path: &Path) -> FileId {
        self.probe_around(path);
        let reach = Reach::of_user().on(&self.state.volume);
        let id = self.add_found(look_at(path.to_owned(), &reach)).0;
        Arc::make_mut(&mut self.change().named).insert(id);
        self.search_schemas_of(id);
        if self.needs_sets(id) {
            self.refresh_sets();
        }
        id
    }

    pub(crate) fn set_text(&mut self, id: FileId, origin: Origin, text: &str) {
        let Some(old) = self.state.file(id).cloned() else { return };
        let mut file = File::with_text(id, old.path.clone(), Stamp::next(), origin, text, self.options_of(id));
        if self.only_ytt {
            file.facts = file.facts.of_ytt();
        }
        self.replace_file(&old, file);
    }

    /// What is in a file, as far as it matters here.
    pub(crate) fn facts_of(&self, bytes: &[u8]) -> Facts {
        let facts = Facts::of(bytes);
        if self.only_ytt { facts.of_ytt() } else { facts }
    }

    /// Replaces the older state of a file, and updates what depends on it.
    pub(crate) fn replace_file(&mut self, old: &File, new: impl Into<Arc<File>>) {
        let new = new.into();
        let (path, exists) = (new.path.clone(), new.exists());
        let structural = old.facts != new.facts || old.exists() != exists || old.is_open() != new.is_open();
        let state = self.change();
        if structural {
            state.structure = Stamp::next();
            state.index.change(old, &new);
        }
        state.files.set(new.clone());
        self.forget_evaluation(old.id);
        self.run_again(&path);
        let sets_change = is_configuration(&path);
        // Schemas for a file that is being opened are searched for anyway.
        let may_name_others = || old.is_open() && (self.names_another_schema(old) || self.says_other_kinds(old));
        if sets_change || may_name_others() {
            self.want_schemas_of(&new);
            self.search_schemas([]);
        }
        if sets_change || (old.exists() != exists && self.may_have_sets()) {
            self.refresh_sets();
        }
    }

    /// Whether the file that replaces an older state names a schema that the old one did not. Closed files are handled
    /// by the code that detects their changes.
    fn names_another_schema(&self, old: &File) -> bool {
        let Some(new) = self.state.file(old.id).filter(|new| new.is_open() && new.facts.modeline) else { return false };
        // A name that is not known without parsing may be another one.
        let Some(name) = self.written_name(new) else { return true };
        name.is_some() && self.written_name(old) != Some(name)
    }

    /// The schema that a file names, if that is known without parsing it.
    fn written_name(&self, file: &File) -> Option<Option<String>> {
        let is_known = !file.facts.modeline || file.is_parsed() || file.modeline().is_some();
        is_known.then(|| naming::name_in(&self.state, file))
    }

    /// Whether the open file in the place of an older state has documents of other kinds, for which a bundle may have
    /// schemas.
    fn says_other_kinds(&self, old: &File) -> bool {
        let new = self.state.file(old.id).filter(|new| new.is_open() && new.facts.may_name_kinds());
        let Some(new) = new.filter(|_| bundles::may_be_named(&self.state)) else { return false };
        !bundles::names(new).map(|(_, name)| name).eq(bundles::names(old).map(|(_, name)| name))
            || new.overlaid_kinds() != old.overlaid_kinds()
    }

    /// How a file is read.
    pub(crate) fn options_of(&self, id: FileId) -> Options {
        self.state.sets.options(id, self.options)
    }

    /// Reads files again that are wanted with other options.
    pub(crate) fn read_as_wanted(&mut self) {
        let wanted = |file: &Arc<File>| {
            let options = self.options_of(file.id);
            (options != file.options).then(|| Arc::new(file.with_options(Stamp::next(), options)))
        };
        let again: Vec<Arc<File>> = self.state.files.iter().filter_map(wanted).collect();
        for file in again {
            self.change().files.set(file);
        }
    }

    /// Records a file as it is on disk now, or as missing.
    fn read_again(&mut self, old: &Arc<File>) {
        let found = look_at(old.path.to_path_buf(), &self.state.reach_again(&old.path));
        let file = File::on_disk(old.id, old.path.clone(), Stamp::next(), found, self.options_of(old.id));
        self.replace_file(old, file);
    }

    /// Whether sets may name a file that was just added.
    fn needs_sets(&self, file: FileId) -> bool {
        self.may_have_sets() && self.state.sets.of_file(file).next().is_none()
    }

    /// Whether there are sets, or commands that become sets when their files exist.
    pub(crate) fn may_have_sets(&self) -> bool {
        !self.state.sets.is_empty() || !self.commands.is_empty()
    }
}

fn options_of(settings: &Settings) -> Options {
    Options { ignore_unknown_comments: settings.ignore_unknown_comments, ..Options::default() }
}

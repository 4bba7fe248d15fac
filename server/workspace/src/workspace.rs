//! The one place that changes what the workspace knows.

use crate::association::setting_globs::SettingGlobs;
use crate::evaluation::{Readers, Runner};
use crate::files::disk::{Reach, Stat};
use crate::files::disk_look::{DiskFound, DiskLook, Place, What};
use crate::files::file::{File, Origin};
use crate::files::path::{file_name, normalise};
use crate::files::scan::{FoundFile, ScanProgress, ScanResult, Scanner, look_at};
use crate::input_sets::discovered::{CommandFile, look_for_commands};
use crate::input_sets::listing::Listings;
use crate::settings::Settings;
use crate::snapshot::Snapshot;
use crate::state::State;
use lofting_document::{FileId, Options};
use lofting_memo::CancelFlag;
use lofting_memo::Stamp;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// Patterns of files a client should watch for us, relative to the workspace folders.
pub const WATCHED: [&str; 9] = [
    "**/*.yml",
    "**/*.yaml",
    "**/lofting.toml",
    "**/*.star",
    "**/*.sh",
    "**/*.mk",
    "**/Makefile",
    "**/[Jj]ustfile",
    "**/README*",
];

/// The files of a workspace, owned by one thread.
pub struct Workspace {
    pub(crate) state: Arc<State>,
    pub(crate) runner: Runner,
    /// Who runs again when a file changes.
    pub(crate) readers: Readers,
    /// The folders were walked: what lies below them is known.
    pub(crate) scanned: bool,
    /// Directories that were looked at before or outside of a scan.
    pub(crate) probed: FxHashSet<PathBuf>,
    /// Directories of the scan with their last change, to see new files without a watcher.
    pub(crate) directories: FxHashMap<PathBuf, Option<SystemTime>>,
    /// `ytt` commands by the file they stand in.
    pub(crate) commands: BTreeMap<PathBuf, CommandFile>,
    /// `commands` is newer than the sets made of it.
    pub(crate) commands_changed: bool,
    /// Files whose text stands inside others, by a path at which nothing lies.
    pub(crate) inline_ids: FxHashMap<PathBuf, FileId>,
    /// What lies below directories that sets name.
    pub(crate) listings: Listings,
    /// Sets know all their files, also those that only rendering reads.
    pub(crate) all_inputs: bool,
    /// How files are lowered; flags of the command line.
    pub(crate) options: Options,
    pub(crate) messages: Vec<String>,
    /// Messages that are not said again.
    pub(crate) told: FxHashSet<String>,
}

impl Workspace {
    /// A workspace over these folders. Reads nothing yet.
    pub fn new(roots: Vec<PathBuf>, settings: Settings) -> Self {
        let options = options_of(&settings);
        Workspace {
            state: Arc::new(State::new(roots, settings)),
            runner: Runner::default(),
            readers: Readers::default(),
            scanned: false,
            probed: FxHashSet::default(),
            directories: FxHashMap::default(),
            commands: BTreeMap::new(),
            commands_changed: false,
            inline_ids: FxHashMap::default(),
            listings: Listings::default(),
            all_inputs: false,
            options,
            messages: Vec::new(),
            told: FxHashSet::default(),
        }
    }

    /// A consistent view of this moment. Costs the same whatever the size of the workspace.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { state: self.state.clone() }
    }

    /// Walks the folders on this thread.
    pub fn scan(&mut self, progress: &mut dyn FnMut(ScanProgress), cancel: &CancelFlag) {
        let result = self.scanner().run(progress, cancel);
        self.apply_scan(result);
    }

    /// The walk as something that can be sent to another thread; its result goes to
    /// [`Workspace::apply_scan`].
    pub fn scanner(&self) -> Scanner {
        self.state.scanner_of(self.state.roots.to_vec())
    }

    /// Takes over what a scan found. Open files keep their editor's text.
    pub fn apply_scan(&mut self, result: ScanResult) {
        self.scanned |= !result.cancelled;
        // A repository may have been made meanwhile.
        self.forget_bounds();
        for (directory, modified) in result.directories {
            self.directories.insert(directory, modified);
        }
        self.commands.extend(result.commands);
        let modelines: Vec<FileId> = result
            .files
            .into_iter()
            .filter_map(|found| {
                let modeline = found.facts.modeline;
                let (id, _) = self.add_found(found);
                modeline.then_some(id)
            })
            .collect();
        self.messages.extend(result.messages);
        for file in modelines {
            self.probe_modeline(file);
        }
        self.probe_settings();
        self.refresh_sets();
    }

    /// What the user should know since the last call: limits that were reached and the like.
    pub fn take_messages(&mut self) -> Vec<String> {
        std::mem::take(&mut self.messages)
    }

    /// Tells the user something, and never again.
    pub(crate) fn tell_once(&mut self, message: String) {
        if self.told.insert(message.clone()) {
            self.messages.push(message);
        }
    }

    /// An editor opened a file; its text counts from now on. Before the first scan is done this looks
    /// for schemas around the file, so that its first findings need not wait.
    pub fn open(&mut self, path: &Path, version: i32, text: &str) -> FileId {
        let path = normalise(Path::new("/"), path);
        self.probe_around(&path);
        let id = self.id_of(&path);
        self.set_text(id, Origin::Open { version }, text);
        self.probe_modeline(id);
        if file_name(&path) == crate::input_sets::config::FILE_NAME || self.needs_sets(id) {
            self.refresh_sets();
        }
        id
    }

    /// The whole text of an open file was replaced.
    pub fn replace(&mut self, file: FileId, version: i32, text: &str) {
        if self.state.file(file).is_some_and(|old| old.is_open()) {
            self.set_text(file, Origin::Open { version }, text);
        }
    }

    /// The editor closed a file: disk counts again.
    pub fn close(&mut self, file: FileId) {
        let Some(old) = self.state.file(file).filter(|old| old.is_open()).cloned() else { return };
        self.read_again(&old);
        // Nobody looks at it now. What others need of it is made again.
        self.state.memos.close(file);
    }

    /// Files changed on disk, as a watcher tells it: created, changed, deleted; also directories.
    /// Returns the files whose text is another now.
    pub fn disk_changed(&mut self, paths: &[PathBuf]) -> Vec<FileId> {
        let mut found = self.disk_look().run(paths);
        let changed = self.take_found(&mut found, usize::MAX);
        self.after_disk(&changed);
        changed
    }

    /// The part of [`Workspace::disk_changed`] that reads, as something that can be sent to another thread. What it
    /// finds goes to [`Workspace::take_found`].
    pub fn disk_look(&self) -> DiskLook {
        DiskLook { state: self.state.clone() }
    }

    /// Takes over what lies at the next so many paths. Returns the files whose text is another now; all of them together
    /// go to [`Workspace::after_disk`] when nothing is left.
    pub fn take_found(&mut self, found: &mut DiskFound, paths: usize) -> Vec<FileId> {
        let mut changed = Vec::new();
        for Place { path, commands, what } in found.places.by_ref().take(paths) {
            self.replace_commands(&path, commands);
            changed.extend(self.run_again(&path));
            match what {
                What::Directory(result) => {
                    // What was known there may be gone, and a file may have become this directory.
                    changed.extend(self.gone(&path));
                    changed.extend(self.add_result(result));
                }
                What::File(found) => {
                    let (id, is_other) = self.add_found(found);
                    changed.extend(is_other.then_some(id));
                }
                What::Nothing => changed.extend(self.gone(&path)),
            }
        }
        changed
    }

    /// Looks at all known files and directories on disk, for clients that watch nothing. Returns the
    /// files whose text is another now.
    pub fn recheck_disk(&mut self) -> Vec<FileId> {
        let known: Vec<Arc<File>> = self.state.files.iter().cloned().collect();
        let mut changed = Vec::new();
        for path in self.changed_reads() {
            changed.extend(self.run_again(&path));
        }
        for file in known {
            let now = match file.origin {
                Origin::Disk(before) => {
                    let now = Stat::of(&file.path);
                    if now == before && now.is_some() {
                        continue;
                    }
                    now
                }
                Origin::Missing => Stat::of(&file.path),
                Origin::Open { .. } | Origin::Given => continue,
            };
            match now {
                Some(_) => changed.extend(self.look_again(&file.path)),
                None => changed.extend(self.gone(&file.path)),
            }
        }
        let sources: Vec<(PathBuf, Option<Stat>)> =
            self.commands.iter().map(|(path, file)| (path.clone(), file.stat)).collect();
        for (path, before) in sources {
            if Stat::of(&path) != before {
                self.look_for_commands_again(&path);
            }
        }
        changed.extend(self.recheck_directories());
        self.after_disk(&changed);
        changed
    }

    /// New files show as a change of their directory.
    fn recheck_directories(&mut self) -> Vec<FileId> {
        let mut changed = Vec::new();
        let known: Vec<(PathBuf, Option<SystemTime>)> =
            self.directories.iter().map(|(path, modified)| (path.clone(), *modified)).collect();
        for (directory, before) in known {
            let Ok(now) = self.state.bounds_of(&directory).directory(&directory) else {
                self.directories.remove(&directory);
                continue;
            };
            if now.changed() == before {
                continue;
            }
            let mut result =
                self.state.scanner_of(vec![directory.clone()]).shallow().run(&mut |_| {}, &CancelFlag::new());
            let new: Vec<PathBuf> = result
                .directories
                .iter()
                .map(|(path, _)| path.clone())
                .filter(|path| !self.directories.contains_key(path))
                .collect();
            result.directories.retain(|(path, _)| *path == directory);
            changed.extend(self.add_result(result));
            if !new.is_empty() {
                let result = self.state.scanner_of(new).run(&mut |_| {}, &CancelFlag::new());
                changed.extend(self.add_result(result));
            }
        }
        changed
    }

    /// The settings in effect.
    pub fn settings(&self) -> &Settings {
        &self.state.settings
    }

    /// Other settings.
    pub fn set_settings(&mut self, settings: Settings) {
        if *self.state.settings == settings {
            return;
        }
        let options = options_of(&settings);
        let trust_changes = self.state.settings.trust != settings.trust;
        let state = self.change();
        state.setting_globs = Arc::new(SettingGlobs::new(&settings));
        state.settings = Arc::new(settings);
        state.structure = Stamp::next();
        if options != self.options {
            self.options = options;
            let open: Vec<Arc<File>> = self.state.files.iter().cloned().collect();
            for file in open {
                let again = file.with_options(Stamp::next(), options);
                self.change().files.set(Arc::new(again));
            }
        }
        if trust_changes {
            self.look_with_trust();
        }
        self.probe_settings();
    }

    /// What text of the workspace names is looked for again: it may lead further now, or less far.
    fn look_with_trust(&mut self) {
        self.probed.clear();
        self.listings.clear();
        let modelines: Vec<FileId> =
            self.state.files.iter().filter(|file| file.facts.modeline).map(|file| file.id).collect();
        for file in modelines {
            self.probe_modeline(file);
        }
        self.refresh_sets();
    }

    /// Other workspace folders. New ones need a scan.
    pub fn set_roots(&mut self, roots: Vec<PathBuf>) {
        let roots: Vec<PathBuf> = roots.iter().map(|root| normalise(Path::new("/"), root)).collect();
        if *self.state.roots != roots {
            let state = self.change();
            state.roots = Arc::new(roots);
            state.structure = Stamp::next();
            self.scanned = false;
            self.forget_bounds();
        }
    }

    fn forget_bounds(&mut self) {
        self.change().bounds = Arc::default();
    }

    /// Whether the folders were walked.
    pub fn is_scanned(&self) -> bool {
        self.scanned
    }

    /// The state, to be changed: snapshots keep the old one, and what was found out about that holds no more.
    pub(crate) fn change(&mut self) -> &mut State {
        let state = Arc::make_mut(&mut self.state);
        state.number = Stamp::next();
        state.shared = Arc::default();
        state
    }

    /// The number of a path; a new one if the path was never seen.
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

    /// Adds text without a path, such as that of a flag. It is found by its number only.
    pub(crate) fn add_given(&mut self, name: &str, text: &str) -> FileId {
        let options = self.options;
        let state = self.change();
        let id = state.files.next_id();
        let path: Arc<Path> = Arc::from(Path::new(name));
        state.files.set(Arc::new(File::with_text(id, path, Stamp::next(), Origin::Given, text, options)));
        id
    }

    /// Adds a file of disk that the user names: it is checked whatever it is.
    pub(crate) fn add_named(&mut self, path: &Path) -> FileId {
        self.probe_around(path);
        let id = self.add_found(look_at(path.to_owned(), &Reach::of_user())).0;
        Arc::make_mut(&mut self.change().named).insert(id);
        self.probe_modeline(id);
        if self.needs_sets(id) {
            self.refresh_sets();
        }
        id
    }

    pub(crate) fn set_text(&mut self, id: FileId, origin: Origin, text: &str) {
        let Some(old) = self.state.file(id).cloned() else { return };
        let file = File::with_text(id, old.path.clone(), Stamp::next(), origin, text, self.options);
        self.replace_file(&old, file);
    }

    /// Puts a file in the place of its older state, and keeps what depends on it in step.
    pub(crate) fn replace_file(&mut self, old: &File, new: impl Into<Arc<File>>) {
        let new = new.into();
        let (path, exists) = (new.path.clone(), new.exists());
        let structural = old.facts != new.facts || old.exists() != exists || old.is_open() != new.is_open();
        let state = self.change();
        if structural {
            state.structure = Stamp::next();
            state.index.change(old, &new);
        }
        state.files.set(new);
        self.forget_evaluation(old.id);
        self.run_again(&path);
        let sets_change = file_name(&path) == crate::input_sets::config::FILE_NAME;
        if sets_change || (old.exists() != exists && self.may_have_sets()) {
            self.refresh_sets();
        }
    }

    /// Takes a file over as it is on disk now, or as missing.
    fn read_again(&mut self, old: &Arc<File>) {
        let found = look_at(old.path.to_path_buf(), &self.state.reach_again(&old.path));
        let file = File::on_disk(old.id, old.path.clone(), Stamp::next(), found, self.options);
        self.replace_file(old, file);
    }

    /// Adds or updates a file found on disk. Tells whether its text may be another now.
    pub(crate) fn add_found(&mut self, found: FoundFile) -> (FileId, bool) {
        let id = self.id_of(&found.path);
        let Some(old) = self.state.file(id).cloned() else { return (id, false) };
        let same = match old.origin {
            Origin::Open { .. } | Origin::Given => true,
            Origin::Disk(stat) => stat == found.stat,
            Origin::Missing => found.stat.is_none(),
        };
        if same {
            return (id, false);
        }
        let options = self.options;
        let file = File::on_disk(id, old.path.clone(), Stamp::next(), found, options);
        // Sets are refreshed by the caller, once for all files.
        let state = self.change();
        state.index.change(&old, &file);
        state.files.set(Arc::new(file));
        state.structure = Stamp::next();
        self.run_again(&old.path);
        (id, true)
    }

    fn add_result(&mut self, result: ScanResult) -> Vec<FileId> {
        self.messages.extend(result.messages);
        self.commands_changed |= !result.commands.is_empty();
        self.commands.extend(result.commands);
        for (directory, modified) in result.directories {
            self.directories.insert(directory, modified);
        }
        let mut changed = Vec::new();
        for found in result.files {
            if let (id, true) = self.add_found(found) {
                changed.push(id);
            }
        }
        changed
    }

    fn look_again(&mut self, path: &Path) -> Option<FileId> {
        let (id, changed) = self.add_found(look_at(path.to_owned(), &self.state.reach_again(path)));
        changed.then_some(id)
    }

    /// The path is no file any more, nor is anything below it.
    fn gone(&mut self, path: &Path) -> Vec<FileId> {
        let below: Vec<FileId> = self
            .state
            .index
            .directories_below(path)
            .flat_map(|(_, files)| files.iter().copied())
            .chain(self.state.index.get(path))
            .collect();
        let mut changed = Vec::new();
        for id in below {
            let Some(old) = self.state.file(id).cloned() else { continue };
            let on_disk = matches!(old.origin, Origin::Disk(_));
            if on_disk && Stat::of(&old.path).is_none() {
                let reach = old.reach.clone();
                let found = FoundFile { path: old.path.to_path_buf(), stat: None, facts: Default::default(), reach };
                if let (id, true) = self.add_found(found) {
                    changed.push(id);
                }
            }
        }
        changed
    }

    /// Reads the commands of a file again, or forgets them.
    fn look_for_commands_again(&mut self, path: &Path) {
        self.replace_commands(path, look_for_commands(path, &self.state.bounds_of(path)));
    }

    fn replace_commands(&mut self, path: &Path, now: Option<CommandFile>) {
        if now.is_some() || self.commands.contains_key(path) {
            self.commands_changed = true;
        }
        match now {
            Some(file) => self.commands.insert(path.to_owned(), file),
            None => self.commands.remove(path),
        };
    }

    /// Brings what depends on files in step with those that changed on disk.
    pub fn after_disk(&mut self, changed: &[FileId]) {
        if self.commands_changed {
            self.refresh_sets();
        }
        if changed.is_empty() {
            return;
        }
        for file in changed {
            self.probe_modeline(*file);
        }
        let config = |id: &FileId| {
            self.state.file(*id).is_some_and(|file| file_name(&file.path) == crate::input_sets::config::FILE_NAME)
        };
        if self.may_have_sets() || changed.iter().any(config) {
            self.refresh_sets();
        }
    }

    /// Whether sets may name a file that was just added.
    fn needs_sets(&self, file: FileId) -> bool {
        self.may_have_sets() && self.state.sets.of_file(file).next().is_none()
    }

    /// Whether there are sets, or commands that become sets when their files are there.
    fn may_have_sets(&self) -> bool {
        !self.state.sets.is_empty() || !self.commands.is_empty()
    }
}

fn options_of(settings: &Settings) -> Options {
    Options { ignore_unknown_comments: settings.ignore_unknown_comments, ..Options::default() }
}

//! Applies what was seen on disk: by a scan of the folders, after a notice from a watcher, or by a check of all
//! known files. The disk is read on another thread; the results are applied in pieces.

use crate::association::wishes::Namer;
use crate::discover::command_files::CommandFile;
use crate::disk::Reach;
use crate::files::file::{File, Origin};
use crate::files::scan::{FoundFile, ScanProgress, ScanResult, Scanner};
use crate::workspace::Workspace;
use crate::workspace::disk_look::{DiskFound, DiskLook, FoundPath, What};
use lofting_document::FileId;
use lofting_memo::{CancelFlag, Stamp};
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Workspace {
    /// Scans the folders on this thread.
    pub fn scan(&mut self, progress: &mut dyn FnMut(ScanProgress), cancel: &CancelFlag) {
        let result = self.scanner().run(progress, cancel);
        self.apply_scan(result);
    }

    /// Scans for a command: these folders, with all of their files, and then the workspace up to its limits.
    pub(crate) fn scan_all_of(
        &mut self,
        mut given: Vec<PathBuf>,
        progress: &mut dyn FnMut(ScanProgress),
        cancel: &CancelFlag,
    ) {
        // What is below one of them comes after it.
        given.sort();
        given.dedup_by(|inner, outer| inner.starts_with(&*outer));
        let result = self.scanner().with_all_of(self.state.scan_folders(given)).run(progress, cancel);
        self.apply_scan(result);
    }

    /// The scan as a value that can be sent to another thread; its result goes to [`Workspace::take_scan`].
    pub fn scanner(&self) -> Scanner {
        self.state
            .scanner_of(self.state.roots.to_vec())
            .compared_with(self.before.clone())
            .noting_contents(self.keeper.clone())
    }

    /// Applies the whole result of a scan.
    pub fn apply_scan(&mut self, mut result: ScanResult) {
        while !self.take_scan(&mut result, usize::MAX) {}
    }

    /// Applies up to `files` files of a scan; returns whether these were the last. Open files keep their editor's
    /// text.
    pub fn take_scan(&mut self, result: &mut ScanResult, files: usize) -> bool {
        if !result.files.is_empty() {
            let count = files.min(result.files.len());
            for found in result.files.drain(..count) {
                self.add_found(found);
            }
            return false;
        }
        if !result.cancelled && !self.state.scanned {
            let state = self.change();
            state.scanned = true;
            *state.seen_all = !result.stopped;
            state.structure = Stamp::next();
        }
        // A repository may have been created meanwhile.
        self.forget_bounds();
        self.find_configurations_above_roots();
        Arc::make_mut(&mut self.directories).extend(std::mem::take(&mut result.directories));
        self.add_commands(std::mem::take(&mut result.commands));
        self.as_before.extend(std::mem::take(&mut result.as_before));
        self.contents.extend(std::mem::take(&mut result.contents));
        self.messages.append(&mut result.messages);
        self.search_schemas([Namer::Settings]);
        self.refresh_sets();
        true
    }

    /// Notes files that changed on disk according to a watcher: created, changed, deleted; also directories. Returns
    /// the files whose text changed.
    pub fn disk_changed(&mut self, paths: &[PathBuf]) -> Vec<FileId> {
        let found = self.disk_look().run(paths);
        self.take_all_found(found)
    }

    /// Checks all known files and directories on disk, for clients without a watcher. Returns the files whose text
    /// changed.
    pub fn recheck_disk(&mut self) -> Vec<FileId> {
        let found = self.disk_look().run_over_all();
        self.take_all_found(found)
    }

    fn take_all_found(&mut self, mut found: DiskFound) -> Vec<FileId> {
        let changed = self.take_found(&mut found, usize::MAX);
        self.after_disk(&changed);
        changed
    }

    /// The part of the above that reads the disk, as a value that can be sent to another thread. Its result goes to
    /// [`Workspace::take_found`].
    pub fn disk_look(&self) -> DiskLook {
        DiskLook {
            state: self.state.clone(),
            commands: self.commands.clone(),
            directories: self.directories.clone(),
            missed: self.missed_schemas(),
        }
    }

    /// Applies the results for the next `paths` paths. Returns the files whose text changed; pass all of them to
    /// [`Workspace::after_disk`] when nothing is left.
    pub fn take_found(&mut self, found: &mut DiskFound, paths: usize) -> Vec<FileId> {
        let mut changed = Vec::new();
        for FoundPath { path, commands, what } in found.places.by_ref().take(paths) {
            self.replace_commands(&path, commands);
            changed.extend(self.run_again(&path));
            match what {
                What::Directory(modified) => {
                    Arc::make_mut(&mut self.directories).insert(path, modified);
                }
                What::File(found) => {
                    let (id, is_other) = self.add_found(found);
                    changed.extend(is_other.then_some(id));
                    self.search_again_for(&path);
                }
                What::Nothing => changed.extend(self.gone(&path)),
            }
        }
        changed
    }

    /// Updates everything that depends on the files that changed on disk.
    pub fn after_disk(&mut self, changed: &[FileId]) {
        if self.commands_changed {
            self.refresh_sets();
        }
        if changed.is_empty() {
            return;
        }
        self.search_schemas([]);
        let config = |id: &FileId| self.state.file(*id).is_some_and(|file| file.is_configuration());
        if self.may_have_sets() || changed.iter().any(config) {
            self.refresh_sets();
        }
    }

    /// Adds or updates a file that was found on disk. Also returns whether its text may have changed.
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
        let options = self.options_of(id);
        let file = Arc::new(File::on_disk(id, old.path.clone(), Stamp::next(), found, options));
        // The caller refreshes the sets once for all files.
        let state = self.change();
        state.index.change(&old, &file);
        state.files.set(file.clone());
        state.structure = Stamp::next();
        self.want_schemas_of(&file);
        self.run_again(&old.path);
        (id, true)
    }

    /// Adds a file that the user gave to ytt. It is always needed, so what was read of it is kept.
    pub(crate) fn add_input(&mut self, path: &Path, reach: Reach) -> FileId {
        let (stat, bytes) = reach.stat_and_bytes(path);
        let facts = self.facts_of(bytes.as_deref().unwrap_or_default());
        let (id, is_other) = self.add_found(FoundFile { path: path.to_owned(), stat, facts, reach });
        if let (Some(file), Some(bytes)) = (self.state.file(id).filter(|_| is_other), bytes) {
            file.is_read(bytes);
        }
        id
    }

    /// There is no longer a file at the path. Open files keep their editor's text.
    fn gone(&mut self, path: &Path) -> Option<FileId> {
        Arc::make_mut(&mut self.directories).remove(path);
        let old = self.state.file_at(path).filter(|old| matches!(old.origin, Origin::Disk(_)))?;
        let (path, reach) = (old.path.to_path_buf(), old.reach.clone());
        let (id, is_other) = self.add_found(FoundFile { path, stat: None, facts: Default::default(), reach });
        is_other.then_some(id)
    }

    fn replace_commands(&mut self, path: &Path, now: Option<CommandFile>) {
        if now.is_none() && !self.commands.contains_key(path) {
            return;
        }
        self.commands_changed = true;
        let commands = Arc::make_mut(&mut self.commands);
        match now {
            Some(file) => commands.insert(path.to_owned(), file),
            None => commands.remove(path),
        };
    }

    /// Adds the commands of files that were searched.
    pub(crate) fn add_commands(&mut self, found: impl IntoIterator<Item = (PathBuf, CommandFile)>) {
        let mut found = found.into_iter().peekable();
        if found.peek().is_some() {
            self.commands_changed = true;
            Arc::make_mut(&mut self.commands).extend(found);
        }
    }
}

//! Looks at what changed on disk. Reading takes a long time and needs no workspace; the workspace applies the results
//! in pieces.
//!
//! Switching a branch or installing packages changes a hundred thousand files at once, and the user must not wait for that.
//! So each piece of a result stands for at most one file.

use crate::discover::command_files::{CommandFile, look_for_commands};
use crate::disk::path::normalise;
use crate::disk::{FileType, Stat, directory_changed};
use crate::files::file::Origin;
use crate::files::other_names::OtherNames;
use crate::files::scan::{FoundFile, ScanResult, is_ours, look_at};
use crate::state::State;
use crate::workspace::missed_schemas::MissedSchemas;
use lofting_memo::CancelFlag;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// A look at the disk. It can be sent to another thread.
#[derive(Clone)]
pub struct DiskLook {
    /// Provides the reach of each file.
    pub(crate) state: Arc<State>,
    /// Files with commands that are known.
    pub(crate) commands: Arc<BTreeMap<PathBuf, CommandFile>>,
    /// Directories with their times of last change.
    pub(crate) directories: Arc<FxHashMap<PathBuf, Option<SystemTime>>>,
    /// Where schemas were searched for that were not there. They may have any name.
    pub(crate) missed: Arc<MissedSchemas>,
}

/// What was found at some paths, in their order.
#[derive(Debug, Default)]
pub struct DiskFound {
    pub(crate) places: std::vec::IntoIter<FoundPath>,
}

/// What was found at one path.
#[derive(Debug)]
pub(crate) struct FoundPath {
    pub path: PathBuf,
    pub commands: Option<CommandFile>,
    pub what: What,
}

#[derive(Debug)]
pub(crate) enum What {
    /// A directory with its time of last change. Its files have entries of their own.
    Directory(Option<SystemTime>),
    File(FoundFile),
    /// Nothing, or nothing relevant.
    Nothing,
}

impl DiskLook {
    /// Whether one of the paths is a directory, which may contain anything.
    pub fn finds_a_directory(&self, paths: &[PathBuf]) -> bool {
        paths.iter().any(|path| self.state.bounds_of(path).is_directory(path))
    }

    /// Looks at each of the paths once.
    pub fn run(&self, paths: &[PathBuf]) -> DiskFound {
        let mut places = VisitedPaths::new(self);
        for path in paths {
            places.add(normalise(Path::new("/"), path));
        }
        places.found()
    }

    /// Looks at everything that is known, for clients without a watcher.
    pub fn run_over_all(&self) -> DiskFound {
        let mut places = VisitedPaths::new(self);
        for path in self.changed_reads() {
            places.add(path);
        }
        for file in self.state.files.iter() {
            let before = match file.origin {
                Origin::Disk(before) => before,
                Origin::Missing => None,
                Origin::Open { .. } | Origin::Given => continue,
            };
            let now = Stat::of(&file.path);
            if now != before || (now.is_none() && file.exists()) {
                places.add(file.path.to_path_buf());
            }
        }
        for path in self.missed.places().filter(|path| Stat::of(path).is_some()) {
            places.add(path.clone());
        }
        for (path, file) in self.commands.iter() {
            if Stat::of(path) != file.stat {
                places.add(path.clone());
            }
        }
        for (directory, before) in self.directories.iter() {
            // Most are as they were, and asking for that is cheap. A folder that has become a link is not.
            if before.is_some() && directory_changed(directory) == *before {
                continue;
            }
            let now = self.state.bounds_of(directory).directory(directory);
            match now {
                Ok(now) if now.changed() == *before => {}
                // New files change their directory.
                Ok(_) => places.look_into(directory),
                Err(_) => places.add(directory.clone()),
            }
        }
        places.found()
    }

    /// Files that code read and that have changed on disk.
    fn changed_reads(&self) -> Vec<PathBuf> {
        let read = self.state.evaluations.iter().flat_map(|(_, evaluated)| evaluated.reads());
        let mut changed: Vec<PathBuf> =
            read.filter(|(path, seen)| seen.is_other_on_disk(path)).map(|(path, _)| path.clone()).collect();
        changed.sort_unstable();
        changed.dedup();
        changed
    }
}

impl DiskFound {
    /// Whether everything was applied.
    pub fn is_empty(&self) -> bool {
        self.places.as_slice().is_empty()
    }
}

/// The paths looked at so far.
struct VisitedPaths<'a> {
    look: &'a DiskLook,
    other_names: OtherNames,
    seen: FxHashSet<PathBuf>,
    list: Vec<FoundPath>,
}

impl<'a> VisitedPaths<'a> {
    fn new(look: &'a DiskLook) -> Self {
        VisitedPaths { look, other_names: look.state.other_names(), seen: FxHashSet::default(), list: Vec::new() }
    }

    fn found(self) -> DiskFound {
        DiskFound { places: self.list.into_iter() }
    }

    /// Looks at a path and, if it is or was a directory, at everything below it.
    fn add(&mut self, path: PathBuf) {
        if !self.seen.insert(path.clone()) {
            return;
        }
        let state = &self.look.state;
        let commands = look_for_commands(&path, &state.bounds_of(&path));
        let reach = state.reach_again(&path);
        match reach.look(&path) {
            Ok(FileType::Directory) => {
                self.add_gone_below(&path);
                let found = state.scanner_of(vec![path.clone()]).run(&mut |_| {}, &CancelFlag::new());
                // A file may have become a directory.
                self.list.push(FoundPath { path: path.clone(), commands, what: What::Nothing });
                self.add_scanned(found, |_| true);
                let missed = self.look.missed.clone();
                missed.places().filter(|missed| missed.starts_with(&path)).for_each(|missed| self.add(missed.clone()));
            }
            Ok(FileType::File) if self.counts(&path) => {
                let found = look_at(path.clone(), &reach);
                self.add_other_names(&found);
                self.list.push(FoundPath { path, commands, what: What::File(found) });
            }
            _ => {
                self.add_gone_below(&path);
                self.list.push(FoundPath { path, commands, what: What::Nothing });
            }
        }
    }

    /// Whether a file counts. Schemas may be JSON files.
    fn counts(&self, path: &Path) -> bool {
        let state = &self.look.state;
        let is_known = state.file_at(path).is_some() || self.look.missed.holds(path);
        is_known || is_ours(path) || self.other_names.have(path)
    }

    /// Looks for the files with names of other kinds that a new or changed configuration names.
    fn add_other_names(&mut self, found: &FoundFile) {
        let known = self.look.state.file_at(&found.path).map(|known| known.origin);
        let mut names = OtherNames::default();
        if !matches!(known, Some(Origin::Disk(before)) if before == found.stat) {
            names.add_found(found);
        }
        let Some(directory) = found.path.parent().filter(|_| !names.is_empty()) else { return };
        let scanner = self.look.state.scanner_of(vec![directory.to_owned()]).with_other_names(names);
        self.add_scanned(scanner.run(&mut |_| {}, &CancelFlag::new()), |file| !is_ours(&file.path));
    }

    /// Looks at new files directly in a directory, and at everything below new directories.
    fn look_into(&mut self, directory: &Path) {
        let state = &self.look.state;
        let shallow = state.scanner_of(vec![directory.to_owned()]).shallow();
        let mut found = shallow.run(&mut |_| {}, &CancelFlag::new());
        let known = &self.look.directories;
        let new: Vec<PathBuf> =
            found.directories.iter().map(|(path, _)| path).filter(|path| !known.contains_key(*path)).cloned().collect();
        found.directories.retain(|(path, _)| path == directory);
        self.add_scanned(found, |file| state.file_at(&file.path).is_none_or(|known| !known.exists()));
        for directory in new {
            self.add(directory);
        }
    }

    /// Adds the files that a scan found.
    fn add_scanned(&mut self, found: ScanResult, counts: impl Fn(&FoundFile) -> bool) {
        let directories = found.directories.into_iter();
        self.list.extend(directories.map(|(path, changed)| FoundPath {
            path,
            commands: None,
            what: What::Directory(changed),
        }));
        let mut commands: FxHashMap<PathBuf, CommandFile> = found.commands.into_iter().collect();
        for file in found.files.into_iter().filter(counts) {
            if self.seen.insert(file.path.clone()) {
                let commands = commands.remove(&file.path);
                self.list.push(FoundPath { path: file.path.clone(), commands, what: What::File(file) });
            }
        }
        for (path, commands) in commands {
            if self.seen.insert(path.clone()) {
                self.list.push(FoundPath { path, commands: Some(commands), what: What::Nothing });
            }
        }
    }

    /// Adds known paths below a path that no longer exist.
    fn add_gone_below(&mut self, path: &Path) {
        let state = &self.look.state;
        let files = state.index.directories_below(path).flat_map(|(_, files)| files);
        let files = files.filter_map(|id| Some(state.file(*id)?.path.to_path_buf()));
        let commands =
            self.look.commands.range::<Path, _>((std::ops::Bound::Excluded(path), std::ops::Bound::Unbounded));
        let commands = commands.map(|(path, _)| path).take_while(|below| below.starts_with(path)).cloned();
        for gone in files.chain(commands).filter(|path| Stat::of(path).is_none()).collect::<Vec<_>>() {
            if self.seen.insert(gone.clone()) {
                self.list.push(FoundPath { path: gone, commands: None, what: What::Nothing });
            }
        }
    }
}

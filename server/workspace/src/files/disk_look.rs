//! Looking at what changed on disk: the reading, which takes long and needs no workspace, and what it found, which a
//! workspace takes over in pieces.
//!
//! A branch that is switched or a package that is installed changes a hundred thousand files at once. Nobody should wait
//! for them to be read. Each place therefore stands for one file at most, whatever was looked at.

use crate::files::disk::{Kind, Stat};
use crate::files::file::Origin;
use crate::files::path::normalise;
use crate::files::scan::{FoundFile, ScanResult, is_ours, look_at};
use crate::input_sets::discovered::{CommandFile, look_for_commands};
use crate::state::State;
use lofting_memo::CancelFlag;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// A way to look. It can be sent to another thread.
#[derive(Clone)]
pub struct DiskLook {
    /// Says how far to look.
    pub(crate) state: Arc<State>,
    /// Files with commands that are known.
    pub(crate) commands: Arc<BTreeMap<PathBuf, CommandFile>>,
    /// Directories with their last change.
    pub(crate) directories: Arc<FxHashMap<PathBuf, Option<SystemTime>>>,
}

/// What lies at some paths, in their order.
#[derive(Debug, Default)]
pub struct DiskFound {
    pub(crate) places: std::vec::IntoIter<Place>,
}

/// What lies at one path.
#[derive(Debug)]
pub(crate) struct Place {
    pub path: PathBuf,
    pub commands: Option<CommandFile>,
    pub what: What,
}

#[derive(Debug)]
pub(crate) enum What {
    /// A directory with its last change. Its files have places of their own.
    Directory(Option<SystemTime>),
    File(FoundFile),
    /// Nothing, or nothing of ours.
    Nothing,
}

impl DiskLook {
    /// Whether one of the paths is a directory, below which anything may lie.
    pub fn finds_a_directory(&self, paths: &[PathBuf]) -> bool {
        paths.iter().any(|path| self.state.bounds_of(path).is_directory(path))
    }

    /// Looks at each of the paths once.
    pub fn run(&self, paths: &[PathBuf]) -> DiskFound {
        let mut places = Places::new(self);
        for path in paths {
            places.add(normalise(Path::new("/"), path));
        }
        places.found()
    }

    /// Looks at all that is known, for clients that watch nothing.
    pub fn run_over_all(&self) -> DiskFound {
        let mut places = Places::new(self);
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
        for (path, file) in self.commands.iter() {
            if Stat::of(path) != file.stat {
                places.add(path.clone());
            }
        }
        for (directory, before) in self.directories.iter() {
            let now = self.state.bounds_of(directory).directory(directory);
            match now {
                Ok(now) if now.changed() == *before => {}
                // New files show as a change of their directory.
                Ok(_) => places.look_into(directory),
                Err(_) => places.add(directory.clone()),
            }
        }
        places.found()
    }

    /// What code read and is not on disk any more as it was then.
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
    /// Whether all was taken over.
    pub fn is_empty(&self) -> bool {
        self.places.as_slice().is_empty()
    }
}

/// Places that were looked at.
struct Places<'a> {
    look: &'a DiskLook,
    seen: FxHashSet<PathBuf>,
    list: Vec<Place>,
}

impl<'a> Places<'a> {
    fn new(look: &'a DiskLook) -> Self {
        Places { look, seen: FxHashSet::default(), list: Vec::new() }
    }

    fn found(self) -> DiskFound {
        DiskFound { places: self.list.into_iter() }
    }

    /// Looks at a path, with all that is below it if it is a directory, or was one.
    fn add(&mut self, path: PathBuf) {
        if !self.seen.insert(path.clone()) {
            return;
        }
        let state = &self.look.state;
        let commands = look_for_commands(&path, &state.bounds_of(&path));
        let reach = state.reach_again(&path);
        match reach.look(&path) {
            Ok(Kind::Directory) => {
                self.add_gone_below(&path);
                let found = state.scanner_of(vec![path.clone()]).run(&mut |_| {}, &CancelFlag::new());
                // A file may have become this directory.
                self.list.push(Place { path: path.clone(), commands, what: What::Nothing });
                self.add_scanned(found, |_| true);
            }
            // Schemas may be JSON.
            Ok(Kind::File) if is_ours(&path) || state.file_at(&path).is_some() => {
                let what = What::File(look_at(path.clone(), &reach));
                self.list.push(Place { path, commands, what });
            }
            _ => {
                self.add_gone_below(&path);
                self.list.push(Place { path, commands, what: What::Nothing });
            }
        }
    }

    /// Looks at what is new directly in a directory, and at all below new directories.
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

    /// Places for what a scan found.
    fn add_scanned(&mut self, found: ScanResult, counts: impl Fn(&FoundFile) -> bool) {
        let directories = found.directories.into_iter();
        self.list.extend(directories.map(|(path, changed)| Place {
            path,
            commands: None,
            what: What::Directory(changed),
        }));
        let mut commands: FxHashMap<PathBuf, CommandFile> = found.commands.into_iter().collect();
        for file in found.files.into_iter().filter(counts) {
            if self.seen.insert(file.path.clone()) {
                let commands = commands.remove(&file.path);
                self.list.push(Place { path: file.path.clone(), commands, what: What::File(file) });
            }
        }
        for (path, commands) in commands {
            if self.seen.insert(path.clone()) {
                self.list.push(Place { path, commands: Some(commands), what: What::Nothing });
            }
        }
    }

    /// Places for what was known below a path and is not there any more.
    fn add_gone_below(&mut self, path: &Path) {
        let state = &self.look.state;
        let files = state.index.directories_below(path).flat_map(|(_, files)| files);
        let files = files.filter_map(|id| Some(state.file(*id)?.path.to_path_buf()));
        let commands =
            self.look.commands.range::<Path, _>((std::ops::Bound::Excluded(path), std::ops::Bound::Unbounded));
        let commands = commands.map(|(path, _)| path).take_while(|below| below.starts_with(path)).cloned();
        for gone in files.chain(commands).filter(|path| Stat::of(path).is_none()).collect::<Vec<_>>() {
            if self.seen.insert(gone.clone()) {
                self.list.push(Place { path: gone, commands: None, what: What::Nothing });
            }
        }
    }
}

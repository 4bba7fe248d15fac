//! Looking at single places on disk: around a file that is opened before the scan is done or outside all folders.
//!
//! The nearest files are read at once, so that first findings know their schema; the rest is only listed, and read by
//! the caller's means ([`Workspace::take_around`]), because a user who types must not wait for it.

use crate::CancelFlag;
use crate::config;
use crate::discover::SourceKind;
use crate::discover::command_files::look_for_commands;
use crate::disk::{FileType, Reach, is_repository};
use crate::files::file::Origin;
use crate::files::libraries::{LIBRARIES, SCHEMA_DIRECTORIES};
use crate::files::scan::{ScanFolder, Scanner, is_ours, look_at};
use crate::settings::Settings;
use crate::workspace::Workspace;
use lofting_document::FileId;
use lofting_memo::Stamp;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How many files around an opened one are read at once: this takes a few milliseconds.
const AT_ONCE: usize = 64;

/// How many directory entries are looked at in one directory.
const MAX_ENTRIES: usize = 5_000;

/// How many files with commands are read in one directory.
const MAX_SOURCES: usize = 50;

/// Levels to go up when looking for the folder a lone file belongs to.
const MAX_LEVELS: usize = 64;

impl Workspace {
    /// Files and directories around opened files that are still to be looked at.
    pub fn take_around(&mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.around)
    }

    /// Adds each `lofting.toml` that applies to one of these files, and only these files of their folders. Each folder is
    /// looked at once.
    pub(crate) fn add_configurations_of(&mut self, files: &[FileId]) -> Vec<FileId> {
        let reach = Reach::of_user().on(&self.state.volume);
        let mut looked: FxHashSet<PathBuf> = FxHashSet::default();
        let mut found = Vec::new();
        for file in files {
            let Some(file) = self.state.file(*file).filter(|file| matches!(file.origin, Origin::Disk(_))).cloned()
            else {
                continue;
            };
            for directory in file.path.ancestors().skip(1).take(MAX_LEVELS) {
                if !looked.insert(directory.to_owned()) {
                    break;
                }
                let config = directory.join(config::FILE_NAME);
                let is_configured = reach.is_file(&config);
                let has_root = self.state.outer_roots.iter().any(|root| directory.starts_with(root));
                let is_root = !has_root && (is_configured || is_repository(directory));
                if is_root {
                    Arc::make_mut(&mut self.change().outer_roots).push(directory.to_owned());
                }
                if is_configured {
                    // The user did not name it: it may not be a link out of its folder.
                    found.push(self.add_input(&config, self.state.bounds_of(directory)));
                }
                if is_root {
                    found.extend(self.find_configurations_above(directory));
                    break;
                }
            }
        }
        found
    }

    /// Adds each `lofting.toml` in the folders above the roots, as far as their repository reaches.
    pub(crate) fn find_configurations_above_roots(&mut self) {
        let roots = Arc::clone(&self.state.roots);
        for root in roots.iter() {
            self.find_configurations_above(root);
        }
    }

    /// Adds each `lofting.toml` in the folders above a root, as far as its repository reaches. Each root is looked at once.
    fn find_configurations_above(&mut self, root: &Path) -> Vec<FileId> {
        let around = root.join("..");
        if !self.probed.insert(around) {
            return Vec::new();
        }
        let reach = self.state.bounds_of(root);
        let Some(repository) = reach.repository_around() else { return Vec::new() };
        let above = root.ancestors().skip(1).take(MAX_LEVELS).take_while(|above| above.starts_with(repository));
        let found: Vec<PathBuf> =
            above.filter(|above| reach.is_file(&above.join(config::FILE_NAME))).map(Path::to_owned).collect();
        let Some(top) = found.last().cloned() else { return Vec::new() };
        let state = self.change();
        let tops = Arc::make_mut(&mut state.tops);
        tops.retain(|(below, _)| below != root);
        tops.push((root.to_owned(), top));
        state.structure = Stamp::next();
        found.iter().map(|above| self.add_input(&above.join(config::FILE_NAME), reach.clone())).collect()
    }

    /// Looks for schemas where the nearest one to an opened file may be, if no scan has done so yet.
    pub(crate) fn probe_near(&mut self, path: &Path) {
        self.probe(path, Some(AT_ONCE));
    }

    /// Reads all files around a path, however many there are.
    pub(crate) fn probe_around(&mut self, path: &Path) {
        self.probe(path, None);
    }

    /// Reads up to a number of files.
    fn probe(&mut self, path: &Path, mut most: Option<usize>) {
        self.find_outer_root(path);
        let inside = self.state.roots.iter().any(|root| path.starts_with(root));
        if inside && self.state.scanned {
            return;
        }
        let root = self.state.root_of(path).to_owned();
        let mut with_sets = !self.find_configurations_above(&root).is_empty();
        for directory in path.ancestors().skip(1).take_while(|directory| directory.starts_with(&root)) {
            with_sets |= self.probe_directory(directory, &mut most);
            for name in SCHEMA_DIRECTORIES {
                self.probe_directory(&directory.join(name), &mut most);
            }
            if directory.parent().is_some_and(|parent| parent.file_name().is_some_and(|name| name == LIBRARIES)) {
                self.probe_below(directory, most.is_none());
            }
        }
        if with_sets {
            self.refresh_sets();
        }
    }

    /// Determines where to stop going up from a file outside the editor's folders: at the repository or the
    /// directory of a `lofting.toml`.
    fn find_outer_root(&mut self, path: &Path) {
        let known = |root: &PathBuf| path.starts_with(root);
        if self.state.roots.iter().any(known) || self.state.outer_roots.iter().any(known) {
            return;
        }
        let reach = Reach::of_user().on(&self.state.volume);
        let is_root = |directory: &&Path| is_repository(directory) || reach.is_file(&directory.join(config::FILE_NAME));
        if let Some(root) = path.ancestors().skip(1).take(MAX_LEVELS).find(is_root) {
            let state = self.change();
            Arc::make_mut(&mut state.outer_roots).push(root.to_owned());
        }
    }

    /// Adds the YAML files directly in a directory, reading up to a number of them. Returns whether one of them defines
    /// input sets.
    fn probe_directory(&mut self, directory: &Path, most: &mut Option<usize>) -> bool {
        if !self.probed.insert(directory.to_owned()) {
            return false;
        }
        let reach = self.state.bounds_of(directory);
        let Ok(entries) = reach.directory(directory).and_then(|directory| directory.entries()) else { return false };
        let mut with_sets = false;
        let mut sources = 0;
        for entry in entries.take(MAX_ENTRIES).flatten() {
            let path = directory.join(&entry.name);
            let is_ours = is_ours(&path) && entry.kind == FileType::File;
            if !is_ours && SourceKind::of(&path).is_none() {
                continue;
            }
            // Settings decide about all the others.
            if *most == Some(0) && !config::is_configuration(&path) {
                self.around.push(path);
                continue;
            }
            *most = most.map(|most| most.saturating_sub(1));
            if sources < MAX_SOURCES
                && let Some(file) = look_for_commands(&path, &reach)
            {
                sources += 1;
                with_sets = true;
                self.add_commands([(path.clone(), file)]);
            }
            if is_ours {
                with_sets |= config::is_configuration(&path);
                self.add_found(look_at(path, &reach));
            }
        }
        with_sets
    }

    /// Adds the YAML files at any depth below a directory, if there are not too many.
    fn probe_below(&mut self, directory: &Path, at_once: bool) {
        if !self.probed.insert(directory.join("**")) {
            return;
        }
        if !at_once {
            return self.around.push(directory.to_owned());
        }
        let (root, reach) = (self.state.root_of(directory).to_owned(), self.state.bounds_of(directory));
        let folder = ScanFolder { path: directory.to_owned(), root, reach };
        let settings = Settings { maximum_visited: MAX_ENTRIES, ..Settings::default() };
        let scanner = Scanner::new(vec![folder], &settings);
        for found in scanner.run(&mut |_| {}, &CancelFlag::new()).files {
            self.add_found(found);
        }
    }
}

//! Looking at single places on disk: around a file that is opened before the scan is done or outside
//! of all folders, and at schemas that modelines and settings name.

use crate::CancelFlag;
use crate::association::fetched::NotFetched;
use crate::association::linked;
use crate::association::mirrors::Mirrors;
use crate::association::naming::{self, Naming, SchemaProblem};
use crate::association::nearest::{LIBRARIES, SCHEMA_DIRECTORIES};
use crate::files::disk::{Kind, Reach, ReadProblem, is_repository};
use crate::files::file::File;
use crate::files::path::{file_name, normalise};
use crate::files::scan::{ScanFolder, Scanner, is_ours, look_at};
use crate::files::table::Kept;
use crate::input_sets::config;
use crate::input_sets::discovered::look_for_commands;
use crate::settings::{SettingName, Settings, local_path};
use crate::workspace::Workspace;
use lofting_document::FileId;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Directory entries looked at in one directory.
const MAX_ENTRIES: usize = 5_000;

/// Files with commands read in one directory.
const MAX_SOURCES: usize = 50;

/// Files that one JSON Schema leads to.
const LINKED: usize = 200;

/// Levels to go up when looking for the folder a lone file belongs to.
const MAX_LEVELS: usize = 64;

impl Workspace {
    /// Looks for schemas where the nearest one to `path` can be, if no scan has done so yet.
    pub(crate) fn probe_around(&mut self, path: &Path) {
        self.find_outer_root(path);
        let inside = self.state.roots.iter().any(|root| path.starts_with(root));
        if inside && self.state.scanned {
            return;
        }
        let root = self.state.root_of(path).to_owned();
        let mut with_sets = false;
        for directory in path.ancestors().skip(1).take_while(|directory| directory.starts_with(&root)) {
            with_sets |= self.probe_directory(directory);
            for name in SCHEMA_DIRECTORIES {
                self.probe_directory(&directory.join(name));
            }
            if directory.parent().is_some_and(|parent| parent.file_name().is_some_and(|name| name == LIBRARIES)) {
                let reach = self.state.bounds_of(directory);
                self.probe_below(directory, &reach);
            }
        }
        if with_sets {
            self.refresh_sets();
        }
    }

    /// Notes where to stop going up from a file that lies in no folder of the editor: at the
    /// repository or the directory of a `lofting.toml`.
    fn find_outer_root(&mut self, path: &Path) {
        let known = |root: &PathBuf| path.starts_with(root);
        if self.state.roots.iter().any(known) || self.state.outer_roots.iter().any(known) {
            return;
        }
        let is_root = |directory: &&Path| {
            is_repository(directory) || Reach::of_user().is_file(&directory.join(config::FILE_NAME))
        };
        if let Some(root) = path.ancestors().skip(1).take(MAX_LEVELS).find(is_root) {
            let state = self.change();
            Arc::make_mut(&mut state.outer_roots).push(root.to_owned());
        }
    }

    /// Adds the YAML files directly in a directory. Tells whether one of them
    /// describes input sets.
    fn probe_directory(&mut self, directory: &Path) -> bool {
        if !self.probed.insert(directory.to_owned()) {
            return false;
        }
        let reach = self.state.bounds_of(directory);
        let Ok(entries) = reach.directory(directory).and_then(|directory| directory.entries()) else { return false };
        let mut with_sets = false;
        let mut sources = 0;
        for entry in entries.take(MAX_ENTRIES).flatten() {
            let path = directory.join(&entry.name);
            if sources < MAX_SOURCES
                && let Some(file) = look_for_commands(&path, &reach)
            {
                sources += 1;
                with_sets = true;
                self.add_commands([(path.clone(), file)]);
            }
            if is_ours(&path) && entry.kind == Kind::File {
                with_sets |= file_name(&path) == config::FILE_NAME;
                self.add_found(look_at(path, &reach));
            }
        }
        with_sets
    }

    /// Adds the YAML files at any depth below a directory, if there are not too many.
    fn probe_below(&mut self, directory: &Path, reach: &Reach) {
        if !self.probed.insert(directory.join("**")) {
            return;
        }
        let root = self.state.root_of(directory).to_owned();
        let folder = ScanFolder { path: directory.to_owned(), root, reach: reach.clone() };
        let settings = Settings { maximum_visited: MAX_ENTRIES, ..Settings::default() };
        let scanner = Scanner::new(vec![folder], &settings);
        for found in scanner.run(&mut |_| {}, &CancelFlag::new()).files {
            self.add_found(found);
        }
    }

    /// Adds a schema that is named by path: a file, or all files below a directory.
    fn probe_schema(&mut self, path: &Path, reach: &Reach) -> Result<(), ReadProblem> {
        if self.state.file_at(path).is_some_and(|file| file.exists()) {
            return Ok(());
        }
        let kind = reach.look(path)?;
        if !self.probed.insert(path.join("*")) {
            return Ok(());
        }
        match kind {
            Kind::Directory => self.probe_below(path, reach),
            Kind::File => drop(self.add_found(look_at(path.to_owned(), reach))),
            Kind::Other => {}
        }
        Ok(())
    }

    /// Adds what a file names as its schema, or a `lofting.toml` as that of others.
    pub(crate) fn probe_names(&mut self, file: FileId) {
        let Some(file) = self.state.file(file).cloned() else { return };
        if file.is_configuration() {
            return self.probe_configured(&file);
        }
        if let Some(naming) = naming::in_file(&self.state, &file) {
            self.probe_named(&naming, &file.path);
        }
        let Some(path) = file.modeline().and_then(|modeline| local_path(&modeline.schema)) else { return };
        let beside = file.path.parent().unwrap_or(Path::new("/")).to_owned();
        let root = self.state.root_of(&file.path).to_owned();
        let reach = self.state.reach_of(&file.path);
        for base in [beside, root] {
            // What is wrong with it is found when the file is checked.
            let _ = self.probe_schema(&normalise(&base, &path), &reach);
        }
    }

    /// Adds what a `lofting.toml` names as schemas of other files.
    fn probe_configured(&mut self, config: &File) {
        for entry in config.config().schemas.iter().filter(|entry| !entry.schema.is_empty()) {
            let naming = Naming::configured(&self.state, config, entry, "");
            self.probe_named(&naming, &config.path);
        }
        if config.config().mirrors.is_empty() {
            return;
        }
        // What they name may be in a folder now. Other files are looked at when they are opened.
        let names = |id: &FileId| self.state.file(*id).is_some_and(|file| file.facts.modeline);
        let open: Vec<FileId> = self.state.index.kept(Kept::Open).filter(names).collect();
        open.into_iter().for_each(|file| self.probe_names(file));
    }

    /// Adds a schema that is named, and those that it refers to; what cannot be used is found when a file is checked.
    /// Folders stand for URLs as they do for the file at `path`.
    fn probe_named(&mut self, naming: &Naming, path: &Path) {
        let mirrors = Mirrors::of(&self.state, path);
        let mut known: FxHashSet<PathBuf> = FxHashSet::default();
        // With the URI of each where another schema refers to it.
        let mut todo: Vec<(PathBuf, Reach, Option<Arc<str>>)> =
            naming.candidates(&mirrors).into_iter().map(|(path, reach)| (path, reach, None)).collect();
        while let Some((path, reach, uri)) = todo.pop().filter(|_| known.len() < LINKED) {
            if !known.insert(path.clone()) || self.probe_schema(&path, &reach).is_err() {
                continue;
            }
            let Some(file) = self.state.file_at(&path).filter(|file| file.exists() && !file.holds().schema).cloned()
            else {
                continue;
            };
            let file = &file;
            let uri = uri.unwrap_or_else(|| linked::uri_of(naming, file));
            let reach = self.state.reach_of(&path);
            for link in linked::links(&self.state, file, &uri).iter() {
                let files = mirrors.files_of_uri(link, &reach).into_iter();
                todo.extend(files.map(|(path, reach)| (path, reach, Some(Arc::from(link)))));
            }
        }
    }

    /// Adds what the settings name.
    pub(crate) fn probe_settings(&mut self) {
        let settings = self.state.settings.clone();
        let roots = self.state.roots.clone();
        for setting in &settings.schemas {
            let mut problems = Vec::new();
            for root in roots.iter() {
                let naming = naming::of_setting(&self.state, &setting.schema, setting.setting, root);
                let at = root.join(config::FILE_NAME);
                self.probe_named(&naming, &at);
                let mirrors = Mirrors::of(&self.state, &at);
                match naming.find(&self.state, NOBODY, &mirrors) {
                    Err(SchemaProblem::NotFound) if self.is_directory(&naming, &mirrors) => {}
                    Ok(_) | Err(SchemaProblem::Ytt | SchemaProblem::Awaited) => {}
                    Err(problem) => problems.push((root, problem)),
                }
            }
            // The entries of `yaml.schemas` are for others as well; one folder of several may have it.
            if problems.len() < roots.len() || setting.setting == SettingName::Yaml {
                continue;
            }
            for (root, problem) in problems {
                let help = match problem {
                    SchemaProblem::OutOfReach => {
                        format!(" Trust the folder {} to allow it. (Setting: lofting.trustedFolders)", root.display())
                    }
                    SchemaProblem::NotFetched(NotFetched { help: Some(ref help), .. }) => {
                        format!(" To mend it, {help}.")
                    }
                    _ => String::new(),
                };
                let schema = &setting.schema;
                self.tell_once(format!(
                    "The setting lofting.schemas names {schema}, but {problem}: it is left out.{help}"
                ));
            }
        }
    }

    /// Whether a name leads to a directory, in which schemas of ytt may lie.
    fn is_directory(&self, naming: &Naming, mirrors: &Mirrors) -> bool {
        naming.candidates(mirrors).iter().any(|(path, reach)| reach.is_directory(path))
    }
}

/// The number of no file.
const NOBODY: FileId = FileId(u32::MAX);

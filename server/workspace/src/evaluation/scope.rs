//! The files that code can reach, by their paths inside ytt.

use crate::disk::{FileType, Reach, ReadProblem};
use crate::evaluation::state::EvaluatedState;
use crate::files::file::File;
use crate::files::libraries::{LIBRARIES, library_of};
use crate::input_sets::sets::WorkspaceSet;
use crate::inputs::{InputFile, Source};
use lofting_document::{FileId, Span};
use lofting_eval::{CodeRange, bytes};
use rustc_hash::FxHashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// What the code of one file can reach.
#[derive(Clone)]
pub(crate) struct Scope<'s> {
    pub state: &'s EvaluatedState,
    /// The inputs of the set that the file belongs to, if it is known.
    inputs: Option<&'s [InputFile]>,
    /// How far code may lead.
    reach: Reach,
    /// The directory that other paths are relative to.
    root: PathBuf,
    /// The directory inside ytt of the library that the file belongs to, empty or ending in a slash.
    pub library: String,
    /// The file.
    pub main: FileId,
    /// Its path inside ytt.
    pub name: String,
}

impl<'s> Scope<'s> {
    /// What is known about a file from its sets, or from its location.
    pub fn of(state: &'s EvaluatedState, file: &File) -> Scope<'s> {
        let set = state.sets.of_file(file.id).map(|(set, _)| set).find(|set| !set.inputs.is_empty());
        let root = state.root_of(&file.path).to_owned();
        let inputs = set.map(|set| &*set.inputs);
        let reach = set.map_or_else(|| state.bounds_of(&file.path), |set| set.reach.clone());
        let known = inputs.and_then(|inputs| {
            inputs.iter().find(|input| matches!(&input.source, Source::Path(path) if **path == *file.path))
        });
        let name = match known {
            Some(input) => input.name.clone(),
            None if inputs.is_some() => crate::disk::path::file_name(&file.path).to_owned(),
            None => crate::disk::path::shown(&root, &file.path),
        };
        let library = match library_of(state, &file.path) {
            Some((directory, _)) if inputs.is_none() => format!("{}/", crate::disk::path::shown(&root, &directory)),
            _ => String::new(),
        };
        Scope { state, inputs, reach, root, library, main: file.id, name }
    }

    /// What a file of a set's library can reach; `name` is its path inside ytt.
    pub fn in_set(
        state: &'s EvaluatedState,
        set: &'s WorkspaceSet,
        library: &str,
        file: &File,
        name: &str,
    ) -> Scope<'s> {
        Scope {
            state,
            inputs: Some(&set.inputs),
            reach: set.reach.clone(),
            root: PathBuf::new(),
            library: library.to_owned(),
            main: file.id,
            name: name.to_owned(),
        }
    }

    /// Where paths inside ytt begin, for a file without a known set.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The text of an input that is not a file.
    pub fn given(&self, name: &str) -> Option<&'s str> {
        let input = self.inputs?.iter().find(|input| input.name == name)?;
        match &input.source {
            Source::Text(text) => Some(text),
            Source::Path(_) => None,
        }
    }

    /// All files below a directory inside ytt.
    pub fn paths_below(&self, directory: &str) -> Vec<PathBuf> {
        let Some(inputs) = self.inputs else {
            let below = |path: PathBuf| Some(self.reach.files_below(&path, MAX_ENTRIES, &|_| true).ok()?.files);
            return self.path_below(directory).and_then(below).unwrap_or_default();
        };
        let below = inputs.iter().filter(|input| input.name.starts_with(directory));
        let paths = below.filter_map(|input| match &input.source {
            Source::Path(path) => Some(path.clone()),
            Source::Text(_) => None,
        });
        paths.collect()
    }

    /// The files of the set that say what data values there are.
    pub fn files_of_values(&self) -> Vec<PathBuf> {
        let says = |path: &&PathBuf| {
            self.state.file_at(path).is_some_and(|file| {
                let holds = file.holds();
                holds.schema || holds.values
            })
        };
        let inputs = self.inputs.into_iter().flatten();
        let paths = inputs.filter_map(|input| match &input.source {
            Source::Path(path) => Some(path),
            Source::Text(_) => None,
        });
        paths.filter(says).cloned().collect()
    }

    /// Where the file with this path inside ytt is.
    pub fn path_of(&self, name: &str) -> Option<PathBuf> {
        if let Some(inputs) = self.inputs {
            let input = inputs.iter().find(|input| input.name == name)?;
            return match &input.source {
                Source::Path(path) => Some(path.clone()),
                Source::Text(_) => None,
            };
        }
        // ytt's root may be any directory around the file that is evaluated.
        let file = self.state.file(self.main);
        let around = file.map(|file| file.path.ancestors().skip(1)).into_iter().flatten();
        let around = around.take_while(|directory| directory.starts_with(&self.root));
        let name = self.path_below(name)?.strip_prefix(&self.root).ok()?.to_owned();
        let is_there =
            |path: &PathBuf| self.state.file_at(path).is_some_and(|file| file.exists()) || self.reach.is_file(path);
        let roots = std::iter::once(&*self.root).chain(around);
        roots.map(|directory| directory.join(&name)).find(is_there)
    }

    /// A path below the root, if it is not known what is given to ytt. There is no `..` inside ytt, and hidden files
    /// (`.env`, `.git`) are not given to it.
    fn path_below(&self, name: &str) -> Option<PathBuf> {
        let is_given = |part: Component<'_>| match part {
            Component::Normal(part) => !part.as_encoded_bytes().starts_with(b"."),
            _ => false,
        };
        Path::new(name).components().all(is_given).then(|| self.root.join(name))
    }

    /// The text of a file, as open in an editor or on disk.
    pub fn text_of(&self, path: &Path) -> Option<String> {
        self.known_text_of(path).or_else(|| self.reach.text(path).ok())
    }

    /// The text of a file that is not YAML, whose bytes that are not UTF-8 are parts of characters.
    pub fn text_of_bytes(&self, path: &Path) -> Option<String> {
        self.known_text_of(path).or_else(|| Some(bytes::text(&self.reach.bytes(path).ok()?)))
    }

    /// The bytes of a file, as open in an editor or on disk: not all files are texts.
    pub fn bytes_of(&self, path: &Path) -> Option<Vec<u8>> {
        self.known_text_of(path).map(String::into_bytes).or_else(|| self.reach.bytes(path).ok())
    }

    fn known_text_of(&self, path: &Path) -> Option<String> {
        let file = self.state.file_at(path).filter(|file| file.exists() && file.problem().is_none());
        file.map(|file| String::from(file.text()))
    }

    /// Converts a position of the evaluator to one of the workspace.
    pub fn span_of(&self, place: &CodeRange) -> Option<Span> {
        let range = place.start as usize..place.end as usize;
        if place.path == self.name {
            return Some(Span::new(self.main, range));
        }
        let file = self.state.file_at(&self.path_of(&place.path)?)?;
        Some(Span::new(file.id, range))
    }

    /// The paths of all files below a directory (empty: all), without those of private libraries in it, in ytt's order.
    /// None if it is not known which files ytt gets: with a template it gets all of a private library.
    pub fn list(&self, below: &str) -> Option<Vec<String>> {
        let directory = if below.is_empty() { String::new() } else { format!("{below}/") };
        let inner = |name: &&str| name.strip_prefix(&directory).is_some_and(|rest| !is_private(rest));
        let on_disk = match self.inputs {
            None if !is_private(below) => return None,
            None => self.names_below(&directory),
            Some(_) => Vec::new(),
        };
        let given = self.inputs.unwrap_or_default().iter().map(|input| input.name.as_str());
        let names = given.chain(on_disk.iter().map(String::as_str)).filter(inner);
        Some(by_directory(names).into_iter().map(str::to_owned).collect())
    }

    /// The paths inside ytt of the files on disk below a directory.
    fn names_below(&self, directory: &str) -> Vec<String> {
        let name = |path: PathBuf| {
            let name = crate::disk::path::shown(&self.root, &path);
            self.path_below(&name).map(|_| name)
        };
        let mut names: Vec<String> = self.paths_below(directory).into_iter().filter_map(name).collect();
        names.sort();
        names
    }

    /// The directory of the private library `name` next to the files of the directory `from`.
    pub fn find(&self, from: &str, name: &str) -> Option<String> {
        let directory = format!("{from}{LIBRARIES}/{name}/");
        let is_there = match self.inputs {
            Some(inputs) => inputs.iter().any(|input| input.name.starts_with(&directory)),
            None => self.path_below(&directory).is_some_and(|path| {
                // If it must not be read, it is not known whether it exists.
                matches!(self.reach.look(&path), Ok(FileType::Directory) | Err(ReadProblem::OutOfReach))
            }),
        };
        is_there.then_some(directory)
    }
}

/// Paths in the order in which ytt lists the files of a library: in each directory its files, then what its directories
/// hold; both in the order in which they were given.
fn by_directory<'n>(names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut directories: FxHashMap<&str, usize> = FxHashMap::default();
    let mut keyed: Vec<(Vec<usize>, &str)> = Vec::new();
    for name in names {
        let ends = name.match_indices('/').map(|(at, _)| name.get(..at).unwrap_or_default());
        // Files sort before directories, and all files of a directory stay in their order.
        let mut key: Vec<usize> = Vec::new();
        for directory in ends {
            let next = directories.len() + 1;
            key.push(*directories.entry(directory).or_insert(next));
        }
        key.push(0);
        keyed.push((key, name));
    }
    keyed.sort_by(|(a, _), (b, _)| a.cmp(b));
    keyed.into_iter().map(|(_, name)| name).collect()
}

/// How many entries below a library are looked at.
pub(crate) const MAX_ENTRIES: usize = 20_000;

/// Whether a path below a library's directory leads into one of its private libraries.
pub(crate) fn is_private(path: &str) -> bool {
    path.split('/').any(|part| part == LIBRARIES)
}

/// The file of an input in the file table.
pub(crate) fn file_of<'s>(state: &'s EvaluatedState, input: &InputFile) -> Option<&'s Arc<File>> {
    match &input.source {
        Source::Path(path) => state.file_at(path),
        Source::Text(_) => state.file_at(Path::new(&input.shown)),
    }
    .filter(|file| file.exists())
}

//! `-f` in all its forms (docs/ytt.md 3.1).

use super::{Entry, InputContext, InputError, InputFlags, InputProblem, Lister};
use crate::disk::ReadProblem;
use crate::disk::path::normalise;
use crate::inputs::NameKind;
use std::path::{Path, PathBuf};

/// Where the text of an input comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file, by its normalised path.
    Path(PathBuf),
    /// Text that is not a file: the standard input.
    Text(String),
}

/// What ytt does with a file, according to its name and its marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// A YAML template: searched for schema and data values.
    YamlTemplate,
    /// YAML that is passed through unread.
    YamlPlain,
    /// A library file, only read through `load`.
    Library,
    /// A text template.
    TextTemplate,
    /// Text that is passed through unread.
    TextPlain,
    /// Starlark by a file mark, whatever its name.
    Starlark,
    /// Ignored.
    Data,
}

impl Role {
    fn of_name(name: &str) -> Role {
        match NameKind::of(name) {
            NameKind::Yaml => Role::YamlTemplate,
            NameKind::YamlLibrary | NameKind::TextLibrary | NameKind::Starlark => Role::Library,
            NameKind::Text => Role::TextTemplate,
            NameKind::Data => Role::Data,
        }
    }
}

/// A file of `-f`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputFile {
    /// Where its text is.
    pub source: Source,
    /// Its path inside ytt, with `/`: what `load` and file marks use.
    pub name: String,
    /// Its path inside ytt before any renaming, against which file marks are matched.
    pub(super) original: String,
    /// How messages name it: as the user gave it.
    pub shown: String,
    /// What ytt does with it.
    pub role: Role,
    /// What file marks say about its output, if it differs from other files with its role.
    pub for_output: Option<bool>,
    /// The private library it belongs to; `None`: the root library.
    pub library: Option<LibraryPlace>,
}

/// Which private library (`_ytt_lib/...`, docs/ytt.md 15) a file belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LibraryPlace {
    /// Path inside ytt up to and with the innermost `_ytt_lib`.
    pub root: String,
    /// The path of the file below it; only the call shows how much of it is the library's name.
    pub rest: String,
}

impl InputFile {
    pub(crate) fn new(source: Source, name: String, shown: String) -> InputFile {
        let role = Role::of_name(&name);
        let library = library_place(&name);
        InputFile { source, original: name.clone(), name, shown, role, for_output: None, library }
    }

    fn renamed(mut self, name: Option<&str>) -> InputFile {
        if let Some(name) = name {
            self.rename(name, false);
        }
        self
    }

    /// Gives the file another path inside ytt. The library follows the name, and so does its role unless a mark set it.
    pub(super) fn rename(&mut self, name: &str, marked_role: bool) {
        self.name = name.to_owned();
        self.library = library_place(name);
        if !marked_role {
            self.role = Role::of_name(name);
        }
    }
}

fn library_place(name: &str) -> Option<LibraryPlace> {
    const LIBRARIES: &str = "_ytt_lib";
    let is_start = |at: usize| name.get(..at).is_some_and(|before| before.is_empty() || before.ends_with('/'));
    // A directory's name is followed by more.
    let inner = |at: usize| name.get(at + LIBRARIES.len()..)?.strip_prefix('/');
    let (at, rest) =
        name.rmatch_indices(LIBRARIES).find_map(|(at, _)| inner(at).filter(|_| is_start(at)).map(|rest| (at, rest)))?;
    Some(LibraryPlace { root: name.get(..at + LIBRARIES.len())?.to_owned(), rest: rest.to_owned() })
}

pub(super) fn resolve(
    flags: &InputFlags,
    context: &InputContext,
    lister: &dyn Lister,
    errors: &mut Vec<InputError>,
) -> Vec<InputFile> {
    let mut files = Vec::new();
    for value in &flags.files {
        match resolve_one(value, context, lister) {
            Ok(group) => files.extend(group),
            Err(problem) => errors.push(InputError { flag: "-f", value: value.clone(), problem }),
        }
    }
    files
}

/// `NAME=PATH` or a path alone: ytt reads the paths of all flags like this.
pub(super) fn name_and_path(value: &str) -> Result<(Option<&str>, &str), InputProblem> {
    match value.split_once('=') {
        None => Ok((None, value)),
        Some((_, real)) if real.contains('=') => Err(InputProblem::TwoNames),
        Some((new, real)) => Ok((Some(new).filter(|new| !new.is_empty()), real)),
    }
}

/// The files of one `-f`, sorted by the path inside ytt.
fn resolve_one(value: &str, context: &InputContext, lister: &dyn Lister) -> Result<Vec<InputFile>, InputProblem> {
    let (rename, given) = name_and_path(value)?;
    if let Some(text) = context.stream(given)? {
        let shown = if given == "-" { "stdin.yml" } else { given };
        let name = shown.rsplit('/').next().unwrap_or(shown).to_owned();
        return Ok(vec![InputFile::new(Source::Text(text.clone()), name, shown.to_owned()).renamed(rename)]);
    }
    if given.starts_with("http://") || given.starts_with("https://") {
        return Err(InputProblem::OnTheWeb);
    }
    if given.is_empty() {
        return Err(InputProblem::NoPath);
    }
    let path = path_of(given, context, lister);
    match lister.entry(&path) {
        Entry::Irregular => Err(ReadProblem::NoFile.into()),
        Entry::Missing => Err(InputProblem::Missing),
        Entry::OutOfReach => Err(ReadProblem::OutOfReach.into()),
        Entry::Link => Err(InputProblem::Link),
        Entry::File => {
            let base_name = crate::disk::path::file_name(&path).to_owned();
            Ok(vec![InputFile::new(Source::Path(path), base_name, given.to_owned()).renamed(rename)])
        }
        Entry::Directory => {
            let mut group: Vec<InputFile> = below(&path, given, lister)?
                .into_iter()
                // New names are for files: ytt ignores one for a directory.
                .map(|(source, relative, shown)| InputFile::new(Source::Path(source), relative, shown))
                .collect();
            group.sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
            Ok(group)
        }
    }
}

/// Where a path of a flag leads.
pub(super) fn path_of(given: &str, context: &InputContext, lister: &dyn Lister) -> PathBuf {
    let path = normalise(&context.base, Path::new(given));
    if given.ends_with(['/', std::path::MAIN_SEPARATOR]) { lister.followed(path) } else { path }
}

/// Files below a directory: path, path relative to the directory, and how messages name it.
pub(super) fn below(
    directory: &Path,
    given: &str,
    lister: &dyn Lister,
) -> Result<Vec<(PathBuf, String, String)>, InputProblem> {
    let prefix = given.trim_end_matches('/');
    let files = lister.files_below(directory)?;
    Ok(files
        .into_iter()
        .filter_map(|path| {
            let relative = path.strip_prefix(directory).ok()?.to_str()?.replace('\\', "/");
            let shown = match prefix {
                "." => relative.clone(),
                _ => format!("{prefix}/{relative}"),
            };
            Some((path, relative, shown))
        })
        .collect())
}

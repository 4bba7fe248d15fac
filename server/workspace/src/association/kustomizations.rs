//! Kustomizations: where the paths in them lead, and which resources they put together.

mod filled;
mod parts;
mod patches;

pub(crate) use filled::{Takers, without_filled};
pub(crate) use patches::selected;

use crate::association::state::AssociationState;
use crate::disk::Reach;
use crate::disk::path::{is_yaml, normalise, relative};
use crate::files::beside::Beside;
use crate::files::file::File;
use crate::files::table::{KUSTOMIZATIONS, Kept};
use crate::input_sets::config_paths::children;
use lofting_check::{Diagnostic, PathProblem, missing_file, nearest_name};
use lofting_diagnostic::suggest::SEARCHES;
use lofting_dialect::kubernetes::kustomization::{Kustomization, NamedPath, PathTo, PathUse};
use lofting_document::{FileId, Span};
use lofting_memo::{Stamp, Weigh};
use parts::Parts;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Whether a file is a kustomization.
pub(crate) fn is_kustomization(file: &File) -> bool {
    Kept::Kustomization.holds(file)
}

/// What a kustomization says.
#[derive(Debug, Default)]
pub(crate) struct ReadKustomization {
    /// None for other files, and for templates of one.
    said: Option<Arc<Kustomization>>,
    /// Where the paths of its patches lead.
    pub patches: FxHashSet<PathBuf>,
    /// Where the paths of its resources lead, and those of settings such as definitions.
    pub resources: FxHashSet<PathBuf>,
}

impl Weigh for ReadKustomization {
    fn weight(&self) -> usize {
        let named =
            self.said.iter().flat_map(|said| &said.paths).map(|named| named.text.len() + size_of::<NamedPath>());
        let paths =
            self.patches.iter().chain(&self.resources).map(|path| path.as_os_str().len() + size_of::<PathBuf>());
        named.chain(paths).sum()
    }
}

/// What a kustomization says: each file below it asks. Nothing is remembered about other files.
pub(crate) fn read(state: &AssociationState, file: &File) -> Arc<ReadKustomization> {
    if !is_kustomization(file) {
        return Arc::default();
    }
    let inputs = state.inputs([file.revision]);
    state.memos.kustomizations.get(file.id, &inputs, || {
        let said = is_data(file).then(|| Kustomization::of(file.tree())).flatten();
        let mut read = ReadKustomization::default();
        for named in said.iter().flat_map(|said| &said.paths) {
            match named.used {
                PathUse::Patch => drop(read.patches.insert(path_of(file, named))),
                PathUse::Resources | PathUse::Settings => drop(read.resources.insert(path_of(file, named))),
                PathUse::Data => {}
            }
        }
        ReadKustomization { said: said.map(Arc::new), ..read }
    })
}

/// The path that is meant, from the root of the disk.
pub(crate) fn path_of(file: &File, named: &NamedPath) -> PathBuf {
    normalise(file.path.parent().unwrap_or(Path::new("/")), Path::new(named.text.as_str()))
}

/// Where a path leads.
enum Lead<'s> {
    File(&'s Arc<File>),
    /// To a folder, with its kustomization.
    Folder(Option<&'s Arc<File>>),
    /// There is nothing that is known.
    Nothing,
    /// The path leads elsewhere, where nothing is searched for.
    Elsewhere,
}

fn lead<'s>(state: &'s AssociationState, file: &File, named: &NamedPath) -> Lead<'s> {
    let path = path_of(file, named);
    if named.is_elsewhere() || !state.reach_of(&file.path).names(&path) {
        return Lead::Elsewhere;
    }
    if let Some(found) = state.file_at(&path).filter(|found| found.exists()) {
        return Lead::File(found);
    }
    match kustomization_in(state, &path) {
        None if state.index.directories_below(&path).next().is_none() => Lead::Nothing,
        found => Lead::Folder(found),
    }
}

/// The kustomization of a folder.
fn kustomization_in<'s>(state: &'s AssociationState, folder: &Path) -> Option<&'s Arc<File>> {
    let mut named = KUSTOMIZATIONS.iter().filter_map(|name| state.file_at(&folder.join(name)));
    named.find(|found| found.exists())
}

/// The files to which paths of a kustomization lead, with the bytes of the paths.
pub(crate) fn links(state: &AssociationState, file: &File) -> Vec<(Range<usize>, FileId)> {
    let read = read(state, file);
    let Some(kustomization) = &read.said else { return Vec::new() };
    let target = |named: &NamedPath| match lead(state, file, named) {
        Lead::File(found) | Lead::Folder(Some(found)) => Some((named.at.clone(), found.id)),
        _ => None,
    };
    kustomization.paths.iter().filter_map(target).collect()
}

/// The paths of a kustomization at which nothing is known. Something may be there that no scan looks for.
pub(crate) fn unknown(state: &AssociationState, file: &File) -> Vec<(PathBuf, Reach)> {
    let read = read(state, file);
    let Some(kustomization) = &read.said else { return Vec::new() };
    let is_unknown = |named: &&NamedPath| matches!(lead(state, file, named), Lead::Nothing);
    let unknown = kustomization.paths.iter().filter(is_unknown);
    unknown.map(|named| (path_of(file, named), state.reach_of(&file.path))).collect()
}

/// What may be written at an offset of a kustomization as the next part of a path, and the bytes that it replaces.
pub(crate) fn names_of_paths(
    state: &AssociationState,
    file: &File,
    offset: usize,
) -> Option<(Range<usize>, Vec<SmolStr>)> {
    let read = read(state, file);
    let named = read.said.as_ref()?.paths.iter().find(|named| named.at.start <= offset && offset <= named.at.end)?;
    // With escapes in it, its parts are not where they seem to be.
    let is_as_written = named.at.len() == named.text.len();
    let before = named.text.get(..offset - named.at.start).filter(|_| is_as_written)?;
    let begin = before.rfind('/').map_or(0, |slash| slash + 1);
    let folder = normalise(file.path.parent()?, Path::new(before.get(..begin)?));
    if !state.reach_of(&file.path).names(&folder) {
        return None;
    }
    let is_up = before.get(..begin)?.split_inclusive('/').all(|part| part == "../");
    let mut names: Vec<SmolStr> = Vec::new();
    for name in children(state, &folder) {
        match name.strip_suffix('/') {
            Some(folder_name) => {
                let path = folder.join(folder_name);
                if named.to != PathTo::File && path != *file.path.parent()? && kustomization_in(state, &path).is_some()
                {
                    names.push(folder_name.into());
                }
                names.push(name.into());
            }
            None if named.to == PathTo::Folder => {}
            None => {
                let path = folder.join(&name);
                let is_taken = named.used == PathUse::Data || is_yaml(&path);
                let is_other = *path != *file.path && !KUSTOMIZATIONS.contains(&name.as_str());
                names.extend((is_taken && is_other).then(|| name.into()));
            }
        }
    }
    names.extend(is_up.then(|| "../".into()));
    Some((named.at.start + begin..named.at.end, names))
}

/// Findings about the paths and patches of a kustomization.
pub(crate) fn findings(state: &AssociationState, file: &File) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let is_awaited = state.pending_schemas.is_of(file.id);
    let read = read(state, file);
    let Some(kustomization) = read.said.as_ref().filter(|_| *state.seen_all && !is_awaited) else { return found };
    let mut searches = 0;
    let mut near = NamesNear::default();
    for named in &kustomization.paths {
        let problem = match (lead(state, file, named), named.to) {
            (Lead::Elsewhere, _) | (Lead::File(_), PathTo::File | PathTo::Either) => continue,
            (Lead::Folder(Some(_)), PathTo::Folder | PathTo::Either) => continue,
            (Lead::File(_), PathTo::Folder) => PathProblem::IsFile,
            (Lead::Folder(_), PathTo::File) => PathProblem::IsFolder,
            (Lead::Folder(None), PathTo::Folder | PathTo::Either) => PathProblem::NoKustomization,
            (Lead::Nothing, PathTo::File) => PathProblem::NoFile,
            (Lead::Nothing, PathTo::Folder) => PathProblem::NoFolder,
            (Lead::Nothing, PathTo::Either) => PathProblem::Nothing,
        };
        searches += 1;
        let is_missing = matches!(problem, PathProblem::NoFile | PathProblem::NoFolder | PathProblem::Nothing);
        let meant = (is_missing && searches <= SEARCHES).then(|| near.meant(state, file, named)).flatten();
        found.push(missing_file(Span::new(file.id, named.at.clone()), &named.text, problem, meant.as_deref()));
    }
    found.extend(patches::findings(state, file, kustomization));
    found
}

/// The names in folders that paths of a kustomization may end with: many missing paths are of one folder.
#[derive(Default)]
struct NamesNear(FxHashMap<(PathBuf, PathTo), Vec<String>>);

impl NamesNear {
    /// The path that was most likely meant: one with another name in the same folder.
    fn meant(&mut self, state: &AssociationState, file: &File, named: &NamedPath) -> Option<String> {
        let path = named.text.strip_suffix('/').unwrap_or(&named.text);
        let (before, name) = path.rsplit_once('/').map_or(("", path), |(before, name)| (before, name));
        let folder = normalise(file.path.parent()?, Path::new(before));
        let names = self.0.entry((folder.clone(), named.to)).or_insert_with(|| fitting(state, file, &folder, named.to));
        let meant = nearest_name(name, names.iter().map(String::as_str))?;
        Some(if before.is_empty() { meant.to_owned() } else { format!("{before}/{meant}") })
    }
}

/// The names in a folder to which a path may lead.
fn fitting(state: &AssociationState, file: &File, folder: &Path, to: PathTo) -> Vec<String> {
    if !state.reach_of(&file.path).names(folder) {
        return Vec::new();
    }
    let fits = |child: &String| {
        let path = folder.join(child.trim_end_matches('/'));
        let is_folder = child.ends_with('/');
        let is_own = *path == *file.path || file.path.starts_with(&path);
        let is_taken = match to {
            PathTo::File => !is_folder,
            PathTo::Folder => is_folder && kustomization_in(state, &path).is_some(),
            PathTo::Either => !is_folder || kustomization_in(state, &path).is_some(),
        };
        !is_own && is_taken
    };
    let fitting = children(state, folder).into_iter().filter(fits);
    fitting.map(|child| child.trim_end_matches('/').to_owned()).collect()
}

/// The stamps of the files on which findings about a kustomization depend, apart from the file itself.
pub(crate) fn stamps(state: &AssociationState, file: &File) -> Vec<Stamp> {
    let read = read(state, file);
    let Some(kustomization) = &read.said else { return Vec::new() };
    if kustomization.patches.is_empty() {
        return Vec::new();
    }
    let parts = Parts::of(state, file);
    let patches = kustomization.patches.iter().filter_map(|patch| match lead(state, file, patch.path.as_ref()?) {
        Lead::File(patch) => Some(patch.revision),
        _ => None,
    });
    let kustomizations = parts.levels.iter().map(|level| level.file.revision);
    let resources = parts.levels.iter().flat_map(|level| &level.files).map(|file| file.revision);
    kustomizations.chain(resources).chain(patches).collect()
}

/// Whether the resources in a file are those that are written there.
fn is_data(file: &File) -> bool {
    !file.facts.ytt && file.template_at().is_none()
}

/// What is known about the resources of a kustomization.
pub(crate) struct Kustomized {
    /// The files that it takes itself.
    takes: FxHashSet<PathBuf>,
    /// Its resources, if the files with all of them are known.
    pub resources: Option<Beside>,
    /// The files that say which files these are, and those files.
    pub stamps: Vec<Stamp>,
}

fn kustomized(state: &AssociationState, file: &File) -> Kustomized {
    let parts = Parts::of(state, file);
    let is_taken = |named: &&NamedPath| named.used == PathUse::Resources;
    let own = parts.levels.last().map(|level| &*level.kustomization);
    let takes = own.into_iter().flat_map(|own| own.paths.iter().filter(is_taken)).map(|named| path_of(file, named));
    let files: Vec<&Arc<File>> =
        parts.levels.iter().flat_map(|level| level.files.iter().copied().chain([&level.file])).collect();
    let is_known = |file: &&Arc<File>| is_data(file) && file.errors().is_empty();
    let resources = (parts.is_whole && files.iter().all(is_known)).then(|| {
        let mut resources = Beside::default();
        files.iter().for_each(|file| resources.add(file));
        resources
    });
    let stamps = files.iter().map(|file| file.revision).collect();
    Kustomized { takes: takes.collect(), resources, stamps }
}

/// The kustomization that takes the resources of a file: the nearest of those beside the file and above it.
pub(crate) fn taking(state: &AssociationState, file: &File) -> Option<Arc<Kustomized>> {
    if state.index.count(Kept::Kustomization) == 0 || !file.facts.known_parts {
        return None;
    }
    let root = state.root_of(&file.path);
    let above = file.path.ancestors().skip(1).take_while(|above| above.starts_with(root));
    let mut found = above.filter_map(|above| kustomization_in(state, above));
    found.find_map(|found| {
        let kustomized = state.shared.kustomized.get(found.id, |_| Arc::new(kustomized(state, found)));
        (found.id == file.id || kustomized.takes.contains(&*file.path)).then_some(kustomized)
    })
}

/// Where a path of a kustomization leads after the kustomization or the target moved. `to` is the file to which it leads,
/// the kustomization of a folder if the path names that folder.
pub fn moved_path(written: &str, (from, to): (&Path, &Path), (new_from, new_to): (&Path, &Path)) -> Option<String> {
    let folder =
        to.parent().filter(|_| to.file_name().is_some_and(|name| KUSTOMIZATIONS.iter().any(|it| name == *it)))?;
    let (path, slash) = written.strip_suffix('/').map_or((written, ""), |path| (path, "/"));
    if path.starts_with('/') || normalise(from.parent()?, Path::new(path)) != folder {
        return None;
    }
    Some(format!("{}{slash}", relative(new_from.parent()?, new_to.parent()?)?))
}

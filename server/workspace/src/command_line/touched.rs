//! Which files a change can touch, where little is needed to be certain: nothing is new in any other file.
//!
//! The change is one of values files that are given to `ytt`, and of nothing else. Such a file says nothing about other
//! files and nothing reads it, so it touches itself and what is given to `ytt` together with it. Whatever else has changed,
//! or might have an effect, the answer is that it is not known.

use crate::command_line::alone::{Alone, is_plain};
use crate::discover::command_files::commands_in;
use crate::disk::{FileType, MAX_FILE_SIZE, Reach, Stat, StoredFolder, StoredKind};
use crate::evaluation::file_of;
use crate::files::facts::Facts;
use crate::files::file::{File, Origin};
use crate::files::scan::FoundFile;
use crate::input_sets::sets::Sets;
use crate::state::State;
use crate::threads::{map, threads};
use crate::workspace::Workspace;
use lofting_document::FileId;
use lofting_memo::Stamp;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How many files are compared, and of how many bytes together. Larger repositories are checked as a whole.
const MAX_FILES: usize = 100_000;
const MAX_BYTES: u64 = 512 * 1024 * 1024;

/// What the difference to a folder as it was can touch.
pub(crate) struct Touched {
    /// The files in which something may be new.
    pub files: FxHashSet<FileId>,
    /// The input sets in which they are.
    sets: FxHashSet<usize>,
    /// The values files that are different, as they were.
    before: Vec<(FileId, FoundFile, Vec<u8>)>,
}

impl Touched {
    /// Leaves only the input sets in which something is different: what the others have to say of a file is what they had
    /// to say before.
    pub fn leave_others_out(&self, workspace: &mut Workspace) {
        let sets = workspace.state.sets.only(&self.sets);
        let state = workspace.change();
        *state.sets = Arc::new(sets);
        state.structure = Stamp::next();
    }

    /// Whether a file is in no input set but those in which something is different.
    pub fn is_whole(&self, sets: &Sets, file: FileId) -> bool {
        sets.indices_of_file(file).all(|(index, _)| self.sets.contains(&index))
    }

    /// Gives the values files the content that they had. Nothing else was different, so everything is as it was.
    pub fn undo(&self, workspace: &mut Workspace) {
        for (id, found, bytes) in &self.before {
            let Some(now) = workspace.state.file(*id).cloned() else { continue };
            let before = File::on_disk(*id, now.path.clone(), Stamp::next(), found.clone(), now.options);
            // What the scan has read is not what it was.
            workspace.contents.remove(&*now.path);
            before.is_read(bytes.clone());
            workspace.replace_file(&now, before);
        }
    }
}

/// What the difference to a folder as it was can touch; None if that may be anything.
pub(crate) fn touched(workspace: &Workspace, before: &StoredFolder) -> Option<Touched> {
    let alone = Alone::of(workspace)?;
    let compared = Compared { workspace, state: &workspace.state, alone, before, tracked: tracked(before)? };
    if !compared.all_is_tracked() {
        return None;
    }
    let before: Vec<(FileId, FoundFile, Vec<u8>)> =
        compared.changed()?.iter().map(|path| compared.values_file(path)).collect::<Option<_>>()?;
    let changed: FxHashSet<FileId> = before.iter().map(|(id, ..)| *id).collect();
    let sets: FxHashSet<usize> =
        changed.iter().flat_map(|file| workspace.state.sets.indices_of_file(*file)).map(|(index, _)| index).collect();
    Some(Touched { files: compared.with_sets(changed, &sets), sets, before })
}

/// All files of the folder as it was; None if there is anything but files in it.
fn tracked(before: &StoredFolder) -> Option<FxHashSet<PathBuf>> {
    let mut tracked = FxHashSet::default();
    let mut open = vec![PathBuf::new()];
    while let Some(directory) = open.pop() {
        for (name, kind) in before.files.list(&directory) {
            let path = directory.join(name);
            match kind {
                StoredKind::Directory => open.push(path),
                StoredKind::File => drop(tracked.insert(path)),
                StoredKind::Link | StoredKind::Other => return None,
            }
        }
        if tracked.len() > MAX_FILES {
            return None;
        }
    }
    before.elsewhere.is_empty().then_some(tracked)
}

/// The folder as it is, and as it was.
struct Compared<'s> {
    workspace: &'s Workspace,
    state: &'s State,
    alone: Alone<'s>,
    before: &'s StoredFolder,
    /// The files that it had.
    tracked: FxHashSet<PathBuf>,
}

impl<'s> Compared<'s> {
    /// Whether the folder had a file.
    fn had(&self, path: &Path) -> bool {
        path.strip_prefix(&self.before.written).is_ok_and(|below| self.tracked.contains(below))
    }

    /// Whether everything that is known was there before, and rules of what is ignored are the same.
    fn all_is_tracked(&self) -> bool {
        let is_known = |file: &File| matches!(file.origin, Origin::Disk(_)) && self.had(&file.path);
        let reach = Reach::within(&self.before.written);
        let directories: FxHashSet<&Path> = self.tracked.iter().flat_map(|path| path.ancestors().skip(1)).collect();
        let ignores =
            directories.into_iter().flat_map(|directory| [".gitignore", ".ignore"].map(|name| directory.join(name)));
        self.alone.files().all(is_known)
            && self.alone.inputs.iter().all(|path| self.had(path))
            && self.workspace.commands.keys().all(|path| self.had(path))
            && ignores
                .filter(|path| !self.tracked.contains(path))
                .all(|path| reach.look(&self.before.written.join(path)).is_err())
    }

    /// The files with a different content; None if one of them is gone.
    fn changed(&self) -> Option<Vec<PathBuf>> {
        let reach = Reach::within(&self.before.written);
        let as_before = &self.workspace.as_before;
        let mut paths: Vec<PathBuf> = self.tracked.iter().map(|path| self.before.written.join(path)).collect();
        paths.retain(|path| !as_before.contains(path));
        paths.sort_unstable();
        let bytes: u64 = paths.iter().filter_map(|path| reach.stat(path)).map(|stat| stat.size).sum();
        if bytes > MAX_BYTES {
            return None;
        }
        let compare = |path: &PathBuf| {
            if reach.link(path).is_some() || reach.look(path) != Ok(FileType::File) {
                return None;
            }
            let bytes = reach.bytes(path).ok()?;
            Some((!self.before.has(path, &bytes)).then(|| path.clone()))
        };
        let compared: Option<Vec<Option<PathBuf>>> = map(threads(), &paths, BATCH, compare).into_iter().collect();
        Some(compared?.into_iter().flatten().collect())
    }

    /// A file that changed as it was, if it is and was only a values file, given to `ytt` as nothing else.
    fn values_file(&self, path: &Path) -> Option<(FileId, FoundFile, Vec<u8>)> {
        let file = self.state.file_at(path).filter(|file| self.alone.has(file))?;
        let before = self.before.files.bytes(path.strip_prefix(&self.before.written).ok()?, MAX_FILE_SIZE).ok()?;
        let is_only_values = self.state.sets.of_file(file.id).next().is_some()
            && is_plain(Facts::of(&before))
            && commands_in(path, None, &before).is_none();
        let stat = Stat { modified: None, size: u64::try_from(before.len()).ok()? };
        let found = FoundFile {
            path: path.to_owned(),
            stat: Some(stat),
            facts: self.workspace.facts_of(&before),
            reach: file.reach.clone(),
        };
        is_only_values.then_some((file.id, found, before))
    }

    /// Files, and everything that is given to `ytt` together with one of them.
    fn with_sets(&self, changed: FxHashSet<FileId>, sets: &FxHashSet<usize>) -> FxHashSet<FileId> {
        let mut touched = changed;
        for set in sets.iter().filter_map(|index| self.state.sets.sets.get(*index)) {
            touched.extend(set.inputs.iter().filter_map(|input| file_of(self.state, input)).map(|file| file.id));
            touched.extend(set.templates.iter().chain(&set.plain).chain(&set.alternatives));
            touched.extend(set.plain_for_libraries.iter().map(|(file, _)| file));
            // A `lofting.toml` is merged with values only where it has some itself.
            touched.extend(set.flags.iter().map(|flag| flag.file));
        }
        touched
    }
}

/// How many files a thread compares at a time.
const BATCH: usize = 64;

//! Which files a change can touch, where little is needed to be certain: nothing is new in any other file.
//!
//! The change is one of values files that are given to `ytt`, and of nothing else. Such a file says nothing about other
//! files and nothing reads it, so it touches itself and what is given to `ytt` together with it. Whatever else has changed,
//! or might have an effect, the answer is that it is not known.

use crate::discover::command_files::commands_in;
use crate::disk::{FileType, MAX_FILE_SIZE, Reach, Stat, StoredFolder, StoredKind};
use crate::evaluation::file_of;
use crate::files::facts::Facts;
use crate::files::file::{File, Origin};
use crate::files::scan::FoundFile;
use crate::files::table::Kept;
use crate::findings::levels;
use crate::input_sets::sets::{FileRole, WorkspaceSet};
use crate::inputs::{DataValueKind, Source};
use crate::state::State;
use crate::threads::{map, threads};
use crate::workspace::Workspace;
use lofting_check::rules::UNUSED_KEY;
use lofting_document::FileId;
use lofting_memo::Stamp;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};

/// How many files are compared, and of how many bytes together. Larger repositories are checked as a whole.
const MAX_FILES: usize = 100_000;
const MAX_BYTES: u64 = 512 * 1024 * 1024;

/// What the difference to a folder as it was can touch.
pub(crate) struct Touched {
    /// The files in which something may be new.
    pub files: FxHashSet<FileId>,
    /// The values files that are different, as they were.
    before: Vec<(FileId, FoundFile, Vec<u8>)>,
}

impl Touched {
    /// Gives the values files the content that they had. Nothing else was different, so everything is as it was.
    pub fn undo(self, workspace: &mut Workspace) {
        for (id, found, bytes) in self.before {
            let Some(now) = workspace.state.file(id).cloned() else { continue };
            let before = File::on_disk(id, now.path.clone(), Stamp::next(), found, now.options);
            before.is_read(bytes);
            workspace.replace_file(&now, before);
        }
    }
}

/// What the difference to a folder as it was can touch; None if that may be anything.
pub(crate) fn touched(workspace: &Workspace, before: &StoredFolder) -> Option<Touched> {
    let compared = Compared { workspace, state: &workspace.state, before, tracked: tracked(before)? };
    if !(compared.all_is_tracked() && compared.nothing_is_read_by_name() && compared.all_is_known()) {
        return None;
    }
    let inputs = compared.inputs();
    let before: Vec<(FileId, FoundFile, Vec<u8>)> =
        compared.changed()?.iter().map(|path| compared.values_file(path, &inputs)).collect::<Option<_>>()?;
    Some(Touched { files: compared.with_sets(before.iter().map(|(id, ..)| *id).collect()), before })
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
    before: &'s StoredFolder,
    /// The files that it had.
    tracked: FxHashSet<PathBuf>,
}

impl<'s> Compared<'s> {
    /// Whether the folder had a file.
    fn had(&self, path: &Path) -> bool {
        path.strip_prefix(&self.before.written).is_ok_and(|below| self.tracked.contains(below))
    }

    fn files(&self) -> impl Iterator<Item = &'s File> {
        self.state.files.iter().map(|file| &**file).filter(|file| file.exists())
    }

    fn sets(&self) -> &'s [WorkspaceSet] {
        &self.state.sets.sets
    }

    /// The paths of everything that is given to `ytt`.
    fn inputs(&self) -> FxHashSet<&'s Path> {
        let inputs = self.sets().iter().flat_map(|set| set.inputs.iter());
        inputs
            .filter_map(|input| if let Source::Path(path) = &input.source { Some(path.as_path()) } else { None })
            .collect()
    }

    /// Whether everything that is known was there before, and rules of what is ignored are the same.
    fn all_is_tracked(&self) -> bool {
        let is_known = |file: &File| matches!(file.origin, Origin::Disk(_)) && self.had(&file.path);
        let reach = Reach::within(&self.before.written);
        let directories: FxHashSet<&Path> = self.tracked.iter().flat_map(|path| path.ancestors().skip(1)).collect();
        let ignores =
            directories.into_iter().flat_map(|directory| [".gitignore", ".ignore"].map(|name| directory.join(name)));
        self.files().all(is_known)
            && self.inputs().into_iter().all(|path| self.had(path))
            && self.workspace.commands.keys().all(|path| self.had(path))
            && ignores
                .filter(|path| !self.tracked.contains(path))
                .all(|path| reach.look(&self.before.written.join(path)).is_err())
    }

    /// Whether no file may be read because something names it: as a schema, as a part of one, or by code.
    fn nothing_is_read_by_name(&self) -> bool {
        let settings = &self.state.settings;
        let names = |file: &File| {
            let facts = &file.facts;
            if file.is_configuration() {
                let config = file.config();
                return !(config.schemas.is_empty() && config.bundles.is_empty() && config.mirrors.is_empty());
            }
            facts.modeline || facts.references || facts.part_schema || facts.library_schema
        };
        let inputs = self.inputs();
        let is_of_user = settings.schemas.is_empty()
            && settings.kubernetes.is_none()
            && settings.mirrors.is_empty()
            && settings.catalogue.is_none();
        is_of_user
            && self.state.index.count(Kept::Kustomization) == 0
            && self.state.inline.is_empty()
            && !self.state.fetched.is_on()
            && self.files().all(|file| !names(file) && (!file.facts.code || inputs.contains(&*file.path)))
            && self.sets().iter().all(|set| set.flags.iter().all(|flag| flag.value.kind != DataValueKind::File))
    }

    /// Whether all sets are known, and no rule looks at all values files.
    fn all_is_known(&self) -> bool {
        *self.state.seen_all
            && self.sets().iter().all(|set| set.errors.is_empty() && set.left_out.is_empty())
            && !self.files().any(|file| file.facts.schema && levels::is_chosen(self.state, file, &UNUSED_KEY))
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
    fn values_file(&self, path: &Path, inputs: &FxHashSet<&Path>) -> Option<(FileId, FoundFile, Vec<u8>)> {
        let file = self.state.file_at(path).filter(|file| file.exists() && !inputs.contains(path))?;
        let before = self.before.files.bytes(path.strip_prefix(&self.before.written).ok()?, MAX_FILE_SIZE).ok()?;
        let is_plain = |facts: Facts| facts == Facts { suppressions: facts.suppressions, ..Facts::default() };
        let mut roles = self.state.sets.indices_of_file(file.id).map(|(_, role)| role).peekable();
        let is_given = roles.peek().is_some() && roles.all(|role| role == FileRole::PlainValues);
        let has_commands = |bytes: &[u8]| commands_in(path, None, bytes).is_some();
        let is_only_values = is_given
            && is_plain(file.facts)
            && is_plain(Facts::of(&before))
            && !has_commands(&before)
            && !self.workspace.commands.contains_key(path);
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
    fn with_sets(&self, changed: Vec<FileId>) -> FxHashSet<FileId> {
        let sets: FxHashSet<usize> =
            changed.iter().flat_map(|file| self.state.sets.indices_of_file(*file)).map(|(index, _)| index).collect();
        let mut touched: FxHashSet<FileId> = changed.into_iter().collect();
        for set in sets.into_iter().filter_map(|index| self.sets().get(index)) {
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

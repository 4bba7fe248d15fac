//! All files of a workspace, shared between snapshots.
//!
//! A change replaces one entry; snapshots keep the old one. Entries are stored in chunks, so replacing one of 20,000
//! copies two small arrays of pointers instead of a large one.

use crate::files::facts::Facts;
use crate::files::file::File;
use lofting_document::FileId;
use rpds::{HashTrieMapSync, RedBlackTreeMapSync, RedBlackTreeSetSync};
use rustc_hash::FxBuildHasher;
use std::borrow::Borrow;
use std::ffi::OsStr;
use std::hash::{Hash, Hasher};
use std::ops::Bound;
use std::path::Path;
use std::sync::Arc;

const CHUNK: usize = 128;

/// The files by id, cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct FileTable {
    chunks: Arc<Vec<Arc<Vec<Arc<File>>>>>,
}

impl FileTable {
    /// The id of the next new file.
    pub fn next_id(&self) -> FileId {
        let count = match self.chunks.split_last() {
            None => 0,
            Some((last, full)) => full.len() * CHUNK + last.len(),
        };
        FileId(u32::try_from(count).unwrap_or(u32::MAX))
    }

    pub fn get(&self, id: FileId) -> Option<&Arc<File>> {
        let index = id.0 as usize;
        self.chunks.get(index / CHUNK)?.get(index % CHUNK)
    }

    /// Stores a file under its id: an existing one or [`FileTable::next_id`].
    pub fn set(&mut self, file: Arc<File>) {
        let index = file.id.0 as usize;
        let chunks = Arc::make_mut(&mut self.chunks);
        if index / CHUNK == chunks.len() {
            chunks.push(Arc::new(Vec::with_capacity(CHUNK)));
        }
        let Some(chunk) = chunks.get_mut(index / CHUNK) else { return };
        let chunk = Arc::make_mut(chunk);
        match chunk.get_mut(index % CHUNK) {
            Some(slot) => *slot = file,
            None => chunk.push(file),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Arc<File>> {
        self.chunks.iter().flat_map(|chunk| chunk.iter()).inspect(|_| lofting_memo::step())
    }

    /// The ids of files that differ between two tables. Costs time for the differences, and one comparison for each
    /// chunk.
    pub fn differing<'t>(&'t self, other: &'t FileTable) -> impl Iterator<Item = FileId> + 't {
        let chunk = |table: &'t FileTable, index: usize| table.chunks.get(index);
        let differs = move |index: &usize| match (chunk(self, *index), chunk(other, *index)) {
            (Some(one), Some(two)) => !Arc::ptr_eq(one, two),
            _ => true,
        };
        let count = self.chunks.len().max(other.chunks.len());
        let ids = (0..count).filter(differs).flat_map(|index| index * CHUNK..(index + 1) * CHUNK);
        let revision = |table: &'t FileTable, id| table.get(id).map(|file| file.revision);
        let ids = ids.filter_map(|id| u32::try_from(id).ok()).map(FileId);
        ids.filter(move |id| revision(self, *id) != revision(other, *id))
    }
}

/// A normalised path, compared as text: `Path` is split into components for every comparison, which dominates lookups
/// among thousands of files.
#[derive(Clone)]
struct Spelled(Arc<Path>);

impl Borrow<OsStr> for Spelled {
    fn borrow(&self) -> &OsStr {
        self.0.as_os_str()
    }
}

impl PartialEq for Spelled {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_os_str() == other.0.as_os_str()
    }
}

impl Eq for Spelled {}

impl Hash for Spelled {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.as_os_str().hash(state);
    }
}

/// A set of files, in the order of their ids.
pub(crate) type FileIds = RedBlackTreeSetSync<FileId>;

/// The index of files by path and by directory. Snapshots keep the old index: a change copies only the path to one
/// entry, whatever the size.
#[derive(Clone, Default)]
pub(crate) struct PathIndex {
    by_path: HashTrieMapSync<Spelled, FileId, FxBuildHasher>,
    /// The existing files directly in each directory.
    by_directory: HashTrieMapSync<Spelled, FileIds, FxBuildHasher>,
    /// These directories, ordered so that everything below a directory is adjacent.
    directories: RedBlackTreeSetSync<Arc<Path>>,
    /// For each directory, the existing files directly in it that have a mark of a schema.
    schemas: RedBlackTreeMapSync<Arc<Path>, FileIds>,
    /// The existing files of each category.
    kept: [FileIds; Kept::ALL.len()],
}

/// Names of files that say which resources belong together.
pub(crate) const KUSTOMIZATIONS: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// Categories of files, so that finding them needs no search of all files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    /// An editor holds them.
    Open,
    /// They are a `lofting.toml`.
    Configuration,
    /// They may name the schema of other files, or their own.
    Naming,
    /// They have a mark of schemas in other languages, which are parts of files.
    ClaimedSchema,
    /// They may add to a private library's schema.
    LibrarySchema,
    /// They have a mark of data values.
    Values,
    /// They may be schema or values that code makes.
    Coded,
    /// They may refer to places of files.
    References,
    /// They are a kustomization, by their name.
    Kustomization,
    /// They are a kustomization that may have patches neither beside it nor below.
    PatchesElsewhere,
}

impl Kept {
    const ALL: [Kept; 10] = [
        Kept::Open,
        Kept::Configuration,
        Kept::Naming,
        Kept::ClaimedSchema,
        Kept::LibrarySchema,
        Kept::Values,
        Kept::Coded,
        Kept::References,
        Kept::Kustomization,
        Kept::PatchesElsewhere,
    ];

    /// Whether a file is one of them.
    pub fn holds(self, file: &File) -> bool {
        match self {
            Kept::Open => file.is_open(),
            Kept::Configuration => file.is_configuration(),
            Kept::Naming => file.facts.modeline || file.is_configuration(),
            Kept::ClaimedSchema => file.facts.part_schema,
            Kept::LibrarySchema => file.facts.library_schema,
            Kept::Values => file.facts.values,
            Kept::Coded => file.is_coded(),
            Kept::References => file.facts.references,
            Kept::Kustomization => {
                let is_named = |name: &OsStr| KUSTOMIZATIONS.iter().any(|known| name == *known);
                file.path.file_name().is_some_and(is_named)
            }
            Kept::PatchesElsewhere => file.facts.patches_elsewhere && Kept::Kustomization.holds(file),
        }
    }
}

impl PathIndex {
    pub fn get(&self, path: &Path) -> Option<FileId> {
        self.by_path.get(path.as_os_str()).copied()
    }

    /// Assigns the id of a path for good; the file may come and go.
    pub fn add(&mut self, path: Arc<Path>, id: FileId) {
        self.by_path.insert_mut(Spelled(path), id);
    }

    /// Updates the index after a change of a file: whether it exists, and its marks.
    pub fn change(&mut self, old: &File, new: &File) {
        let Some(parent) = new.path.parent() else { return };
        let marked = |file: &File, mark: fn(&Facts) -> bool| file.exists() && mark(&file.facts);
        for (kind, files) in Kept::ALL.into_iter().zip(&mut self.kept) {
            let holds = new.exists() && kind.holds(new);
            if holds != (old.exists() && kind.holds(old)) {
                *files = with(Some(files), new.id, holds);
            }
        }
        let is_schema = marked(new, |facts| facts.schema);
        if marked(old, |facts| facts.schema) != is_schema {
            let files = with(self.schemas.get(parent), new.id, is_schema);
            if files.is_empty() {
                self.schemas.remove_mut(parent);
            } else {
                self.schemas.insert_mut(Arc::from(parent), files);
            }
        }
        if old.exists() == new.exists() {
            return;
        }
        let files = with(self.by_directory.get(parent.as_os_str()), new.id, new.exists());
        if files.is_empty() {
            self.by_directory.remove_mut(parent.as_os_str());
            self.directories.remove_mut(parent);
            return;
        }
        let directory: Arc<Path> = Arc::from(parent);
        if files.size() == 1 && new.exists() {
            self.directories.insert_mut(directory.clone());
        }
        self.by_directory.insert_mut(Spelled(directory), files);
    }

    /// Existing files directly in `directory`.
    pub fn in_directory(&self, directory: &Path) -> Option<&FileIds> {
        self.by_directory.get(directory.as_os_str())
    }

    /// Directories at and below `directory` that contain existing files, with those files.
    pub fn directories_below<'a>(&'a self, directory: &'a Path) -> impl Iterator<Item = (&'a Path, &'a FileIds)> {
        self.directories
            .range::<Path, _>((Bound::Included(directory), Bound::Unbounded))
            .take_while(move |path| path.starts_with(directory))
            .filter_map(|path| Some((&**path, self.in_directory(path)?)))
    }

    /// Existing files directly in `directory` that have a mark of a schema.
    pub fn schemas_in(&self, directory: &Path) -> impl Iterator<Item = FileId> {
        self.schemas.get(directory).into_iter().flatten().copied()
    }

    /// The schema files of the directories at and below `directory`.
    pub fn schemas_below<'a>(&'a self, directory: &'a Path) -> impl Iterator<Item = (&'a Path, &'a FileIds)> {
        self.schemas
            .range::<Path, _>((Bound::Included(directory), Bound::Unbounded))
            .take_while(move |(path, _)| path.starts_with(directory))
            .map(|(path, files)| (&**path, files))
    }

    /// The existing files of a category, in the order of their ids.
    pub fn kept(&self, kind: Kept) -> impl Iterator<Item = FileId> {
        self.files_of(kind).into_iter().flatten().copied()
    }

    /// How many there are.
    pub fn count(&self, kind: Kept) -> usize {
        self.files_of(kind).map_or(0, FileIds::size)
    }

    fn files_of(&self, kind: Kept) -> Option<&FileIds> {
        let (_, files) = Kept::ALL.into_iter().zip(&self.kept).find(|(of, _)| *of == kind)?;
        Some(files)
    }
}

/// The set with or without one file.
fn with(files: Option<&FileIds>, id: FileId, is_in: bool) -> FileIds {
    let mut files = files.cloned().unwrap_or_default();
    if is_in {
        files.insert_mut(id);
    } else {
        files.remove_mut(&id);
    }
    files
}

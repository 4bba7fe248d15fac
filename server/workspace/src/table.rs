//! All files of a workspace, shared between snapshots.
//!
//! A change replaces one entry; what a snapshot holds stays as it is. Entries sit in chunks so that
//! replacing one of 20,000 copies two small arrays of pointers instead of one large one.

use crate::file::File;
use lofting_document::FileId;
use rustc_hash::FxHashMap;
use std::borrow::Borrow;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::hash::{Hash, Hasher};
use std::path::Path;
use std::sync::Arc;

const CHUNK: usize = 128;

/// The files by number, cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct FileTable {
    chunks: Arc<Vec<Arc<Vec<Arc<File>>>>>,
}

impl FileTable {
    /// The number of the next new file.
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

    /// Puts a file in the place of its number: an existing one or [`FileTable::next_id`].
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
        self.chunks.iter().flat_map(|chunk| chunk.iter())
    }
}

/// A normalised path, compared as text: `Path` takes itself apart into components for every comparison, which
/// for thousands of files is most of what looking them up costs.
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

/// Which files there are, by path and by directory. Changes only when files come or go.
#[derive(Clone, Default)]
pub(crate) struct PathIndex {
    by_path: Arc<FxHashMap<Spelled, FileId>>,
    /// Existing files directly in each directory.
    by_directory: Arc<FxHashMap<Spelled, Vec<FileId>>>,
    /// The same directories, in an order in which what is below a directory stands together.
    directories: Arc<BTreeSet<Arc<Path>>>,
}

impl PathIndex {
    pub fn get(&self, path: &Path) -> Option<FileId> {
        self.by_path.get(path.as_os_str()).copied()
    }

    /// Remembers the number of a path for good; the file may come and go.
    pub fn add(&mut self, path: Arc<Path>, id: FileId) {
        Arc::make_mut(&mut self.by_path).insert(Spelled(path), id);
    }

    /// Notes that the file is (not) there.
    pub fn set_existing(&mut self, path: &Path, id: FileId, exists: bool) {
        let Some(parent) = path.parent() else { return };
        if self.in_directory(parent).contains(&id) == exists {
            return;
        }
        let by_directory = Arc::make_mut(&mut self.by_directory);
        match by_directory.get_mut(parent.as_os_str()) {
            Some(files) if exists => files.push(id),
            Some(files) => {
                files.retain(|file| *file != id);
                if files.is_empty() {
                    by_directory.remove(parent.as_os_str());
                    Arc::make_mut(&mut self.directories).remove(parent);
                }
            }
            None => {
                let parent: Arc<Path> = Arc::from(parent);
                by_directory.insert(Spelled(parent.clone()), vec![id]);
                Arc::make_mut(&mut self.directories).insert(parent);
            }
        }
    }

    /// Existing files directly in `directory`, in no particular order.
    pub fn in_directory(&self, directory: &Path) -> &[FileId] {
        self.by_directory.get(directory.as_os_str()).map_or(&[], Vec::as_slice)
    }

    /// Directories at and below `directory` that hold existing files.
    pub fn directories_below<'a>(&'a self, directory: &'a Path) -> impl Iterator<Item = (&'a Path, &'a [FileId])> {
        self.directories
            .range::<Path, _>((std::ops::Bound::Included(directory), std::ops::Bound::Unbounded))
            .take_while(move |path| path.starts_with(directory))
            .map(|path| (&**path, self.in_directory(path)))
    }
}

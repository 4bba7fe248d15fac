//! Objects by their hashes.

use crate::open::{exists, is_directory, is_openable, only_files};
use crate::problem::Problem;
use gix_hash::{ObjectId, Prefix};
use gix_object::{Find, FindHeader, Kind};
use gix_odb::HandleArc;
use gix_odb::store::init::Options;
use parking_lot::Mutex;
use std::fmt;
use std::path::{Path, PathBuf};

/// Larger objects (in bytes) are not read. The largest file that a workspace reads has as much.
pub(crate) const LARGEST: u64 = 50 * 1024 * 1024;

/// How much is allocated for one object while it is put together.
const ALLOCATED: usize = 4 * 50 * 1024 * 1024;

/// How many entries the directory of packs may have.
const PACKS: usize = 20_000;

/// The object database of a repository.
pub(crate) struct Objects {
    directory: PathBuf,
    /// It keeps caches for the thread that uses it.
    handle: Mutex<HandleArc>,
}

impl fmt::Debug for Objects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Objects").field("directory", &self.directory).finish_non_exhaustive()
    }
}

impl Objects {
    /// The database in a directory. Its packs are opened when they are needed.
    pub fn at(directory: &Path) -> Result<Objects, Problem> {
        if exists(&directory.join("info/alternates")) {
            return Err(Problem::Alternates);
        }
        let packs = directory.join("pack");
        if exists(&packs) && !is_directory(&packs) {
            return Err(Problem::Unreadable(packs, "this is not a directory".to_owned()));
        }
        only_files(&packs, PACKS)?;
        let options = Options { alloc_limit_bytes: Some(ALLOCATED), ..Options::default() };
        let unreadable = |why: std::io::Error| Problem::Unreadable(directory.to_owned(), why.to_string());
        let store =
            gix_odb::Store::at_opts(directory.to_owned(), gix_hash::Kind::Sha1, &mut std::iter::empty(), options);
        let handle = std::sync::Arc::new(store.map_err(unreadable)?).to_cache_arc();
        Ok(Objects { directory: directory.to_owned(), handle: Mutex::new(handle) })
    }

    /// The kind and the bytes of an object. The error names what it is about.
    pub fn read(&self, id: ObjectId) -> Result<(Kind, Vec<u8>), Problem> {
        self.is_readable(id)?;
        let handle = self.handle.lock();
        let damaged = |why: String| Problem::Damaged(format!("the object {id} cannot be read: {why}"));
        let header = FindHeader::try_header(&*handle, &id).map_err(|error| damaged(error.to_string()))?;
        let header: gix_object::Header = header.ok_or_else(|| Problem::Missing(id.to_string()))?;
        if header.size > LARGEST {
            return Err(Problem::TooMuch("an object of the revision has more than 50 MB"));
        }
        let mut bytes = Vec::new();
        let found = handle.try_find(&id, &mut bytes).map_err(|error| damaged(error.to_string()))?;
        let kind = found.ok_or_else(|| Problem::Missing(id.to_string()))?.kind;
        if gix_object::compute_hash(gix_hash::Kind::Sha1, kind, &bytes).map_err(|error| damaged(error.to_string()))?
            != id
        {
            return Err(damaged("its content has a different hash".to_owned()));
        }
        Ok((kind, bytes))
    }

    /// How many bytes an object has.
    pub fn size(&self, id: ObjectId) -> Option<u64> {
        self.is_readable(id).ok()?;
        let handle = self.handle.lock();
        Some(FindHeader::try_header(&*handle, &id).ok()??.size)
    }

    /// The object whose hash begins with these digits.
    pub fn beginning_with(&self, digits: &str) -> Result<Option<ObjectId>, Problem> {
        let Ok(prefix) = Prefix::from_hex(digits) else { return Ok(None) };
        match self.handle.lock().lookup_prefix(prefix, None) {
            Ok(Some(Ok(id))) => Ok(Some(id)),
            Ok(Some(Err(()))) => Err(Problem::Ambiguous(digits.to_owned())),
            Ok(None) => Ok(None),
            Err(error) => Err(Problem::Damaged(error.to_string())),
        }
    }

    /// Refuses a loose object that is not a regular file: opening it could block.
    fn is_readable(&self, id: ObjectId) -> Result<(), Problem> {
        let hex = id.to_string();
        let (folder, name) = hex.split_at(2);
        let path = self.directory.join(folder).join(name);
        if is_openable(&path) {
            Ok(())
        } else {
            Err(Problem::Unreadable(path, "this is not a regular file".to_owned()))
        }
    }
}

//! The folder: a file for each piece of code with its inputs, which holds the last few results.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use lofting_disk::{Access, CopyLimits, Folder, Named, Refusal};
use lofting_eval::{Evaluation, Outcome};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use crate::question::{Hash, Question, hash, sum};

/// How many results a file holds, the last one first: code that two branches share loads other files in each of them.
const RESULTS: usize = 4;
/// Maximum size of a file in bytes.
const FILE: u64 = 64 << 20;
/// Bytes of the hash before the content of a file.
const SUM: u64 = 32;
/// Tells what is kept under names from the results of code.
const OTHERS: &str = "named";
/// What follows the last dot of the files' names.
const EXTENSION: &str = "result";
/// Characters of a name without what follows the dot: a hash without its first byte, which names the directory.
const NAME: usize = 62;

/// The folder in which results are kept. Several processes may use it at the same time.
#[derive(Debug)]
pub struct Store {
    folder: Folder,
    /// What tells programs apart: another version may give other results for the same code.
    program: String,
    /// The size of all files in bytes, as far as this process knows; None before it has looked.
    size: Mutex<Option<u64>>,
}

/// What is known about a piece of code with its inputs.
pub(crate) struct StoredResults<'s> {
    store: &'s Store,
    name: PathBuf,
    /// The results, the last one first.
    pub(crate) kept: Vec<KeptResult>,
}

/// What code gave.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct KeptResult {
    /// What it asked for, in order, with the hashes of the answers.
    pub(crate) asked: Vec<(Question, Hash)>,
    pub(crate) outcome: Outcome,
    /// What it printed, by lines.
    pub(crate) printed: Vec<String>,
}

impl Store {
    /// The folder at a path that the user named; it is made if it is missing. `program` is the version and commit of
    /// the program.
    ///
    /// # Errors
    ///
    /// It cannot be made or opened, or is in a directory of git.
    pub fn open(path: &Path, program: &str) -> Result<Store, Refusal> {
        let folder = Folder::named(path, Named::Itself, true)?;
        // Neither git nor backups are to take it along.
        for (name, text) in [(".gitignore", "*\n"), ("CACHEDIR.TAG", TAG)] {
            if folder.stat(Path::new(name)).is_none() {
                folder.write(Path::new(name), text.as_bytes(), Access::Quick)?;
            }
        }
        Ok(Store { folder, program: program.to_owned(), size: Mutex::default() })
    }

    /// What is known about the code; None for code that has no form on disk.
    pub(crate) fn entry(&self, evaluation: &Evaluation) -> Option<StoredResults<'_>> {
        let name = file_of(&hash(&self.program, evaluation)?)?;
        let kept = self.read(&name).and_then(|bytes| postcard::from_bytes(&bytes).ok()).unwrap_or_default();
        Some(StoredResults { store: self, name, kept })
    }

    /// What is kept under a name that a program of this version gave it.
    pub fn load(&self, name: &[u8; 32]) -> Option<Vec<u8>> {
        self.read(&file_of(&hash(&self.program, &(OTHERS, name))?)?)
    }

    /// Keeps something under a name. A folder that cannot be written only costs time.
    pub fn save(&self, name: &[u8; 32], bytes: &[u8]) {
        let file = hash(&self.program, &(OTHERS, name)).and_then(|hash| file_of(&hash));
        let written = file.filter(|_| bytes.len() as u64 <= FILE).map(|file| self.write(&file, bytes));
        drop(written);
    }

    /// The content of a file. One that cannot be read, that is not whole, or that another program wrote, is as good as none.
    fn read(&self, name: &Path) -> Option<Vec<u8>> {
        let bytes = self.folder.read(name, FILE + SUM).ok().flatten()?.bytes;
        let (known, content) = bytes.split_first_chunk::<32>()?;
        (sum(content) == *known).then(|| content.to_vec())
    }

    fn write(&self, name: &Path, content: &[u8]) -> Result<(), Refusal> {
        let bytes = [&sum(content)[..], content].concat();
        self.folder.write(name, &bytes, Access::Quick)?;
        let added = bytes.len() as u64;
        let limits = CopyLimits::default();
        let mut size = self.size.lock();
        match &mut *size {
            Some(size) if *size + added <= limits.bytes => *size += added,
            size => *size = Some(self.folder.evict(limits, SystemTime::now(), is_ours)),
        }
        Ok(())
    }
}

impl StoredResults<'_> {
    /// Keeps a result. A folder that cannot be written only costs time.
    pub(crate) fn keep(self, kept: KeptResult) {
        let others = self.kept.into_iter().filter(|other| other.asked != kept.asked);
        let all: Vec<KeptResult> = std::iter::once(kept.clone()).chain(others).take(RESULTS).collect();
        let fits = |bytes: &Vec<u8>| bytes.len() as u64 <= FILE;
        let bytes = postcard::to_allocvec(&all).ok().filter(fits);
        let bytes = bytes.or_else(|| postcard::to_allocvec(&vec![kept]).ok().filter(fits));
        let written = bytes.map(|bytes| self.store.write(&self.name, &bytes));
        drop(written);
    }
}

/// The file for what has a hash.
fn file_of(hash: &Hash) -> Option<PathBuf> {
    let hex: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let (directory, name) = hex.split_at_checked(hex.len() - NAME)?;
    Some(Path::new(directory).join(name).with_extension(EXTENSION))
}

/// See <https://bford.info/cachedir/>.
const TAG: &str =
    "Signature: 8a477f597d28d172789f06886806bc55\n# Results of lofting. They can be deleted at any time.\n";

fn is_ours(stem: &str) -> bool {
    stem.len() == NAME && stem.bytes().all(|byte| byte.is_ascii_hexdigit())
}

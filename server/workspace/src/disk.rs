//! Reading files: with a size limit, and with every failure as a value that can be put into words.

use std::fmt;
use std::io::Read;
use std::path::Path;
use std::time::SystemTime;

/// Files above this size (bytes) are not read. A text of this size still parses in under a second.
pub const MAX_FILE_SIZE: u64 = 50 * 1024 * 1024;

/// What tells whether a file changed since it was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// Last change, where the file system knows it.
    pub modified: Option<SystemTime>,
    /// Size in bytes.
    pub size: u64,
}

impl Stat {
    /// The state of a regular file; `None` if there is none (any more).
    pub fn of(path: &Path) -> Option<Stat> {
        let meta = std::fs::metadata(path).ok()?;
        meta.is_file().then(|| Stat { modified: meta.modified().ok(), size: meta.len() })
    }
}

/// Why a file has no text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadProblem {
    /// It is not there.
    NotFound,
    /// A directory stands where a file was expected.
    Directory,
    /// It is larger than [`MAX_FILE_SIZE`]; its size in bytes.
    TooLarge(u64),
    /// The first byte (from 0) that is not UTF-8.
    NotUtf8(usize),
    /// Anything else, in the words of the operating system.
    Other(String),
}

impl fmt::Display for ReadProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadProblem::NotFound => f.write_str("there is no such file"),
            ReadProblem::Directory => f.write_str("this is a directory, not a file"),
            ReadProblem::TooLarge(size) => write!(
                f,
                "the file has {} MB; files above {} MB are not read",
                size / (1024 * 1024),
                MAX_FILE_SIZE / (1024 * 1024)
            ),
            ReadProblem::NotUtf8(at) => {
                write!(f, "the file is not UTF-8 text: byte {at} can not be decoded (save it as UTF-8)")
            }
            ReadProblem::Other(words) => f.write_str(words),
        }
    }
}

/// The bytes of a file within the size limit.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, ReadProblem> {
    let meta = std::fs::metadata(path).map_err(problem)?;
    if meta.is_dir() {
        return Err(ReadProblem::Directory);
    }
    if meta.len() > MAX_FILE_SIZE {
        return Err(ReadProblem::TooLarge(meta.len()));
    }
    if !meta.is_file() {
        // A pipe or device could keep us waiting for ever.
        return Err(ReadProblem::Other("this is not a regular file".to_owned()));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or(0) + 1);
    let file = std::fs::File::open(path).map_err(problem)?;
    // The file may grow while it is read.
    file.take(MAX_FILE_SIZE + 1).read_to_end(&mut bytes).map_err(problem)?;
    match u64::try_from(bytes.len()) {
        Ok(size) if size <= MAX_FILE_SIZE => Ok(bytes),
        _ => Err(ReadProblem::TooLarge(MAX_FILE_SIZE + 1)),
    }
}

/// The text of a file within the size limit.
pub fn read_text(path: &Path) -> Result<String, ReadProblem> {
    String::from_utf8(read_bytes(path)?).map_err(|error| ReadProblem::NotUtf8(error.utf8_error().valid_up_to()))
}

fn problem(error: std::io::Error) -> ReadProblem {
    match error.kind() {
        std::io::ErrorKind::NotFound => ReadProblem::NotFound,
        std::io::ErrorKind::IsADirectory => ReadProblem::Directory,
        _ => ReadProblem::Other(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_has_words() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("bad.yml");
        std::fs::write(&path, b"a: \xff\n").unwrap();
        assert_eq!(read_text(&path), Err(ReadProblem::NotUtf8(3)));
        assert_eq!(read_text(dir.path()), Err(ReadProblem::Directory));
        assert_eq!(read_text(&dir.path().join("none.yml")), Err(ReadProblem::NotFound));

        let big = dir.path().join("big.yml");
        std::fs::File::create(&big).unwrap().set_len(MAX_FILE_SIZE + 1).unwrap();
        let problem = read_text(&big).unwrap_err();
        assert_eq!(problem.to_string(), "the file has 50 MB; files above 50 MB are not read");
    }
}

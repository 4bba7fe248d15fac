//! Opens files: up to a size limit, regular files only, and with every failure as a value for a message.
//!
//! A name can stand for anything: a pipe without a writer, an endless device, a file that grows. So a file is
//! examined, opened without blocking, examined again (it may have been replaced), and read up to a limit.

use super::found::{FileType, Links, Listed, ReadProblem, Stat, problem};
use std::fs::{File, Metadata, OpenOptions};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

/// The state of a regular file; `None` if there is none. Opens nothing.
pub(super) fn stat_of(path: &Path) -> Option<Stat> {
    let meta = std::fs::metadata(path).ok()?;
    meta.is_file().then(|| Stat { modified: meta.modified().ok(), size: meta.len() })
}

/// Time of last change and size in bytes of whatever is at a path that the user named, such as a directory.
pub fn last_change(path: &Path) -> Option<(SystemTime, u64)> {
    let meta = std::fs::metadata(path).ok()?;
    Some((meta.modified().ok()?, meta.len()))
}

/// Time of last change of a directory. None if something else is at the path, such as a link to one, or if the file system
/// does not tell.
pub fn directory_changed(path: &Path) -> Option<SystemTime> {
    let meta = std::fs::symlink_metadata(path).ok()?;
    if meta.is_dir() { meta.modified().ok() } else { None }
}

/// The bytes of a regular file, if there are at most `limit`.
pub(super) fn read(path: &Path, links: Links, limit: u64) -> Result<Vec<u8>, ReadProblem> {
    stat_and_bytes(path, links, limit).map(|(_, bytes)| bytes)
}

/// The state of a regular file, and its bytes if there are at most `limit`.
pub(super) fn stat_and_bytes(path: &Path, links: Links, limit: u64) -> Result<(Stat, Vec<u8>), ReadProblem> {
    let before = match links {
        Links::Followed => std::fs::metadata(path),
        Links::RefusedAtEnd | Links::Refused => std::fs::symlink_metadata(path),
    };
    // Opening a device can have effects.
    refuse(&before.map_err(problem)?, limit)?;
    let file = open(path, links).map_err(problem)?;
    let meta = file.metadata().map_err(problem)?;
    refuse(&meta, limit)?;
    let bytes = up_to(limit, file, usize::try_from(meta.len()).unwrap_or(0))?;
    Ok((Stat { modified: meta.modified().ok(), size: meta.len() }, bytes))
}

/// What is in a file, of which about so many bytes are expected: it may grow while it is read, and some have a size of 0 and no
/// end.
fn up_to(limit: u64, file: File, expected: usize) -> Result<Vec<u8>, ReadProblem> {
    let mut bytes = Vec::with_capacity(expected + 1);
    file.take(limit + 1).read_to_end(&mut bytes).map_err(problem)?;
    match u64::try_from(bytes.len()) {
        Ok(size) if size <= limit => Ok(bytes),
        _ => Err(ReadProblem::TooLarge(limit + 1)),
    }
}

/// The bytes in a pipe, if there are at most `limit`. Waits until its writers have closed it. None if something else is at the
/// path.
pub(super) fn pipe(path: &Path, limit: u64) -> Option<Result<Vec<u8>, ReadProblem>> {
    #[cfg(unix)]
    let is_pipe = |meta: &Metadata| std::os::unix::fs::FileTypeExt::is_fifo(&meta.file_type());
    #[cfg(not(unix))]
    let is_pipe = |_: &Metadata| false;
    std::fs::metadata(path).ok().filter(is_pipe)?;
    Some(File::open(path).map_err(problem).and_then(|pipe| up_to(limit, pipe, 0)))
}

fn refuse(meta: &Metadata, limit: u64) -> Result<(), ReadProblem> {
    if meta.is_dir() {
        return Err(ReadProblem::Directory);
    }
    if !meta.is_file() {
        return Err(ReadProblem::NoFile);
    }
    if meta.len() > limit {
        return Err(ReadProblem::TooLarge(meta.len()));
    }
    Ok(())
}

#[cfg(unix)]
fn open(path: &Path, links: Links) -> std::io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    // std adds CLOEXEC.
    let mut flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    if links != Links::Followed {
        flags |= OFlags::NOFOLLOW;
    }
    #[cfg(target_os = "linux")]
    if links == Links::Refused {
        match open_without_links(path, flags) {
            // Older kernels do not have the call, and a container may forbid what it does not know.
            Err(rustix::io::Errno::NOSYS | rustix::io::Errno::PERM) => {}
            opened => return Ok(opened?),
        }
    }
    OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)
}

/// Opens a file if no part of its path is a link at this moment.
#[cfg(target_os = "linux")]
fn open_without_links(path: &Path, flags: rustix::fs::OFlags) -> rustix::io::Result<File> {
    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
    let flags = flags | OFlags::RDONLY | OFlags::CLOEXEC;
    let file = openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS)?;
    Ok(file.into())
}

#[cfg(not(unix))]
fn open(path: &Path, _links: Links) -> std::io::Result<File> {
    OpenOptions::new().read(true).open(path)
}

/// The entries of a directory, unsorted.
pub(super) fn list(directory: &Path) -> std::io::Result<impl Iterator<Item = std::io::Result<Listed>> + use<>> {
    let entries = std::fs::read_dir(directory)?;
    Ok(entries.map(|entry| {
        let entry = entry?;
        let kind = entry.file_type()?;
        let is_link = kind.is_symlink();
        let kind = match (kind.is_file(), kind.is_dir()) {
            (true, _) => FileType::File,
            (_, true) => FileType::Directory,
            _ => FileType::Other,
        };
        Ok(Listed { name: entry.file_name(), kind, is_link })
    }))
}

/// Whether there is a regular file at a path, and no link.
pub(super) fn is_plain_file(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file())
}

/// Whether there is a link at a path.
pub(super) fn is_link(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink())
}

/// The path with links resolved, if it exists.
pub(super) fn real(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

/// The kind of what is at a path, following links, and its time of last change.
pub(super) fn kind_of(path: &Path) -> Option<(FileType, Option<SystemTime>)> {
    let meta = std::fs::metadata(path).ok()?;
    let kind = match (meta.is_file(), meta.is_dir()) {
        (true, _) => FileType::File,
        (_, true) => FileType::Directory,
        _ => FileType::Other,
    };
    Some((kind, meta.modified().ok()))
}

/// The time, for what is known for a moment only.
pub(super) fn now() -> Option<Instant> {
    Some(Instant::now())
}

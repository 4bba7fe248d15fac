//! Recognises what belongs to git: names that some file system takes for `.git`, and its directories by their content.
//!
//! Git runs programs that are named in its directories (hooks, `core.fsmonitor`), and keeps addresses and passwords
//! there.

use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The name of git's directory or file.
const GIT: &str = ".git";

/// Whether a name is `.git`, or may be the same file as `.git` on some system: in other letters (macOS, Windows), with
/// invisible characters (macOS), with dots, blanks or a stream at its end, or as the short name `git~1` (Windows).
/// These are the names that git itself refuses to check out.
pub fn is_name(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    // This is checked for every part of every path.
    let visible = if name.is_ascii() { name } else { name.chars().filter(|c| !is_ignored(*c)).collect() };
    let base = visible.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']);
    if base.eq_ignore_ascii_case(GIT) {
        return true;
    }
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match base.get(..4) {
        Some(start) => start.eq_ignore_ascii_case("git~") && is_number(&base[4..]),
        None => false,
    }
}

/// Characters that HFS+ leaves out when it compares names.
fn is_ignored(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

/// Whether a directory is git's own, whatever its name: a bare repository, the directory of a repository that is kept
/// elsewhere, or that of a worktree.
pub fn is_directory(path: &Path) -> bool {
    let is_directory = |name: &str| path.join(name).is_dir();
    let has = |name: &str| std::fs::symlink_metadata(path.join(name)).is_ok();
    has("HEAD") && ((is_directory("objects") && is_directory("refs")) || has("commondir"))
}

/// Whether a directory is the root of a working tree: it contains `.git`, as a directory of git or a file that names
/// one.
pub fn is_working_tree(path: &Path) -> bool {
    let git = path.join(GIT);
    let Ok(meta) = std::fs::metadata(&git) else { return false };
    if meta.is_dir() {
        return is_directory(&git);
    }
    let mut start = [0; 7];
    let read = |start: &mut [u8; 7]| std::fs::File::open(&git)?.read_exact(start);
    // Opening anything but a regular file could block.
    meta.is_file() && read(&mut start).is_ok() && &start == b"gitdir:"
}

/// The part of a path that belongs to git, if any: a component with git's name, or a directory above it with git's
/// content. `path` has no links and may not exist. A working tree inside a bare repository is not git's.
pub fn part_of(path: &Path) -> Option<PathBuf> {
    let mut whole = PathBuf::new();
    for part in path.components() {
        whole.push(part);
        if is_name(part.as_os_str()) {
            return Some(whole);
        }
    }
    directory_among(path.ancestors()).map(Path::to_owned)
}

/// Whether a path below `bound` lies in a directory with git's content, or is one. `bound` itself is not looked at.
/// A working tree inside a bare repository is not git's.
pub fn is_in_directory(bound: &Path, path: &Path) -> bool {
    directory_among(path.ancestors().take_while(|above| *above != bound)).is_some()
}

/// The first of these directories, from the inner to the outer, that has git's content, up to the root of a working tree.
fn directory_among<'p>(mut above: impl Iterator<Item = &'p Path>) -> Option<&'p Path> {
    above.find(|above| is_directory(above) || is_working_tree(above)).filter(|above| is_directory(above))
}

/// The root of the working tree that contains a directory.
pub(crate) fn working_tree_of(directory: &Path) -> Option<&Path> {
    directory.ancestors().find(|above| is_working_tree(above))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_some_system_takes_for_git() {
        let names = [
            ".git",
            ".GIT",
            ".Git",
            "git~1",
            "GIT~1",
            "git~23",
            ".git.",
            ".git ",
            ".git. .",
            ".git::$INDEX_ALLOCATION",
            ".g\u{200c}it",
            "\u{feff}.git",
            ".gi\u{202e}t",
        ];
        for name in names {
            assert!(is_name(OsStr::new(name)), "{name:?}");
        }
        for name in ["git", ".gitignore", ".github", ".gitattributes", "git~", "git~x", "x.git", "..git", "", ".gi"] {
            assert!(!is_name(OsStr::new(name)), "{name:?}");
        }
    }

    #[test]
    fn directories_are_recognised_by_their_content() {
        let place = tempfile::tempdir().expect("a directory");
        let at = |name: &str| place.path().join(name);
        let make = |name: &str| std::fs::create_dir_all(at(name)).expect("a directory");
        for name in ["store/objects", "store/refs", "store/hooks", "store/tree", "plain/objects", "plain/refs"] {
            make(name);
        }
        std::fs::write(at("store/HEAD"), "ref: refs/heads/main\n").expect("a file");
        assert_eq!(part_of(&at("store/hooks/pre-commit")), Some(at("store")));
        assert_eq!(part_of(&at("store")), Some(at("store")));
        assert_eq!(part_of(&at("plain/refs/x")), None);
        assert_eq!(part_of(&at("plain/.GIT/config")), Some(at("plain/.GIT")));
        // A working tree may be kept inside a bare repository.
        std::fs::write(at("store/tree/.git"), "gitdir: ../worktrees/tree\n").expect("a file");
        assert_eq!(part_of(&at("store/tree/a.yml")), None);
        // The directory of a worktree.
        make("linked/sub");
        std::fs::write(at("linked/HEAD"), "x").expect("a file");
        std::fs::write(at("linked/commondir"), "../..").expect("a file");
        assert_eq!(part_of(&at("linked/sub")), Some(at("linked")));
    }
}

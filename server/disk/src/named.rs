//! Where a path that the user named really is.
//!
//! The user may name any place. But a link on the way to it may come from a repository, and lead where the user would
//! never have written to. Links of the system (`/tmp`) and of the user (`~/work`) are followed; a link inside a
//! repository, or anywhere else where a repository may have brought it, only if it leads no further than that.

use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use crate::{Refusal, git};

/// Which links on the way to a named place are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// Links of the user and of the system, and links that do not lead out of their repository.
    Inside,
    /// Like `Inside`, but the last part of the path may not be a link itself.
    Itself,
    /// All: nothing in a repository can have named or made the place.
    ByUser,
}

/// The path with links resolved. It has no links, and need not exist. What belongs to git is refused.
///
/// # Errors
///
/// A link leads out of its repository, or the place belongs to git.
pub fn resolve(path: &Path, named: Named) -> Result<PathBuf, Refusal> {
    let here = std::env::current_dir()?.canonicalize()?;
    let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
    let found = resolve_from(&here, home.as_deref(), path, named)?;
    match git::part_of(&found) {
        Some(part) => Err(Refusal::Git(part)),
        None => Ok(found),
    }
}

/// Resolves a path without the rule about git. `here` (the current directory) and `home` contain no links.
fn resolve_from(here: &Path, home: Option<&Path>, path: &Path, named: Named) -> Result<PathBuf, Refusal> {
    let mut real = here.to_owned();
    let mut parts = path.components().peekable();
    while let Some(part) = parts.next() {
        match part {
            Component::Prefix(_) | Component::RootDir => real.push(part),
            Component::CurDir => {}
            // Without links, what is above is what is written above.
            Component::ParentDir => drop(real.pop()),
            Component::Normal(name) => {
                let next = real.join(name);
                let is_last = parts.peek().is_none();
                let is_link = match std::fs::symlink_metadata(&next) {
                    Ok(meta) => meta.is_symlink(),
                    Err(error) if error.kind() == ErrorKind::NotFound => false,
                    Err(error) if error.kind() == ErrorKind::NotADirectory => {
                        return Err(Refusal::NoDirectory(real));
                    }
                    Err(error) => return Err(error.into()),
                };
                if !is_link {
                    real = next;
                    continue;
                }
                let Ok(target) = next.canonicalize() else { return Err(Refusal::Link(next, None)) };
                let leads_out = match named {
                    Named::ByUser => false,
                    Named::Itself if is_last => true,
                    Named::Inside | Named::Itself => bound(&real, here, home).is_some_and(|b| !target.starts_with(b)),
                };
                if leads_out {
                    return Err(Refusal::Link(next, Some(target)));
                }
                real = target;
            }
        }
    }
    Ok(real)
}

/// The directory that a link in `directory` may not lead out of; None for links of the user and of the system.
fn bound<'a>(directory: &'a Path, here: &'a Path, home: Option<&Path>) -> Option<&'a Path> {
    if let Some(tree) = git::working_tree_of(directory) {
        return Some(tree);
    }
    if directory.parent().is_none() || home.is_some_and(|home| home.starts_with(directory)) {
        return None;
    }
    if here.parent().is_some() && directory.starts_with(here) { Some(here) } else { Some(directory) }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_are_followed_as_far_as_their_repository() {
        let place = tempfile::tempdir().expect("a directory");
        let root = place.path().canonicalize().expect("it exists");
        let at = |name: &str| root.join(name);
        for name in ["home/work", "home/repo/.git/objects", "home/repo/.git/refs", "home/repo/in", "data/x", "here/in"]
        {
            std::fs::create_dir_all(at(name)).expect("a directory");
        }
        std::fs::write(at("home/repo/.git/HEAD"), "ref: x\n").expect("a file");
        let links = [
            ("data", "home/own"),
            ("../../data", "home/repo/out"),
            ("in", "home/repo/inner"),
            ("..", "home/repo/up"),
            ("nowhere", "home/repo/dangling"),
            ("loop", "home/repo/loop"),
            ("../data", "here/out"),
            ("in", "here/inner"),
            ("x", "data/near"),
            ("../home", "data/far"),
        ];
        for (target, link) in links {
            symlink(target, at(link)).expect("a link");
        }
        std::fs::remove_file(at("home/own")).expect("a link");
        symlink(at("data"), at("home/own")).expect("a link");
        let (here, home) = (at("here"), at("home"));
        let resolve = |path: &Path, named| resolve_from(&here, Some(&home), path, named);
        let leads = |name: &str, to: &str| {
            assert_eq!(resolve(&at(name), Named::Inside).expect(name), at(to), "{name}");
            assert_eq!(resolve(&at(name), Named::ByUser).expect(name), at(to), "{name}");
        };
        leads("home/own/x", "data/x");
        leads("home/repo/inner", "home/repo/in");
        leads("home/repo/inner/new/file", "home/repo/in/new/file");
        leads("data/near/y", "data/x/y");
        leads("here/none/../in", "here/in");
        assert_eq!(resolve(Path::new("inner/a"), Named::Inside).expect("inside"), at("here/in/a"));
        assert_eq!(resolve(Path::new("../data/a"), Named::Inside).expect("named"), at("data/a"));
        for out in ["home/repo/out", "home/repo/out/a", "home/repo/up", "here/out", "here/out/x", "data/far/work"] {
            let refused = resolve(&at(out), Named::Inside);
            assert!(matches!(refused, Err(Refusal::Link(_, Some(_)))), "{out}: {refused:?}");
            resolve(&at(out), Named::ByUser).expect(out);
        }
        for broken in ["home/repo/dangling", "home/repo/loop/a"] {
            assert!(matches!(resolve(&at(broken), Named::ByUser), Err(Refusal::Link(_, None))), "{broken}");
        }
        assert!(matches!(resolve(&at("home/repo/inner"), Named::Itself), Err(Refusal::Link(..))));
        resolve(&at("home/repo/inner/a"), Named::Itself).expect("only its directory is a link");
    }
}

//! Paths as the file table keeps them: absolute and without `.` and `..`, so that each file has one spelling.
//!
//! Links are not resolved: messages name a file as the user and the editor do.

use std::path::{Component, Path, PathBuf};

/// `path` made absolute against `base`, without `.` and `..`. A `..` above the root stays at the root.
pub fn normalise(base: &Path, path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    let parts = if path.is_absolute() { None } else { Some(base.components()) };
    for part in parts.into_iter().flatten().chain(path.components()) {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                if matches!(clean.components().next_back(), Some(Component::Normal(_))) {
                    clean.pop();
                }
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => {
                clean.push(part.as_os_str());
            }
        }
    }
    clean
}

/// Whether ytt takes a file as YAML by its name. Like ytt, this is case-sensitive.
pub fn is_yaml(path: &Path) -> bool {
    let name = file_name(path);
    name.ends_with(".yml") || name.ends_with(".yaml")
}

/// Files that are YAML although no ending says so, each with its name as others write it.
const WITHOUT_ENDING: [(&str, &str); 2] = [("Kustomization", "kustomization.yaml"), (".yamllint", ".yamllint.yaml")];

/// The name with an ending of a file that is YAML although its name has none.
pub fn with_ending(name: &str) -> Option<&'static str> {
    WITHOUT_ENDING.iter().find(|(known, _)| *known == name).map(|(_, with_ending)| *with_ending)
}

/// Whether a name says that a file is YAML: by its ending, or as a whole.
pub fn says_yaml(path: &Path) -> bool {
    is_yaml(path) || with_ending(file_name(path)).is_some()
}

/// The last part of a path as text; empty if there is none or it is not Unicode.
pub fn file_name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// `path` as ytt and our messages write it: relative to `base` if it is below it, with `/`.
pub fn shown(base: &Path, path: &Path) -> String {
    let relative = path.strip_prefix(base).unwrap_or(path);
    let text = relative.to_string_lossy();
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() };
    if text.is_empty() { ".".to_owned() } else { text }
}

/// The way from a folder to a file or folder, with `/`. Both are absolute. None if it is not Unicode.
pub fn relative(folder: &Path, to: &Path) -> Option<String> {
    let (mut here, mut there) = (folder.components().peekable(), to.components().peekable());
    while here.peek().is_some() && here.peek() == there.peek() {
        here.next();
        there.next();
    }
    let up = here.map(|_| Some(".."));
    let down = there.map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    let parts: Option<Vec<&str>> = up.chain(down).collect();
    parts.map(|parts| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_has_one_spelling() {
        let base = Path::new("/work/app");
        for (given, want) in [
            ("values.yml", "/work/app/values.yml"),
            ("./a/../b/./c.yml", "/work/app/b/c.yml"),
            ("../../../../x", "/x"),
            ("/other/./y", "/other/y"),
            ("", "/work/app"),
        ] {
            assert_eq!(normalise(base, Path::new(given)), Path::new(want), "{given}");
        }
    }

    #[test]
    fn the_way_from_a_folder() {
        for (from, to, want) in [
            ("/w", "/w/a/b.yml", "a/b.yml"),
            ("/w/a", "/w/b.yml", "../b.yml"),
            ("/w/a/b", "/w/a", ".."),
            ("/w/app", "/w/apple/x", "../apple/x"),
        ] {
            assert_eq!(relative(Path::new(from), Path::new(to)).as_deref(), Some(want), "{from} {to}");
        }
    }

    #[test]
    fn only_two_extensions_are_yaml() {
        for (name, want) in [("a.yml", true), ("a.yaml", true), ("a.YML", false), ("a.yml.j2", false), ("yml", false)] {
            assert_eq!(is_yaml(Path::new(name)), want, "{name}");
        }
    }

    #[test]
    fn some_names_say_that_a_file_is_yaml() {
        let named = ["a.yml", "a/Kustomization", ".yamllint", "kustomization", "Kustomization.txt", "a/yamllint", ""];
        let said = named.map(|name| says_yaml(Path::new(name)));
        assert_eq!(said, [true, true, true, false, false, false, false]);
        assert_eq!(with_ending("Kustomization"), Some("kustomization.yaml"));
    }

    #[test]
    fn messages_show_relative_paths() {
        let base = Path::new("/work/app");
        assert_eq!(shown(base, Path::new("/work/app/a/b.yml")), "a/b.yml");
        assert_eq!(shown(base, Path::new("/elsewhere/b.yml")), "/elsewhere/b.yml");
        assert_eq!(shown(base, base), ".");
    }
}

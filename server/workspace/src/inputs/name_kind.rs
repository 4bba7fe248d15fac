//! The kind that ytt gives a file by its name (docs/ytt.md 3.2).

use crate::disk::path::file_name;
use std::path::Path;

/// The kind that ytt gives a file by its name, unless a file mark says otherwise (docs/ytt.md 3.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NameKind {
    /// `*.yml`, `*.yaml`: a YAML template; the only kind that is searched for schema and data values.
    Yaml,
    /// `*.lib.yml`, `*.lib.yaml`: only reached through `load`.
    YamlLibrary,
    /// `*.txt`: a text template.
    Text,
    /// `*.lib.txt`: only reached through `load`.
    TextLibrary,
    /// `*.star`: Starlark.
    Starlark,
    /// Everything else.
    Data,
}

impl NameKind {
    /// The kind of a file of this name.
    pub fn of(name: &str) -> NameKind {
        let base = name.rsplit('/').next().unwrap_or(name);
        let library = base.split('.').count() > 2 && base.split('.').rev().nth(1) == Some("lib");
        if base.ends_with(".yml") || base.ends_with(".yaml") {
            if library { NameKind::YamlLibrary } else { NameKind::Yaml }
        } else if base.ends_with(".txt") {
            if library { NameKind::TextLibrary } else { NameKind::Text }
        } else if base.ends_with(".star") {
            NameKind::Starlark
        } else {
            NameKind::Data
        }
    }

    /// The kind of a file at this path.
    pub fn of_path(path: &Path) -> NameKind {
        NameKind::of(file_name(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ytt_decides_by_name() {
        for (name, want) in [
            ("schema.yml", NameKind::Yaml),
            ("a/b.yaml", NameKind::Yaml),
            ("a.lib.yml", NameKind::YamlLibrary),
            ("lib.yml", NameKind::Yaml),
            ("x.lib.star.yml", NameKind::Yaml),
            ("notes.txt", NameKind::Text),
            ("notes.lib.txt", NameKind::TextLibrary),
            ("f.star", NameKind::Starlark),
            ("schema.ytt", NameKind::Data),
            ("Makefile", NameKind::Data),
        ] {
            assert_eq!(NameKind::of(name), want, "{name}");
        }
    }
}

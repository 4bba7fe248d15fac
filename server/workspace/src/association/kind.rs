//! The kind of a file for us, by its content.

use crate::disk::path::file_name;
use std::path::Path;

/// The kind of a file for us.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// It holds a `#@data/values-schema` document.
    Schema,
    /// It holds a `#@data/values` document.
    DataValues,
    /// Plain YAML that a schema governs (`--data-values-file`).
    PlainValues,
    /// YAML with ytt code or annotations that is neither schema nor values.
    Template,
    /// YAML that ytt only reaches through `load` (`*.lib.yml`).
    Library,
    /// Documents in which a schema language claims parts: schemas, or values that schemas in other documents govern.
    Parts,
    /// `lofting.toml`.
    Configuration,
    /// Plain YAML that no schema governs: Kubernetes manifests, CI files and the like.
    Other,
}

impl FileKind {
    /// Whether the server reports findings in the file: in all kinds except YAML that has no schema.
    pub fn is_ours(self) -> bool {
        self != FileKind::Other
    }

    /// The kind in words, for `lofting explain`.
    pub fn words(self) -> &'static str {
        match self {
            FileKind::Schema => "data values schema",
            FileKind::DataValues => "data values (#@data/values)",
            FileKind::PlainValues => "plain data values (--data-values-file)",
            FileKind::Template => "ytt template",
            FileKind::Library => "ytt library file",
            FileKind::Parts => "documents with schemas or governed values",
            FileKind::Configuration => "lofting configuration",
            FileKind::Other => "YAML without a schema",
        }
    }
}

/// Whether a plain file may contain values, judging by its path (rule 6): "values" is in its name, or it lies below
/// `values/`, `envs/` or `env/` under `root`.
pub fn named_as_values(root: &Path, path: &Path) -> bool {
    const VALUES: &str = "values";
    if file_name(path).as_bytes().windows(VALUES.len()).any(|part| part.eq_ignore_ascii_case(VALUES.as_bytes())) {
        return true;
    }
    let below = path.strip_prefix(root).unwrap_or(path);
    below.parent().is_some_and(|parent| {
        parent.components().any(|part| matches!(part.as_os_str().to_str(), Some("values" | "envs" | "env")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_by_place() {
        let root = Path::new("/w/values");
        for (path, want) in [
            ("/w/values/app-values.yml", true),
            ("/w/values/MyValues.yaml", true),
            ("/w/values/envs/prod.yml", true),
            ("/w/values/app/env/eu/prod.yml", true),
            // The root's own name does not count.
            ("/w/values/deployment.yml", false),
            ("/w/values/environment/prod.yml", false),
        ] {
            assert_eq!(named_as_values(root, Path::new(path)), want, "{path}");
        }
    }
}

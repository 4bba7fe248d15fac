//! What the catalogue says about a schema.

/// A schema for files of some names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogueEntry {
    /// The name of the schema, for people.
    pub name: String,
    /// What the files are, in a sentence or two; may be empty.
    pub description: String,
    /// The URL of the schema. Its text need not be in the catalogue.
    pub url: String,
    /// Patterns of file names, which match at any depth; one that begins with `!` excludes files.
    pub patterns: Vec<String>,
}

/// Where texts come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Who made them: `SchemaStore`, `Kubernetes`.
    pub name: String,
    /// The package that they were taken from, with its version.
    pub package: String,
    /// From when they are, as precisely as is known: `2026-10-26`, `2022`.
    pub date: String,
    /// The licence, as SPDX writes it.
    pub licence: String,
    /// They refuse what the programs that read the files accept.
    pub is_strict: bool,
}

/// After this number of years a program most likely has settings that its schema does not know.
const YEARS: u32 = 2;

impl Origin {
    /// The year that they are from, if it is known.
    fn year(&self) -> Option<u32> {
        self.date.split('-').next()?.parse().ok()
    }

    /// Whether they are years older than others, so that what has been added since is unknown to them.
    pub fn is_outgrown_by(&self, other: &Origin) -> bool {
        self.year().zip(other.year()).is_some_and(|(own, other)| own + YEARS <= other)
    }

    /// A few words for people: what it is, and from when.
    pub fn words(&self) -> String {
        format!("built-in {}, {}", self.name, self.date)
    }
}

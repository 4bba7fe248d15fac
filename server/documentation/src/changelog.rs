//! What changed in a schema from release to release, as a page.

use minijinja::Value;
use minijinja::value::Serde;
use serde::Serialize;

use crate::layout::{LayoutError, rendered};

/// The changes of a schema, the newest release first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Changelog {
    /// The name of the file.
    pub file: String,
    /// The releases with changes.
    pub releases: Vec<Release>,
    /// Earlier releases are left out.
    pub is_cut: bool,
}

/// The changes since the release before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Release {
    /// Its name.
    pub name: String,
    /// When it was, as `2026-01-31`; None for what is not released yet.
    pub date: Option<String>,
    /// The first one that has the schema.
    pub is_first: bool,
    /// Why the schema cannot be compared with that of the release before.
    pub problem: Option<String>,
    /// The changes by whom they break.
    pub groups: Vec<ChangesOfGroup>,
}

/// Changes that break the same people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangesOfGroup {
    /// Whom they break, in words.
    pub title: String,
    /// The changes, from the root of the schema downwards.
    pub changes: Vec<SchemaChange>,
    /// How many more there are.
    pub more: usize,
}

/// A change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SchemaChange {
    /// The place in the schema.
    pub path: String,
    /// What changed, which may quote texts of the schema.
    pub words: String,
}

impl Changelog {
    /// The page, in Markdown or as one HTML file that loads nothing.
    ///
    /// # Errors
    ///
    /// There is more than a template may do.
    pub fn page(&self, is_html: bool, heading: Option<&str>) -> Result<String, LayoutError> {
        let (name, template) = if is_html {
            ("changelog.html", include_str!("layouts/changelog.html.j2"))
        } else {
            ("changelog.md", include_str!("layouts/changelog.md.j2"))
        };
        rendered(name, template, is_html, heading.unwrap_or("Changes"), Value::from(Serde(self)))
    }
}

//! What is answered.

use serde::{Deserialize, Serialize};

/// A place between two characters: line and character from 0, in units of UTF-16.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The character in it.
    pub character: u32,
}

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Range {
    /// Its begin.
    pub start: Position,
    /// The place after it.
    pub end: Position,
}

/// A part of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileRange {
    /// The file.
    pub file: String,
    /// The part.
    pub range: Range,
}

/// A replacement. An empty range inserts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Replacement {
    /// The file.
    pub file: String,
    /// What is replaced.
    pub range: Range,
    /// The new text.
    pub text: String,
}

/// What is wrong in a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Findings {
    /// By position.
    pub findings: Vec<Finding>,
    /// Code would have to run to know all of them; it does not run in a browser.
    pub needs_code: bool,
}

/// A finding.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// What is marked.
    pub range: Range,
    /// `error`, `warning`, `info` or `hint`.
    pub severity: &'static str,
    /// The rule.
    pub code: String,
    /// The page of the manual about the rule.
    pub page: String,
    /// What is wrong and, in further lines, how to fix it. Plain text.
    pub message: String,
    /// Further places.
    pub related: Vec<Related>,
    /// It should no longer be used.
    pub deprecated: bool,
    /// It has no effect.
    pub unnecessary: bool,
}

/// A further place of a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Related {
    /// Where.
    #[serde(flatten)]
    pub place: FileRange,
    /// What is there.
    pub message: String,
}

/// A completion list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Choices {
    /// Best first.
    pub items: Vec<Completion>,
    /// The list is asked for again while the user types; otherwise the editor narrows it down.
    pub is_incomplete: bool,
}

/// Something that can be inserted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Completion {
    /// What is shown.
    pub label: String,
    /// `key`, `value`, `choice`, `constant`, `item`, `snippet`, `alias`, `annotation`, `keyword`, `function`, `variable`,
    /// `module`, `file` or `type`.
    pub kind: &'static str,
    /// Type or origin, in a few words.
    pub detail: Option<String>,
    /// What the typed text is compared with.
    pub filter: String,
    /// What is replaced.
    pub range: Range,
    /// What takes its place. Further lines carry their whole indentation, in a snippet only what is more than that of the
    /// first line.
    pub text: String,
    /// The text is a snippet of LSP.
    pub is_snippet: bool,
    /// Further changes on the same line.
    pub more: Vec<Replacement>,
    /// It should no longer be used.
    pub deprecated: bool,
    /// After it, a list is useful again.
    pub goes_on: bool,
}

/// What is known about a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hover {
    /// Markdown without HTML, images and links other than `https`.
    pub markdown: String,
    /// What it is about.
    pub range: Range,
}

/// A fix or a refactoring.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Action {
    /// What it does.
    pub title: String,
    /// `quickfix`, `refactor.extract`, `refactor.inline`, `refactor.rewrite` or `source.fixAll.lofting`.
    pub kind: &'static str,
    /// The code of the finding that it fixes.
    pub code: Option<String>,
    /// What that finding marks.
    pub range: Option<Range>,
    /// It is the obvious choice for its finding.
    pub preferred: bool,
    /// Replacements that belong together; those in one file do not overlap.
    pub edits: Vec<Replacement>,
    /// Files to create.
    pub new_files: Vec<NewFile>,
}

/// A file to create.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NewFile {
    /// Its name.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// Which schema governs a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Status {
    /// The files of the schema that governs it as a whole.
    pub schemas: Vec<String>,
    /// What its other schemas are called: those of the program, and those of its parts.
    pub names: Vec<String>,
    /// Why, in a sentence or two.
    pub reason: String,
    /// The input sets of `lofting.toml` that it is a part of.
    pub sets: Vec<String>,
}

/// An entry of the outline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outline {
    /// The key or index.
    pub name: String,
    /// The value in short.
    pub detail: Option<String>,
    /// `document`, `map`, `array`, `string`, `number`, `boolean`, `null` or `alias`.
    pub kind: &'static str,
    /// The whole entry.
    pub range: Range,
    /// Its name.
    pub selection: Range,
    /// What is inside.
    pub children: Vec<Outline>,
}

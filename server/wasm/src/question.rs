//! What can be asked.

use serde::Deserialize;

use crate::{Position, Range};

/// A question, or news about files. Files are named relative to the root of the session, with `/`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "ask", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Question {
    /// Which version this is. The answer is a string.
    Version,
    /// What the user chose. The answer is null.
    Settings {
        /// Syntax errors are reported in YAML without a schema, too.
        #[serde(default)]
        other_yaml: bool,
        /// The built-in schemas are used.
        #[serde(default)]
        built_in_schemas: bool,
    },
    /// Puts files on the disk of the browser, or replaces their texts. The answer lists the files that were refused.
    Put {
        /// The files.
        files: Vec<GivenFile>,
    },
    /// Removes files from the disk of the browser. The answer is null.
    Remove {
        /// Their names.
        files: Vec<String>,
    },
    /// A file is open in an editor, or has a new text there. The answer is null.
    Open {
        /// Its name.
        file: String,
        /// Its text.
        text: String,
    },
    /// A file is no longer open: its text on the disk counts again. The answer is null.
    Close {
        /// Its name.
        file: String,
    },
    /// What is wrong in an open file: [`crate::Findings`].
    Findings {
        /// Its name.
        file: String,
    },
    /// What can be inserted: [`crate::Choices`].
    Completion {
        /// The file.
        file: String,
        /// Where.
        position: Position,
        /// The editor asks because a letter was typed.
        #[serde(default)]
        unasked: bool,
        /// The editor knows LSP's snippets.
        #[serde(default)]
        snippets: bool,
    },
    /// What a choice of a list means: Markdown, or null.
    Documentation {
        /// The file.
        file: String,
        /// Where the list was requested.
        position: Position,
        /// The label of the choice.
        label: String,
        /// The editor knows LSP's snippets.
        #[serde(default)]
        snippets: bool,
    },
    /// What is known about a place: [`crate::Hover`], or null.
    Hover {
        /// The file.
        file: String,
        /// The place.
        position: Position,
    },
    /// Where it is declared: a list of [`crate::FileRange`].
    Definition {
        /// The file.
        file: String,
        /// The place.
        position: Position,
    },
    /// The edits that format a file: a list of [`crate::Replacement`].
    Format {
        /// The file.
        file: String,
    },
    /// Fixes and refactorings: a list of [`crate::Action`].
    Actions {
        /// The file.
        file: String,
        /// The selection.
        range: Range,
    },
    /// Which schema governs a file, and why: [`crate::Status`].
    Status {
        /// The file.
        file: String,
    },
    /// The outline of a file: a list of [`crate::Outline`].
    Outline {
        /// The file.
        file: String,
    },
}

/// A file with its text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenFile {
    /// Its name, relative to the root of the session.
    pub file: String,
    /// Its text.
    pub text: String,
}

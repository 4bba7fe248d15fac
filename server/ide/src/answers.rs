//! What several sources of an answer have in common: the tree, code, and `lofting.toml`.

use crate::markdown::{Marked, Page};
use lofting_document::Span;
use lofting_text::Text;
use std::ops::Range;
use std::path::PathBuf;

/// The text of a hover, and the bytes it is about.
pub(crate) type Hovered = (Page, Range<usize>);

/// A place where something is defined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The bytes in the requesting file that it is the definition of.
    pub origin: Range<usize>,
    /// The whole definition.
    pub target: Span,
    /// What to select in it, usually its name.
    pub target_selection: Span,
}

/// What can be renamed at a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renameable {
    /// The bytes of the name.
    pub range: Range<usize>,
    /// The present name.
    pub name: String,
}

/// The edits of a rename.
#[derive(Debug, Clone, Default)]
pub struct Renamed {
    /// Spans with their new text.
    pub edits: Vec<(Span, String)>,
    /// Edits of files that are not ours: scripts with commands that set a data value.
    pub outside: Vec<OutsideEdit>,
}

/// An edit of a file that is not one of the workspace's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideEdit {
    /// The file.
    pub path: PathBuf,
    /// Its text, for positions.
    pub text: Text,
    /// The bytes that are replaced.
    pub range: Range<usize>,
    /// The new text.
    pub new: String,
}

/// Why a rename is refused, as a message for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(pub String);

/// A signature with the current parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureHelp {
    /// `name(a, b=1)`
    pub label: String,
    /// What it does, in the requested markup.
    pub documentation: Option<Marked>,
    /// The parameters as bytes of the label, with a description of each.
    pub parameters: Vec<(Range<usize>, Option<Marked>)>,
    /// The parameter at the cursor.
    pub active: Option<usize>,
}

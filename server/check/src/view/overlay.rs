//! What the overlay annotations on one node mean for checking its value (docs/ytt.md 14). The
//! merge itself is done elsewhere; here it only matters which values reach the schema's types.

use lofting_document::{Note, Notes};
use lofting_eval::{Expr, ExprKind};

/// The operation asked for; merging where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Operation {
    /// Goes into the value; a scalar replaces.
    #[default]
    Merge,
    /// The value takes the place of the one that is there.
    Replace {
        /// It is added where there is none.
        or_add: bool,
    },
    /// The value does not matter.
    Remove,
    /// The value is put in as it is, beside others.
    Add,
    /// The value is only compared.
    Assert,
    /// A function makes the value.
    Computed,
}

/// How many matches are fine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Count {
    /// Nothing said: what the nodes above say, or else exactly one.
    #[default]
    Inherit,
    /// Exactly one.
    Exact,
    /// None or one.
    MissingOk,
    /// Some other number, maybe none.
    Other,
    /// The node is skipped if the number is not met.
    When,
}

/// The overlay annotations of one node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Overlay {
    /// What to do.
    pub operation: Operation,
    /// With how many matches.
    pub count: Count,
    /// What to match is given by `by=`.
    pub by: bool,
    /// `@overlay/match` is there.
    pub matches: bool,
    /// `@overlay/match-child-defaults` for all below.
    pub child_defaults: Count,
}

impl Overlay {
    /// Reads a node's annotations.
    pub fn read(notes: &Notes) -> Overlay {
        let mut overlay = Overlay::default();
        for note in &notes.annotations {
            overlay.add(note);
        }
        overlay
    }

    /// Takes one more annotation into account. Of the same name the last one counts (docs/ytt.md 5.3).
    pub fn add(&mut self, note: &Note) {
        let Some(name) = note.name.strip_prefix("overlay/") else { return };
        let computed = note.arguments.starred || keyword(note, "via").is_some();
        match name {
            "match" => {
                self.matches = true;
                self.by = note.arguments.starred || keyword(note, "by").is_some();
                self.count = count(note);
            }
            "match-child-defaults" => self.child_defaults = count(note),
            "merge" => self.operation = Operation::Merge,
            "remove" => self.operation = Operation::Remove,
            "assert" => self.operation = Operation::Assert,
            _ if computed => self.operation = Operation::Computed,
            "replace" => {
                let or_add = keyword(note, "or_add").is_some_and(|value| !matches!(value.kind, ExprKind::Bool(false)));
                self.operation = Operation::Replace { or_add };
            }
            "insert" | "append" => self.operation = Operation::Add,
            _ => {}
        }
    }
}

fn keyword<'n>(note: &'n Note, name: &str) -> Option<&'n Expr> {
    note.arguments.keyword(name).map(|keyword| &keyword.value)
}

fn count(note: &Note) -> Count {
    if note.arguments.starred {
        return Count::When;
    }
    if keyword(note, "when").is_some() {
        return Count::When;
    }
    if let Some(value) = keyword(note, "expects") {
        return if matches!(value.kind, ExprKind::Int(1)) { Count::Exact } else { Count::Other };
    }
    match keyword(note, "missing_ok").map(|value| &value.kind) {
        Some(ExprKind::Bool(true)) => Count::MissingOk,
        Some(ExprKind::Bool(false)) => Count::Exact,
        Some(_) => Count::Other,
        None => Count::Inherit,
    }
}

//! What the overlay annotations of a node mean for checking its value (docs/ytt.md 14). Only the question which values
//! reach the type check is answered here; the merge is done elsewhere.

use lofting_document::{Note, Notes, OwnerKind};
use lofting_eval::{Expr, ExprKind};

/// The operation; merging if none is stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Operation {
    /// Merges into the existing value; a scalar replaces it.
    #[default]
    Merge,
    /// The value replaces the existing one.
    Replace {
        /// It is added if there is none.
        or_add: bool,
    },
    /// The value does not matter.
    Remove,
    /// The value is inserted as it is, beside others.
    Add,
    /// The value is only compared.
    Assert,
    /// A function computes the value.
    Computed,
}

/// The expected number of matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Count {
    /// Not stated: inherited from the nodes above, or else exactly one.
    #[default]
    Inherit,
    /// Exactly one.
    Exact,
    /// None or one.
    MissingOk,
    /// Some other number, maybe none.
    Other,
    /// The node is skipped if the number does not hold.
    When,
}

/// The overlay annotations of one node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Overlay {
    /// What is done.
    pub operation: Operation,
    /// The expected number of matches.
    pub count: Count,
    /// `by=` states what to match.
    pub by: bool,
    /// Whether there is an `@overlay/match`.
    pub matches: bool,
    /// The inherited number from `@overlay/match-child-defaults`.
    pub child_defaults: Count,
}

impl Overlay {
    /// Reads a node's annotations.
    pub fn read(notes: &Notes) -> Overlay {
        Overlay::of(&notes.annotations)
    }

    /// Reads a list of annotations.
    pub(crate) fn of(notes: &[Note]) -> Overlay {
        let mut overlay = Overlay::default();
        for note in notes {
            overlay.add(note);
        }
        overlay
    }

    /// Whether the walk along the values knows all that the annotations of a node do: nothing can be wrong with them, no
    /// other value is looked at, and what the node becomes follows from its value and the one that it is merged into.
    pub(crate) fn is_plain(owner: OwnerKind, notes: &[Note]) -> bool {
        let mut operations = 0;
        for (index, note) in notes.iter().enumerate() {
            let Some(name) = note.name.strip_prefix("overlay/") else { return false };
            let arguments: &[&str] = match (name, owner) {
                ("match", OwnerKind::MapItem) | ("match-child-defaults", _) => &["missing_ok"],
                ("replace", OwnerKind::MapItem) => &["or_add"],
                ("merge", _) | ("append", OwnerKind::ArrayItem) => &[],
                _ => return false,
            };
            let is_plain = note.arguments.is_literal()
                && note.arguments.positional.is_empty()
                && note.arguments.keywords.iter().all(|given| {
                    arguments.contains(&given.name.as_str()) && matches!(given.value.kind, ExprKind::Bool(_))
                });
            let is_repeated = notes.iter().skip(index + 1).any(|other| other.name == note.name);
            operations += usize::from(!note.name.starts_with("overlay/match"));
            if !is_plain || is_repeated || operations > 1 {
                return false;
            }
        }
        true
    }

    /// Adds one more annotation. The last one with the same name counts (docs/ytt.md 5.3).
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

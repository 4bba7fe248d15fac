//! Annotations that may name what is moved: what an overlay matches by, and rules of the schema.

use super::{LeftAlone, Migration};
use lofting_document::{FileId, Span};
use lofting_migration::{Move, Path};
use lofting_workspace::Snapshot;

/// Annotations with code or names of keys in them.
const NAMING: [&str; 2] = ["#@overlay/", "#@schema/validation"];

/// Says where annotations of a file name the last key of a move.
pub(super) fn look(snapshot: &Snapshot, file: FileId, moves: &[Move], migration: &mut Migration) {
    let keys = moves.iter().filter_map(|step| match step {
        Move::Key { from: path, .. } | Move::Split { from: path, .. } | Move::Remove { path, .. } => {
            Some((path, path.last()?.1))
        }
        Move::Values { .. } => None,
    });
    let keys: Vec<(&Path, &str)> = keys.collect();
    for comment in snapshot.tree(file).comments() {
        let text = comment.text();
        if !NAMING.iter().any(|name| text.starts_with(name)) {
            continue;
        }
        for (path, _) in keys.iter().filter(|(_, name)| names(&text, name)) {
            migration.left.push(LeftAlone {
                span: Some(Span::new(file, comment.range())),
                words: format!("this annotation may name `{path}`"),
                has_to_change: false,
            });
        }
    }
}

/// Whether a text has a name in quotes, or after a dot.
fn names(text: &str, name: &str) -> bool {
    let is_end =
        |at: usize| !text.get(at..).is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
    let after_dot = format!(".{name}");
    let mut dotted = text.match_indices(&after_dot).map(|(at, _)| at + after_dot.len());
    [format!("\"{name}\""), format!("'{name}'")].iter().any(|quoted| text.contains(quoted.as_str()))
        || dotted.any(is_end)
}

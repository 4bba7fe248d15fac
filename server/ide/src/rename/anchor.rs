//! Renames an anchor and its aliases, up to the next anchor with its name.

use super::{Refusal, Renameable, Renamed};
use crate::anchors::{anchored_at, is_taken, name_in};
use lofting_document::{FileId, Span};
use lofting_workspace::Snapshot;

/// The name of the anchor or alias at `offset`; None if there is none.
pub(super) fn prepare(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<Renameable> {
    let (tree, text) = (snapshot.tree(file), snapshot.text(file));
    let range = name_in(anchored_at(&tree, &text, offset)?.origin);
    let name = text.slice(range.clone()).into_owned();
    (!name.is_empty()).then_some(Renameable { range, name })
}

/// The edits that rename it; None if there is no anchor.
pub(super) fn rename(snapshot: &Snapshot, file: FileId, offset: usize, name: &str) -> Option<Result<Renamed, Refusal>> {
    let (tree, text) = (snapshot.tree(file), snapshot.text(file));
    let found = anchored_at(&tree, &text, offset).filter(|found| found.anchor.range().len() > 1)?;
    let present = text.slice(name_in(found.anchor.range())).into_owned();
    // Someone who copies an alias copies its mark.
    let name = name.strip_prefix(['&', '*']).unwrap_or(name);
    if name == present {
        return Some(Ok(Renamed::default()));
    }
    if name.is_empty() || !name.chars().all(is_of_name) {
        let reason = format!("`{name}` cannot be the name of an anchor: it is empty, or has blanks or brackets");
        return Some(Err(Refusal(reason)));
    }
    // Aliases would refer to the other anchor afterwards.
    if is_taken(&tree, &text, found.anchor.range().start, name) {
        return Some(Err(Refusal(format!("there is an anchor `&{name}` in this document already"))));
    }
    let tokens = std::iter::once(found.anchor).chain(found.aliases);
    let edit = |token: lofting_syntax::Token<'_>| (Span::new(file, name_in(token.range())), name.to_owned());
    Some(Ok(Renamed { edits: tokens.map(edit).collect(), outside: Vec::new() }))
}

/// What all versions of YAML accept in the name of an anchor.
fn is_of_name(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !matches!(c, ',' | '[' | ']' | '{' | '}' | '\u{feff}')
}

//! Moves one of several documents to a file of its own.

use super::Refactoring;
use crate::code_actions::context::Context;
use crate::code_actions::editing::Editing;
use crate::code_actions::offers::Offers;
use crate::code_actions::{ActionKind, Change};
use lofting_diagnostic::Confidence;
use std::path::PathBuf;

pub(super) static REFACTORING: Refactoring = Refactoring { kind: ActionKind::Extract, offer };

/// How many file names are tried.
const NAMES: usize = 100;

fn offer(context: &Context<'_>, offers: &mut Offers<'_>) {
    if !context.abilities.creates_files {
        return;
    }
    let editing = Editing::new(context.snapshot, context.file);
    let Some(marker) = editing.marker_at(context.range.start) else { return };
    // The first document stays in the file.
    let tree = context.tree();
    let is_first = tree.documents().next().is_none_or(|first| marker.start < first.range().end);
    let path = free_path(context);
    let (false, Some(path)) = (is_first, path) else { return };
    offers.add("Move this document into a file of its own", Confidence::Possible, || {
        let document = tree.path_at(marker.start).into_iter().find_map(lofting_syntax::Document::cast)?;
        let start = editing.annotated_from(marker.start);
        // Annotations above the next marker belong to the next document.
        let next = tree.documents().find(|other| other.range().start > document.range().start);
        let end = match next.and_then(|next| next.start_marker()) {
            Some(next) => editing.annotated_from(next.range().start),
            None => context.text.len(),
        };
        let text = context.text.slice(start..end).into_owned();
        let edits = vec![(context.span(start..end), String::new())];
        Some(Change { edits, ..Change::new_file(path, text) })
    });
}

/// An unused name beside the file: `app-2.yml` for `app.yml`.
fn free_path(context: &Context<'_>) -> Option<PathBuf> {
    let path = context.snapshot.path(context.file);
    let (stem, extension) = (path.file_stem()?.to_string_lossy(), path.extension()?.to_string_lossy());
    let named = |number: usize| path.with_file_name(format!("{stem}-{number}.{extension}"));
    (2..NAMES).map(named).find(|path| context.snapshot.file(path).is_none())
}

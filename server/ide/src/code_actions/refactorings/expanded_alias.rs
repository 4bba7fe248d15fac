//! Replaces an alias by the value it stands for; `<<` by the keys that its map does not have itself.

use super::Refactoring;
use crate::anchors::{anchor_of, merged_maps};
use crate::code_actions::context::Context;
use crate::code_actions::editing::Editing;
use crate::code_actions::laid_out::key_and_value;
use crate::code_actions::offers::Offers;
use crate::code_actions::{ActionKind, Change};
use lofting_diagnostic::Confidence;
use lofting_syntax::{Entry, Tree};

pub(super) static REFACTORING: Refactoring = Refactoring { kind: ActionKind::Inline, offer };

/// Deeper collections are not copied.
const DEPTH: usize = 16;
/// Maximum size of a copied value in bytes.
const SIZE: usize = 10_000;
/// The merge key.
const MERGE: &str = "<<";

fn offer(context: &Context<'_>, offers: &mut Offers<'_>) {
    let tree = context.tree();
    let innermost = tree.path_at(context.range.start).into_iter().rev().find_map(Entry::cast);
    let Some((entry, alias)) = innermost.and_then(|entry| Some((entry, entry.value().alias()?))) else { return };
    let title = format!("Write what `{}` stands for in its place", alias.text());
    offers.add(title, Confidence::Possible, || {
        let editing = Editing::new(context.snapshot, context.file);
        let map = editing.map_of(entry).filter(|map| !map.is_flow())?;
        let (column, style) = (map.column()?, editing.style());
        let room = |column: usize| format!("{}{}", style.newline, " ".repeat(column));
        let written = |entry: Entry<'_>, column: usize| key_and_value(&tree, entry, column, style, DEPTH);
        if name(&tree, entry)? == MERGE {
            if has_code_at(context, entry) {
                return None;
            }
            let own: Vec<String> = map.entries().filter_map(|entry| name(&tree, entry)).collect();
            let (mut names, mut keys) = (Vec::new(), Vec::new());
            for entry in merged_maps(&tree, &context.text, entry.value()).iter().flat_map(|map| map.entries()) {
                // YAML libraries differ on which of two equal keys wins.
                let name = name(&tree, entry).filter(|name| name != MERGE && !own.contains(name))?;
                if !names.contains(&name) && keys.len() < SIZE {
                    keys.push(written(entry, column)?);
                    names.push(name);
                }
            }
            let text = keys.join(&room(column));
            return (!keys.is_empty()).then(|| Change::replace(context.span(entry.range()), text));
        }
        let meant = tree.anchored_value(anchor_of(&tree, &context.text, alias)?.range().start)?;
        let (colon, whole) = (entry.colon()?.range().end, tree.text(meant.content_range()).into_owned());
        let text = match meant.map().filter(|map| !map.is_flow()) {
            _ if whole.len() > SIZE || whole.contains(['#', '&']) => return None,
            Some(meant) => {
                let column = column + style.indent;
                let keys: Option<Vec<String>> = meant.entries().map(|entry| written(entry, column)).collect();
                format!("{}{}", room(column), keys?.join(&room(column)))
            }
            None if whole.contains('\n') => return None,
            None => format!(" {whole}"),
        };
        Some(Change::replace(context.span(colon..entry.value().range().end), text))
    });
}

/// Whether code is above a merge key or beside it. For ytt it belongs to the item below, and it would come to belong to
/// the keys that take the place of the merge key.
fn has_code_at(context: &Context<'_>, entry: Entry<'_>) -> bool {
    let text = &context.text;
    let line = text.line_of(entry.range().start);
    let beside = entry.range().end..text.line_range(text.line_of(entry.range().end)).end;
    let above = line.checked_sub(1).map(|above| text.slice(text.line_range(above)));
    text.slice(beside).contains("#@") || above.is_some_and(|above| above.trim_start().starts_with("#@"))
}

fn name(tree: &Tree, entry: Entry<'_>) -> Option<String> {
    Some(tree.text(entry.key()?.content_range()).into_owned())
}

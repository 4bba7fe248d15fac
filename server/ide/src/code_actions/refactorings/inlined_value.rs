//! Writes a data value in the place where a template reads it, where it is the same in all calls.

use super::Refactoring;
use crate::code_actions::context::Context;
use crate::code_actions::loads::without_loads;
use crate::code_actions::offers::Offers;
use crate::code_actions::{ActionKind, Change};
use crate::yaml_text::{self, ScalarContext};
use lofting_diagnostic::Confidence;
use lofting_document::{Key, Node, NodeValue};
use lofting_eval::code::{PieceKind, ValueStep};
use lofting_workspace::{FileKind, Merged};

pub(super) static REFACTORING: Refactoring = Refactoring { kind: ActionKind::Inline, offer };

fn offer(context: &Context<'_>, offers: &mut Offers<'_>) {
    let (snapshot, at) = (context.snapshot, context.range.start);
    if !matches!(snapshot.kind(context.file), FileKind::Template | FileKind::Library) {
        return;
    }
    let code = snapshot.code(context.file);
    let Some((piece, PieceKind::Value)) = code.piece_at(at) else { return };
    // Nothing but the value is read there.
    let read = |used: &&lofting_eval::code::Use| {
        used.certain && piece.start <= used.range.start && used.range.end <= piece.end
    };
    let Some(last) = code.values.uses.iter().filter(read).max_by_key(|used| used.range.end) else { return };
    let written = context.text.slice(piece.clone());
    let is_name = written.trim().chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    let is_path = is_name && piece.start + written.trim_end().len() == last.range.end;
    let comment = context.tree().token_at(piece.start).map(|token| token.range()).filter(|_| is_path);
    let Some(comment) = comment.filter(|comment| context.text.slice(comment.clone()).starts_with("#@")) else { return };
    let steps = code.values.steps(last.path);
    let name = lofting_check::shown_path(&steps);
    let Some(text) = only_value(&snapshot.merged_quickly(context.file), &steps) else { return };
    offers.add_later(format!("Write the value of `{name}` in its place"), Confidence::Possible, || {
        Some(without_loads(context, Change::replace(context.span(comment), text)))
    });
}

/// The scalar that is at the end of a path in all calls.
fn only_value(calls: &[Merged], steps: &[ValueStep]) -> Option<String> {
    let values: Option<Vec<&Node>> = calls.iter().map(|call| value(call.values(), steps)).collect();
    let values = values?;
    let (first, rest) = values.split_first()?;
    let is_scalar = !matches!(first.value, NodeValue::Map(_) | NodeValue::Array(_) | NodeValue::Unknown);
    let is_same = rest.iter().all(|other| other.value == first.value);
    yaml_text::scalar(&first.value, ScalarContext::Block).filter(|_| is_scalar && is_same)
}

fn value<'n>(root: &'n Node, steps: &[ValueStep]) -> Option<&'n Node> {
    steps.iter().try_fold(root, |node, step| match step {
        ValueStep::Key(key) => node.get(&Key::from(key.as_str())),
        ValueStep::Item => None,
    })
}

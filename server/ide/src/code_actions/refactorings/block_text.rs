//! Writes a quoted text of several lines as a block, one line for each.

use super::Refactoring;
use crate::code_actions::context::Context;
use crate::code_actions::editing::Editing;
use crate::code_actions::offers::Offers;
use crate::code_actions::{ActionKind, Change};
use crate::completion::line::quoted_end;
use lofting_diagnostic::Confidence;
use lofting_syntax::{Entry, Item, Kind, Node, Value, ValueKind};

pub(super) static REFACTORING: Refactoring = Refactoring { kind: ActionKind::Rewrite, offer };

/// Longer texts stay as they are, in bytes.
const SIZE: usize = 64 * 1024;

fn offer(context: &Context<'_>, offers: &mut Offers<'_>) {
    let editing = Editing::new(context.snapshot, context.file);
    let at = context.range.start;
    let path = editing.tree().path_at(at);
    if path.iter().any(|node| matches!(node.kind(), Kind::FlowMap | Kind::FlowSeq)) {
        return;
    }
    let holder = editing.entry_at(at).map(|entry| entry.node()).or_else(|| path.into_iter().rev().find(is_holder));
    let Some((holder, value)) = holder.and_then(|holder| Some((holder, value_of(holder)?))) else { return };
    let range = value.content_range();
    let is_quoted = matches!(value.kind(), ValueKind::SingleQuoted | ValueKind::DoubleQuoted);
    if !is_quoted || range.len() > SIZE {
        return;
    }
    let is_closed = quoted_end(context.text.slice(range.clone()).as_bytes(), 0) == Some(range.len());
    if !is_closed {
        return;
    }
    let line = context.text.line_range(context.text.line_of(range.end));
    if !context.text.slice(range.end..line.end).trim().is_empty() {
        return;
    }
    let Some(text) = value.scalar().map(|scalar| scalar.value().into_owned()).filter(|text| fits(text)) else { return };
    let start = holder.range().start;
    let column = start - context.text.line_range(context.text.line_of(start)).start;
    // Below the last line of a file there is none that would end the text.
    let is_last = line.end == context.text.len();
    offers.add("Write it as a block of text", Confidence::Possible, || {
        let style = editing.style();
        let depth = if Item::cast(holder).is_some() { 2 } else { style.indent };
        let body = text.strip_suffix('\n').unwrap_or(&text);
        let is_indented = body.trim_start_matches('\n').starts_with(' ');
        let indicator = if is_indented { depth.to_string() } else { String::new() };
        let ends_in_break = body.len() < text.len();
        let mut block = format!("|{indicator}{}", if ends_in_break { "" } else { "-" });
        for line in body.split('\n') {
            block.push_str(style.newline);
            if !line.is_empty() {
                block.extend(std::iter::repeat_n(' ', column + depth));
                block.push_str(line);
            }
        }
        if is_last && ends_in_break {
            block.push_str(style.newline);
        }
        Some(Change::replace(context.span(range), block))
    });
}

fn is_holder(node: &Node<'_>) -> bool {
    matches!(node.kind(), Kind::MapEntry | Kind::SeqEntry)
}

fn value_of(holder: Node<'_>) -> Option<Value<'_>> {
    let item = || Item::cast(holder).map(|item| item.value());
    Entry::cast(holder).map(|entry| entry.value()).or_else(item)
}

/// Whether a block can have these lines: there are several, of which none is blank at the end, and none has only blanks.
fn fits(text: &str) -> bool {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let is_blank = |line: &str| !line.is_empty() && line.trim().is_empty();
    let is_printable = |c: char| match c {
        '\n' | '\t' => true,
        '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => false,
        c => !c.is_control(),
    };
    let starts_in_tab = body.trim_start_matches('\n').starts_with('\t');
    text.contains('\n')
        && !body.is_empty()
        && !body.ends_with('\n')
        && !starts_in_tab
        && !body.split('\n').any(is_blank)
        && text.chars().all(is_printable)
}

//! Changes are written as the text around them is: a value that takes the place of one in quotes is in quotes as well, and
//! what is inserted into JSON is JSON.

use super::CodeAction;
use crate::json::is_json;
use crate::yaml_text::ScalarContext;
use crate::yaml_text::{inside_single_quotes, scalar, string};
use lofting_document::write::double_quoted;
use lofting_document::{FileId, NodeValue, Span};
use lofting_syntax::resolve::{Profile, Resolved, resolve};
use lofting_syntax::{Kind, Scalar, Tree, ValueKind, parse};
use lofting_workspace::Snapshot;
use std::ops::Range;

/// Longer texts (in bytes) are not replaced by one word.
const WORD: usize = 1_000;

/// Changes the texts of the edits of these actions.
pub(super) fn write_alike(snapshot: &Snapshot, actions: &mut [CodeAction]) {
    for edits in actions.iter_mut().filter_map(|action| action.change.as_mut()).map(|change| &mut change.edits) {
        let mut files: Vec<FileId> = edits.iter().map(|(span, _)| span.file).collect();
        files.sort_unstable();
        files.dedup();
        for file in files {
            let tree = snapshot.tree(file);
            let own = edits.iter_mut().filter(|(span, _)| span.file == file);
            if is_json(snapshot, file, &tree) {
                in_json(snapshot.profile(file), &snapshot.text(file).to_string(), own.collect());
            } else {
                own.for_each(|edit| in_quotes(&tree, snapshot.profile(file), edit));
            }
        }
    }
}

/// Keeps the quotes around a string that another one takes the place of.
fn in_quotes(tree: &Tree, profile: Profile, (span, new): &mut (Span, String)) {
    let range = span.range();
    let Some(old) = tree.scalar_at(range.start).filter(|old| old.range() == range && new.len() <= WORD) else { return };
    let parsed = parse(new);
    let root = parsed.documents().next().and_then(|document| document.root());
    let Some(word) = root.and_then(|root| root.scalar()).filter(|word| word.range() == (0..new.len())) else { return };
    // A fix that writes the same text otherwise is about the quotes.
    let is_other = word.value() != old.value() && matches!(resolve(profile, &word, None), Ok(Resolved::String));
    let is_on_line = matches!(word.style(), ValueKind::Plain | ValueKind::DoubleQuoted);
    if !is_other || !is_on_line {
        return;
    }
    let text = word.value().into_owned();
    match old.style() {
        ValueKind::DoubleQuoted => *new = double_quoted(&text),
        ValueKind::SingleQuoted => {
            if let Some(inside) = inside_single_quotes(&text) {
                *new = format!("'{inside}'");
            }
        }
        _ => {}
    }
}

/// Writes the scalars that edits insert as JSON.
fn in_json(profile: Profile, text: &str, mut edits: Vec<&mut (Span, String)>) {
    edits.sort_by_key(|(span, _)| (span.start, span.end));
    let (mut whole, mut at) = (String::with_capacity(text.len()), 0);
    let mut places: Vec<Range<usize>> = Vec::new();
    for (span, new) in edits.iter().map(|edit| &**edit) {
        let Some(between) = text.get(at..span.range().start) else { return };
        whole.push_str(between);
        places.push(whole.len()..whole.len() + new.len());
        whole.push_str(new);
        at = span.range().end;
    }
    whole.push_str(text.get(at..).unwrap_or_default());
    let tree = parse(&whole);
    for ((_, new), place) in edits.into_iter().zip(places) {
        *new = as_json(&tree, profile, new, place);
    }
}

/// The text in a range of a tree with all scalars as JSON.
fn as_json(tree: &Tree, profile: Profile, text: &str, place: Range<usize>) -> String {
    let (mut out, mut at, mut copied) = (String::with_capacity(text.len()), place.start, 0);
    while let Some(token) = tree.token_at(at).filter(|_| at < place.end) {
        lofting_memo::step();
        let range = token.range();
        let is_scalar = matches!(token.kind(), Kind::Plain | Kind::SingleQuoted | Kind::DoubleQuoted);
        if is_scalar
            && place.start <= range.start
            && range.end <= place.end
            && let Some(scalar) = tree.scalar_at(range.start).filter(|scalar| scalar.range() == range)
        {
            out.push_str(text.get(copied..range.start - place.start).unwrap_or_default());
            out.push_str(&json(profile, &scalar));
            copied = range.end - place.start;
        }
        at = range.end.max(at + 1);
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    out
}

fn json(profile: Profile, written: &Scalar<'_>) -> String {
    let value = match resolve(profile, written, None) {
        Ok(Resolved::Null) => NodeValue::Null,
        Ok(Resolved::Bool(value)) => NodeValue::Bool(value),
        Ok(Resolved::Int(value)) => NodeValue::int(value),
        Ok(Resolved::Float(value)) => NodeValue::Float(value),
        Ok(Resolved::String) | Err(_) => return string(&written.value(), ScalarContext::Json),
    };
    scalar(&value, ScalarContext::Json).unwrap_or_default()
}

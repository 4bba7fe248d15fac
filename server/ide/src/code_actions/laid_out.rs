//! Rewrites what is in a tree: in flow style, or in block style at another column. Comments are not kept.

use crate::completion::Style;
use lofting_document::write::double_quoted;
use lofting_syntax::resolve::is_cut_in_flow;
use lofting_syntax::{Kind, Tree, Value, ValueKind};

/// A value in flow style; None if it cannot be written there.
pub(super) fn flow(tree: &Tree, value: Value<'_>, depth: usize) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    let written = if let Some(map) = value.map() {
        let entry = |entry: lofting_syntax::Entry<'_>| {
            let key = flow(tree, entry.key()?, 1)?;
            entry.question().is_none().then_some(())?;
            Some(format!("{key}: {}", flow(tree, entry.value(), depth)?).trim_end().to_owned())
        };
        let entries: Option<Vec<String>> = map.entries().map(entry).collect();
        format!("{{{}}}", entries?.join(", "))
    } else if let Some(seq) = value.seq() {
        let items: Option<Vec<String>> = seq.items().map(|item| flow(tree, item.value(), depth)).collect();
        format!("[{}]", items?.join(", "))
    } else {
        let text = tree.text(value.content_range()).into_owned();
        match value.kind() {
            ValueKind::Missing => "null".to_owned(),
            ValueKind::Plain if is_cut_in_flow(&text) => double_quoted(&text),
            ValueKind::Plain | ValueKind::SingleQuoted | ValueKind::DoubleQuoted if !text.contains('\n') => text,
            // Text that follows an alias directly would become part of its name.
            _ => return None,
        }
    };
    let plain = value.anchor().is_none() && value.tag().is_none();
    plain.then_some(written)
}

/// The text after the colon of a key at a column: a value in block style.
pub(super) fn block(tree: &Tree, value: Value<'_>, column: usize, style: Style, depth: usize) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    if value.anchor().is_some() || value.tag().is_some() {
        return None;
    }
    let room = |column: usize| format!("{}{}", style.newline, " ".repeat(column));
    if let Some(map) = value.map().filter(|map| map.entries().next().is_some()) {
        let column = column + style.indent;
        let entries: Option<Vec<String>> = map
            .entries()
            .map(|entry| Some(format!("{}{}", room(column), key_and_value(tree, entry, column, style, depth)?)))
            .collect();
        return Some(entries?.concat());
    }
    if let Some(seq) = value.seq().filter(|seq| seq.items().next().is_some()) {
        let column = column + style.dash;
        let item = |item: lofting_syntax::Item<'_>| {
            Some(format!("{}-{}", room(column), block_item(tree, item.value(), column, style, depth)?))
        };
        let items: Option<Vec<String>> = seq.items().map(item).collect();
        return Some(items?.concat());
    }
    let text = tree.text(value.content_range()).into_owned();
    (!text.contains('\n')).then(|| if text.is_empty() { text } else { format!(" {text}") })
}

/// The text after a dash at a column: a value in block style, of which a collection begins on the line of the dash.
pub(super) fn block_item(tree: &Tree, value: Value<'_>, column: usize, style: Style, depth: usize) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    let column = column + 2;
    let lines: Option<Vec<String>> = match (value.map(), value.seq()) {
        (Some(map), _) => map.entries().map(|entry| key_and_value(tree, entry, column, style, depth)).collect(),
        (_, Some(seq)) => {
            let item = |item: lofting_syntax::Item<'_>| block_item(tree, item.value(), column, style, depth);
            seq.items().map(|it| Some(format!("-{}", item(it)?))).collect()
        }
        _ => Some(Vec::new()),
    };
    let lines = lines?;
    if lines.is_empty() {
        return block(tree, value, column, style, depth);
    }
    let plain = value.anchor().is_none() && value.tag().is_none();
    plain.then(|| format!(" {}", lines.join(&format!("{}{}", style.newline, " ".repeat(column)))))
}

/// A key of a map at a column, with its value in block style.
pub(super) fn key_and_value(
    tree: &Tree,
    entry: lofting_syntax::Entry<'_>,
    column: usize,
    style: Style,
    depth: usize,
) -> Option<String> {
    let key = entry.key().filter(|_| entry.question().is_none())?;
    let is_scalar = key.node().is_none_or(|node| !matches!(node.kind(), Kind::FlowMap | Kind::FlowSeq));
    let name = tree.text(key.range()).into_owned();
    let value = block(tree, entry.value(), column, style, depth)?;
    // A colon directly after an alias would become part of its name.
    let room = if key.alias().is_some() { " " } else { "" };
    (is_scalar && !name.contains('\n')).then(|| format!("{name}{room}:{value}"))
}

//! The tree as text, for tests and `lofting debug tree`.

use crate::ast::{Document, Entry, Item, Value};
use crate::kind::Kind;
use crate::tree::{Children, Element, Node, Tree};
use std::fmt::Write;

/// The tree in YAML's terms: keys, values and what is broken, one line each; then the errors with
/// line and text.
pub fn outline(tree: &Tree) -> String {
    let mut out = String::new();
    for node in tree.root().nodes() {
        let Some(document) = Document::cast(node) else {
            let _ = writeln!(out, "error node {:?}", node.text());
            continue;
        };
        let _ = writeln!(out, "document");
        let mut open: Vec<(usize, Node<'_>)> = vec![(1, document.node())];
        while let Some((depth, node)) = open.pop() {
            let indent = depth * 2;
            if let Some(entry) = Entry::cast(node) {
                let key = entry.key().map(|key| describe(key)).unwrap_or_default();
                let mark = if entry.is_incomplete() { " (no colon)" } else { "" };
                let value = describe(entry.value());
                let _ = writeln!(out, "{:indent$}{key}{mark}: {value}", "");
            } else if let Some(item) = Item::cast(node) {
                let _ = writeln!(out, "{:indent$}- {}", "", describe(item.value()));
            } else if node.kind() == Kind::Error {
                let _ = writeln!(out, "{:indent$}error node {:?}", "", node.text());
                continue;
            } else if let Some(root) = Document::cast(node).and_then(|document| document.root()) {
                let _ = writeln!(out, "{:indent$}{}", "", describe(root));
            }
            let inner: Vec<Node<'_>> = node.nodes().collect();
            let step = usize::from(!node.kind().is_collection());
            open.extend(inner.into_iter().rev().map(|node| (depth + step, node)));
        }
    }
    // In the order of the text, so that its lines are counted once.
    let (mut line, mut counted) = (1, 0);
    for error in tree.errors() {
        line += tree.text(counted..error.range.start.max(counted)).matches('\n').count();
        counted = counted.max(error.range.start);
        let _ = writeln!(out, "! {line}: {} {:?}", error.code.as_str(), tree.text(error.range));
    }
    out
}

fn describe(value: Value<'_>) -> String {
    let mut out = String::new();
    for property in [value.anchor(), value.tag()].into_iter().flatten() {
        out.push_str(&property.text());
        out.push(' ');
    }
    match value.scalar() {
        Some(scalar) => out.push_str(&format!("{:?}", scalar.value())),
        None => match value.alias() {
            Some(alias) => out.push_str(&alias.text()),
            None => out.push_str(&format!("{:?}", value.kind())),
        },
    }
    out
}

/// One line per node and token, indented by depth, with byte ranges; then the errors.
pub fn dump(tree: &Tree) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "STREAM 0..{}", tree.len());
    let mut open: Vec<Children<'_>> = vec![tree.root().children()];
    while let Some(children) = open.last_mut() {
        let Some(child) = children.next() else {
            open.pop();
            continue;
        };
        let indent = open.len() * 2;
        let range = child.range();
        let (start, end) = (range.start, range.end);
        match child {
            Element::Node(node) => {
                let _ = writeln!(out, "{:indent$}{} {start}..{end}", "", node.kind().name());
                open.push(node.children());
            }
            Element::Token(token) => {
                let (name, text) = (token.kind().name(), token.text());
                let _ = writeln!(out, "{:indent$}{name} {start}..{end} {text:?}", "");
            }
        }
    }
    for error in tree.errors() {
        let (range, text) = (error.range.clone(), tree.text(error.range.clone()));
        let _ = writeln!(out, "! {} {}..{} {text:?}", error.code.as_str(), range.start, range.end);
    }
    out
}

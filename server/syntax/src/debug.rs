//! The tree as text, for tests and `lofting debug tree`.

use crate::tree::{Children, Element, Tree};
use std::fmt::Write;

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

//! Keywords for editors, which do not affect validity.

use super::schema::Keywords;
use lofting_document::{Key, Node, NodeValue};
use lofting_schema::{ConstraintKind, Docs, SchemaNode, Snippet};

/// How many snippets of one schema are read.
const SNIPPETS: usize = 100;

/// Reads documentation, and what editors may offer.
pub(super) fn read(keywords: &Keywords<'_>, docs: &mut Docs) {
    let markdown = keywords.text("markdownDescription").filter(|text| !text.text.is_empty());
    docs.description = markdown.or(docs.description.take());
    let of_values = |keyword| keywords.list(keyword).into_iter().map(|it| text(it).unwrap_or_default()).collect();
    let markdown: Vec<String> = of_values("markdownEnumDescriptions");
    docs.of_values = if markdown.is_empty() { of_values("enumDescriptions") } else { markdown };
    docs.snippets = keywords.list("defaultSnippets").into_iter().take(SNIPPETS).filter_map(snippet).collect();
    docs.unoffered = keywords.flag("doNotSuggest");
}

/// Reads the schema's own messages for wrong values.
pub(super) fn messages(keywords: &Keywords<'_>, node: &mut SchemaNode) {
    let said = |keyword| keywords.text(keyword).map(|text| text.text).filter(|text| !text.is_empty());
    let (general, of_pattern) = (said("errorMessage"), said("patternErrorMessage"));
    for constraint in &mut node.constraints {
        let is_pattern = matches!(constraint.kind, ConstraintKind::Pattern(_));
        constraint.message = of_pattern.clone().filter(|_| is_pattern).or_else(|| general.clone());
    }
    node.message = general;
}

fn text(node: &Node) -> Option<String> {
    match &node.value {
        NodeValue::String(text) => Some(text.to_string()),
        _ => None,
    }
}

fn snippet(entry: &Node) -> Option<Snippet> {
    let part = |name: &str| entry.get(&Key::from(name));
    // The lines of `bodyText` may be given as a list.
    let lines = |node: &Node| match &node.value {
        NodeValue::Array(items) => {
            let lines: Option<Vec<String>> = items.iter().map(|item| text(&item.value)).collect();
            Some(Node::new(NodeValue::String(lines?.join("\n").into()), node.span))
        }
        NodeValue::String(_) => Some(node.clone()),
        _ => None,
    };
    let (body, is_text) = match part("body") {
        Some(body) => (body.clone(), false),
        None => (part("bodyText").and_then(lines)?, true),
    };
    Some(Snippet {
        label: part("label").and_then(text),
        description: part("markdownDescription").or_else(|| part("description")).and_then(text),
        body,
        is_text,
    })
}

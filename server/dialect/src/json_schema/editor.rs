//! Keywords for editors, which do not affect validity.

use super::schema::Keywords;
use lofting_document::{Key, Node, NodeValue};
use lofting_schema::{ConstraintKind, Docs, SchemaNode, Snippet};

/// How many snippets of one schema are read.
const SNIPPETS: usize = 100;

/// Reads documentation, and what editors may offer.
pub(super) fn read(keywords: &Keywords<'_>, docs: &mut Docs) {
    let markdown = keywords.text("markdownDescription").filter(|text| !text.text.is_empty());
    let html = || {
        let mut text = keywords.text("x-intellij-html-description")?;
        text.text = without_tags(&text.text);
        Some(text).filter(|text| !text.text.is_empty())
    };
    docs.description = markdown.or(docs.description.take()).or_else(html);
    let of_values = |keyword| keywords.list(keyword).into_iter().map(|it| text(it).unwrap_or_default()).collect();
    let markdown: Vec<String> = of_values("markdownEnumDescriptions");
    docs.of_values = if markdown.is_empty() { of_values("enumDescriptions") } else { markdown };
    docs.snippets = keywords.list("defaultSnippets").into_iter().take(SNIPPETS).filter_map(snippet).collect();
    docs.unoffered = keywords.flag("doNotSuggest");
}

/// What HTML says, as plain text: paragraphs and items are lines of their own.
fn without_tags(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        let Some((tag, after)) = tag.split_once('>') else { break };
        match tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default() {
            "p" | "br" | "ul" | "ol" | "div" | "pre" => text.push('\n'),
            "li" if !tag.starts_with('/') => text.push_str("\n- "),
            _ => {}
        }
        rest = after;
    }
    if !rest.contains('<') {
        text.push_str(rest);
    }
    for (entity, sign) in
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")]
    {
        text = text.replace(entity, sign);
    }
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

/// Reads the schema's own messages for wrong values.
pub(super) fn messages(keywords: &Keywords<'_>, node: &mut SchemaNode) {
    let said = |keyword| keywords.text(keyword).map(|text| text.text).filter(|text| !text.is_empty());
    let (general, of_pattern) = (said("errorMessage"), said("patternErrorMessage"));
    for constraint in &mut node.constraints {
        let is_pattern = matches!(constraint.kind, ConstraintKind::Pattern(_));
        constraint.message = of_pattern.clone().filter(|_| is_pattern).or_else(|| general.clone());
    }
    node.message = general.map(String::into_boxed_str);
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

#[cfg(test)]
mod tests {
    use super::without_tags;

    #[test]
    fn html_becomes_plain_text() {
        for (html, plain) in [
            ("The <b>name</b> of the job.", "The name of the job."),
            ("<p>One.</p><p>Two: <code>a &lt; b &amp;&amp; c</code></p>", "One.\nTwo: a < b && c"),
            ("Either<ul><li>a</li><li>b</li></ul>", "Either\n- a\n- b"),
            ("a<br/>b<br>c", "a\nb\nc"),
            ("no tags", "no tags"),
            ("an open <b", "an open"),
            ("", ""),
        ] {
            assert_eq!(without_tags(html), plain, "{html}");
        }
    }
}

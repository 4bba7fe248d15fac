//! The documentation of a schema as an HTML table.

use super::{Field, fields};
use crate::Schema;
use lofting_document::write;
use std::fmt::Write;

/// The fields of a schema as a table, for documentation pages.
pub fn inspect_html(schema: &Schema) -> String {
    let mut out = String::from(
        "<div class=\"data-values-title\">Schema for \"data/values\"</div>\n\
         <table class=\"data-values-fields\">\n\
         <thead>\n  <tr><th>Name</th><th>Description</th><th>Details</th><th>Example</th></tr>\n</thead>\n\
         <tbody>\n",
    );
    for field in fields(schema) {
        row(&field, &mut out);
    }
    out.push_str("</tbody>\n</table>\n");
    out
}

fn row(field: &Field<'_>, out: &mut String) {
    let title = escaped(field.title.unwrap_or_default());
    let documentation = harmless(field.documentation.unwrap_or_default());
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "  <tr class=\"datavalue\">\n    <td class=\"fieldname\">{}</td>\n    <td class=\"title\">{title}</td>\n    \
         <td class=\"documentation\">{documentation}</td>\n    <td class=\"example\">\n",
        escaped(&field.name)
    );
    for (value, description) in &field.examples {
        let description = escaped(description.unwrap_or_default());
        let value = write::yaml_document(value);
        let _ = write!(
            out,
            "      <p class=\"example\">Example: <span class=\"example\">{description}</span></p>\n      \
             <pre class=\"examplevalue\">{}</pre>\n",
            escaped(value.trim_end())
        );
    }
    out.push_str("    </td>\n  </tr>\n");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// HTML elements that documentation may contain.
const HARMLESS: [&str; 11] = ["p", "i", "b", "em", "strong", "code", "pre", "br", "ul", "ol", "li"];

/// Escapes a text, except for harmless elements. Elements that are opened are always closed.
fn harmless(text: &str) -> String {
    let (mut out, mut open): (String, Vec<&'static str>) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        out.push_str(&escaped(before));
        let end = tag.find('>').map_or(tag.len(), |end| end + 1);
        let (tag, after) = tag.split_at(end);
        element(tag, &mut open, &mut out);
        rest = after;
    }
    out.push_str(&escaped(rest));
    open.iter().rev().for_each(|name| close(name, &mut out));
    out
}

/// Writes a tag: unescaped if it is harmless.
fn element(tag: &str, open: &mut Vec<&'static str>, out: &mut String) {
    // The name follows directly: `a < b` is not a tag.
    let inner = tag.strip_prefix('<').unwrap_or(tag).trim_end_matches(['>', '/']).trim_end();
    if let Some(name) = inner.strip_prefix('/') {
        // All elements opened inside are closed with it.
        if let Some(at) = open.iter().rposition(|known| known.eq_ignore_ascii_case(name.trim())) {
            open.drain(at..).rev().for_each(|name| close(name, out));
            return;
        }
    } else if let Some(name) = HARMLESS.into_iter().find(|known| known.eq_ignore_ascii_case(inner)) {
        let _ = write!(out, "<{name}>");
        if name != "br" {
            open.push(name);
        }
        return;
    } else if let Some(target) = link(inner) {
        let _ = write!(out, "<a href=\"{}\">", escaped(target));
        open.push("a");
        return;
    }
    out.push_str(&escaped(tag));
}

fn close(name: &str, out: &mut String) {
    let _ = write!(out, "</{name}>");
}

/// The target of a link that has no other attributes, if it is relative or on the web.
fn link(inner: &str) -> Option<&str> {
    let target = inner.strip_prefix("a href=")?.trim();
    let target = ['"', '\''].into_iter().find_map(|quote| target.strip_prefix(quote)?.strip_suffix(quote))?;
    let is_web = target.starts_with("http://") || target.starts_with("https://");
    let is_relative =
        !target.starts_with("//") && target.split(['/', '?', '#']).next().is_some_and(|it| !it.contains(':'));
    (!target.contains(['"', '\'', '<', '>']) && (is_web || is_relative)).then_some(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_kept_where_it_does_no_harm() {
        for (text, want) in [
            ("a < b", "a &lt; b"),
            ("<i>x</i><script>y</script>", "<i>x</i>&lt;script&gt;y&lt;/script&gt;"),
            ("<b>open", "<b>open</b>"),
            ("</b>x", "&lt;/b&gt;x"),
            ("<ul><li>x</ul>", "<ul><li>x</li></ul>"),
            ("<a href=\"https://x\">y</a>", "<a href=\"https://x\">y</a>"),
            ("<a href=\"javascript:x\">y", "&lt;a href=&quot;javascript:x&quot;&gt;y"),
            ("<i onclick=\"x\">", "&lt;i onclick=&quot;x&quot;&gt;"),
            ("<", "&lt;"),
        ] {
            assert_eq!(harmless(text), want, "{text}");
        }
    }
}

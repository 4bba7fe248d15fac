//! The changes as one HTML file that loads nothing. Texts of the schemas are shown as what they are, never as markup.

use std::fmt::Write;

use lofting_diff::{Severity, rules};

use super::lines::{ChangeLine, level};
use crate::terminal::line;

/// What the file looks like: readable in narrow windows, in the dark and on paper.
const STYLE: &str = include_str!("page.css");

/// The page.
pub(super) fn html(changes: &[ChangeLine], summary: &str) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"lofting diff\">\n<title>Changes of schemas</title>\n<style>{STYLE}</style>\n\
         </head>\n<body>\n<main>\n<h1>Changes of schemas</h1>\n<p>{}</p>\n",
        of_html(summary)
    );
    if !changes.is_empty() {
        out += "<table>\n<thead>\n<tr><th scope=\"col\">Value</th><th scope=\"col\">What changed</th>\
                <th scope=\"col\">Breaks</th><th scope=\"col\">Where</th></tr>\n</thead>\n<tbody>\n";
        changes.iter().for_each(|change| row(change, &mut out));
        out += "</tbody>\n</table>\n";
    }
    out + "</main>\n</body>\n</html>\n"
}

fn row(change: &ChangeLine, out: &mut String) {
    let at = change.line.map(|number| format!(":{number}")).unwrap_or_default();
    let breaks = match change.severity {
        Severity::Error => "values",
        Severity::Warning => "templates, or something behaves differently",
        Severity::Info => "nothing",
    };
    let code = format!("diff/{}", change.rule);
    let rule = rules::by_code(&code).map(|rule| lofting_diagnostic::manual::address_of(&rule.path()));
    let rule = match rule {
        Some(address) => format!("<a href=\"{}\">{code}</a>", of_html(&address)),
        None => code,
    };
    let _ = writeln!(
        out,
        "<tr class=\"{}\"><td><code>{}</code></td><td>{}<br>{rule}</td><td>{breaks}</td><td><code>{}{at}</code></td></tr>",
        level(change.severity),
        of_html(&change.subject),
        of_html(&change.words),
        of_html(&change.file),
    );
}

/// A text in which nothing is markup, on one line.
fn of_html(text: &str) -> String {
    line(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    #[test]
    fn texts_of_schemas_are_no_elements() {
        assert_eq!(super::of_html("<a href='x' b=\"&\">"), "&lt;a href=&#39;x&#39; b=&quot;&amp;&quot;&gt;");
    }
}

//! Texts of a schema in pages.

use lofting_markdown::{as_html, code_block, code_span, in_blocks};
use lofting_text::{Breaks, visible};

/// A text with its hidden characters shown, and its lines ended by line feeds.
fn shown(text: &str) -> String {
    visible(&text.replace("\r\n", "\n").replace('\r', "\n"), Breaks::Kept).into_owned()
}

/// A description, which may be Markdown, as HTML.
pub(crate) fn to_html(text: &str) -> String {
    as_html(&shown(text))
}

/// A description for a page in Markdown: what is harmless in it, and everything else as text.
pub(crate) fn defused(text: &str) -> String {
    in_blocks(&shown(text))
}

/// A text in Markdown that is shown as it is, on one line.
pub(crate) fn literal(text: &str) -> String {
    lofting_markdown::literal(text, true)
}

/// A text for a cell of a table in Markdown: on one line, and without bars that would end the cell.
pub(crate) fn cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_after_break = true;
    for line in text.trim().replace("\r\n", "\n").split(['\n', '\r']).map(str::trim) {
        if line.is_empty() {
            out.push_str(if is_after_break { "" } else { "<br>" });
            is_after_break = true;
            continue;
        }
        let is_point = line.starts_with("* ") || line.starts_with("- ");
        if !is_after_break {
            out.push_str(if is_point { "<br>" } else { " " });
        }
        out.push_str(&bars_escaped(line));
        is_after_break = false;
    }
    out
}

/// Bars end a cell even in code, unless there is a backslash before them.
fn bars_escaped(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut backslashes = 0;
    for c in line.chars() {
        if c == '|' && backslashes % 2 == 0 {
            out.push('\\');
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        out.push(c);
    }
    out
}

/// A text as code within a line of Markdown.
pub(crate) fn code(text: &str) -> String {
    code_span(&visible(text, Breaks::Spaces))
}

/// A value as a block of code in Markdown.
pub(crate) fn block(text: &str) -> String {
    code_block(text, "yaml", "")
}

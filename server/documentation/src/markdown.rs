//! Descriptions, which may be Markdown, in pages.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH
}

/// A description as HTML. Elements written in it are shown as text, headings become bold lines, pictures become links,
/// and links lead only to the web, to mail and to places of the page.
pub(crate) fn to_html(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    html::push_html(&mut out, Parser::new_ext(text, options()).flat_map(harmless));
    out
}

fn harmless(event: Event<'_>) -> Vec<Event<'_>> {
    match event {
        Event::Html(text) | Event::InlineHtml(text) => vec![Event::Text(text)],
        Event::Start(Tag::HtmlBlock) => vec![Event::Start(Tag::Paragraph)],
        Event::End(TagEnd::HtmlBlock) => vec![Event::End(TagEnd::Paragraph)],
        Event::Start(Tag::Heading { .. }) => vec![Event::Start(Tag::Paragraph), Event::Start(Tag::Strong)],
        Event::End(TagEnd::Heading(_)) => vec![Event::End(TagEnd::Strong), Event::End(TagEnd::Paragraph)],
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            vec![Event::Start(Tag::Link { link_type, dest_url: target(dest_url), title, id })]
        }
        Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
            vec![Event::Start(Tag::Link { link_type, dest_url: target(dest_url), title, id })]
        }
        Event::End(TagEnd::Image) => vec![Event::End(TagEnd::Link)],
        other => vec![other],
    }
}

/// The target of a link; `#` for what a page must not lead to.
fn target(target: CowStr<'_>) -> CowStr<'_> {
    let lower = target.trim_start().to_ascii_lowercase();
    let is_harmless = ["https://", "http://", "mailto:", "#"].iter().any(|start| lower.starts_with(start));
    if is_harmless { target } else { CowStr::from("#") }
}

/// A description for a page in Markdown: as it is, but elements of HTML are shown as text.
pub(crate) fn defused(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        if !matches!(event, Event::Html(_) | Event::InlineHtml(_)) || range.start < copied {
            continue;
        }
        out.push_str(text.get(copied..range.start).unwrap_or_default());
        out.push_str(&text.get(range.clone()).unwrap_or_default().replace('<', "&lt;"));
        copied = range.end;
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    out
}

/// A text in Markdown that is shown as it is.
pub(crate) fn literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '&' | '~' | '|' | '$') {
            out.push('\\');
        }
        out.push(c);
    }
    out
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

/// A text as code within a line of Markdown, whatever backquotes it has.
pub(crate) fn code(text: &str) -> String {
    let text = text.split(['\n', '\r']).collect::<Vec<_>>().join(" ");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    // Blanks at both ends are taken off by readers, so a backquote there is not a part of the fence.
    let blank = if text.is_empty() || text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{blank}{text}{blank}{fence}")
}

/// A text as a block of code in Markdown.
pub(crate) fn block(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}yaml\n{text}\n{fence}")
}

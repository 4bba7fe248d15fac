//! Descriptions: of the Markdown that people write, what helps readers and is harmless is kept.
//!
//! The text is parsed and written again. Nothing gets through by being overlooked: what is not handled here is shown
//! literally, with the escapes of [`crate::literal`].

use crate::literal::{code_block, code_span, literal};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, TextMergeStream, html};

/// Lists and quotations that are nested deeper are shown flat.
const MAX_DEPTH: usize = 6;
/// Longer addresses are not links.
const MAX_ADDRESS: usize = 500;

/// A description as separate blocks.
pub fn in_blocks(text: &str) -> String {
    DescriptionWriter::default().write(text)
}

/// A description as part of a line; `starts`: it begins the line.
pub fn on_one_line(text: &str, starts: bool) -> String {
    DescriptionWriter { one_line: true, continues: !starts, ..DescriptionWriter::default() }.write(text)
}

/// A description as HTML, in which nothing leads anywhere but its `https` links.
pub fn as_html(text: &str) -> String {
    let harmless = in_blocks(text);
    let mut out = String::with_capacity(harmless.len() * 2);
    html::push_html(&mut out, Parser::new_ext(&harmless, Options::empty()));
    out
}

#[derive(Default)]
struct DescriptionWriter {
    out: String,
    /// Everything on one line.
    one_line: bool,
    /// Whether there is something before it on its line.
    continues: bool,
    /// The prefix of further lines for each open list and quotation.
    before: Vec<String>,
    /// The number of the next item of each open list, if it is numbered.
    numbers: Vec<Option<u64>>,
    /// Line breaks to write before anything else.
    due: usize,
    /// The next character begins a line.
    fresh: bool,
    /// The text of a code block.
    code: Option<String>,
    link: Option<Link>,
    /// Addresses of open images.
    images: Vec<String>,
}

/// An open link.
struct Link {
    /// Where its text begins.
    start: usize,
    address: String,
    /// What a reader sees.
    text: String,
}

impl DescriptionWriter {
    fn write(mut self, text: &str) -> String {
        self.fresh = !self.continues;
        for event in TextMergeStream::new(Parser::new_ext(text, Options::empty())) {
            self.event(event);
        }
        self.out
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.code.is_some() => self.code.get_or_insert_default().push_str(&text),
            Event::Text(text) => self.literal(&text),
            Event::Code(text) => {
                self.ours(&code_span(&text));
                if let Some(link) = &mut self.link {
                    link.text.push_str(&text);
                }
            }
            Event::InlineHtml(text) => self.literal(&text),
            Event::Html(text) => {
                for line in text.split_inclusive('\n') {
                    self.literal(line.trim_end_matches('\n'));
                    if line.ends_with('\n') {
                        self.due = self.due.max(1);
                    }
                }
            }
            Event::SoftBreak => self.due = self.due.max(1),
            Event::HardBreak => {
                if !self.one_line && !self.fresh {
                    self.out.push_str("  ");
                }
                self.due = self.due.max(1);
            }
            // Rules are ours. All others need options that are not set.
            _ => self.due = self.due.max(2),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Emphasis => self.mark("*"),
            Tag::Strong | Tag::Heading { .. } => self.mark("**"),
            Tag::BlockQuote(_) => self.open("> ", "> "),
            Tag::CodeBlock(_) => self.code = Some(String::new()),
            Tag::List(number) => {
                self.due = self.due.max(if self.numbers.is_empty() { 2 } else { 1 });
                self.numbers.push(number);
            }
            Tag::Item => {
                self.due = self.due.max(1);
                let number = self.numbers.last_mut().and_then(Option::as_mut);
                let marker = number.map_or("- ".to_owned(), |number| {
                    let marker = format!("{number}. ");
                    *number = number.saturating_add(1);
                    marker
                });
                let indentation = " ".repeat(marker.len());
                self.open(&marker, &indentation);
            }
            Tag::Link { dest_url, .. } => {
                self.begin();
                self.link = Some(Link { start: self.out.len(), address: dest_url.into_string(), text: String::new() });
            }
            Tag::Image { dest_url, .. } => {
                self.literal("![");
                self.images.push(dest_url.into_string());
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.due = 2,
            TagEnd::Heading(_) => {
                self.mark("**");
                self.due = 2;
            }
            TagEnd::Emphasis => self.mark("*"),
            TagEnd::Strong => self.mark("**"),
            TagEnd::BlockQuote(_) => {
                self.before.pop();
                self.due = 2;
            }
            TagEnd::CodeBlock => {
                let code = self.code.take().unwrap_or_default();
                let before = self.before.concat();
                if self.one_line {
                    self.ours(&code_span(code.trim()))
                } else {
                    self.ours(&code_block(&code, "", &before))
                }
                self.due = 2;
            }
            TagEnd::List(_) => {
                self.numbers.pop();
                self.due = 2;
            }
            TagEnd::Item => {
                self.before.pop();
                self.due = self.due.max(1);
            }
            TagEnd::Link => self.end_link(),
            TagEnd::Image => {
                let address = self.images.pop().unwrap_or_default();
                self.literal(&format!("]({address})"));
            }
            _ => {}
        }
    }

    fn end_link(&mut self) {
        let Some(link) = self.link.take() else { return };
        let said = link.text.trim();
        // If the text is an address, it must be the one that the link leads to.
        let honest = said == link.address || !(said.contains("://") || said.to_ascii_lowercase().contains("www."));
        match https(&link.address).filter(|_| honest && !said.is_empty()) {
            Some(address) => {
                self.out.insert(link.start, '[');
                self.ours(&format!("]({address})"));
            }
            None if said == link.address => {}
            None => self.literal(&format!(" ({})", link.address)),
        }
    }

    /// Opens a list's item or a quotation.
    fn open(&mut self, marker: &str, before: &str) {
        if self.one_line || self.before.len() >= MAX_DEPTH {
            self.due = self.due.max(1);
            self.before.push(String::new());
            return;
        }
        self.ours(marker);
        self.before.push(before.to_owned());
        self.fresh = true;
    }

    /// Writes the due line breaks.
    fn begin(&mut self) {
        let due = std::mem::take(&mut self.due);
        if due == 0 || self.out.is_empty() {
            return;
        }
        if self.one_line {
            self.out.push(' ');
            return;
        }
        for _ in 0..due {
            self.out.push('\n');
            self.out.push_str(&self.before.concat());
        }
        self.fresh = true;
    }

    /// A mark of emphasis. What follows the first on a line still begins it: `* # a` would be a heading in a list.
    fn mark(&mut self, mark: &str) {
        self.begin();
        self.out.push_str(mark);
    }

    /// Our own Markdown.
    fn ours(&mut self, text: &str) {
        self.begin();
        self.out.push_str(text);
        // Code without any text is nothing: what follows still begins the line.
        self.fresh &= text.is_empty();
    }

    fn literal(&mut self, text: &str) {
        self.begin();
        if let Some(link) = &mut self.link {
            link.text.push_str(text);
        }
        let text = literal(text, self.fresh);
        self.fresh &= text.is_empty();
        self.out.push_str(&text);
    }
}

/// An address as it appears in a link: `https` to a host, in characters without a meaning in Markdown.
fn https(address: &str) -> Option<String> {
    let rest = address.get(8..).filter(|_| address[..8].eq_ignore_ascii_case("https://"))?;
    let host = rest.split(['/', '?', '#']).next()?;
    let is_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':');
    if !host.starts_with(|c: char| c.is_ascii_alphanumeric()) || !host.chars().all(is_host) {
        return None;
    }
    let odd =
        |c: char| !c.is_ascii_graphic() || matches!(c, '<' | '>' | '"' | '\'' | '`' | '\\' | '|' | '{' | '}' | '^');
    if address.len() > MAX_ADDRESS || address.contains(odd) {
        return None;
    }
    let rest = rest.replace('&', "&amp;").replace('(', "%28").replace(')', "%29");
    Some(format!("https://{}", rest.replace('[', "%5B").replace(']', "%5D")))
}

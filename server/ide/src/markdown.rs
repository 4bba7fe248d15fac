//! The only place that makes Markdown, and plain text for clients that do not support it.
//!
//! Titles, descriptions, values, keys, names of files and code come from a workspace, which may be anyone's. What an
//! editor gets is composed of [`Words`] and a [`Page`] that record the origin of each piece:
//!
//! * Our own words are constants of this program (`&'static str`), so that nothing of a workspace can pass for them.
//! * Titles, keys and places are shown literally, in code spans or with all special characters escaped.
//! * Descriptions may use emphasis, lists, quotations, code and `https` links; everything else in them is shown
//!   literally.
//!
//! **Invariant:** whatever is in a workspace, a [`Marked`] text contains no image, no HTML, no link except `https` and
//! those to files that this program made, no heading except a page's own and no table, and no invisible character. The
//! tests use a parser to check this.

#[cfg(test)]
mod tests;

use lofting_check::capped;
use lofting_markdown::{code_block, code_span, literal};
use lofting_text::{Breaks, is_hidden, visible};
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

/// How text is marked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Markup {
    /// Markdown.
    Markdown,
    /// Plain text.
    #[default]
    Plain,
}

/// A text in the requested markup. Only this module makes it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marked(String);

impl Deref for Marked {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Marked {
    /// The text.
    pub fn into_string(self) -> String {
        self.0
    }
}

impl fmt::Display for Marked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Longer texts are cut, in bytes: editors show them on top of the text.
const MAX_LENGTH: usize = 6_000;
/// Longer pieces of a workspace are cut, in characters.
const MAX_PIECE: usize = 1_000;
/// Longer descriptions are cut, in characters.
const MAX_DESCRIPTION: usize = 3_000;

/// A text in which carriage returns, even those without a line feed, end lines: some generators write descriptions in
/// this way.
fn with_line_breaks(text: &str) -> Cow<'_, str> {
    if text.contains('\r') { Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")) } else { Cow::Borrowed(text) }
}

/// A line of words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Words(Vec<Piece>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    /// Our own: Markdown as it is, with names in backquotes.
    Ours(&'static str),
    /// Shown literally.
    Text(String),
    Code(String),
    Strong(String),
    /// A description on one line.
    Described(String),
    /// Our own sentence, with names between backquotes.
    Quoting(String),
    /// A link to a page of the web, both our own.
    Web {
        label: &'static str,
        address: &'static str,
    },
    /// A link to a line (from 0) of a file; the address is our own.
    Place {
        label: String,
        address: String,
        line: usize,
    },
}

impl Words {
    /// Adds our own words; backquotes mean code.
    pub fn ours(self, text: &'static str) -> Words {
        self.with(Piece::Ours(text))
    }

    /// Adds text that is shown as it is.
    pub fn text(self, text: impl Into<String>) -> Words {
        self.with(Piece::Text(text.into()))
    }

    /// Adds a value or name as code; nothing if it is empty.
    pub fn code(self, text: impl Into<String>) -> Words {
        self.with(Piece::Code(text.into()))
    }

    /// Adds a bold name.
    pub fn strong(self, text: impl Into<String>) -> Words {
        self.with(Piece::Strong(text.into()))
    }

    /// Adds a short text by users, in which Markdown is allowed.
    pub fn described(self, text: impl Into<String>) -> Words {
        self.with(Piece::Described(text.into()))
    }

    /// Adds a sentence with code between backquotes; the rest is shown as it is.
    pub fn quoting(self, text: impl Into<String>) -> Words {
        self.with(Piece::Quoting(text.into()))
    }

    /// Adds a link to a line (from 0) of a file. `address` is a `file:` URI; with another there is only the label.
    pub fn place(self, label: impl Into<String>, address: impl Into<String>, line: usize) -> Words {
        self.with(Piece::Place { label: label.into(), address: address.into(), line })
    }

    /// Adds a link to a page of the web.
    pub fn web(self, label: &'static str, address: &'static str) -> Words {
        self.with(Piece::Web { label, address })
    }

    /// Adds other words.
    pub fn words(mut self, other: Words) -> Words {
        self.0.extend(other.0);
        self
    }

    /// Words with commas between them.
    pub fn list(parts: impl IntoIterator<Item = Words>) -> Words {
        parts
            .into_iter()
            .fold(Words::default(), |all, part| if all.0.is_empty() { part } else { all.ours(", ").words(part) })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The words in the given markup.
    pub fn marked(&self, markup: Markup) -> Marked {
        Marked(self.written(markup))
    }

    fn with(mut self, piece: Piece) -> Words {
        self.0.push(piece);
        self
    }

    fn written(&self, markup: Markup) -> String {
        let mut out = String::new();
        for piece in &self.0 {
            if out.len() > MAX_LENGTH {
                out.push('…');
                break;
            }
            let starts = out.is_empty();
            match (piece, markup) {
                (Piece::Ours(text), Markup::Markdown) => out.push_str(text),
                (Piece::Ours(text), Markup::Plain) => out.push_str(&text.replace('`', "")),
                (Piece::Text(text), Markup::Markdown) => out.push_str(&literal(&short(text, Breaks::Spaces), starts)),
                (Piece::Code(text), Markup::Markdown) => out.push_str(&code_span(&short(text, Breaks::Shown))),
                (Piece::Strong(text), Markup::Markdown) => {
                    let text = literal(short(text, Breaks::Spaces).trim(), true);
                    if !text.is_empty() {
                        out.push_str(&format!("**{text}**"));
                    }
                }
                (Piece::Described(text), Markup::Markdown) => {
                    out.push_str(&lofting_markdown::on_one_line(&short(text, Breaks::Kept), starts));
                }
                (Piece::Quoting(text), Markup::Markdown) => {
                    for (index, part) in short(text, Breaks::Spaces).split('`').enumerate() {
                        match index % 2 {
                            0 => out.push_str(&literal(part, out.is_empty())),
                            _ => out.push_str(&code_span(part)),
                        }
                    }
                }
                (Piece::Web { label, address }, Markup::Markdown) => out.push_str(&format!("[{label}](<{address}>)")),
                (Piece::Web { label, address }, Markup::Plain) => out.push_str(&format!("{label}: {address}")),
                (Piece::Place { label, address, line }, Markup::Markdown) => {
                    out.push_str(&link(&literal(&short(label, Breaks::Shown), starts), address, *line));
                }
                (Piece::Quoting(text), Markup::Plain) => out.push_str(&short(text, Breaks::Spaces).replace('`', "")),
                (Piece::Place { label, .. }, Markup::Plain) => out.push_str(&short(label, Breaks::Shown)),
                (Piece::Code(text), Markup::Plain) => out.push_str(&short(text, Breaks::Shown)),
                (Piece::Text(text) | Piece::Strong(text) | Piece::Described(text), Markup::Plain) => {
                    out.push_str(&short(text, Breaks::Spaces));
                }
            }
        }
        out
    }
}

/// A link to a line of a file.
fn link(label: &str, address: &str, line: usize) -> String {
    if !address.starts_with("file:") || address.chars().any(|c| c.is_whitespace() || is_hidden(c)) {
        return label.to_owned();
    }
    // Angle brackets hold all but these.
    let address = address.replace('\\', "%5C").replace('<', "%3C").replace('>', "%3E").replace('&', "&amp;");
    format!("[{label}](<{address}#L{}>)", line + 1)
}

/// A piece of a workspace with invisible characters made visible, cut to a readable length.
fn short(text: &str, breaks: Breaks) -> String {
    visible(&capped(text, MAX_PIECE), breaks).into_owned()
}

/// Blocks, one below the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Page(Vec<PageBlock>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum PageBlock {
    /// The name of the page's subject.
    Title(String),
    Words(Words),
    Lines(Vec<Words>),
    List(Vec<Words>),
    Description(String),
    Code(String),
    /// YAML on lines of its own.
    Yaml(String),
    /// Separates statements that follow one another.
    Rule,
}

impl Page {
    /// A heading at the top.
    pub fn title(self, text: impl Into<String>) -> Page {
        self.with(PageBlock::Title(text.into()))
    }

    /// A paragraph.
    pub fn words(self, words: Words) -> Page {
        self.with(PageBlock::Words(words))
    }

    /// Lines, one below the other; nothing if there are none.
    pub fn lines(self, lines: Vec<Words>) -> Page {
        if lines.is_empty() { self } else { self.with(PageBlock::Lines(lines)) }
    }

    /// The page with words at the beginning of its first paragraph.
    pub fn led_by(mut self, words: Words) -> Page {
        match self.0.first_mut() {
            Some(PageBlock::Words(first)) => *first = words.words(std::mem::take(first)),
            _ => self.0.insert(0, PageBlock::Words(words)),
        }
        self
    }

    /// A list, directly below the last block; nothing if it is empty.
    pub fn list(self, items: Vec<Words>) -> Page {
        if items.is_empty() { self } else { self.with(PageBlock::List(items)) }
    }

    /// A text by users, in which Markdown is allowed.
    pub fn description(self, text: impl Into<String>) -> Page {
        self.with(PageBlock::Description(text.into()))
    }

    /// Code on separate lines.
    pub fn code(self, text: impl Into<String>) -> Page {
        self.with(PageBlock::Code(text.into()))
    }

    /// YAML on lines of its own.
    pub fn yaml(self, text: impl Into<String>) -> Page {
        self.with(PageBlock::Yaml(text.into()))
    }

    /// Adds the blocks of another page.
    pub fn page(mut self, other: Page) -> Page {
        self.0.extend(other.0);
        self
    }

    /// Pages with a line between them.
    pub fn several(pages: impl IntoIterator<Item = Page>) -> Page {
        pages.into_iter().fold(Page::default(), |all, page| {
            if all.0.is_empty() { page } else { all.with(PageBlock::Rule).page(page) }
        })
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The page in the given markup.
    pub fn marked(&self, markup: Markup) -> Marked {
        let mut out = String::new();
        for block in &self.0 {
            if out.len() > MAX_LENGTH {
                out.push_str("\n\n…");
                break;
            }
            let text = block.written(markup);
            if text.is_empty() {
                continue;
            }
            if !out.is_empty() {
                out.push_str(if matches!(block, PageBlock::List(_)) { "\n" } else { "\n\n" });
            }
            out.push_str(&text);
        }
        Marked(out)
    }

    fn with(mut self, block: PageBlock) -> Page {
        self.0.push(block);
        self
    }
}

impl From<Words> for Page {
    fn from(words: Words) -> Page {
        Page::default().words(words)
    }
}

impl PageBlock {
    fn written(&self, markup: Markup) -> String {
        let lines = |lines: &[Words], before: &str, between: &str| {
            // An empty item below a line would turn that line into a heading.
            let written = lines.iter().map(|words| words.written(markup)).filter(|line| !line.trim().is_empty());
            let lines: Vec<String> = written.map(|line| format!("{before}{line}")).collect();
            lines.join(between)
        };
        match (self, markup) {
            (PageBlock::Title(text), Markup::Markdown) => format!("# {}", literal(&short(text, Breaks::Shown), true)),
            (PageBlock::Title(text), Markup::Plain) => short(text, Breaks::Shown),
            (PageBlock::Words(words), _) => words.written(markup),
            // Markdown ignores a single line break: two spaces at the end keep it.
            (PageBlock::Lines(list), Markup::Markdown) => lines(list, "", "  \n"),
            (PageBlock::List(list), Markup::Markdown) => lines(list, "- ", "\n"),
            (PageBlock::Lines(list) | PageBlock::List(list), Markup::Plain) => lines(list, "", "\n"),
            (PageBlock::Description(text), Markup::Markdown) => lofting_markdown::in_blocks(&visible(
                &with_line_breaks(&capped(text.trim(), MAX_DESCRIPTION)),
                Breaks::Kept,
            )),
            (PageBlock::Description(text), Markup::Plain) => {
                visible(&with_line_breaks(&capped(text.trim(), MAX_DESCRIPTION)), Breaks::Kept).into_owned()
            }
            (PageBlock::Code(text), Markup::Markdown) => code_block(&short(text, Breaks::Kept), "python", ""),
            (PageBlock::Yaml(text), Markup::Markdown) => code_block(&short(text, Breaks::Kept), "yaml", ""),
            (PageBlock::Code(text) | PageBlock::Yaml(text), Markup::Plain) => short(text, Breaks::Kept),
            (PageBlock::Rule, Markup::Markdown) => "---".to_owned(),
            (PageBlock::Rule, Markup::Plain) => String::new(),
        }
    }
}

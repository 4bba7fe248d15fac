//! Finds out what is being typed at an offset, in any text. The tree tells which collections are open above the line,
//! the cursor's column which of them is meant, and the text of the line how far the user has got. The line itself need
//! not be valid.

mod block;
mod flow;

pub(super) use flow::open_flow;

use super::line::{self, Layout};
pub(crate) use super::place::Context;
use super::place::{Quote, ValueSlot};
use crate::yaml_text::ScalarContext;
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Kind, Tree};
use lofting_text::Text;
use std::ops::Range;

/// The text around the cursor.
pub(crate) struct Cursor<'t> {
    pub tree: &'t Tree,
    pub text: &'t Text,
    /// The rule set for plain scalars.
    pub profile: Profile,
    /// In bytes of the text.
    pub offset: usize,
    /// The range of the cursor's line without its line break.
    pub line: Range<usize>,
    /// Its text.
    pub line_text: String,
    pub layout: Layout,
    pub style: Style,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(tree: &'t Tree, text: &'t Text, profile: Profile, offset: usize) -> Self {
        let offset = text.round_down(offset);
        let line = text.line_range(text.line_of(offset));
        let offset = offset.min(line.end);
        let line_text = text.slice(line.clone()).into_owned();
        let layout = line::layout(&line_text);
        Cursor { tree, text, profile, offset, line, line_text, layout, style: Style::of(text) }
    }

    /// The byte column of the cursor.
    pub(crate) fn column(&self) -> usize {
        self.offset - self.line.start
    }

    /// The byte column of any offset.
    pub(crate) fn column_of(&self, offset: usize) -> usize {
        offset - self.text.line_range(self.text.line_of(offset)).start
    }

    /// The end of the words that begin at an offset of the cursor's line.
    pub(crate) fn line_end_of(&self, start: usize) -> usize {
        let rest = self.line_text.get(start.saturating_sub(self.line.start)..).unwrap_or_default();
        let end = self.layout.comment.map_or(rest.len(), |comment| (self.line.start + comment).saturating_sub(start));
        start + rest.get(..end).unwrap_or(rest).trim_end().len()
    }

    /// Converts a range of the line into a range of the text.
    pub(crate) fn absolute(&self, range: Range<usize>) -> Range<usize> {
        self.line.start + range.start..self.line.start + range.end
    }

    /// From the cursor over white space to the end of the line, if nothing else follows: inserted text replaces
    /// trailing white space.
    pub(crate) fn to_line_end(&self) -> Range<usize> {
        let rest = self.line_text.get(self.column()..).unwrap_or_default();
        let end = if rest.trim().is_empty() { self.line.end } else { self.offset };
        self.offset..end
    }

    /// The value slot for the text in `range` (bytes of the line), quotes included, which contains the cursor.
    pub(crate) fn value_slot(&self, range: Range<usize>, flow: bool) -> Option<ValueSlot> {
        let text = self.line_text.get(range.clone())?;
        let slot = |replace, quote| Some(ValueSlot { replace, lead: "", quote, flow, own_line: false });
        let Some(quote) = text.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
            return slot(self.absolute(range), Quote::None);
        };
        if self.column() == range.start {
            // Before the quote: the whole value is replaced.
            return slot(self.absolute(range), Quote::None);
        }
        let inside = range.start + 1;
        match line::quoted_end(text.as_bytes(), 0) {
            Some(end) if self.column() < range.start + end => {
                slot(self.absolute(inside..range.start + end - 1), Quote::Closed(quote))
            }
            Some(_) => None,
            None => slot(self.absolute(inside..range.end), Quote::Open(quote)),
        }
    }
}

/// The layout of the text, for inserted text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Style {
    /// Spaces per level.
    pub indent: usize,
    /// Spaces between the column of a key and the dashes below it.
    pub dash: usize,
    /// Line break.
    pub newline: &'static str,
    /// The text is JSON.
    pub json: bool,
}

/// How many lines are examined to learn the layout of a text.
const STYLE_LINES: usize = 200;

/// The line break of a text: that after its first line.
pub(crate) fn line_break(text: &Text) -> &'static str {
    if text.line_count() < 2 {
        return "\n";
    }
    let (first, end) = (text.line_range(0), text.line_range(1).start);
    match end - first.end {
        2 => "\r\n",
        _ if text.slice(first.end..end) == "\r" => "\r",
        _ => "\n",
    }
}

impl Style {
    /// How scalars are written, between brackets or not.
    pub(crate) fn scalars(self, flow: bool) -> ScalarContext {
        match (self.json, flow) {
            (true, _) => ScalarContext::Json,
            (false, true) => ScalarContext::Flow,
            (false, false) => ScalarContext::Block,
        }
    }

    /// The layout of the first lines; by default two spaces, and dashes below their key.
    pub(crate) fn of(text: &Text) -> Style {
        let mut style = Style { indent: 2, dash: 0, newline: line_break(text), json: false };
        let lines = text.line_count().min(STYLE_LINES);
        let (mut indent_known, mut dash_known) = (false, false);
        let mut parent: Option<usize> = None;
        for line in 0..lines {
            if indent_known && dash_known {
                break;
            }
            let text = text.slice(text.line_range(line));
            let layout = line::layout(&text);
            if text.trim().is_empty() || (layout.is_empty() && layout.comment.is_some()) {
                continue;
            }
            if let Some(parent) = parent {
                match layout.dashes.first() {
                    Some(dash) if !dash_known && *dash >= parent && *dash - parent <= 8 => {
                        style.dash = dash - parent;
                        dash_known = true;
                    }
                    None if !indent_known && layout.key.is_some() && layout.indent > parent => {
                        style.indent = (layout.indent - parent).min(8);
                        indent_known = true;
                    }
                    _ => {}
                }
            }
            parent = match &layout.key {
                Some((key, _)) if layout.value.is_empty() => Some(key.start),
                _ => None,
            };
        }
        style
    }
}

/// What is being typed at `cursor`. `None` where nothing can be completed: inside texts of several lines, after a
/// finished value.
pub(crate) fn context<'t>(cursor: &Cursor<'t>) -> Option<Context<'t>> {
    if let Some(token) = cursor.offset.checked_sub(1).and_then(|before| cursor.tree.token_at(before)) {
        let range = token.range();
        if token.kind() == Kind::Comment && range.start < cursor.offset && cursor.offset <= range.end {
            return Some(Context::Comment(range));
        }
        if token.kind() == Kind::Alias && cursor.offset <= range.end {
            return Some(Context::Alias(range));
        }
    }
    if let Some(open) = flow::open_flow(cursor) {
        return flow::context(cursor, open).map(|place| Context::Place(Box::new(place)));
    }
    block::context(cursor).map(|place| Context::Place(Box::new(place)))
}

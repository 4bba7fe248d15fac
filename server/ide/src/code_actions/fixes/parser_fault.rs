//! Fixes syntax errors with the small change that was most likely meant.

use super::{FindingFix, Rules};
use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::offers::Offers;
use crate::completion::Style;
use lofting_check::{Diagnostic, nearest_name, rules};
use lofting_diagnostic::Confidence::{self, Likely, Possible};
use lofting_document::write::double_quoted;
use lofting_syntax::{ErrorCode, Kind};
use std::ops::Range;

pub(super) static FIX: FindingFix = FindingFix { rules: Rules::Parser, offer };

/// A possible fix: its title, confidence and replacements.
type Mend = (String, Confidence, Vec<(Range<usize>, String)>);

fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    let Some(fault) = rules::fault_of(finding.rule) else { return };
    let place = FaultContext::new(context, finding.span.range());
    for (title, confidence, edits) in place.mends(fault) {
        let edits = edits.into_iter().map(|(range, new)| (context.span(range), new)).collect::<Vec<_>>();
        offers.add(title, confidence, || Some(Change::of(context.tidied(&edits))));
    }
}

/// The place of a syntax error.
struct FaultContext<'c, 's> {
    context: &'c Context<'s>,
    /// The range of the error.
    at: Range<usize>,
    /// The line in which it begins, without its line break.
    line: Range<usize>,
    text: String,
}

impl<'c, 's> FaultContext<'c, 's> {
    fn new(context: &'c Context<'s>, at: Range<usize>) -> Self {
        let line = context.text.line_range(context.text.line_of(at.start));
        let text = context.text.slice(line.clone()).into_owned();
        FaultContext { context, at, line, text }
    }

    /// The marked text, on its first line.
    fn marked(&self) -> &str {
        let end = self.at.end.min(self.line.end) - self.line.start;
        self.text.get(self.at.start - self.line.start..end).unwrap_or_default()
    }

    fn before(&self) -> &str {
        self.text.get(..self.at.start - self.line.start).unwrap_or_default()
    }

    /// The range from an offset to the end of the line, without a comment and the blanks before it.
    fn rest(&self, from: usize) -> &str {
        let rest = self.text.get(from - self.line.start..).unwrap_or_default();
        rest.split(" #").next().unwrap_or_default().trim_end()
    }

    /// Puts quotes around everything from an offset to the end of the line.
    fn quoted(&self, from: usize, confidence: Confidence) -> Option<Mend> {
        let rest = self.rest(from);
        let plain = !rest.is_empty() && !rest.contains(['"', '\n']);
        plain.then(|| ("Put it in quotes".to_owned(), confidence, vec![(from..from + rest.len(), double_quoted(rest))]))
    }

    /// Replaces the blanks before the marked text by a line break and this indentation.
    fn on_next_line(&self, columns: usize) -> Vec<(Range<usize>, String)> {
        let blanks = self.before().len() - self.before().trim_end().len();
        let newline = self.context.newline();
        vec![(self.at.start - blanks..self.at.start, format!("{newline}{}", " ".repeat(columns)))]
    }

    /// The column in which the first key of the line begins.
    fn key_column(&self) -> usize {
        self.text.len() - self.text.trim_start_matches(['-', ' ']).len()
    }

    fn insert(at: usize, text: &str) -> Vec<(Range<usize>, String)> {
        vec![(at..at, text.to_owned())]
    }

    fn remove(&self) -> Vec<(Range<usize>, String)> {
        vec![(self.at.clone(), String::new())]
    }

    fn mends(&self, fault: ErrorCode) -> Vec<Mend> {
        let (start, newline, style) = (self.at.start, self.context.newline(), Style::of(&self.context.text));
        let one = |title: &str, confidence, edits| vec![(title.to_owned(), confidence, edits)];
        match fault {
            ErrorCode::MissingColon => self.missing_colon(),
            ErrorCode::NestedMapping => {
                let value = self.text.find(": ").map(|colon| self.line.start + colon + 2);
                value.and_then(|value| self.quoted(value, Likely)).into_iter().collect()
            }
            ErrorCode::TabIndentation => one("Replace tabs by spaces", Likely, self.tabs(style.indent)),
            ErrorCode::UnclosedQuote => {
                let quote = if self.marked().starts_with('\'') { "'" } else { "\"" };
                let end = start + self.rest(start).len();
                one("Close the quote at the end of the line", Likely, Self::insert(end, quote))
            }
            ErrorCode::UnclosedFlow => {
                let close = if self.marked().starts_with('{') { "}" } else { "]" };
                let end = start + self.rest(start).trim_end_matches([',', ' ']).len();
                one("Close it at the end of the line", Likely, Self::insert(end, close))
            }
            ErrorCode::StrayBracket => one("Remove it", Possible, self.remove()),
            ErrorCode::MissingComma => {
                let end = self.line.start + self.before().trim_end().len();
                one("Write a comma", Likely, Self::insert(end, ","))
            }
            ErrorCode::ExtraComma => one("Remove the comma", Likely, self.remove()),
            ErrorCode::UnexpectedText => {
                let comment = if self.before().ends_with(' ') { "#! " } else { " #! " };
                one("Make it a comment", Possible, Self::insert(start, comment))
            }
            ErrorCode::UnexpectedKey => one("Indent it below the item", Possible, Self::insert(self.line.start, "  ")),
            ErrorCode::InlineSequence => {
                let edits = self.on_next_line(self.key_column() + style.dash);
                one("Begin the array on the next line", Likely, edits)
            }
            ErrorCode::EmptyName | ErrorCode::ReservedCharacter => self.quoted(start, Likely).into_iter().collect(),
            ErrorCode::UnknownAlias => self.unknown_alias(),
            ErrorCode::RepeatedProperty => one("Remove it", Possible, self.remove()),
            ErrorCode::AliasProperty => {
                let before = self.before().trim_end();
                let property = before.rfind(' ').map_or(0, |blank| blank + 1);
                let is_one = before.get(property..).is_some_and(|word| word.starts_with(['&', '!']));
                let range = self.line.start + property..start;
                if is_one { one("Remove the anchor or tag", Likely, vec![(range, String::new())]) } else { Vec::new() }
            }
            ErrorCode::InvalidTag | ErrorCode::UnknownTagHandle => self.quoted(start, Possible).into_iter().collect(),
            ErrorCode::InvalidEscape => one("Double the backslash", Likely, Self::insert(start, "\\")),
            ErrorCode::BlockScalarHeader => {
                one("Begin the text on the next line", Likely, self.on_next_line(self.key_column() + style.indent))
            }
            ErrorCode::CommentSpace => one("Write a space before `#`", Likely, Self::insert(start, " ")),
            ErrorCode::InvalidDirective => one("Remove the line", Possible, self.remove()),
            ErrorCode::MissingDocumentStart => {
                let next = self.context.text.line_range(self.context.text.line_of(start) + 1).start;
                one("Write `---` below", Likely, Self::insert(next, &format!("---{newline}")))
            }
            ErrorCode::DocumentStartLine => one("Begin on the next line", Likely, self.on_next_line(0)),
            ErrorCode::ControlCharacter => one("Remove it", Likely, self.remove()),
            ErrorCode::UnexpectedContent => {
                one("Begin a new document", Possible, Self::insert(self.line.start, &format!("---{newline}")))
            }
            ErrorCode::BadIndentation => self.bad_indentation(),
            // Which of two versions, which key, which depth: only the author knows.
            ErrorCode::ConflictMarker
            | ErrorCode::MissingKey
            | ErrorCode::MultilineKey
            | ErrorCode::UnexpectedItem
            | ErrorCode::BlockScalarIndentation
            | ErrorCode::TooDeep => Vec::new(),
        }
    }

    /// `port 8080` is a key and its value, `port` a key that has none yet.
    fn missing_colon(&self) -> Vec<Mend> {
        let word = self.marked();
        let colon = "Write a colon".to_owned();
        // `port:8080`
        let joined = word.find(':').filter(|at| *at > 0 && !word.get(..*at).unwrap_or_default().contains(' '));
        if let Some(at) = joined.filter(|at| !word.get(at + 1..).unwrap_or_default().starts_with(['/', ' ', ':'])) {
            return vec![(
                "Write a space after the colon".to_owned(),
                Likely,
                Self::insert(self.at.start + at + 1, " "),
            )];
        }
        match word.find(' ') {
            Some(blank) if !word.starts_with(['"', '\'']) => {
                let edits = Self::insert(self.at.start + blank, ":");
                vec![(format!("Write a colon behind `{}`", word.get(..blank).unwrap_or_default()), Likely, edits)]
            }
            _ => vec![(colon, Likely, Self::insert(self.at.start + word.trim_end().len(), ":"))],
        }
    }

    /// The tabs before the content of this line and its neighbours.
    fn tabs(&self, indent: usize) -> Vec<(Range<usize>, String)> {
        let text = &self.context.text;
        let lead = |line: usize| {
            let range = text.line_range(line);
            let content = text.slice(range.clone());
            let length = content.len() - content.trim_start_matches([' ', '\t']).len();
            let blanks = content.get(..length).unwrap_or_default().to_owned();
            (range.start..range.start + length, blanks)
        };
        let has_tab = |line: &usize| lead(*line).1.contains('\t');
        let own = text.line_of(self.at.start);
        let indent = self.tab_width(own, indent);
        let above = (0..own).rev().take(LINES).take_while(has_tab);
        let below = (own..text.line_count()).take(LINES).take_while(has_tab);
        let spaces = |(range, blanks): (Range<usize>, String)| (range, blanks.replace('\t', &" ".repeat(indent)));
        let mut lines: Vec<usize> = above.chain(below).collect();
        lines.sort_unstable();
        lines.into_iter().map(lead).map(spaces).collect()
    }

    /// How many columns a tab at the start of a line stands for: the usual indentation, unless only another width leads to
    /// the column of a neighbour.
    fn tab_width(&self, own: usize, indent: usize) -> usize {
        let text = &self.context.text;
        let lead = |line: usize| {
            let content = text.slice(text.line_range(line));
            let length = content.len() - content.trim_start_matches([' ', '\t']).len();
            content.get(..length).unwrap_or_default().to_owned()
        };
        let blanks = lead(own);
        let neighbours = [own.checked_sub(1), Some(own + 1).filter(|line| *line < text.line_count())];
        let columns: Vec<usize> = neighbours
            .into_iter()
            .flatten()
            .filter(|line| !text.slice(text.line_range(*line)).trim().is_empty())
            .map(lead)
            .filter(|blanks| !blanks.contains('\t'))
            .map(|blanks| blanks.len())
            .collect();
        let tabs = blanks.matches('\t').count();
        let fits = |width: &usize| columns.contains(&(blanks.len() - tabs + tabs * width));
        [indent, 2, 4, 8].into_iter().find(fits).unwrap_or(indent)
    }

    /// Similar anchors above, or quotes around the text: `*.example.org` is a string.
    fn unknown_alias(&self) -> Vec<Mend> {
        let name = self.marked().trim_start_matches('*');
        let tree = self.context.tree();
        let mut anchors: Vec<String> = Vec::new();
        let mut at = self.at.start;
        // In a long text, only anchors nearby are considered.
        for _ in 0..TOKENS {
            let Some(token) = at.checked_sub(1).and_then(|before| tree.token_at(before)) else { break };
            if token.kind() == Kind::Anchor {
                anchors.push(token.text().trim_start_matches('&').to_owned());
            }
            at = token.range().start.min(at - 1);
        }
        let meant = nearest_name(name, anchors.iter().map(String::as_str));
        let change =
            meant.map(|meant| (format!("Change to `*{meant}`"), Likely, vec![(self.at.clone(), format!("*{meant}"))]));
        change.into_iter().chain(self.quoted(self.at.start, Possible)).collect()
    }

    /// The nearest column at which a line at this place may begin, if the line below still belongs to this one.
    fn bad_indentation(&self) -> Vec<Mend> {
        let text = &self.context.text;
        let own = text.line_of(self.at.start);
        let (here, is_item) = (self.at.start - self.line.start, self.marked_rest().starts_with("- "));
        if !self.before().trim().is_empty() {
            return Vec::new();
        }
        // Columns of the levels that are open above this line, the innermost first.
        let mut open: Vec<usize> = Vec::new();
        for line in (own.saturating_sub(LINES)..own).rev() {
            let content = text.slice(text.line_range(line));
            let trimmed = content.trim_start_matches(' ');
            let column = content.len() - trimmed.len();
            if trimmed.trim().is_empty() || trimmed.starts_with('#') || open.last().is_some_and(|last| *last <= column)
            {
                continue;
            }
            // The keys of an item begin behind its dash.
            let behind = column + trimmed.len() - trimmed.trim_start_matches(['-', ' ']).len();
            if trimmed.starts_with("- ") && !is_item && open.last().is_none_or(|last| behind < *last) {
                open.push(behind);
            }
            if is_item == trimmed.starts_with("- ") || (is_item && trimmed.ends_with(':')) {
                open.push(column);
            }
            if column == 0 {
                break;
            }
        }
        let Some(column) = open.into_iter().min_by_key(|column| column.abs_diff(here)).filter(|it| *it != here) else {
            return Vec::new();
        };
        let below = (own + 1..text.line_count()).take(1).map(|line| text.slice(text.line_range(line)).into_owned());
        let below = below.map(|line| line.len() - line.trim_start_matches(' ').len()).find(|below| *below > here);
        let dash = self.marked_rest().len() - self.marked_rest().trim_start_matches(['-', ' ']).len();
        if below.is_some_and(|below| below <= column || is_item && below != column + dash) {
            return Vec::new();
        }
        let edits = vec![(self.line.start..self.at.start, " ".repeat(column))];
        vec![("Move it to the column of the lines above".to_owned(), Possible, edits)]
    }

    /// The line from the marked text on.
    fn marked_rest(&self) -> &str {
        self.text.get(self.at.start - self.line.start..).unwrap_or_default()
    }
}

/// How many neighbouring lines are considered.
const LINES: usize = 200;
/// How many tokens before an alias are considered.
const TOKENS: usize = 1_000;

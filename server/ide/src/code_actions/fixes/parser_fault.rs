//! Fixes syntax errors with the small change that was most likely meant.

use super::{FindingFix, Rules};
use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::offers::Offers;
use crate::completion::Style;
use lofting_check::{Diagnostic, nearest_name, rules};
use lofting_diagnostic::Confidence::{self, Likely, Possible, Sure};
use lofting_document::write::double_quoted;
use lofting_syntax::{ErrorCode, Kind};
use std::ops::Range;

mod tabs;

pub(super) static FIX: FindingFix = FindingFix { rules: Rules::Parser, offer };

/// A possible fix: its title, confidence and replacements.
type Repair = (String, Confidence, Vec<(Range<usize>, String)>);

fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    let Some(fault) = rules::fault_of(finding.rule) else { return };
    let place = FaultContext::new(context, finding.span.range());
    for (title, confidence, edits) in place.repairs(fault) {
        let edits = edits.into_iter().map(|(range, new)| (context.span(range), new)).collect::<Vec<_>>();
        offers.add(title, confidence, || context.tidied(&edits).map(Change::of));
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
    fn quoted(&self, from: usize, confidence: Confidence) -> Option<Repair> {
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
        key_column(&self.text)
    }

    fn insert(at: usize, text: &str) -> Vec<(Range<usize>, String)> {
        vec![(at..at, text.to_owned())]
    }

    fn remove(&self) -> Vec<(Range<usize>, String)> {
        vec![(self.at.clone(), String::new())]
    }

    fn repairs(&self, fault: ErrorCode) -> Vec<Repair> {
        let (start, newline, style) = (self.at.start, self.context.newline(), Style::of(&self.context.text));
        let one = |title: &str, confidence, edits| vec![(title.to_owned(), confidence, edits)];
        if let Some(repair) = self.dash_without_space(fault) {
            return vec![repair];
        }
        match fault {
            ErrorCode::MissingColon => self.missing_colon(),
            ErrorCode::MissingSpace => one("Write an ordinary space", Sure, vec![(self.at.clone(), " ".to_owned())]),
            ErrorCode::NestedMapping => {
                let value = self.text.find(": ").map(|colon| self.line.start + colon + 2);
                value.and_then(|value| self.quoted(value, Likely)).into_iter().collect()
            }
            ErrorCode::TabIndentation => self.tabs().into_iter().collect(),
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
            // `${X}` is meant as a text.
            ErrorCode::MissingComma if self.at.len() > 1 => {
                let quoted = double_quoted(self.marked());
                one("Put it in quotes", Likely, vec![(self.at.clone(), quoted)])
            }
            ErrorCode::MissingComma => {
                let end = self.line.start + self.before().trim_end().len();
                one("Write a comma", Likely, Self::insert(end, ","))
            }
            ErrorCode::ExtraComma => one("Remove the comma", Likely, self.remove()),
            ErrorCode::UnexpectedText => {
                let blank = if self.before().ends_with(' ') { "" } else { " " };
                let comment = format!("{blank}{} ", self.context.comment_mark());
                one("Make it a comment", Possible, Self::insert(start, &comment))
            }
            ErrorCode::UnexpectedKey => {
                let below = one("Indent it below the item", Possible, Self::insert(self.line.start, "  "));
                self.item_above_too_deep().into_iter().chain(below).collect()
            }
            ErrorCode::UnexpectedItem => self.item_too_deep().into_iter().collect(),
            ErrorCode::InlineSequence => {
                let edits = self.on_next_line(self.key_column() + style.dash);
                one("Begin the array on the next line", Likely, edits)
            }
            ErrorCode::EmptyName | ErrorCode::ReservedCharacter => self.quoted(start, Likely).into_iter().collect(),
            ErrorCode::UnknownAlias => self.unknown_alias(),
            ErrorCode::AliasColon => one("Write a space before the colon", Sure, Self::insert(self.at.end - 1, " ")),
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
            ErrorCode::ControlCharacter | ErrorCode::LineSeparator => one("Remove it", Likely, self.remove()),
            ErrorCode::UnexpectedContent => {
                one("Begin a new document", Possible, Self::insert(self.line.start, &format!("---{newline}")))
            }
            ErrorCode::BadIndentation => self.bad_indentation(),
            // Which of two versions, which key, which depth: only the author knows.
            ErrorCode::ConflictMarker
            | ErrorCode::MissingKey
            | ErrorCode::MultilineKey
            | ErrorCode::BlockScalarIndentation
            | ErrorCode::TooDeep => Vec::new(),
        }
    }

    /// `-name: web` is an item whose dash has no space after it. What is marked is that line, or the next key of the item,
    /// which begins where the first one would.
    fn dash_without_space(&self, fault: ErrorCode) -> Option<Repair> {
        let text = &self.context.text;
        let own = text.line_of(self.at.start);
        let line = |number: usize| text.slice(text.line_range(number)).into_owned();
        let repair = |number: usize, column: usize, confidence| {
            let after = text.line_range(number).start + column + 1;
            ("Write a space after `-`".to_owned(), confidence, Self::insert(after, " "))
        };
        let (column, is_first) = (blanks_of(&self.text).len(), self.before().trim().is_empty());
        let is_dash = |line: &str| {
            let rest = line.trim_start().strip_prefix('-');
            rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '"' | '\'')))
        };
        match fault {
            ErrorCode::MissingColon | ErrorCode::UnexpectedKey if is_first && is_dash(&self.text) => {
                let is_item_there = self.item_columns(own).contains(&column);
                Some(repair(own, column, if is_item_there { Sure } else { Likely }))
            }
            ErrorCode::BadIndentation if is_first => {
                let above = (0..own).rev().take(LINES).find(|number| {
                    let line = line(*number);
                    !line.trim().is_empty() && !line.trim_start().starts_with('#') && blanks_of(&line).len() < column
                })?;
                let content = line(above);
                let dash = blanks_of(&content).len();
                (is_dash(&content) && dash + 2 == column).then(|| repair(above, dash, Sure))
            }
            _ => None,
        }
    }

    /// `port 8080` is a key and its value, `port` a key that has none yet.
    fn missing_colon(&self) -> Vec<Repair> {
        let word = self.marked();
        let colon = "Write a colon".to_owned();
        // A marker of a document begins its line.
        if ["---", "..."].contains(&word.trim_end()) && !self.before().is_empty() && self.before().trim().is_empty() {
            let edits = vec![(self.line.start..self.at.start, String::new())];
            return vec![(format!("Remove the blanks before `{}`", word.trim_end()), Likely, edits)];
        }
        // `port:8080`
        let joined = word.find(':').filter(|at| *at > 0 && !word.get(..*at).unwrap_or_default().contains(' '));
        if let Some(at) = joined.filter(|at| !word.get(at + 1..).unwrap_or_default().starts_with(['/', ' ', ':'])) {
            return vec![(
                "Write a space after the colon".to_owned(),
                Likely,
                Self::insert(self.at.start + at + 1, " "),
            )];
        }
        // `port = 8080`, `port= 8080`
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let name = key.trim_end();
        if !name.is_empty() && !name.contains(' ') && value.starts_with(' ') {
            let from = self.at.start + name.len();
            let edit = (from..self.at.start + key.len() + 1, ":".to_owned());
            return vec![("Write a colon for `=`".to_owned(), Likely, vec![edit])];
        }
        let of_text = self.indented_to_text_above();
        if word.contains(' ') && of_text.is_some() {
            return of_text.into_iter().collect();
        }
        match word.find(' ') {
            Some(blank) if !word.starts_with(['"', '\'']) => {
                let edits = Self::insert(self.at.start + blank, ":");
                vec![(format!("Write a colon after `{}`", word.get(..blank).unwrap_or_default()), Likely, edits)]
            }
            _ => vec![(colon, Likely, Self::insert(self.at.start + word.trim_end().len(), ":"))],
        }
    }

    /// The line as a part of the text of `|` or `>` above, which is deeper.
    fn indented_to_text_above(&self) -> Option<Repair> {
        let text = &self.context.text;
        let above = (0..text.line_of(self.at.start)).rev().take(LINES).map(|line| text.line_range(line));
        let (start, line) = above
            .map(|range| (range.start, text.slice(range).into_owned()))
            .find(|(_, line)| !line.trim().is_empty())?;
        let column = blanks_of(&line).len();
        let is_text = self.context.tree().token_at(start + column).is_some_and(|token| token.kind() == Kind::BlockBody);
        let is_first = self.before().trim().is_empty() && self.before().len() < column;
        let edits = vec![(self.line.start..self.at.start, blanks_of(&line).to_owned())];
        (is_text && is_first).then(|| ("Indent the line like the text above".to_owned(), Likely, edits))
    }

    /// How much deeper what a key holds begins in most places near a line. That of the line itself is in doubt.
    fn usual_indent(&self, own: usize) -> usize {
        let text = &self.context.text;
        let near = own.saturating_sub(LINES)..(own + LINES).min(text.line_count());
        let mut seen = [0_usize; 9];
        let mut above: Option<usize> = None;
        for line in near.map(|line| text.slice(text.line_range(line)).into_owned()) {
            let content = line.trim();
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            let column = blanks_of(&line).len();
            let deeper = above.and_then(|above| column.checked_sub(above)).filter(|_| !blanks_of(&line).contains('\t'));
            if let Some(count) = deeper.filter(|deeper| *deeper >= 2).and_then(|deeper| seen.get_mut(deeper)) {
                *count += 1;
            }
            above = (opens(&line) && !blanks_of(&line).contains('\t')).then(|| key_column(&line));
        }
        // Of equals, the smallest is usual.
        let most = seen.iter().copied().max().unwrap_or_default();
        let usual = seen.iter().position(|count| *count == most && most > 0);
        usual.unwrap_or(2)
    }

    /// A similar anchor above, or quotes around the text: `*.example.org` is a string.
    fn unknown_alias(&self) -> Vec<Repair> {
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
        // `*.example.org` cannot be a name, and what is similar to a given name is one.
        let is_name = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
        let quoted = match (is_name, change.is_some()) {
            (true, true) => None,
            (false, false) => self.quoted(self.at.start, Likely),
            (true, false) | (false, true) => self.quoted(self.at.start, Possible),
        };
        change.into_iter().chain(quoted).collect()
    }

    /// The nearest column at which a line at this place may begin, if the line below still belongs to this one.
    fn bad_indentation(&self) -> Vec<Repair> {
        let text = &self.context.text;
        let own = text.line_of(self.at.start);
        let (here, is_item) = (self.at.start - self.line.start, self.marked_rest().starts_with("- "));
        if !self.before().trim().is_empty() {
            return Vec::new();
        }
        let above = self.block_above_too_deep(own, here);
        let above = above.or_else(|| self.line_above_too_shallow(own, here)).or_else(|| self.item_above_too_deep());
        if let Some(repair) = above {
            return vec![repair];
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
            // The keys of an item begin after its dash.
            let after = column + trimmed.len() - trimmed.trim_start_matches(['-', ' ']).len();
            if trimmed.starts_with("- ") && !is_item && open.last().is_none_or(|last| after < *last) {
                open.push(after);
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
        // A line with a value has neighbours below it and nothing of its own.
        let is_neighbour = |below: usize| below == column && !is_item && !opens(&self.text);
        let is_lost = |below: usize| below <= column && !is_neighbour(below) || is_item && below != column + dash;
        if below.is_some_and(is_lost) {
            return Vec::new();
        }
        let edits = vec![(self.line.start..self.at.start, " ".repeat(column))];
        let confidence = if self.is_slip(own, here, column) { Sure } else { Possible };
        vec![("Move it to the column of the lines above".to_owned(), confidence, edits)]
    }

    /// Whether a line with a key and its value, which begins here, can only belong in a column: it is one or two columns off,
    /// the line above has a value of its own and begins in that column, and if this one is too far to the left, the line below
    /// does so, too.
    fn is_slip(&self, own: usize, here: usize, column: usize) -> bool {
        let text = &self.context.text;
        let line = |line: usize| text.slice(text.line_range(line)).into_owned();
        let begins = |line: &String| !line.trim().is_empty() && !opens(line) && key_column(line) == column;
        let is_key = !opens(&self.text) && !self.marked_rest().starts_with("- ");
        let above = own.checked_sub(1).map(line);
        let below =
            || (own + 1 < text.line_count()).then(|| line(own + 1)).is_some_and(|below| key_column(&below) == column);
        // A whole level too deep, it may belong to a key that is missing.
        let is_off = here.abs_diff(column) <= 2 && here.saturating_sub(column) < self.usual_indent(own);
        is_key && is_off && above.is_some_and(|above| begins(&above)) && (here > column || below())
    }

    /// The lines above this one in its block, if they and not this one are in a column that is not usual.
    fn block_above_too_deep(&self, own: usize, here: usize) -> Option<Repair> {
        let text = &self.context.text;
        let indent = self.usual_indent(own);
        let line = |line: usize| text.slice(text.line_range(line)).into_owned();
        let deeper = |number: &usize| blanks_of(&line(*number)).len() > here && !line(*number).trim().is_empty();
        let block: Vec<usize> = (0..own).rev().take(LINES).take_while(deeper).collect();
        let first = *block.last()?;
        let column = blanks_of(&line(first)).len();
        let is_alone = first.checked_sub(1).is_none_or(|before| {
            let before = line(before);
            before.starts_with("---")
                || before.trim_start().starts_with('#')
                || opens(&before) && blanks_of(&before).len() <= here
        });
        let is_same_kind = line(first).trim_start().starts_with("- ") == self.marked_rest().starts_with("- ");
        // Where what holds them says in which column they belong, that decides.
        let holder = first.checked_sub(1).map(line).filter(|before| opens(before)).map(|before| key_column(&before));
        let is_unusual = match holder.filter(|_| !line(first).trim_start().starts_with("- ")) {
            Some(holder) => here == holder + indent && column != here,
            // At the root.
            None if here == 0 && !self.marked_rest().starts_with("- ") => true,
            None => !column.is_multiple_of(indent) && here.is_multiple_of(indent) && column - here < indent,
        };
        let is_block = block.iter().all(|number| blanks_of(&line(*number)).len() >= column);
        if !(is_alone && is_same_kind && is_unusual && is_block) {
            return None;
        }
        let moved = |number: usize| {
            let start = text.line_range(number).start;
            (start..start + column - here, String::new())
        };
        // One line that is too deep for the collection around it, and that contains no other line.
        let is_slip = holder.is_some_and(|holder| here == holder + indent) && block.len() == 1 && !opens(&line(first));
        let confidence = if is_slip && column - here < indent { Sure } else { Possible };
        let edits = block.into_iter().rev().map(moved).collect();
        Some(("Move what is above to the column of this line".to_owned(), confidence, edits))
    }

    /// The line above this one, the first of its block, if it and not this one is in a column that is not usual.
    fn line_above_too_shallow(&self, own: usize, here: usize) -> Option<Repair> {
        let (text, indent) = (&self.context.text, self.usual_indent(own));
        let line = |line: usize| text.slice(text.line_range(line)).into_owned();
        let number = own.checked_sub(1)?;
        let above = line(number);
        let (column, is_item) = (key_column(&above), above.trim_start().starts_with("- "));
        if above.trim().is_empty() || opens(&above) || column >= here || here - column >= indent {
            return None;
        }
        let before = number.checked_sub(1).map(line);
        let is_first = is_item || before.as_ref().is_none_or(|before| opens(before) && key_column(before) < column);
        let holder = before.filter(|_| !is_item);
        let confidence = if holder.is_some() { Sure } else { Possible };
        let is_expected = match holder {
            Some(before) => here == key_column(&before) + indent,
            None => here.is_multiple_of(indent) && !column.is_multiple_of(indent),
        };
        if !(is_first && is_expected) || self.marked_rest().starts_with("- ") {
            return None;
        }
        let edits = Self::insert(text.line_range(number).start, &" ".repeat(here - column));
        Some(("Move the line above to the column of this line".to_owned(), confidence, edits))
    }

    /// For a key that is not in the column of the keys of the item that begins above it: the item, if it is deeper than what holds it says.
    fn item_above_too_deep(&self) -> Option<Repair> {
        let text = &self.context.text;
        let number = text.line_of(self.at.start).checked_sub(1)?;
        let line = |line: usize| text.slice(text.line_range(line)).into_owned();
        let (above, here) = (line(number), blanks_of(&self.text).len());
        let dash = blanks_of(&above).len();
        let deeper = key_column(&above).checked_sub(here)?;
        let column = dash.checked_sub(deeper).filter(|_| above.trim_start().starts_with("- ") && deeper > 0)?;
        let before = line(number.checked_sub(1)?);
        let is_usual = if opens(&before) {
            column == key_column(&before) || column == key_column(&before) + self.usual_indent(number)
        } else {
            self.item_columns(number).contains(&column)
        };
        let start = text.line_range(number).start;
        let edits = vec![(start..start + deeper, String::new())];
        is_usual.then(|| ("Move the item above to the left".to_owned(), Possible, edits))
    }

    /// For an item among the keys of the item above it: the column of that item.
    fn item_too_deep(&self) -> Option<Repair> {
        let here = blanks_of(&self.text).len();
        let own = self.context.text.line_of(self.at.start);
        let column = self.item_columns(own).into_iter().find(|column| *column < here)?;
        let edits = vec![(self.line.start + column..self.line.start + here, String::new())];
        Some(("Move it to the column of the items above".to_owned(), Possible, edits))
    }

    /// The columns of the items that are open above a line, the innermost first.
    fn item_columns(&self, own: usize) -> Vec<usize> {
        let text = &self.context.text;
        let (mut columns, mut least) = (Vec::new(), usize::MAX);
        for line in (own.saturating_sub(LINES)..own).rev() {
            let content = text.slice(text.line_range(line));
            let column = blanks_of(&content).len();
            if content.trim().is_empty() || content.trim_start().starts_with('#') || column >= least {
                continue;
            }
            least = column;
            if content.trim_start().starts_with("- ") {
                columns.push(column);
            }
            if column == 0 {
                break;
            }
        }
        columns
    }

    /// The line from the marked text on.
    fn marked_rest(&self) -> &str {
        self.text.get(self.at.start - self.line.start..).unwrap_or_default()
    }
}

/// The blanks before the content of a line.
fn blanks_of(line: &str) -> &str {
    line.get(..line.len() - line.trim_start_matches([' ', '\t']).len()).unwrap_or_default()
}

/// The column in which the first key of a line begins.
fn key_column(line: &str) -> usize {
    line.len() - line.trim_start_matches(['-', ' ']).len()
}

/// Whether what a line holds is on the lines below.
fn opens(line: &str) -> bool {
    line.trim_end().ends_with(':')
}

/// How many neighbouring lines are considered.
const LINES: usize = 200;
/// How many tokens before an alias are considered.
const TOKENS: usize = 1_000;

//! Spaces for tabs in front of a line.

use super::{FaultContext, LINES, Repair, blanks_of, key_column, opens};
use lofting_diagnostic::Confidence::{Likely, Possible};
use lofting_syntax::parse;
use std::ops::Range;

/// How sure it is in which column a line begins.
const GUESSED: usize = 1;
const CERTAIN: usize = 2;

/// In longer texts it is not tried whether they can be read afterwards, in bytes.
const TRIED: usize = 64 * 1024;

impl FaultContext<'_, '_> {
    /// Spaces for the tabs before the content of this line and its neighbours: in the column of a neighbour.
    pub(super) fn tabs(&self) -> Option<Repair> {
        let text = &self.context.text;
        let lead = |line: usize| {
            let range = text.line_range(line);
            let blanks = blanks_of(&text.slice(range.clone())).to_owned();
            (range.start..range.start + blanks.len(), blanks)
        };
        let has_tab = |line: &usize| lead(*line).1.contains('\t');
        let own = text.line_of(self.at.start);
        let above = (0..own).rev().take(LINES).take_while(has_tab);
        let below = (own..text.line_count()).take(LINES).take_while(has_tab);
        let mut lines: Vec<usize> = above.chain(below).collect();
        lines.sort_unstable();
        let blanks = lead(own).1;
        let expected = self.columns(own);
        let sure = |column: usize| -> usize {
            expected.iter().filter(|(expected, _)| *expected == column).map(|(_, sure)| sure).sum()
        };
        // Of equals, the last is taken.
        let widths = [8, 4, 2, self.usual_indent(own)];
        let width = widths.into_iter().max_by_key(|width| sure(column(&blanks, *width))).unwrap_or(2);
        let usual = column(&blanks, width);
        // Where no width agrees with a neighbour, the surest column, and the other lines move with this one.
        let nearest = expected.iter().max_by_key(|(column, sure)| (*sure, usize::MAX - column.abs_diff(usual)));
        let wanted = nearest.map_or(usual, |(column, _)| if sure(usual) > 0 { usual } else { *column });
        let leads: Vec<(Range<usize>, String)> = lines.into_iter().map(lead).collect();
        let moved = |wanted: usize| -> Vec<(Range<usize>, String)> {
            let spaces = |(range, blanks): &(Range<usize>, String)| {
                let column = (column(blanks, width) + wanted).saturating_sub(usual);
                (range.clone(), " ".repeat(column))
            };
            leads.iter().map(spaces).collect()
        };
        // Where the lines around cannot be read in that column, those of the neighbours, and of a key that
        // follows dashes, are tried as well.
        let near = expected.iter().map(|(column, _)| *column);
        let after_dashes = near.clone().filter_map(|column| column.checked_sub(self.dashes(own)));
        let columns = std::iter::once(wanted).chain(near).chain(after_dashes).chain(widths);
        let edits = columns.map(moved).min_by_key(|edits| self.faults_after(edits).unwrap_or_default())?;
        let faults = self.faults_after(&edits);
        let is_better = faults.is_none_or(|faults| faults < self.context.tree().errors().len());
        let confidence = if is_better { Likely } else { Possible };
        Some(("Replace tabs by spaces".to_owned(), confidence, edits))
    }

    /// How many columns the dashes at the beginning of a line take.
    fn dashes(&self, own: usize) -> usize {
        let line = self.context.text.slice(self.context.text.line_range(own)).into_owned();
        let content = line.trim_start();
        content.len() - content.trim_start_matches(['-', ' ']).len()
    }

    /// How many faults the text has after edits of its lines, which are in order; None if that is not tried.
    fn faults_after(&self, edits: &[(Range<usize>, String)]) -> Option<usize> {
        if self.context.text.len() > TRIED {
            return None;
        }
        let before = self.context.text.to_string();
        let mut after = before.clone();
        for (range, new) in edits.iter().rev() {
            if after.get(range.clone()).is_some() {
                after.replace_range(range.clone(), new);
            }
        }
        Some(parse(&after).errors().len())
    }

    /// The columns in which a line may begin as its neighbours do, and how sure that is. What a line without a value opens
    /// is deeper, except for items, which may be as deep as their key.
    fn columns(&self, own: usize) -> Vec<(usize, usize)> {
        let (text, indent) = (&self.context.text, self.usual_indent(own));
        let count = text.line_count();
        let line = |line: usize| text.slice(text.line_range(line)).into_owned();
        let is_known = |line: &String| !line.trim().is_empty() && !blanks_of(line).contains('\t');
        let above = own.checked_sub(1).map(line).filter(is_known);
        let below = Some(own + 1).filter(|next| *next < count).map(line).filter(is_known);
        let own = line(own);
        let mut expected: Vec<(usize, usize)> = Vec::new();
        if let Some(above) = &above {
            expected.push(if opens(above) {
                (key_column(above) + indent, GUESSED)
            } else {
                (key_column(above), CERTAIN)
            });
        }
        if let Some(below) = &below {
            let column = blanks_of(below).len();
            let is_item = below.trim_start().starts_with("- ");
            let deeper = (column.saturating_sub(indent), GUESSED);
            match (opens(&own), is_item) {
                (true, false) => expected.push(deeper),
                (true, true) => expected.extend([(column, GUESSED), deeper]),
                (false, _) => expected.push((column, CERTAIN)),
            }
        }
        expected
    }
}

/// The column after blanks in which each tab has a width.
fn column(blanks: &str, width: usize) -> usize {
    let tabs = blanks.matches('\t').count();
    blanks.len() - tabs + tabs * width
}

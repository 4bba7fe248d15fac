//! Findings that comments in a file suppress: `#! lofting: ignore CODE` for those on its line or the next one, `#!
//! lofting: ignore-file CODE` for all. A plain `#` is enough in files that are not templates.

use crate::files::file::File;
use crate::inputs::NameKind;
use lofting_check::{Diagnostic, rules};
use lofting_diagnostic::Rule;
use lofting_diagnostic::suggest::Searches;
use lofting_document::Span;
use lofting_syntax::Kind;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The text before `ignore`.
const MARK: &str = "lofting:";

/// One code of one comment.
struct Suppression {
    rule: &'static Rule,
    /// The range of the code, in bytes.
    code: Range<usize>,
    /// What is removed with it: the whole comment if it has no other code.
    whole: Range<usize>,
    /// Findings that begin in these bytes are suppressed.
    covers: Range<usize>,
}

/// What comments suppress, and their mistakes.
#[derive(Default)]
struct SuppressionComments {
    suppressions: Vec<Suppression>,
    mistakes: Vec<Diagnostic>,
    searches: Searches,
}

/// What is reported about the comments themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SuppressionFindings {
    /// Nothing: the file is not ours, or it was already reported.
    Nothing,
    /// Comments that name no rule.
    Mistakes,
    /// All findings are known, so comments that suppress nothing are reported, too.
    All,
}

/// Drops what comments suppress, and reports mistakes in them.
pub(crate) fn apply(file: &File, findings: &mut Vec<Diagnostic>, suppression_findings: SuppressionFindings) {
    if !file.facts.suppressions {
        return;
    }
    let SuppressionComments { suppressions, mistakes, .. } = find(file);
    let mut found: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for finding in findings.iter() {
        found.entry(finding.rule.code).or_default().push(finding.span.range().start);
    }
    found.values_mut().for_each(|starts| starts.sort_unstable());
    let is_used = |suppression: &Suppression| {
        let starts = found.get(suppression.rule.code).map_or(&[][..], Vec::as_slice);
        let at = starts.partition_point(|start| *start < suppression.covers.start);
        starts.get(at).is_some_and(|start| suppression.covers.contains(start))
    };
    let used: Vec<bool> = suppressions.iter().map(is_used).collect();
    let covered = Covered::of(&suppressions);
    findings.retain(|finding| !covered.has(finding));
    findings.extend(mistakes.into_iter().filter(|_| suppression_findings != SuppressionFindings::Nothing));
    // What is found elsewhere and later is not known here.
    let is_known = |suppression: &Suppression| *suppression.rule != lofting_check::rules::BREAKING_CHANGE;
    let unused = suppressions.iter().zip(used).filter(|(suppression, used)| {
        suppression_findings == SuppressionFindings::All && !used && is_known(suppression)
    });
    findings.extend(unused.map(|(suppression, _)| {
        let span = |range: &Range<usize>| Span::new(file.id, range.clone());
        lofting_check::unused_suppression(span(&suppression.code), suppression.rule, span(&suppression.whole))
    }));
}

/// Where findings of each rule are suppressed: the start of each range, and the furthest end of all ranges that begin
/// up to there.
struct Covered(FxHashMap<&'static str, Vec<(usize, usize)>>);

impl Covered {
    fn of(suppressions: &[Suppression]) -> Covered {
        let mut covered: FxHashMap<&'static str, Vec<(usize, usize)>> = FxHashMap::default();
        for Suppression { rule, covers, .. } in suppressions {
            covered.entry(rule.code).or_default().push((covers.start, covers.end));
        }
        for ranges in covered.values_mut() {
            ranges.sort_unstable();
            let mut furthest = 0;
            for (_, end) in ranges {
                furthest = furthest.max(*end);
                *end = furthest;
            }
        }
        Covered(covered)
    }

    fn has(&self, finding: &Diagnostic) -> bool {
        let start = finding.span.range().start;
        let ranges = self.0.get(finding.rule.code).map_or(&[][..], Vec::as_slice);
        let before = ranges.partition_point(|(from, _)| *from <= start);
        before.checked_sub(1).and_then(|last| ranges.get(last)).is_some_and(|(_, end)| start < *end)
    }
}

fn find(file: &File) -> SuppressionComments {
    let text = String::from(file.text());
    let mut found = SuppressionComments::default();
    let mut lines = NextLines { text: &text, passed: 0..0, end: 0 };
    for at in memchr::memmem::find_iter(text.as_bytes(), MARK) {
        if let Some(comment) = comment_at(file, &text, at) {
            read(file, &mut lines, comment, &mut found);
        }
    }
    found
}

/// The comment whose first word is at a byte: from its `#` to the end of its line.
fn comment_at(file: &File, text: &str, at: usize) -> Option<Range<usize>> {
    let before = text.get(..at)?.trim_end_matches([' ', '\t']);
    let start = before.strip_suffix('!').unwrap_or(before).len().checked_sub(1)?;
    let rest = text.get(start..)?;
    let end = rest.find(['\n', '\r']).map_or(text.len(), |length| start + length);
    let is_comment = match NameKind::of_path(&file.path) {
        // There a tree of YAML has no meaning.
        NameKind::Starlark => true,
        _ if file.is_configuration() => true,
        _ => file.tree().token_at(start).is_some_and(|token| token.kind() == Kind::Comment),
    };
    (rest.starts_with('#') && is_comment).then_some(start..end)
}

fn read(file: &File, lines: &mut NextLines<'_>, comment: Range<usize>, found: &mut SuppressionComments) {
    let text = lines.text;
    let words = text.get(comment.clone()).unwrap_or_default();
    let Some((_, rest)) = words.split_once(MARK) else { return };
    let (rest, is_for_file) = match rest.trim_start().strip_prefix("ignore") {
        Some(rest) => rest.strip_prefix("-file").map_or((rest, false), |rest| (rest, true)),
        None => return,
    };
    if rest.starts_with(|c: char| !c.is_whitespace()) {
        return;
    }
    // The reason may follow after two dashes.
    let codes = rest.split(" -- ").next().unwrap_or_default();
    let start = comment.end - rest.len();
    let line_start = text.get(..comment.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let alone = text.get(line_start..comment.start).is_some_and(|before| before.trim().is_empty());
    let covers = match (is_for_file, alone) {
        (true, _) => 0..text.len() + 1,
        (false, true) => comment.end..lines.end_after(comment.end),
        (false, false) => line_start..comment.end,
    };
    let span = |range: &Range<usize>| Span::new(file.id, range.clone());
    let list: Vec<(&str, Range<usize>)> = parts(codes, start);
    if list.is_empty() {
        found.mistakes.push(lofting_check::suppression_of_nothing(span(&comment)));
    }
    for (index, (word, code)) in list.iter().enumerate() {
        let Some(rule) = rules::registry().get(word) else {
            found.mistakes.push(lofting_check::suppression_of_unknown(span(code), word, &mut found.searches));
            continue;
        };
        if let Some(today) = rules::registry().renamed(word) {
            found.mistakes.push(lofting_check::renamed_rule(span(code), &today, &today));
        }
        let whole = match (list.get(index + 1), index.checked_sub(1).and_then(|before| list.get(before))) {
            (Some((_, next)), _) => code.start..next.start,
            (None, Some((_, before))) => before.end..code.end,
            (None, None) => comment.clone(),
        };
        found.suppressions.push(Suppression { rule, code: code.clone(), whole, covers: covers.clone() });
    }
}

/// The parts between commas or spaces, with their ranges.
fn parts(codes: &str, start: usize) -> Vec<(&str, Range<usize>)> {
    let mut at = start;
    let mut parts = Vec::new();
    for piece in codes.split_inclusive([',', ' ', '\t']) {
        let word = piece.trim_end_matches([',', ' ', '\t']);
        if !word.is_empty() {
            parts.push((word, at..at + word.len()));
        }
        at += piece.len();
    }
    parts
}

/// Lines with more than a comment, queried from the beginning of a text to its end. Annotations before such a line
/// belong to it.
struct NextLines<'t> {
    text: &'t str,
    /// The comments that were passed on the way to the last one: many may be stacked above it.
    passed: Range<usize>,
    /// Its end.
    end: usize,
}

impl NextLines<'_> {
    /// The end of the first such line after the one that contains `from`.
    fn end_after(&mut self, from: usize) -> usize {
        if self.passed.contains(&from) {
            return self.end;
        }
        let rest = self.text.get(from..).unwrap_or_default();
        let mut at = rest.find('\n').map_or(self.text.len(), |length| from + length + 1);
        self.passed = from..at;
        for line in self.text.get(at..).unwrap_or_default().split_inclusive('\n') {
            at += line.len();
            let content = line.trim();
            if !content.is_empty() && !content.starts_with('#') {
                break;
            }
            self.passed.end = at;
        }
        self.end = at;
        at
    }
}

#[cfg(test)]
mod tests {
    use super::NextLines;

    /// Whatever was queried before, and wherever the cursor is on a line.
    #[test]
    fn the_next_line_is_the_same_however_it_is_asked_for() {
        let text = "# a\n\n#@ b\nx: 1\n# c\ny: # d\n  z: 2\n\n# e\n# f";
        let fresh = |from: usize| NextLines { text, passed: 0..0, end: 0 }.end_after(from);
        let mut kept = NextLines { text, passed: 0..0, end: 0 };
        let ends: Vec<usize> = (0..=text.len()).map(|from| kept.end_after(from)).collect();
        assert_eq!(ends, (0..=text.len()).map(fresh).collect::<Vec<_>>());
        let line = |from: usize| text[..fresh(from)].lines().last();
        assert_eq!([0, 4, 6, 11, 17].map(line), ["x: 1", "x: 1", "x: 1", "y: # d", "y: # d"].map(Some));
    }
}

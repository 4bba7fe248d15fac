//! The effect of damaged text on the values around it.

use crate::files::file::File;
use lofting_check::rules::{COLLECTION_KEY, DUPLICATE_KEY, REPEATED_KEY};
use lofting_check::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, Rule, Subject};
use lofting_document::Span;
use lofting_syntax::{ErrorCode, Kind};
use lofting_text::Text;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::ops::Range;

/// How many lines below a key are looked at.
const LINES: usize = 20;

/// If the lines below a key are damaged, its value is not yet what it will be, so nothing is reported about it at the
/// key. ytt does not get that far either.
pub(crate) fn drop_what_it_hides(found: &mut Vec<Diagnostic>, file: &File) {
    let errors = file.errors();
    if errors.is_empty() {
        return;
    }
    let starts: Vec<usize> = errors.iter().map(|error| error.range.start).collect();
    let hidden = |finding: &Diagnostic| {
        let of_value = finding.found.is_some() && finding.rule.subject == Subject::Value;
        let of_value = finding.stage != Stage::Parse && (of_value || finding.rule.cause == Cause::ValueBelow);
        of_value && finding.span.file == file.id && is_damaged_below(file.text(), finding.span.range(), &starts)
    };
    found.retain(|finding| !hidden(finding));
}

/// After a dash that is wrong or missing, the keys of the next item seem to be given again: that damage is the mistake.
pub(crate) fn drop_repetitions_it_causes(found: &mut Vec<Diagnostic>, file: &File) {
    let mut starts: Vec<usize> = file.errors().iter().map(|error| error.range.start).collect();
    starts.sort_unstable();
    let is_repeated_after = |finding: &Diagnostic| {
        let first = finding.related.first().map(|first| first.span.range().start);
        let is_repetition = *finding.rule == REPEATED_KEY || *finding.rule == DUPLICATE_KEY;
        let after = |first: usize| starts.get(starts.partition_point(|start| *start < first));
        let own = finding.span.range().start;
        is_repetition && first.is_some_and(|first| after(first).is_some_and(|damaged| *damaged <= own))
    };
    if !starts.is_empty() {
        found.retain(|finding| !is_repeated_after(finding));
    }
}

/// Whether a key (or dash) has damage on the lines of its value, or on the line that should begin it.
fn is_damaged_below(text: &Text, name: Range<usize>, damage: &[usize]) -> bool {
    let line = text.line_of(name.start);
    let start = text.line_range(line).start;
    let depth = name.start - start;
    // A value on the line of its key is complete.
    if !text.slice(start..name.start).trim_start_matches([' ', '\t', '-']).is_empty() {
        return false;
    }
    let mut first = true;
    for line in line + 1..text.line_count().min(line + 1 + LINES) {
        let range = text.line_range(line);
        let content = text.slice(range.clone());
        let inner = content.trim_start_matches([' ', '\t']);
        if inner.is_empty() {
            continue;
        }
        let indentation = content.len() - inner.len();
        if indentation < depth || (indentation == depth && !first && !inner.starts_with('-')) {
            return false;
        }
        let at = damage.partition_point(|start| *start < range.start);
        if damage.get(at).is_some_and(|start| *start < range.end) {
            return true;
        }
        first = false;
    }
    false
}

/// If a plain file repeats a key, only the last value counts, and mistakes in the others do no harm (docs/ytt.md 4.3). If
/// ytt refuses a file for it, the last value counts for rules, which judge what is merged.
pub(crate) fn drop_what_is_overridden(found: &mut Vec<Diagnostic>, file: &File) {
    keep_one_for_each_repetition(found);
    drop_what_repetition_hides(found, file, &REPEATED_KEY, &[Stage::Overlay, Stage::Type, Stage::Validation]);
    drop_what_repetition_hides(found, file, &DUPLICATE_KEY, &[Stage::Validation]);
}

/// A key that is given again is one mistake: if ytt refuses it, nothing else is reported about it.
fn keep_one_for_each_repetition(found: &mut Vec<Diagnostic>) {
    let refused: FxHashSet<Span> =
        found.iter().filter(|finding| *finding.rule == DUPLICATE_KEY).map(|finding| finding.span).collect();
    if refused.is_empty() {
        return;
    }
    let mut kept: FxHashSet<Span> = FxHashSet::default();
    found.retain(|finding| {
        let is_again = *finding.rule == DUPLICATE_KEY && !kept.insert(finding.span);
        !is_again && (*finding.rule != REPEATED_KEY || !refused.contains(&finding.span))
    });
}

/// Drops the findings of these stages in all values of a key but the last, where this rule says that it is repeated.
fn drop_what_repetition_hides(found: &mut Vec<Diagnostic>, file: &File, rule: &Rule, stages: &[Stage]) {
    // Each finding is at a repetition, and leads to the first one.
    let mut repeated: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for finding in found.iter().filter(|finding| *finding.rule == *rule && finding.span.file == file.id) {
        if let Some(first) = finding.related.first() {
            let start = first.span.range().start;
            repeated.entry(start).or_insert_with(|| vec![start]).push(finding.span.range().start);
        }
    }
    let firsts = repeated.into_values().flat_map(|mut starts| {
        starts.sort_unstable();
        starts.pop();
        starts
    });
    let entry = |start: usize| {
        let nodes = file.tree().path_at(start);
        let entry = nodes.iter().find(|node| node.kind() == Kind::MapEntry && node.range().start == start)?;
        Some(entry.range())
    };
    let mut overridden: Vec<Range<usize>> = firsts.filter_map(entry).collect();
    if overridden.is_empty() {
        return;
    }
    overridden.sort_by_key(|range| range.start);
    // Only outermost ones, so that no two overlap.
    let mut end = 0;
    overridden.retain(|range| {
        let is_outer = range.start >= end;
        end = end.max(range.end);
        is_outer
    });
    let is_overridden = |finding: &Diagnostic| {
        let at = finding.span.range().start;
        let of_value = stages.contains(&finding.stage) && *finding.rule != *rule;
        let before = overridden.partition_point(|range| range.start <= at);
        let around = before.checked_sub(1).and_then(|index| overridden.get(index));
        of_value && finding.span.file == file.id && around.is_some_and(|range| at < range.end)
    };
    found.retain(|finding| !is_overridden(finding));
}

/// Errors that cause others in the text after them.
const OPENS: [ErrorCode; 2] = [ErrorCode::UnclosedQuote, ErrorCode::UnclosedFlow];

/// Errors that an error on the line above causes on an otherwise correct line.
const FOLLOWS: [ErrorCode; 4] =
    [ErrorCode::BadIndentation, ErrorCode::StrayBracket, ErrorCode::UnexpectedItem, ErrorCode::UnexpectedKey];

/// One mistake in the text often causes several errors on its line and on the lines below it: only the first of them is
/// kept, and nothing is reported about the values on these lines.
pub(crate) fn keep_causes(found: &mut Vec<Diagnostic>, file: &File) {
    let fault = |finding: &Diagnostic| ErrorCode::ALL.iter().copied().find(|code| code.code() == finding.code());
    let text = file.text();
    let line = |finding: &Diagnostic| text.line_of(finding.span.range().start);
    // Of several on one line, the one that opens something comes first.
    let mut faults: Vec<(usize, bool, usize, usize, ErrorCode)> = Vec::new();
    for (index, finding) in found.iter().enumerate().filter(|(_, finding)| finding.stage == Stage::Parse) {
        if let Some(code) = fault(finding) {
            faults.push((line(finding), !OPENS.contains(&code), finding.span.range().start, index, code));
        }
    }
    if faults.is_empty() {
        return;
    }
    faults.sort_unstable();
    let says_nothing = |line: usize| {
        let content = text.slice(text.line_range(line));
        let content = content.trim_start();
        content.is_empty() || content.starts_with('#')
    };
    let mut dropped: FxHashSet<usize> = FxHashSet::default();
    let mut last: Option<(usize, bool)> = None;
    // A damaged marker leaves its whole document to the one before it.
    let is_spoilt_marker = |line: usize| {
        let content = text.slice(text.line_range(line));
        content.contains("---") && !content.contains(char::is_alphanumeric)
    };
    let next_marker = |line: usize| {
        let is_marker = |line: &usize| text.slice(text.line_range(*line)).starts_with("---");
        (line + 1..text.line_count()).find(is_marker).unwrap_or(usize::MAX)
    };
    let mut spoilt_to = 0;
    // What is indented with a tab is a sibling of lines below.
    let mut tab = false;
    for (line, _, _, index, code) in &faults {
        let is_of_spoilt = *line < spoilt_to;
        let of_tab = std::mem::replace(&mut tab, *code == ErrorCode::TabIndentation);
        let follows = is_of_spoilt || of_tab && *code == ErrorCode::BadIndentation;
        let follows = follows
            || last.is_some_and(|(last, opens)| {
                last == *line || (opens || FOLLOWS.contains(code)) && (last + 1..*line).all(says_nothing)
            });
        if !is_of_spoilt && is_spoilt_marker(*line) {
            spoilt_to = next_marker(*line);
        }
        if follows {
            dropped.insert(*index);
        }
        let opens = OPENS.contains(code) || follows && last.is_some_and(|(_, opens)| opens);
        last = Some((*line, opens));
    }
    let lines: FxHashSet<usize> = faults.iter().map(|(line, ..)| *line).collect();
    let mut index = 0..;
    found.retain(|finding| {
        let is_dropped = index.next().is_some_and(|index| dropped.contains(&index));
        // A map that is a key there is one because of the damage.
        let is_value = finding.severity == Severity::Error || *finding.rule == COLLECTION_KEY;
        let of_values = finding.stage != Stage::Parse && is_value;
        !(is_dropped || of_values && finding.span.file == file.id && lines.contains(&line(finding)))
    });
}

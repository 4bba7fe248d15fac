//! Edits as a unified diff.

use lofting_format::{Edit, apply};
use std::fmt::Write;
use std::ops::Range;

/// Lines that are shown around a change.
const CONTEXT: usize = 3;

/// What edits make of a text; empty without edits.
pub(super) fn unified(name: &str, text: &str, edits: &[Edit]) -> String {
    let mut starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    if starts.last() == Some(&text.len()) {
        starts.pop();
    }
    let count = starts.len();
    let offset = |line: usize| starts.get(line).copied().unwrap_or(text.len());
    let line_of = |offset: usize| starts.partition_point(|start| *start <= offset).saturating_sub(1);
    // Lines that change, with their edits; neighbours together.
    let mut changes: Vec<(Range<usize>, Vec<Edit>)> = Vec::new();
    for edit in edits {
        let first = line_of(edit.range.start);
        let end = (line_of(edit.range.end.saturating_sub(1).max(edit.range.start)) + 1).min(count);
        match changes.last_mut() {
            Some((lines, edits)) if first <= lines.end => {
                lines.end = lines.end.max(end);
                edits.push(edit.clone());
            }
            _ => changes.push((first..end, vec![edit.clone()])),
        }
    }
    let mut out = String::new();
    // How many lines more there are now.
    let mut shift: isize = 0;
    let mut rest = changes.as_slice();
    while let Some((first, _)) = rest.first() {
        if out.is_empty() {
            let _ = write!(out, "--- {name}\n+++ {name}\n");
        }
        let near =
            |pair: &[(Range<usize>, Vec<Edit>)]| matches!(pair, [(a, _), (b, _)] if b.start <= a.end + 2 * CONTEXT);
        let len = 1 + rest.windows(2).take_while(|pair| near(pair)).count();
        let (hunk, behind) = rest.split_at(len);
        rest = behind;
        let start = first.start.saturating_sub(CONTEXT);
        let end = hunk.last().map_or(start, |(lines, _)| lines.end + CONTEXT).min(count);
        let (mut body, mut line, mut added) = (String::new(), start, 0);
        for (lines, edits) in hunk {
            body_lines(&mut body, ' ', text.get(offset(line)..offset(lines.start)).unwrap_or_default());
            let from = offset(lines.start);
            let old = text.get(from..offset(lines.end)).unwrap_or_default();
            let moved =
                |edit: &Edit| Edit { range: edit.range.start - from..edit.range.end - from, text: edit.text.clone() };
            let new = apply(old, &edits.iter().map(moved).collect::<Vec<_>>());
            body_lines(&mut body, '-', old);
            added += body_lines(&mut body, '+', &new) as isize - lines.len() as isize;
            line = lines.end;
        }
        body_lines(&mut body, ' ', text.get(offset(line)..offset(end)).unwrap_or_default());
        let (old_len, new_start) = (end - start, start.saturating_add_signed(shift));
        let new_len = old_len.saturating_add_signed(added);
        let _ = writeln!(out, "@@ -{} +{} @@", place(start, old_len), place(new_start, new_len));
        out.push_str(&body);
        shift += added;
    }
    out
}

/// Lines from a number, from 0, as the head of a hunk names them.
fn place(start: usize, len: usize) -> String {
    format!("{},{len}", if len == 0 { start } else { start + 1 })
}

/// Adds lines with their sign; tells how many.
fn body_lines(out: &mut String, sign: char, text: &str) -> usize {
    let mut count = 0;
    for line in text.split_inclusive('\n') {
        out.push(sign);
        out.push_str(line);
        if !line.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
        count += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use lofting_format::{Options, format};
    use lofting_syntax::parse;

    fn diff(text: &str) -> String {
        unified("a.yml", text, &format(&parse(text), &Options::default()).expect("no errors"))
    }

    #[test]
    fn changes_with_their_context() {
        assert_eq!(diff("a: 1\n"), "");
        let text = "a:   1\nb: 2\nc: 3\nd: 4\ne: 5\nf: 6\ng: 7\nh: 8\ni: 9 \n\n\n\n\n\nj:   1";
        let wanted = "--- a.yml\n+++ a.yml\n@@ -1,4 +1,4 @@\n-a:   1\n+a: 1\n b: 2\n c: 3\n d: 4\n@@ -6,10 +6,7 @@\n f: 6\n g: 7\n \
                      h: 8\n-i: 9 \n+i: 9\n \n \n-\n-\n-\n-j:   1\n\\ No newline at end of file\n+j: 1\n";
        assert_eq!(diff(text), wanted);
    }
}

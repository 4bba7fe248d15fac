//! What damaged text makes of the values around it.

use crate::file::File;
use lofting_check::{Diagnostic, Stage};
use lofting_diagnostic::Subject;
use lofting_text::Text;
use std::ops::Range;

/// Lines looked at below a key.
const LINES: usize = 20;

/// Where the lines below a key are damaged, its value is not what it will be: nothing is said about it at the key.
/// ytt does not get there either.
pub(crate) fn drop_what_it_hides(found: &mut Vec<Diagnostic>, file: &File) {
    let errors = file.tree().errors();
    if errors.is_empty() {
        return;
    }
    let starts: Vec<usize> = errors.iter().map(|error| error.range.start).collect();
    let hidden = |finding: &Diagnostic| {
        let of_value =
            finding.stage != Stage::Parse && finding.found.is_some() && finding.rule.subject == Subject::Value;
        of_value && finding.span.file == file.id && is_damaged_below(file.text(), finding.span.range(), &starts)
    };
    found.retain(|finding| !hidden(finding));
}

/// Whether a key (or dash) has damage on the lines of its value, or on the line that should begin it.
fn is_damaged_below(text: &Text, name: Range<usize>, damage: &[usize]) -> bool {
    let line = text.line_of(name.start);
    let start = text.line_range(line).start;
    let depth = name.start - start;
    // A value beside its key is whole.
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

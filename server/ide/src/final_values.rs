//! The final data values of the calls that a file is part of, as a readable text.

use lofting_document::{FileId, Span, write};
use lofting_text::{Breaks, Encoding, visible};
use lofting_workspace::{Merged, Snapshot};

#[cfg(test)]
mod tests;

/// Further calls are only counted.
const MAX_CALLS: usize = 20;

/// The final data values of every call that `file` is part of, as YAML with comments that say where each value comes
/// from; `None` if the file has nothing to do with data values.
pub fn final_data_values(snapshot: &Snapshot, file: FileId) -> Option<String> {
    let calls = snapshot.merged(file);
    if calls.is_empty() {
        return None;
    }
    let mut text = String::new();
    for call in calls.iter().take(MAX_CALLS) {
        if !text.is_empty() {
            text.push_str("---\n");
        }
        text.push_str(&heading(snapshot, file, call));
        if let Some(span) = call.values().first_unknown() {
            text.push_str(&format!("#! Some values are not known: see {}\n", place(snapshot, span)));
        }
        text.push_str(&write::yaml_with_comments(call.values(), &|node| Some(place(snapshot, node.span))));
    }
    if calls.len() > MAX_CALLS {
        text.push_str(&format!("#! and {} more\n", calls.len() - MAX_CALLS));
    }
    Some(text)
}

fn heading(snapshot: &Snapshot, file: FileId, call: &Merged) -> String {
    let mut line = "#! Final data values".to_owned();
    if let Some(set) = &call.set {
        line.push_str(&format!(" of the input set `{set}`"));
    }
    if let Some(alternative) = call.alternative {
        line.push_str(&format!(" with {}", snapshot.shown_path(alternative)));
    }
    if !call.known {
        let name = snapshot.shown_path(file);
        line.push_str(&format!(" as far as {name} and its schema say: no ytt call with it is known"));
    }
    visible(&line, Breaks::Shown).into_owned() + "\n"
}

/// A position on one line: a comment that continued on the next would put values into the text.
fn place(snapshot: &Snapshot, span: Span) -> String {
    let line = snapshot.text(span.file).position(span.range().start, Encoding::Utf8).line + 1;
    format!("{}:{line}", visible(&snapshot.shown_path(span.file), Breaks::Shown))
}

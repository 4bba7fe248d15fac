//! White space at the start of a line that Enter has just made.
//!
//! Editors indent by themselves, and users correct that by hand: nothing is moved that a user has put further right than
//! the line above, and only white space left of the cursor changes, in a line that holds nothing else.

use crate::completion::Style;
use crate::completion::line::{self, Layout};
use lofting_document::FileId;
use lofting_format::Edit;
use lofting_syntax::Kind;
use lofting_workspace::Snapshot;

/// The edit after a line break was typed, with the cursor at `offset` (bytes) in the new line; none where the line is as
/// it should be, or where nothing says how deep it belongs.
///
/// * Below `key:` and `key: |` the value begins, deeper than the key.
/// * Below `- key: value` the map of the item goes on, in the column of the key.
/// * Below a dash alone its item begins.
pub fn on_type_formatting(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<Edit> {
    let text = snapshot.text(file);
    let number = text.line_of(offset);
    let line = text.line_range(number);
    let above = text.line_range(number.checked_sub(1)?);
    let written = text.slice(line.clone()).into_owned();
    if !written.trim().is_empty() || above.is_empty() {
        return None;
    }
    let before = text.slice(above.clone()).into_owned();
    let layout = line::layout(&before);
    // Text that only looks like a key, inside a scalar, is left alone.
    let tree = snapshot.tree(file);
    let (start, kinds) = match (&layout.key, layout.dashes.last()) {
        (Some((key, _)), _) => (key.start, &[Kind::Plain, Kind::SingleQuoted, Kind::DoubleQuoted][..]),
        (None, Some(dash)) if layout.is_empty() => (*dash, &[Kind::Dash][..]),
        _ => return None,
    };
    let token = tree.token_at(above.start + start)?;
    if !kinds.contains(&token.kind()) || token.range().end > above.end {
        return None;
    }
    let wanted = column(&layout, &before, Style::of(&text))?;
    let own = written.len();
    let is_left = own <= layout.indent && own < wanted;
    (is_left && !written.contains('\t'))
        .then(|| Edit { range: line.start..offset.max(line.start), text: " ".repeat(wanted) })
}

/// The column in which the line below goes on.
fn column(layout: &Layout, line: &str, style: Style) -> Option<usize> {
    let Some((key, _)) = &layout.key else { return layout.dashes.last().map(|dash| dash + 2) };
    let value = line.get(layout.value.clone()).unwrap_or_default();
    let begins_below = value.is_empty() && layout.properties.is_none() || value.starts_with(['|', '>']);
    match (begins_below, layout.dashes.is_empty()) {
        (true, _) => Some(key.start + style.indent),
        (false, false) if !value.starts_with(['{', '[', '"', '\'']) => Some(key.start),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::on_type_formatting;
    use crate::fixture::open;

    /// The line of the cursor after Enter, with `|` for the cursor after the inserted text.
    fn typed(fixture: &str) -> String {
        let fixture = open(fixture);
        let mut text = fixture.text.clone();
        let Some(edit) = on_type_formatting(&fixture.snapshot, fixture.file, fixture.offset) else {
            return "as it is".to_owned();
        };
        let end = edit.range.start + edit.text.len();
        text.replace_range(edit.range, &edit.text);
        text.insert(end, '|');
        let start = text[..end].rfind('\n').map_or(0, |at| at + 1);
        text[start..].lines().next().unwrap_or_default().to_owned()
    }

    #[test]
    fn only_what_nobody_indented_is_moved() {
        for (text, line) in [
            ("a:\n$0", "  |"),
            ("a:\n$0\nb: 1\n", "  |"),
            ("x:\n    y: 1\na:\n$0\n", "    |"),
            ("a:\n  b:\n  $0", "    |"),
            ("a: #! why\n$0", "  |"),
            ("a: |\n$0", "  |"),
            ("- a: 1\n$0", "  |"),
            ("- a:\n$0", "    |"),
            ("-\n$0", "  |"),
            ("a:\n  - # why\n  $0", "    |"),
            ("- -\n$0", "    |"),
            ("a: |\n  -\n$0", "as it is"),
            ("  - a: 1\n  $0", "    |"),
            // The editor or the user did it.
            ("a:\n  $0", "as it is"),
            ("a:\n      $0", "as it is"),
            ("- a: 1\n  $0", "as it is"),
            // Nothing says more than the line above.
            ("a: 1\n$0", "as it is"),
            ("- a\n$0", "as it is"),
            ("a: {b: 1,\n$0", "as it is"),
            ("\n$0", "as it is"),
            ("$0", "as it is"),
            ("#! note: that\n$0", "as it is"),
            // The rest of a line that was cut in two.
            ("a:\n$0 1\n", "as it is"),
            // Texts.
            ("a: |\n  b:\n$0", "as it is"),
            ("a: \"\n  b:\n$0\"", "as it is"),
            ("a:\n\t$0", "as it is"),
        ] {
            assert_eq!(typed(text), line, "{text:?}");
        }
    }
}

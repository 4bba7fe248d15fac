//! The last character of an unquoted text that nothing opened and that was most likely typed by mistake, shared by the
//! rules that refuse such a text.

use crate::at::At;
use crate::{Diagnostic, Fix};
use lofting_document::Span;

/// A text that ends in a bracket, quote or comma.
pub(super) struct Last {
    /// The text without it.
    pub kept: String,
    mark: char,
    place: Span,
}

/// The last character of a value, if it is one that belongs to something that begins before the text.
pub(super) fn last(at: &At<'_>, span: Span) -> Option<Last> {
    let raw = at.text(span)?;
    let kept = raw.strip_suffix(['"', '\'', ']', '}', ',', ';'])?;
    let mark = raw.chars().next_back()?;
    let is_plain = !raw.starts_with(['"', '\'', '|', '>', '[', '{']) && !raw.contains('\n');
    let end = span.range().end;
    let place = Span::new(span.file, end.checked_sub(mark.len_utf8())?..end);
    is_plain.then(|| Last { kept: kept.trim_end().to_owned(), mark, place })
}

impl Last {
    /// A finding with the fix that removes the character.
    pub fn removed_from(&self, finding: Diagnostic) -> Diagnostic {
        let mark = self.mark;
        finding.help(format!("remove `{mark}`")).fix(Fix::replace(format!("Remove `{mark}`"), self.place, ""))
    }
}

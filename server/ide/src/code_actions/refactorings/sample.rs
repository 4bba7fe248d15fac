//! Writes a note above the line of the cursor.

use super::Refactoring;
use crate::code_actions::context::Context;
use crate::code_actions::offers::Offers;
use crate::code_actions::{ActionKind, Change};
use lofting_diagnostic::Confidence;

pub(super) static REFACTORING: Refactoring = Refactoring { kind: ActionKind::Rewrite, offer };

fn offer(context: &Context<'_>, offers: &mut Offers<'_>) {
    let line = context.text.line_range(context.text.line_of(context.range.start));
    if !context.text.slice(line.clone()).starts_with("changeme") {
        return;
    }
    offers.add("Write a note above this line", Confidence::Possible, || {
        let note = format!("#! A note.{}", context.newline());
        Some(Change::of(vec![(context.span(line.start..line.start), note)]))
    });
}

#[cfg(test)]
mod tests {
    use super::REFACTORING;
    use crate::code_actions::tests::changed_by;

    #[test]
    fn a_note_is_written_above_the_line() {
        let changed = changed_by(&REFACTORING, "a: 1\nchangeme: $02\n");
        assert_eq!(changed.as_deref(), Some("a: 1\n#! A note.\nchangeme: 2\n"));
        assert_eq!(changed_by(&REFACTORING, "a: $01\n"), None);
    }

    #[test]
    fn half_typed() {
        assert_eq!(changed_by(&REFACTORING, "change$0\n"), None);
    }
}

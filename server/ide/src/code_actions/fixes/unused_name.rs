//! Takes out what nothing uses: a name of a `load`, a `load`, or a variable whose value does nothing.

use super::{FindingFix, Rules};
use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::loads::{Loaded, line_of, without_name};
use crate::code_actions::offers::Offers;
use lofting_check::{Diagnostic, rules};
use lofting_diagnostic::Confidence;
use lofting_eval::code::{BindingKind, Code, TermKind};
use std::ops::Range;

pub(super) static FIX: FindingFix =
    FindingFix { rules: Rules::Of(&[&rules::UNUSED_LOAD, &rules::UNUSED_VARIABLE]), offer };

fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    let code = context.snapshot.code(context.file);
    let at = finding.span.range();
    if let Some((what, range)) = without_name(context, &code, &at) {
        let title = match what {
            Loaded::All => "Remove the load",
            Loaded::Name => "Remove the name",
        };
        offers.add(title, Confidence::Likely, || Some(removed(context, range)));
    } else if let Some(statement) = assignment(&code, &at) {
        let Some(line) = line_of(context, &code, &statement) else { return };
        offers.add("Remove the variable", Confidence::Possible, || Some(removed(context, line)));
    }
}

fn removed(context: &Context<'_>, range: Range<usize>) -> Change {
    Change::of(vec![(context.span(range), String::new())])
}

/// The assignment to a name, if computing its value does nothing else.
fn assignment(code: &Code, name: &Range<usize>) -> Option<Range<usize>> {
    let binding = code.bindings.iter().find(|binding| binding.range == *name)?;
    let BindingKind::Value(value) = binding.kind else { return None };
    let value = code.term(value)?.range.clone();
    let within = |range: &Range<usize>| value.start <= range.start && range.end <= value.end;
    let calls = code.terms.iter().any(|term| matches!(term.kind, TermKind::Call { .. }) && within(&term.range));
    (!calls).then_some(binding.range.start..value.end)
}

//! Keys that are written in place of missing ones, in what is found on one walk.

use crate::meant::{Beside, is_stray};
use crate::path::{Step, display};
use crate::rules;
use crate::rules::renaming::rename;
use crate::values::Finding;
use lofting_diagnostic::Diagnostic;
use lofting_document::{Key, Span};
use lofting_schema::Kinds;
use lofting_syntax::resolve::Profile;

/// The findings of a walk, whose maps are told apart by their paths.
pub(super) struct OnWalk(pub Profile);

impl Beside<Finding> for OnWalk {
    type Map = Vec<Step>;

    fn finding<'t>(&self, of: &'t Finding) -> &'t Diagnostic {
        &of.diagnostic
    }

    fn finding_mut<'t>(&self, of: &'t mut Finding) -> &'t mut Diagnostic {
        &mut of.diagnostic
    }

    fn map(&self, of: &Finding) -> Option<Vec<Step>> {
        if is_stray(&of.diagnostic) || *of.diagnostic.rule == rules::MISSING_KEY {
            let is_inside = of.diagnostic.path.as_ref().is_some_and(|path| *path != display(&of.steps));
            return of.steps.split_last().filter(|_| !is_inside).map(|(_, holder)| holder.to_vec());
        }
        Some(of.steps.clone())
    }

    fn name(&self, of: &Finding) -> Option<String> {
        match of.steps.last()? {
            Step::Key(Key::String(written)) => Some(written.to_string()),
            _ => None,
        }
    }

    fn fits(&self, stray: &Finding, missing: &Finding) -> bool {
        // What is not written yet may become anything.
        stray.kinds == Kinds::NULL || stray.kinds.and(missing.kinds) != Kinds::NONE
    }

    fn profile(&self) -> Profile {
        self.0
    }
}

/// Adds to the finding about a missing key that a written key, which any map may have, is a misspelling of it.
pub(super) fn with_slip(finding: Diagnostic, written: (&str, Span), meant: &str, profile: Profile) -> Diagnostic {
    let (name, span) = written;
    let mut fix = rename(span, meant, profile);
    fix.title = format!("Rename `{name}` to `{meant}`");
    finding.help(format!("did you mean it by `{name}`?")).fix(fix)
}

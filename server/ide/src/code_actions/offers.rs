//! Collects offered actions, and computes changes where they are requested.

use super::{ActionKind, ActionName, Change, Changes, CodeAction};
use lofting_check::Diagnostic;
use lofting_diagnostic::Confidence;

/// Collects the actions for one finding, or for a place.
pub(crate) struct Offers<'a> {
    changes: Changes<'a>,
    kind: ActionKind,
    finding: Option<&'a Diagnostic>,
    source: &'static str,
    found: Vec<CodeAction>,
}

impl<'a> Offers<'a> {
    pub(super) fn new(changes: Changes<'a>, kind: ActionKind, finding: Option<&'a Diagnostic>) -> Self {
        Offers { changes, kind, finding, source: "", found: Vec::new() }
    }

    /// The following actions come from this rule, fix or refactoring.
    pub(super) fn begin(&mut self, source: &'static str) {
        self.source = source;
    }

    /// Offers a change. It is computed only if it is requested, and not offered if it then turns out to be impossible,
    /// so cheap checks belong before this call.
    pub(crate) fn add(
        &mut self,
        title: impl Into<String>,
        confidence: Confidence,
        change: impl FnOnce() -> Option<Change>,
    ) {
        let name = ActionName { source: self.source.to_owned(), title: title.into() };
        let change = match self.changes {
            Changes::None => None,
            Changes::Of(wanted) if *wanted != name => return,
            Changes::All | Changes::Of(_) => match change() {
                // The reason is for those who ask for this change.
                Some(change) if change.refused.is_some() && matches!(self.changes, Changes::All) => return,
                Some(change) => Some(change),
                None => return,
            },
        };
        let finding = self.finding.cloned();
        self.found.push(CodeAction { name, kind: self.kind, finding, confidence, preferred: false, change });
    }

    pub(super) fn found(self) -> Vec<CodeAction> {
        self.found
    }
}

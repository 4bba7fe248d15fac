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

    /// Offers a change of the place, if there is one. It looks at the place only, so that computing it costs little: what
    /// is offered has a change, whether that is requested now or later.
    pub(crate) fn add(
        &mut self,
        title: impl Into<String>,
        confidence: Confidence,
        change: impl FnOnce() -> Option<Change>,
    ) {
        let name = ActionName { source: self.source.to_owned(), title: title.into() };
        if matches!(self.changes, Changes::Of(wanted) if *wanted != name) {
            return;
        }
        if let Some(change) = change() {
            self.push(name, confidence, change);
        }
    }

    /// Offers a change that takes longer than looking at the place, because it needs a whole text or other files. It is
    /// computed only if it is requested, so whether there is one has to be known before this call.
    pub(crate) fn add_later(
        &mut self,
        title: impl Into<String>,
        confidence: Confidence,
        change: impl FnOnce() -> Option<Change>,
    ) {
        match self.changes {
            Changes::None => {
                let name = ActionName { source: self.source.to_owned(), title: title.into() };
                self.push_offer(name, confidence, None);
            }
            Changes::All | Changes::Of(_) => self.add(title, confidence, change),
        }
    }

    fn push(&mut self, name: ActionName, confidence: Confidence, change: Change) {
        match self.changes {
            // The reason is for those who ask for this change.
            Changes::All if change.refused.is_some() => {}
            Changes::All | Changes::Of(_) => self.push_offer(name, confidence, Some(change)),
            Changes::None => self.push_offer(name, confidence, None),
        }
    }

    fn push_offer(&mut self, name: ActionName, confidence: Confidence, change: Option<Change>) {
        let finding = self.finding.cloned();
        self.found.push(CodeAction { name, kind: self.kind, finding, confidence, preferred: false, change });
    }

    pub(super) fn found(self) -> Vec<CodeAction> {
        self.found
    }
}

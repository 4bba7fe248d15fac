//! What somebody can choose to have done at a place: quick fixes of findings, and refactorings.
//!
//! A fix that its rule knows stands in the finding. One that needs more, the text around or other files, is a file of
//! [`fixes`]; what changes a text without a mistake is one of [`refactorings`]. Each is offered by its title; the change
//! is only made when it is wanted, so that offering costs the same in a file of any size.

mod change;
mod context;
mod editing;
mod fix_all;
mod fixes;
mod governed;
mod inferred;
mod least;
mod offers;
mod refactorings;
mod skeleton;
#[cfg(test)]
mod tests;

pub use change::Change;
pub use fix_all::{Mended, fix_all};
pub use refactorings::schema_of_values;
pub use skeleton::values_skeleton;

use context::Context;
use lofting_check::Diagnostic;
use lofting_diagnostic::Confidence;
use lofting_document::FileId;
use lofting_workspace::{CancelFlag, Snapshot};
use offers::Offers;
use std::ops::Range;

/// What sort of thing an action does, as editors sort their menus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ActionKind {
    /// It mends a finding.
    QuickFix,
    /// It gives a part of the text a place of its own.
    Extract,
    /// It puts something in the place where it is used.
    Inline,
    /// It says the same in another way.
    Rewrite,
    /// It mends all that can be mended without anybody looking.
    FixAll,
}

impl ActionKind {
    /// All of them.
    pub const ALL: [ActionKind; 5] =
        [ActionKind::QuickFix, ActionKind::Extract, ActionKind::Inline, ActionKind::Rewrite, ActionKind::FixAll];

    /// Its name in the protocol. The parts between dots are a kind and those below it.
    pub fn as_str(self) -> &'static str {
        match self {
            ActionKind::QuickFix => "quickfix",
            ActionKind::Extract => "refactor.extract",
            ActionKind::Inline => "refactor.inline",
            ActionKind::Rewrite => "refactor.rewrite",
            ActionKind::FixAll => "source.fixAll.lofting",
        }
    }

    /// Whether it is of a kind that somebody asks for: that very kind, or one above.
    pub fn is_below(self, asked: &str) -> bool {
        let rest = self.as_str().strip_prefix(asked);
        asked.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

/// What an editor can do with a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Abilities {
    /// It can create files.
    pub creates_files: bool,
}

/// For which actions the change is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changes<'a> {
    /// For all that are offered.
    All,
    /// For none: they are asked for one by one.
    None,
    /// For this one. Nothing else is offered.
    Of(&'a ActionName),
}

/// What tells an action from all others at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionName {
    /// The rule, fix or refactoring that offers it.
    pub source: String,
    /// Its title.
    pub title: String,
}

/// What is asked for.
#[derive(Clone, Copy)]
pub struct ActionsAsked<'a> {
    /// The kinds that are wanted, with all below them; empty: all kinds.
    pub kinds: &'a [&'a str],
    /// What the editor can do.
    pub abilities: Abilities,
    /// The actions whose changes are wanted.
    pub changes: Changes<'a>,
}

impl ActionsAsked<'_> {
    /// All that can be chosen, with the changes, for who cannot create files.
    pub const ALL: ActionsAsked<'static> =
        ActionsAsked { kinds: &[], abilities: Abilities { creates_files: false }, changes: Changes::All };

    fn wants(&self, kind: ActionKind) -> bool {
        self.kinds.is_empty() || self.kinds.iter().any(|asked| kind.is_below(asked))
    }

    /// Whether it may look at the whole file: only for who asks for that, or for titles alone.
    fn wants_all_of_file(&self) -> bool {
        let is_asked = !self.kinds.is_empty() || self.changes != Changes::All;
        is_asked && self.wants(ActionKind::FixAll)
    }
}

/// Something to choose.
#[derive(Debug, Clone, PartialEq)]
pub struct CodeAction {
    /// What tells it from others, with its title.
    pub name: ActionName,
    /// What sort of thing it does.
    pub kind: ActionKind,
    /// The finding that it mends.
    pub finding: Option<Diagnostic>,
    /// How certain it is that this is meant.
    pub confidence: Confidence,
    /// It is the obvious one for its finding.
    pub preferred: bool,
    /// What it changes; none where that was not asked for.
    pub change: Option<Change>,
}

/// Findings at a place for which something is offered.
const FINDINGS: usize = 20;

/// What can be chosen at `range` (bytes): for findings anywhere on its lines, those that touch it first.
pub fn code_actions(
    snapshot: &Snapshot,
    file: FileId,
    range: Range<usize>,
    asked: &ActionsAsked<'_>,
    cancel: &CancelFlag,
) -> Vec<CodeAction> {
    let context = Context::new(snapshot, file, range, asked.abilities);
    let mut found = Vec::new();
    if asked.wants(ActionKind::QuickFix) || asked.wants_all_of_file() {
        let findings = snapshot.diagnostics(file, cancel);
        if asked.wants(ActionKind::QuickFix) {
            let mut here: Vec<&Diagnostic> = findings.iter().filter(|finding| context.is_on_line_of(finding)).collect();
            here.sort_by_key(|finding| !context.touches(finding));
            for finding in here.into_iter().take(FINDINGS) {
                found.extend(of_finding(&context, finding, asked.changes));
            }
        }
        if asked.wants_all_of_file() {
            let mut offers = Offers::new(asked.changes, ActionKind::FixAll, None);
            fix_all::offer(&context, &findings, &mut offers, cancel);
            found.extend(offers.found());
        }
    }
    found.extend(refactorings::all(&context, asked));
    found
}

/// The change of an action that was offered for the same text; none if nothing is to be done any more.
pub fn change_of(
    snapshot: &Snapshot,
    file: FileId,
    range: Range<usize>,
    name: &ActionName,
    abilities: Abilities,
    cancel: &CancelFlag,
) -> Option<Change> {
    let asked = ActionsAsked { kinds: &[], abilities, changes: Changes::Of(name) };
    code_actions(snapshot, file, range, &asked, cancel).into_iter().find_map(|action| action.change)
}

/// What mends a finding, the most certain first: what its rule knows, and what looks at more.
fn of_finding(context: &Context<'_>, finding: &Diagnostic, changes: Changes<'_>) -> Vec<CodeAction> {
    let mut offers = Offers::new(changes, ActionKind::QuickFix, Some(finding));
    offers.begin(finding.rule.code);
    for fix in &finding.fixes {
        offers.add(fix.title.as_str(), fix.confidence, || Some(Change::of(context.tidied(&fix.edits))));
    }
    fixes::offer(context, finding, &mut offers);
    let mut found = offers.found();
    found.sort_by_key(|action| std::cmp::Reverse(action.confidence));
    if let Some(first) = found.first_mut() {
        first.preferred = first.confidence >= Confidence::Likely;
    }
    found
}

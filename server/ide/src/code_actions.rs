//! Code actions: quick fixes of findings, and refactorings.
//!
//! A fix that the rule itself knows is part of the finding. A fix that needs more, such as the surrounding text or
//! other files, is a file of [`fixes`]; a change without a finding is one of [`refactorings`]. Each action is offered
//! by its title. What is offered has a change: that of the place is computed at once, and one that needs a whole text or other
//! files when it is requested, so that offering costs the same in a file of any size.

mod alike;
mod blocks;
mod change;
mod context;
mod editing;
mod fix_all;
mod fixes;
mod governed;
mod inferred;
mod laid_out;
mod least;
mod loads;
mod offers;
mod refactorings;
mod skeleton;
#[cfg(test)]
mod tests;

pub use change::Change;
pub use fix_all::{FixAll, Fixed, fix_all};
pub use refactorings::schema_of_values;
pub use skeleton::values_skeleton;

use context::Context;
use lofting_check::Diagnostic;
use lofting_diagnostic::Confidence;
use lofting_document::FileId;
use lofting_workspace::{CancelFlag, Snapshot};
use offers::Offers;
use std::ops::Range;

/// The kind of an action, by which editors group their menus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ActionKind {
    /// It fixes a finding.
    QuickFix,
    /// It moves a part of the text to a place of its own.
    Extract,
    /// It writes something in the place where it is used.
    Inline,
    /// It expresses the same thing in another way.
    Rewrite,
    /// It applies all fixes that are safe to apply automatically.
    FixAll,
}

impl ActionKind {
    /// All of them.
    pub const ALL: [ActionKind; 5] =
        [ActionKind::QuickFix, ActionKind::Extract, ActionKind::Inline, ActionKind::Rewrite, ActionKind::FixAll];

    /// Its name in the protocol. Parts separated by dots are nested kinds.
    pub fn as_str(self) -> &'static str {
        match self {
            ActionKind::QuickFix => "quickfix",
            ActionKind::Extract => "refactor.extract",
            ActionKind::Inline => "refactor.inline",
            ActionKind::Rewrite => "refactor.rewrite",
            ActionKind::FixAll => "source.fixAll.lofting",
        }
    }

    /// Whether it belongs to a requested kind: this kind, or one that contains it.
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

/// For which actions the change is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changes<'a> {
    /// For all offered actions.
    All,
    /// For none: the editor requests them one by one.
    None,
    /// For this action only; no others are offered.
    Of(&'a ActionName),
}

/// Identifies an action among those at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionName {
    /// The rule, fix or refactoring that offers it.
    pub source: String,
    /// Its title.
    pub title: String,
}

/// What the editor requests.
#[derive(Clone, Copy)]
pub struct ActionsAsked<'a> {
    /// The requested kinds, including nested ones; empty for all.
    pub kinds: &'a [&'a str],
    /// What the editor can do.
    pub abilities: Abilities,
    /// The actions whose changes are requested.
    pub changes: Changes<'a>,
    /// The editor requests them without the user, to show that there are any.
    pub unasked: bool,
}

impl ActionsAsked<'_> {
    /// All actions with their changes, for clients that cannot create files.
    pub const ALL: ActionsAsked<'static> = ActionsAsked {
        kinds: &[],
        abilities: Abilities { creates_files: false },
        changes: Changes::All,
        unasked: false,
    };

    fn wants(&self, kind: ActionKind) -> bool {
        self.kinds.is_empty() || self.kinds.iter().any(|asked| kind.is_below(asked))
    }

    /// Whether the whole file may be examined: only if such an action is requested, or only titles are.
    fn wants_all_of_file(&self) -> bool {
        let is_asked = !self.kinds.is_empty() || self.changes != Changes::All;
        is_asked && self.wants(ActionKind::FixAll)
    }
}

/// An action that the user can choose.
#[derive(Debug, Clone, PartialEq)]
pub struct CodeAction {
    /// Its identity, which includes the title.
    pub name: ActionName,
    /// What sort of thing it does.
    pub kind: ActionKind,
    /// The finding that it fixes.
    pub finding: Option<Diagnostic>,
    /// How certain it is that this is what the user means.
    pub confidence: Confidence,
    /// It is the obvious choice for its finding.
    pub preferred: bool,
    /// The change; None if it was not requested.
    pub change: Option<Change>,
}

/// Maximum number of findings at a place for which actions are offered.
const FINDINGS: usize = 20;

/// The actions for `range` (bytes): for findings anywhere on its lines, with those that touch the range first.
pub fn code_actions(
    snapshot: &Snapshot,
    file: FileId,
    range: Range<usize>,
    asked: &ActionsAsked<'_>,
    cancel: &CancelFlag,
) -> Vec<CodeAction> {
    let (mut found, mut ignoring): (Vec<CodeAction>, Vec<CodeAction>) = Default::default();
    let context = Context::new(snapshot, file, range, asked.abilities);
    let is_other = snapshot.is_in_another_language(file);
    if is_other {
        // No findings are looked for there.
    } else if asked.wants(ActionKind::QuickFix) || asked.wants_all_of_file() {
        let findings = snapshot.diagnostics(file, cancel);
        if asked.wants(ActionKind::QuickFix) {
            let mut here: Vec<&Diagnostic> = findings.iter().filter(|finding| context.is_on_line_of(finding)).collect();
            here.sort_by_key(|finding| !context.touches(finding));
            // A user who wants to fix something does not want to ignore it, so that is offered after everything else.
            for finding in here.into_iter().take(FINDINGS) {
                // Findings in one place may be fixed together: that is one action.
                let is_same = |one: &CodeAction, other: &CodeAction| {
                    let place = |action: &CodeAction| action.finding.as_ref().map(|finding| finding.span);
                    one.name == other.name && place(one) == place(other)
                };
                let actions = of_finding(&context, finding, asked.changes).into_iter();
                let new = actions.filter(|action| !found.iter().any(|known| is_same(known, action)));
                let new: Vec<CodeAction> = new.collect();
                found.extend(new);
                let mut offers = Offers::new(asked.changes, ActionKind::QuickFix, Some(finding));
                fixes::offer_to_ignore(&context, finding, &mut offers);
                ignoring.extend(offers.found());
            }
        }
        if asked.wants_all_of_file() {
            let mut offers = Offers::new(asked.changes, ActionKind::FixAll, None);
            fix_all::offer(&context, &findings, &mut offers, cancel);
            found.extend(offers.found());
        }
    }
    // A sign on every line says nothing: unasked, refactorings are only offered for what is selected.
    if !asked.unasked || !context.range.is_empty() {
        let mut offered = refactorings::all(&context, asked);
        alike::write_alike(snapshot, &mut offered);
        found.extend(offered);
    }
    found.extend(ignoring);
    found
}

/// The change of an action that was offered for the same text; None if there is nothing left to change.
pub fn change_of(
    snapshot: &Snapshot,
    file: FileId,
    range: Range<usize>,
    name: &ActionName,
    abilities: Abilities,
    cancel: &CancelFlag,
) -> Option<Change> {
    let asked = ActionsAsked { kinds: &[], abilities, changes: Changes::Of(name), unasked: false };
    code_actions(snapshot, file, range, &asked, cancel).into_iter().find_map(|action| action.change)
}

/// The fixes of a finding with their changes, the most certain first: everything that is offered for it but to ignore it.
pub fn fixes_of(snapshot: &Snapshot, finding: &Diagnostic) -> Vec<CodeAction> {
    let context = Context::new(snapshot, finding.span.file, finding.span.range(), Abilities::default());
    let mut offered = of_finding(&context, finding, Changes::All);
    offered.retain(|action| action.change.is_some());
    offered
}

/// The fixes for a finding, the most certain first: those of its rule, and those that examine more.
fn of_finding(context: &Context<'_>, finding: &Diagnostic, changes: Changes<'_>) -> Vec<CodeAction> {
    let mut offers = Offers::new(changes, ActionKind::QuickFix, Some(finding));
    offers.begin(finding.rule.code);
    for fix in &finding.fixes {
        offers.add(fix.title.as_str(), fix.confidence, || context.tidied(&fix.edits).map(Change::of));
    }
    fixes::offer(context, finding, &mut offers);
    let mut found = offers.found();
    alike::write_alike(context.snapshot, &mut found);
    found.sort_by_key(|action| std::cmp::Reverse(action.confidence));
    if let Some(first) = found.first_mut() {
        first.preferred = first.confidence >= Confidence::Likely;
    }
    found
}

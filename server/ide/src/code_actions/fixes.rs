//! Quick fixes that need more than their rule looks at: the text around a finding, or other files.

use super::context::Context;
use super::offers::Offers;
use lofting_check::{Diagnostic, Rule, rules};
use lofting_diagnostic::{Said, Subject};

/// Offers changes for findings of certain rules.
pub(crate) struct FindingFix {
    /// The rules.
    pub rules: Rules,
    /// Offers the changes for a finding of one of them.
    pub offer: fn(&Context<'_>, &Diagnostic, &mut Offers<'_>),
}

/// The rules whose findings it fixes.
pub(crate) enum Rules {
    /// A fix for these rules.
    Of(&'static [&'static Rule]),
    /// All rules about the presence of a key.
    Keys,
    /// All rules whose findings may name a key that is missing.
    Lacks,
    /// All rules that stand for syntax errors.
    Parser,
}

impl Rules {
    fn has(&self, rule: &Rule) -> bool {
        match self {
            Rules::Of(rules) => rules.contains(&rule),
            Rules::Keys => rule.subject == Subject::Key,
            Rules::Lacks => *rule == rules::MISSING_KEY || rule.instead_of.contains(&Said::Lack),
            Rules::Parser => rules::fault_of(rule).is_some(),
        }
    }
}

/// Declares the modules of the fixes and lists them, in the order in which they are offered.
macro_rules! fixes {
    ($($name:ident),* $(,)?) => {
        $(mod $name;)*

        static FIXES: &[(&str, &FindingFix)] = &[$((stringify!($name), &$name::FIX)),*];
    };
}

fixes! {
    annotation_above,
    annotation_argument,
    block_end,
    item_in_schema,
    missing_key,
    moved_annotation,
    moved_everywhere,
    proposed_plan,
    moved_key,
    parser_fault,
    wrapped_in_array,
    removed_comment,
    removed_key,
    // After the removal, where neither is more likely.
    declare_key,
    unused_name,
}

mod suppress;

/// Offers all fixes for a finding.
pub(super) fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    for (name, fix) in FIXES.iter().filter(|(_, fix)| fix.rules.has(finding.rule)) {
        offers.begin(name);
        (fix.offer)(context, finding, offers);
    }
}

/// Offers to ignore a finding instead of fixing it.
pub(super) fn offer_to_ignore(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    offers.begin("suppress");
    suppress::offer(context, finding, offers);
}

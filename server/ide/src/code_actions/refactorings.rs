//! Refactorings: changes that fix no finding.

use super::context::Context;
use super::offers::Offers;
use super::{ActionKind, ActionsAsked, CodeAction};

/// Offers a change of the selection, or of what is at the cursor.
pub(crate) struct Refactoring {
    /// The kind of its action.
    pub kind: ActionKind,
    /// Offers it where it is possible. Examines only the place, not the whole text.
    pub offer: fn(&Context<'_>, &mut Offers<'_>),
}

/// Declares the modules of the refactorings and lists them, in the order in which they are offered.
macro_rules! refactorings {
    ($($name:ident),* $(,)?) => {
        $(mod $name;)*

        static REFACTORINGS: &[(&str, &Refactoring)] = &[$((stringify!($name), &$name::REFACTORING)),*];
    };
}

refactorings! {
    block_text,
    data_values,
    expanded_alias,
    extracted_value,
    flow_style,
    inlined_value,
    migration_plan,
    other_form,
    schema_of_values,
    sorted_keys,
    split_document,
    values_of_schema,
    ytt_form,
}

#[cfg(test)]
mod sample;

pub use schema_of_values::schema_of_values;

/// All refactorings that are possible at a place. In a text of another language, only plans of migrations are changed.
pub(super) fn all(context: &Context<'_>, asked: &ActionsAsked<'_>) -> Vec<CodeAction> {
    let is_other = context.snapshot.is_in_another_language(context.file);
    let is_for = |refactoring: &Refactoring| !is_other || std::ptr::eq(refactoring, &migration_plan::REFACTORING);
    let wanted = REFACTORINGS.iter().filter(|(_, refactoring)| asked.wants(refactoring.kind) && is_for(refactoring));
    let mut found = Vec::new();
    for (name, refactoring) in wanted {
        let mut offers = Offers::new(asked.changes, refactoring.kind, None);
        offers.begin(name);
        (refactoring.offer)(context, &mut offers);
        found.extend(offers.found());
    }
    found
}

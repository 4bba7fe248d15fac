//! What rules look at in a definition of a custom resource.

use super::fields::Fields;
use lofting_diagnostic::Diagnostic;

/// What a rule looks at, with the function that is called there.
#[derive(Clone, Copy)]
pub(super) enum Look {
    /// The definition as a whole.
    Definition(fn(&Definition<'_>, &mut Vec<Diagnostic>)),
    /// One of its versions.
    Version(fn(Fields<'_>, &mut Vec<Diagnostic>)),
    /// A schema in it, also one in an alternative.
    Schema(fn(Fields<'_>, &mut Vec<Diagnostic>)),
}

/// A definition.
pub(super) struct Definition<'n> {
    pub root: Fields<'n>,
    pub spec: Fields<'n>,
}

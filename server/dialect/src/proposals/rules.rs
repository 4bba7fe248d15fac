//! Rules about schemas of the design proposals, one per file.

use lofting_diagnostic::Rule;

/// Declares the modules of the rules and lists them, so that a new rule takes one file and one line.
macro_rules! rules {
    ($($name:ident),* $(,)?) => {
        $(pub(crate) mod $name;)*

        /// All rules of this folder.
        pub static RULES: &[&Rule] = &[$(&$name::RULE),*];
    };
}

rules! {
    annotation_arguments,
    annotation_place,
    array_items,
    below_any,
    default_arguments,
    default_redundant,
    default_required,
    head,
    key_arguments,
    mixed_forms,
    no_effect,
    repeated_annotation,
    spelling,
    type_arguments,
    type_excludes_value,
    unanchored_pattern,
    unbuilt_head,
    validate_arguments,
}

/// A rule whose fix needs more than the rule looks at.
pub use default_required::RULE as DEFAULT_REQUIRED;

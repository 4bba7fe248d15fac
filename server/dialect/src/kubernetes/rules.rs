//! Rules about definitions of custom resources, and about what resources say of each other, one per file.

use super::look::Look;
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
    api_approval,
    conversion,
    definition_name,
    deprecation_warning,
    excluded_field,
    expression_cost,
    field_path,
    invalid_expression,
    invalid_name,
    invalid_pattern,
    list_type,
    missing_port,
    missing_volume,
    not_structural,
    number_range,
    removed_api,
    repeated_name,
    repeated_version,
    request_above_limit,
    required_field,
    resource_meta,
    root_schema,
    rule_declaration,
    storage_version,
    text_form,
    unknown_value,
    unmatched_selector,
    unsupported_keyword,
}

/// What the rules about definitions look at.
pub(super) fn looks() -> impl Iterator<Item = Look> {
    let looks = [
        api_approval::LOOK,
        conversion::LOOK,
        definition_name::LOOK,
        deprecation_warning::LOOK,
        invalid_name::LOOK,
        list_type::LOOK,
        repeated_version::LOOK,
        rule_declaration::LOOK,
        storage_version::LOOK,
    ];
    looks.into_iter().chain(field_path::LOOKS)
}

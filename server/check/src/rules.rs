//! The rules, one per file. The doc comment of each is its page in the manual: a title, then *What*,
//! *Why*, *Example* and *How to mend*.

use crate::diagnostic::{Diagnostic, Severity, Stage};
use lofting_document::Span;

mod bounds;
#[cfg(test)]
mod tests;

/// What is fixed about a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The stable name, `ytt/type-mismatch`; the file is named alike.
    pub code: &'static str,
    /// The stage its findings have unless the place says otherwise.
    pub stage: Stage,
    /// How bad its findings are.
    pub severity: Severity,
    /// One line for lists.
    pub title: &'static str,
}

/// Declares the modules of the rules and lists them, so that a new rule is one file and one line.
macro_rules! rules {
    ($($name:ident),* $(,)?) => {
        $(pub(crate) mod $name;)*

        /// Every rule, by code.
        pub static RULES: &[&Rule] = &[$(&$name::RULE),*];
    };
}

rules! {
    lofting_configuration,
    lofting_modeline,
    lofting_too_many_findings,
    lofting_unreadable_file,
    yaml_alias_cycle,
    yaml_alias_limit,
    yaml_depth_limit,
    yaml_merge_value,
    yaml_repeated_key,
    yaml_tag,
    ytt_ambiguous_key,
    ytt_annotation_arguments,
    ytt_annotation_as_comment,
    ytt_annotation_in_plain_values,
    ytt_byte_order_mark,
    ytt_code_after_slash_end,
    ytt_code_and_value,
    ytt_code_syntax,
    ytt_collection_key,
    ytt_data_annotation_on_item,
    ytt_data_annotation_twice,
    ytt_data_values_key,
    ytt_data_values_keyword,
    ytt_deprecated_value,
    ytt_directive,
    ytt_doc_ignored,
    ytt_duplicate_key,
    ytt_evaluation,
    ytt_library_ref,
    ytt_library_unused,
    ytt_max,
    ytt_max_len,
    ytt_min,
    ytt_min_len,
    ytt_mixed_documents,
    ytt_not_evaluated,
    ytt_not_null,
    ytt_one_not_null,
    ytt_one_of,
    ytt_ordinary_comment,
    ytt_overlay_arguments,
    ytt_overlay_function,
    ytt_overlay_kind,
    ytt_overlay_matches,
    ytt_overlay_new_key,
    ytt_schema_array_items,
    ytt_schema_computed_collection,
    ytt_schema_default_arguments,
    ytt_schema_default_type,
    ytt_schema_example_type,
    ytt_schema_examples_arguments,
    ytt_schema_null_value,
    ytt_schema_nullable_arguments,
    ytt_schema_text_arguments,
    ytt_schema_type_arguments,
    ytt_schema_validation_arguments,
    ytt_schema_within_any,
    ytt_strict,
    ytt_type_mismatch,
    ytt_unclosed_block,
    ytt_undeclared_key,
    ytt_undefined_name,
    ytt_unexpected_end,
    ytt_unknown_annotation,
    ytt_unknown_data_value,
    ytt_validation,
    ytt_when,
}

/// The code of what static reading of code finds, for those who run the code instead.
pub const UNKNOWN_DATA_VALUE: &str = ytt_unknown_data_value::RULE.code;

/// The note that stands for findings that are not shown.
pub(crate) fn too_many_findings(span: Span, more: usize) -> Diagnostic {
    lofting_too_many_findings::finding(span, more)
}

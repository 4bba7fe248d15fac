//! The rules, one per file. The doc comment of each is its page in the manual: a title, then *What*, *Why*, *Example*
//! and *How to fix*.

use crate::place::Looks;
use lofting_diagnostic::{Diagnostic, Registry, Rule};
use lofting_document::Span;
use lofting_syntax::ErrorCode;
use std::sync::LazyLock;

mod bounds;
mod merged_as_is;
pub(crate) mod renaming;
#[cfg(test)]
mod sample;
pub(crate) mod stray;
#[cfg(test)]
mod tests;
mod unread;

/// Declares the modules of the rules and lists them, so that a new rule takes one file and one line.
macro_rules! rules {
    ($list:ident: $($name:ident),* $(,)?) => {
        $(pub(crate) mod $name;)*

        static $list: &[&Rule] = &[$(&$name::RULE),*];
    };
}

/// Declares the rules that say in their file what they look at.
macro_rules! looking_rules {
    ($($name:ident),* $(,)?) => {
        $(pub(crate) mod $name;)*

        /// Rules that look at places.
        static LOOKING_RULES: &[&Rule] = &[$(&$name::RULE),*];

        /// What these rules look at.
        pub(crate) static LOOKING: &[&Looks] = &[$(&$name::LOOKS),*];
    };
}

/// Declares the rules for syntax errors; each syntax error has exactly one.
macro_rules! parser_rules {
    ($($fault:ident => $name:ident),* $(,)?) => {
        $(mod $name;)*

        static PARSER: &[&Rule] = &[$(&$name::RULE),*];

        /// The rule for a syntax error.
        pub(crate) fn of_fault(fault: ErrorCode) -> &'static Rule {
            match fault { $(ErrorCode::$fault => &$name::RULE,)* }
        }
    };
}

/// The syntax error that a rule stands for.
pub fn fault_of(rule: &Rule) -> Option<ErrorCode> {
    ErrorCode::ALL.iter().copied().find(|fault| of_fault(*fault) == rule)
}

/// All rules.
pub fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
        let dialects = lofting_dialect::DIALECTS;
        let own = [LOOKING_RULES, PARSER, PASSING, COMPARING, REPORTED];
        let lists: Vec<_> = own.into_iter().chain(dialects.iter().map(|dialect| dialect.rules())).collect();
        let families: Vec<_> = dialects.iter().map(|dialect| dialect.semantics().family).collect();
        Registry::new(&lists, &families)
    });
    &REGISTRY
}

// Rules that are called where values are compared with a schema: by the walk of the checker.
rules! {
    COMPARING:
    schema_affix,
    schema_contains,
    schema_expression,
    schema_forbidden,
    schema_format,
    schema_identity,
    schema_key_count,
    schema_key_name,
    schema_missing_key,
    schema_multiple_of,
    schema_no_branch,
    schema_not,
    schema_pattern,
    schema_removed_value,
    schema_repeated_item,
    schema_several_branches,
    schema_unique_items,
    schema_unread_key,
    ytt_deprecated_value,
    ytt_max,
    ytt_max_len,
    ytt_min,
    ytt_min_len,
    ytt_not_null,
    ytt_one_not_null,
    ytt_one_of,
    ytt_type_mismatch,
    ytt_undeclared_key,
    ytt_validation,
    ytt_when,
}

// Rules with a pass of their own, over several documents or files.
rules! {
    PASSING:
    kubernetes_refused_yaml,
    schema_optional_data_value,
    schema_written_default,
    yaml_loose_indentation,
    yaml_undeclared_name,
    yaml_unused_anchor,
    ytt_nullable_data_value,
    ytt_shadowed_value,
    ytt_unknown_data_value,
    ytt_unused_key,
}

// Rules about limits, and about what only the crate that knows all files can find.
rules! {
    REPORTED:
    kubernetes_missing_file,
    kubernetes_unknown_kind,
    kubernetes_unmatched_patch,
    lofting_breaking_change,
    lofting_configuration,
    lofting_modeline,
    lofting_out_of_reach,
    lofting_pattern_limit,
    lofting_renamed_rule,
    lofting_schema_not_read,
    lofting_suppression,
    lofting_too_many_alternatives,
    lofting_too_many_findings,
    lofting_unreadable_file,
    lofting_unused_pattern,
    lofting_unused_suppression,
    schema_ambiguous_referent,
    schema_missing_referent,
    yaml_forgotten_document_start,
    ytt_annotation_in_plain_values,
    ytt_data_values_key,
    ytt_evaluation,
    ytt_library_not_evaluated,
    ytt_unused_library,
}

looking_rules! {
    openchoreo_default_violates_schema,
    openchoreo_object_default_violates_schema,
    yaml_alias_cycle,
    yaml_alias_limit,
    yaml_collection_key,
    yaml_depth_limit,
    yaml_merge_value,
    yaml_repeated_key,
    yaml_tag,
    yaml_typographic_quote,
    yaml_unicode_space,
    ytt_ambiguous_key,
    ytt_annotation_arguments,
    ytt_annotation_as_comment,
    ytt_blank_tab,
    ytt_byte_order_mark,
    ytt_code_after_slash_end,
    ytt_code_and_value,
    ytt_code_as_text,
    ytt_code_syntax,
    ytt_code_without_space,
    ytt_collection_key,
    ytt_data_annotation_on_item,
    ytt_data_annotation_twice,
    ytt_data_values_keyword,
    ytt_directive,
    ytt_doc_ignored,
    ytt_duplicate_key,
    ytt_library_ref,
    ytt_mixed_documents,
    ytt_no_key,
    ytt_not_evaluated,
    ytt_ordinary_comment,
    ytt_overlay_arguments,
    ytt_overlay_function,
    ytt_overlay_kind,
    ytt_overlay_matches,
    ytt_overlay_new_key,
    ytt_refused_yaml,
    ytt_schema_default_type,
    ytt_schema_doubtful_default,
    ytt_schema_empty_description,
    ytt_schema_example_type,
    ytt_schema_impossible_rules,
    ytt_schema_repeated_description,
    ytt_schema_rule_type,
    ytt_schema_secret_default,
    ytt_strict,
    ytt_unclosed_block,
    ytt_undefined_name,
    ytt_unexpected_end,
    ytt_unknown_annotation,
    ytt_unused_function,
    ytt_unused_load,
    ytt_unused_variable,
}

parser_rules! {
    MissingColon => yaml_missing_colon,
    MissingSpace => yaml_missing_space,
    NestedMapping => yaml_nested_mapping,
    BadIndentation => yaml_bad_indentation,
    TabIndentation => yaml_tab_indentation,
    UnclosedQuote => yaml_unclosed_quote,
    UnclosedFlow => yaml_unclosed_flow,
    StrayBracket => yaml_stray_bracket,
    MissingComma => yaml_missing_comma,
    ExtraComma => yaml_extra_comma,
    UnexpectedText => yaml_unexpected_text,
    UnexpectedItem => yaml_unexpected_item,
    UnexpectedKey => yaml_unexpected_key,
    UnexpectedContent => yaml_unexpected_content,
    InlineSequence => yaml_inline_sequence,
    MissingKey => yaml_missing_key,
    MultilineKey => yaml_multiline_key,
    EmptyName => yaml_empty_name,
    UnknownAlias => yaml_unknown_alias,
    RepeatedProperty => yaml_repeated_property,
    AliasColon => yaml_alias_colon,
    AliasProperty => yaml_alias_property,
    InvalidTag => yaml_invalid_tag,
    UnknownTagHandle => yaml_unknown_tag_handle,
    InvalidEscape => yaml_invalid_escape,
    BlockScalarHeader => yaml_block_scalar_header,
    BlockScalarIndentation => yaml_block_scalar_indentation,
    ReservedCharacter => yaml_reserved_character,
    CommentSpace => yaml_comment_space,
    InvalidDirective => yaml_invalid_directive,
    MissingDocumentStart => yaml_missing_document_start,
    DocumentStartLine => yaml_document_start_line,
    ConflictMarker => yaml_conflict_marker,
    ControlCharacter => yaml_control_character,
    LineSeparator => yaml_line_separator,
    TooDeep => yaml_too_deep,
}

pub use lofting_schema_not_read::RULE as SCHEMA_NOT_READ;
pub use yaml_collection_key::RULE as COLLECTION_KEY;
pub use yaml_repeated_key::RULE as REPEATED_KEY;
/// Rules whose findings make a file neither schema nor values.
pub const OF_FILES: [&str; 3] =
    [ytt_data_annotation_on_item::RULE.code, ytt_data_annotation_twice::RULE.code, ytt_mixed_documents::RULE.code];

/// Rules that predict from the text what running the code would report. Dropped where the code is run.
pub static READ_STATICALLY: [&Rule; 2] = [&ytt_nullable_data_value::RULE, &ytt_unknown_data_value::RULE];

/// Rules about which keys there are, whatever their values.
pub static ABOUT_KEYS: [&Rule; 3] = [&schema_missing_key::RULE, &schema_unread_key::RULE, &ytt_undeclared_key::RULE];

/// Rules about what a schema says that does not keep any part of it from being used: defaults and examples, with which
/// nothing is checked, and rules that refuse every value.
pub static WITHOUT_LOSS: [&Rule; 4] = [
    &openchoreo_default_violates_schema::RULE,
    &ytt_schema_default_type::RULE,
    &ytt_schema_example_type::RULE,
    &ytt_schema_impossible_rules::RULE,
];

/// A condition that fails.
pub(crate) use ytt_when::RULE as CONDITION;

/// Statements and expressions that cannot be read, and code that fails, also because of that.
pub use ytt_code_syntax::RULE as CODE_SYNTAX;
pub use ytt_evaluation::RULE as EVALUATION;

/// Code that was not evaluated, so that its result is unknown.
pub use ytt_not_evaluated::RULE as NOT_EVALUATED;

/// Rules whose fixes need more than the rule looks at.
pub use lofting_breaking_change::RULE as BREAKING_CHANGE;
pub use schema_expression::RULE as EXPRESSION;
pub use schema_missing_key::RULE as MISSING_KEY;
pub use schema_repeated_item::RULE as REPEATED_ITEM;
pub use schema_several_branches::RULE as SEVERAL_BRANCHES;
pub use schema_unread_key::RULE as UNREAD_KEY;
pub use schema_written_default::RULE as WRITTEN_DEFAULT;
pub use ytt_data_annotation_on_item::RULE as DATA_ANNOTATION_ON_ITEM;
pub use ytt_data_values_keyword::RULE as DATA_VALUES_KEYWORD;
pub use ytt_duplicate_key::RULE as DUPLICATE_KEY;
pub use ytt_library_ref::RULE as LIBRARY_REF;
pub use ytt_one_of::RULE as ONE_OF;
pub use ytt_overlay_kind::RULE as OVERLAY_KIND;
pub use ytt_overlay_matches::RULE as OVERLAY_MATCHES;
pub use ytt_overlay_new_key::RULE as OVERLAY_NEW_KEY;
pub use ytt_schema_default_type::RULE as SCHEMA_DEFAULT_TYPE;
pub use ytt_schema_empty_description::RULE as SCHEMA_EMPTY_DESCRIPTION;
pub use ytt_schema_repeated_description::RULE as SCHEMA_REPEATED_DESCRIPTION;
pub use ytt_type_mismatch::RULE as TYPE_MISMATCH;
pub use ytt_unclosed_block::RULE as UNCLOSED_BLOCK;
pub use ytt_undeclared_key::RULE as UNDECLARED_KEY;
pub use ytt_unexpected_end::RULE as UNEXPECTED_END;
pub use ytt_unused_key::RULE as UNUSED_KEY;
pub use ytt_unused_library::RULE as UNUSED_LIBRARY;
pub use ytt_unused_load::RULE as UNUSED_LOAD;
pub use ytt_unused_variable::RULE as UNUSED_VARIABLE;

/// The rules about comments that suppress findings. They cannot be suppressed themselves.
pub static OF_SUPPRESSIONS: [&Rule; 2] = [&lofting_suppression::RULE, &lofting_unused_suppression::RULE];

/// Files that cannot be read.
pub use lofting_unreadable_file::RULE as UNREADABLE_FILE;

/// The note that stands for findings that are not shown.
pub(crate) fn too_many_findings(span: Span, more: usize) -> Diagnostic {
    lofting_too_many_findings::finding(span, more)
}

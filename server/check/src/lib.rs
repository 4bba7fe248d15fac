//! Compares values with a schema, and schemas with what ytt accepts; every finding is a [`Diagnostic`].
//!
//! Each rule is a file in [`rules`]. Reads no files and knows no editor: how a finding looks in a terminal, in JSON or
//! over the protocol is decided where it is shown.
#![forbid(unsafe_code)]

mod at;
mod bound;
mod data_values;
mod decimal;
mod document;
mod final_values;
mod finding;
mod following;
mod layers;
mod limit;
pub mod meant;
mod memo;
mod moved;
mod overlay;
mod part;
mod path;
mod place;
mod placing;
mod read_places;
mod repeated;
pub mod rules;
mod schema;
mod score;
mod set;
mod syntax;
mod tree;
mod unused;
pub mod values;
pub mod view;
mod visit;
mod within;
mod words;

pub use bound::{Bound, LIMIT, MADE};
pub use data_values::{check_data_values, explain_reads};
pub use document::{check_documents, check_parsing, check_plain_comments, hidden_annotation};
pub use final_values::{DataValues, LibraryRef, LibraryRefError, flag_document};
pub use finding::KeptInFiles;
pub use limit::{limit, limit_to};
pub(crate) use lofting_diagnostic::suggest;
pub use lofting_diagnostic::suggest::nearest as nearest_name;
pub use lofting_diagnostic::{Confidence, Diagnostic, Fix, Related, Rule, Severity, Stage, Tag};
pub use memo::{CheckMemo, FURTHER, PartNumbers, PartSchema, Quiet};
pub use moved::follow;
pub use overlay::{asks_merging, check_overlay_head, check_overlays, is_reported_by_values};
pub use part::{GovernedPart, check_keys_in_tree};
pub use path::{Step, shown_steps};
pub use placing::place_in;
pub use read_places::{ValuePlace, shown_path, value_places};
pub use repeated::check_merged_keys;
pub use rules::kubernetes_missing_file::{PathProblem, finding as missing_file};
pub use rules::kubernetes_unknown_kind::{
    finding as unknown_kind, lacking_key, misspelt_key, unknown_version, unreadable as unreadable_kind,
};
pub use rules::kubernetes_unmatched_patch::{Unpatched, finding as unmatched_patch};
pub use rules::lofting_breaking_change::finding as breaking_change;
pub use rules::lofting_configuration::finding as configuration;
pub use rules::lofting_modeline::{finding as modeline, nearly as near_modeline};
pub use rules::lofting_out_of_reach::finding as out_of_reach;
pub use rules::lofting_renamed_rule::finding as renamed_rule;
pub use rules::lofting_schema_not_read::{
    finding as schema_not_read, outdated as schema_outdated, partly as schema_partly_read,
};
pub use rules::lofting_suppression::{empty as suppression_of_nothing, unknown as suppression_of_unknown};
pub use rules::lofting_unreadable_file::finding as unreadable_file;
pub use rules::lofting_unused_pattern::finding as unused_pattern;
pub use rules::lofting_unused_suppression::finding as unused_suppression;
pub use rules::schema_ambiguous_referent::finding as ambiguous_referent;
pub use rules::schema_missing_referent::{MeantReferent, finding as missing_referent};
pub use rules::schema_several_branches::is_about_keys as is_about_exclusive_keys;
pub use rules::schema_written_default::check_written_defaults;
pub use rules::yaml_forgotten_document_start::{Begun, finding as forgotten_document_start};
pub use rules::yaml_repeated_key::refused as refused_repeated_key;
pub use rules::yaml_undeclared_name::findings as undeclared_names;
pub use rules::ytt_annotation_in_plain_values::look as annotation_in_plain_values;
pub use rules::ytt_code_syntax::finding as code_syntax;
pub use rules::ytt_data_values_key::finding as key_in_struct;
pub use rules::ytt_evaluation::finding as evaluation_failed;
pub use rules::ytt_library_not_evaluated::finding as unused_for_library;
pub use rules::ytt_library_ref::library_ref;
pub use rules::ytt_not_evaluated::{finding as not_evaluated, is_not_evaluated};
pub use rules::ytt_schema_rule_type::drop_refused_defaults;
pub use rules::ytt_shadowed_value::check_shadowed;
pub use rules::ytt_unused_key::{KeysRead, KeysSet, check_unused_keys};
pub use rules::ytt_unused_library::finding as unused_library;
pub use schema::{check_documented_values, check_impossible_rules, check_schema, check_schemas_alone, lint_schema};
pub use set::{SetReport, ValuesDocument, ValuesSet};
pub use syntax::{TreeSource, check_columns, check_syntax};
pub use tree::{ValuesStream, ValuesTree};
pub use unused::check_unused;
pub use values::{
    Answer, AssertionCall, Assertions, Base, CallValue, Checks, Context, Finding, Findings, Layers, LongValue,
    NoAssertions, Root, Style, ValuesCheck,
};
pub use view::{DocumentNames, Kind as ViewKind, NodeView, Source, TreeFile, TreeReader, TreeView, View};
pub use within::format_of;
pub use words::capped;

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
mod evaluation;
mod files;
mod final_values;
mod finding;
mod layers;
mod library;
mod limit;
mod memo;
mod moved;
mod overlay;
mod part;
mod path;
mod place;
mod placing;
mod referents;
pub mod rules;
mod schema;
mod score;
mod set;
mod syntax;
mod tree;
mod unused;
mod unused_keys;
pub mod values;
pub mod view;
mod visit;
mod words;

pub use bound::Bound;
pub use data_values::{ValuePlace, check_data_values, shown_path, value_places};
pub use document::{check_documents, check_parsing, check_plain_comments, hidden_annotation};
pub use evaluation::{evaluation_failed, is_not_evaluated, not_evaluated};
pub use files::{
    annotation_in_plain_values, configuration, modeline, out_of_reach, renamed_rule, schema_not_read, schema_outdated,
    schema_partly_read, suppression_of_nothing, suppression_of_unknown, unreadable_file, unused_library,
    unused_pattern, unused_suppression,
};
pub use final_values::{DataValues, LibraryRef, LibraryRefError, flag_document};
pub use library::{key_in_struct, library_ref, unused_for_library};
pub use limit::{LIMIT, limit, limit_to};
pub(crate) use lofting_diagnostic::suggest;
pub use lofting_diagnostic::suggest::nearest as nearest_name;
pub use lofting_diagnostic::{Confidence, Diagnostic, Fix, Related, Rule, Severity, Stage, Tag};
pub use memo::CheckMemo;
pub use moved::follow;
pub use overlay::{asks_merging, check_overlay_head, check_overlays, is_reported_by_values};
pub use part::{GovernedPart, check_keys_in_tree};
pub use path::{Step, shown_steps};
pub use placing::place_in;
pub use referents::{MeantReferent, ambiguous_referent, missing_referent, misspelt_key, unknown_kind};
pub use rules::schema_written_default::check_written_defaults;
pub use rules::ytt_shadowed_value::check_shadowed;
pub use schema::{check_documented_values, check_schema, check_schemas_alone, lint_schema};
pub use set::{SetReport, ValuesDocument, ValuesSet};
pub use syntax::{TreeSource, check_columns, check_syntax};
pub use tree::ValuesTree;
pub use unused::check_unused;
pub use unused_keys::{KeysRead, KeysSet, check_unused_keys};
pub use values::{
    Answer, AssertionCall, Assertions, Base, Checks, Context, Finding, Findings, Layers, NoAssertions, Root, Style,
    ValuesCheck,
};
pub use view::{NodeView, Source, TreeFile, TreeView, View};
pub use words::capped;

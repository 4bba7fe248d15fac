//! Answers to the requests of an editor, as plain data, from a snapshot of the workspace.
//!
//! One file per feature, each a function of snapshot, file and offset. All offsets are bytes. This crate knows nothing
//! of LSP, reads no files, has no state, and answers for any text: half a line is the normal case.
#![forbid(unsafe_code)]

mod anchors;
mod answers;
mod choose_schema;
mod code_actions;
mod code_lenses;
mod completion;
mod completion_item;
mod configuration;
mod data_value;
mod describe;
mod diagnostics;
mod document_highlights;
mod document_kind;
mod document_links;
mod document_symbols;
mod effective;
mod explain;
mod field;
mod final_values;
mod folding_ranges;
mod formatting;
mod goto_definition;
mod governing;
mod half_typed;
mod hover;
mod inlay_hints;
mod inside;
mod json;
mod likely_values;
mod linked_editing;
mod markdown;
mod migration;
mod named;
mod on_type_formatting;
mod pages;
mod path;
pub mod plain;
mod references;
mod rename;
mod rename_files;
mod rendered_output;
mod selection_ranges;
mod semantic_tokens;
mod signature_help;
mod significant;
mod starlark;
mod target;
mod token_kinds;
mod type_definition;
mod uses;
mod value_at;
mod workspace_symbols;
mod yaml_text;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod keyword_tests;
#[cfg(test)]
mod robustness;

pub use answers::{Definition, OutsideEdit, Refusal, Renameable, Renamed, SignatureHelp};
pub use choose_schema::{SchemaChoice, SchemaChoices, choose_schema, describe_input_set, schema_choices};
pub use code_actions::{
    Abilities, ActionKind, ActionName, ActionsAsked, Change, Changes, CodeAction, FixAll, Fixed, change_of,
    code_actions, fix_all, fixes_of, schema_of_values, values_skeleton,
};
pub use code_lenses::{
    CodeLens, GovernedFiles, LensChoices, LensKeys, LensKind, code_lenses, governed_files, key_uses,
};
pub use completion::completion;
pub use completion_item::{CompletionItem, CompletionOptions, ItemKind, escape_snippet};
pub use diagnostics::{diagnostics, reads_data_values};
pub use document_highlights::{Highlight, document_highlights};
pub use document_links::document_links;
pub use document_symbols::{Symbol, SymbolKind, document_symbols};
pub use explain::{Explanation, GoverningFiles, Status, explain};
pub use final_values::final_data_values;
pub use folding_ranges::{Fold, FoldKind, folding_ranges};
pub use formatting::formatting;
pub use goto_definition::goto_definition;
pub use half_typed::{LastEdit, without_half_typed};
pub use hover::{Hover, hover};
pub use inlay_hints::{HintChoices, HintPart, HintRole, InlayHint, inlay_hints};
pub use linked_editing::linked_editing;
pub use lofting_workspace::{ChosenSchema, Link, LinkTarget, NamedSymbol, NamedSymbolKind, WrittenIn};
pub use markdown::{Marked, Markup};
pub use migration::{LeftAlone, Migration, migration};
pub use on_type_formatting::on_type_formatting;
pub use references::references;
pub use rename::{prepare_rename, rename};
pub use rename_files::rename_files;
pub use rendered_output::{NotRendered, RenderedOutput, rendered_output};
pub use selection_ranges::selection_ranges;
pub use semantic_tokens::{SemanticToken, TokenChoices, TokenMemo, semantic_tokens, semantic_tokens_in};
pub use signature_help::signature_help;
pub use starlark::{Caller, Calls, incoming_calls, outgoing_calls, prepare_call_hierarchy};
pub use token_kinds::{SemanticKind, SemanticModifiers};
pub use type_definition::type_definition;
pub use uses::{Users, Uses, users_of_keys};
pub use value_at::{
    DescribedBy, FinalValue, Layer, SchemaPart, ValueAt, schema_nodes, schema_parts, value_at, value_at_path,
};
pub use workspace_symbols::workspace_symbols;

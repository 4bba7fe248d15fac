//! A YAML document as data: maps, arrays and typed scalars, each with the file and byte range it came from.
//!
//! Lowering a syntax tree, evaluating a template and merging documents all produce this structure, so code that reads
//! schemas and values does not depend on its origin. This crate knows nothing of schemas, rules or files on disk.
#![forbid(unsafe_code)]

mod code;
mod edited;
mod expression;
mod fingerprint;
mod item_notes;
mod key;
mod lower;
mod map;
mod node;
mod notes;
mod ownership;
mod plain;
mod program;
mod seldom;
mod span;
mod substituted;
#[cfg(test)]
mod tests;
mod value_heads;
pub mod write;

pub use code::{BlockKind, CodeReader as StatementReader, Statement};
pub use edited::lowered_after;
pub use expression::{from_expression, key_from_expression};
pub use fingerprint::{Fingerprint, FingerprintHasher, Fingerprints, ItemPrints};
pub use item_notes::item_notes;
pub use key::Key;
pub use lofting_eval::Integer;
pub use lower::{ALIAS_BUDGET, DocumentReader, Options, is_template, lower, lower_entry, lower_heads, refused_by_go};
pub use map::Map;
pub use node::{ArrayItem, Document, DocumentSet, Issue, MapItem, Node, NodeValue, Refused, SCHEMA_HEADS};
pub use notes::{Attached, Note, Notes};
pub use ownership::{OwnedComment, Owner, OwnerKind, Owners, owners};
pub use program::{code, code_after};
pub use seldom::{Empty, Seldom};
pub use span::{FileId, Span};
pub use substituted::{is_substituted, is_substituted_key};
pub use value_heads::ValueHeads;

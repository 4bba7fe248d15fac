//! Findings about names of other documents, for the crate that knows all documents.

use crate::rules;
pub use crate::rules::MeantReferent;
use lofting_diagnostic::Diagnostic;
use lofting_dialect::SchemaName;
use lofting_document::Span;

/// A reference leads nowhere.
pub fn missing_referent(span: Span, family: &'static str, name: &SchemaName, meant: &MeantReferent) -> Diagnostic {
    rules::schema_missing_referent::finding(span, name, meant).family(family)
}

/// A reference leads to several documents with different content; `names` are the places of the first two names.
pub fn ambiguous_referent(span: Span, family: &'static str, name: &SchemaName, names: [Span; 2]) -> Diagnostic {
    rules::schema_ambiguous_referent::finding(span, name, names).family(family)
}

/// A document says that it is of an unknown kind, which differs from a known one by a typing error. `key` is
/// `kind` or `apiVersion`, `span` the place of its value, `other` the value of the other key.
pub fn unknown_kind(span: Span, key: &str, written: &str, other: &str, meant: &str) -> Diagnostic {
    rules::kubernetes_unknown_kind::finding(span, key, written, other, meant)
}

/// A key by which a document says what it is, `kind` or `apiVersion`, is misspelt.
pub fn misspelt_key(span: Span, written: &str, meant: &str) -> Diagnostic {
    rules::kubernetes_unknown_kind::misspelt_key(span, written, meant)
}

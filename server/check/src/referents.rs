//! Findings about names of other documents, for the crate that knows all documents.

use crate::rules;
use lofting_diagnostic::Diagnostic;
use lofting_dialect::SchemaName;
use lofting_document::Span;
use smol_str::SmolStr;

/// What a reference to a document that does not exist most likely means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MeantReferent {
    /// The document with this name in another namespace, given here.
    Namespace(SmolStr),
    /// The document with this name and another kind, given here.
    Kind(SmolStr),
    /// The document of the same kind with this name.
    Name(SmolStr),
    /// Not known.
    Unknown,
}

/// A reference leads nowhere.
pub fn missing_referent(span: Span, family: &'static str, name: &SchemaName, meant: &MeantReferent) -> Diagnostic {
    rules::schema_missing_referent::finding(span, name, meant).family(family)
}

/// A reference leads to several documents with different content; `names` are the places of the first two names.
pub fn ambiguous_referent(span: Span, family: &'static str, name: &SchemaName, names: [Span; 2]) -> Diagnostic {
    rules::schema_ambiguous_referent::finding(span, name, names).family(family)
}

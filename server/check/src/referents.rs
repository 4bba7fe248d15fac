//! Findings about the names of other documents, for the crate that knows them all.

use crate::rules;
use lofting_diagnostic::Diagnostic;
use lofting_dialect::SchemaName;
use lofting_document::Span;
use smol_str::SmolStr;

/// What somebody most likely means who names a document that there is not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MeantReferent {
    /// The document of that name in this namespace.
    Namespace(SmolStr),
    /// The document of that name of this kind.
    Kind(SmolStr),
    /// The document of the same kind with this name.
    Name(SmolStr),
    /// Nobody knows.
    Unknown,
}

/// A reference of a language leads nowhere.
pub fn missing_referent(span: Span, family: &'static str, name: &SchemaName, meant: &MeantReferent) -> Diagnostic {
    rules::schema_missing_referent::finding(span, name, meant).family(family)
}

/// A reference leads to several documents that say different things; `names`: where the first two have their name.
pub fn ambiguous_referent(span: Span, family: &'static str, name: &SchemaName, names: [Span; 2]) -> Diagnostic {
    rules::schema_ambiguous_referent::finding(span, name, names).family(family)
}

//! Rules about OpenChoreo's schemas, one per file.

use crate::json_schema::{Fault, FaultKind};
use lofting_diagnostic::{Diagnostic, Rule};

/// Declares the modules of the rules and lists them, so that a new rule is one file and one line.
macro_rules! rules {
    ($($name:ident),* $(,)?) => {
        $(mod $name;)*

        /// All rules of this folder.
        pub static RULES: &[&Rule] = &[$(&$name::RULE),*];
    };
}

rules! {
    openapi_not_decodable,
    ref_circular,
    ref_not_found,
    ref_not_local,
    ref_not_string,
    ref_unsupported_path,
    unknown_keyword,
}

/// A fault of a schema in words.
pub(super) fn finding(fault: &Fault) -> Diagnostic {
    let span = fault.span;
    match &fault.kind {
        FaultKind::NotDecodable { keyword, expected } => {
            openapi_not_decodable::finding(span, keyword.as_deref(), expected)
        }
        FaultKind::UnknownKeyword { keyword } => unknown_keyword::finding(span, keyword),
        FaultKind::ReferenceNotString => ref_not_string::finding(span),
        FaultKind::ReferenceNotLocal { to } => ref_not_local::finding(span, to),
        FaultKind::ReferencePath { to } => ref_unsupported_path::finding(span, to),
        FaultKind::ReferenceNotFound { name, known } => ref_not_found::finding(span, name, known),
        FaultKind::ReferenceCircular { circle } => ref_circular::finding(span, circle),
    }
}

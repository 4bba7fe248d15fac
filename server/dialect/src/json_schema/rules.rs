//! Rules about JSON Schemas themselves, one per file.

use super::{Fault, FaultKind};
use lofting_diagnostic::{Diagnostic, Rule};

/// Declares the modules of the rules and lists them, so that a new rule takes one file and one line.
macro_rules! rules {
    ($($name:ident),* $(,)?) => {
        $(pub(super) mod $name;)*

        /// All rules of this folder.
        pub static RULES: &[&Rule] = &[$(&$name::RULE),*];
    };
}

rules! {
    inert_keyword,
    keyword_value,
    later_keyword,
    ref_not_found,
    ref_sibling,
    required_without_property,
    unknown_keyword,
    unused_definition,
}

pub use ref_sibling::RefSibling;
pub(crate) use required_without_property::{About as RequiredAbout, finding as required_without_property};
pub use unused_definition::finding as unused_definition;

/// The finding for a fault of a schema.
pub(crate) fn finding(fault: &Fault) -> Diagnostic {
    let span = fault.span;
    match &fault.kind {
        FaultKind::NotDecodable { keyword, expected } => keyword_value::finding(span, keyword.as_deref(), expected),
        FaultKind::Refused { message } => keyword_value::of(span, message.as_str()),
        FaultKind::UnknownKeyword { keyword, .. } => keyword_value::finding(span, Some(keyword), "a known keyword"),
        FaultKind::LaterKeyword { keyword, named, since } => later_keyword::finding(span, keyword, *named, *since),
        FaultKind::RefSibling { keyword, about } => ref_sibling::finding(span, keyword, about),
        FaultKind::ReferenceNotString => keyword_value::finding(span, Some("$ref"), "a string"),
        FaultKind::ReferenceUnread { to, why } => ref_not_found::finding(span, to, Some(why)),
        FaultKind::ReferenceNotLocal { to } | FaultKind::ReferencePath { to, .. } => {
            ref_not_found::finding(span, to, None)
        }
        FaultKind::ReferenceNotFound { name, .. } => ref_not_found::finding(span, name, None),
        FaultKind::ReferenceCircular { circle } => ref_not_found::finding(span, &circle.join(" → "), None),
    }
}

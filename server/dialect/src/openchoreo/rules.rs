//! Rules about OpenChoreo's schemas, one per file.

use super::shorthand;
use crate::json_schema::{Fault, FaultKind};
use lofting_diagnostic::{Diagnostic, Rule, Severity};

/// Declares the modules of the rules and lists them, so that a new rule takes one file and one line.
macro_rules! rules {
    ($($name:ident),* $(,)?) => {
        $(pub(super) mod $name;)*

        /// All rules of this folder.
        pub static RULES: &[&Rule] = &[$(&$name::RULE),*];
    };
}

rules! {
    argument_count,
    bar_in_value,
    comma_in_quotes,
    component_name,
    cyclic_type,
    default_not_representable,
    empty_expression,
    example_becomes_boolean,
    expression_fails,
    expression_syntax,
    expression_type,
    impossible_range,
    inert_marker,
    invalid_constraint_value,
    invalid_default_literal,
    invalid_enum_literal,
    invalid_example_literal,
    invalid_map_type,
    invalid_object_default,
    invalid_pattern,
    loop_name,
    map_key_not_string,
    marker_without_value,
    not_allowed,
    not_an_expression,
    object_not_allowed,
    openapi_not_decodable,
    other_workload,
    patch_operation,
    quotes_kept,
    ref_circular,
    ref_not_found,
    ref_not_local,
    ref_not_string,
    ref_unsupported_path,
    repeated_name,
    required_not_allowed,
    template_resource,
    unclosed_in_marker,
    unknown_field,
    unknown_function,
    unknown_keyword,
    unknown_marker,
    unknown_type,
    unknown_variable,
    unsupported_field_definition,
    unsupported_type_definition,
    untyped_field,
    unused_type,
    workload_resource,
}

/// The finding for a fault of a schema.
pub(super) fn finding(fault: &Fault) -> Diagnostic {
    let span = fault.span;
    match &fault.kind {
        FaultKind::NotDecodable { keyword, expected } => {
            openapi_not_decodable::finding(span, keyword.as_deref(), expected)
        }
        FaultKind::Refused { message } => Diagnostic::new(&openapi_not_decodable::RULE, span, message.as_str()),
        // Where references are copied, what is beside them counts.
        FaultKind::UnknownKeyword { keyword, meant } => unknown_keyword::finding(span, keyword, *meant),
        FaultKind::LaterKeyword { keyword, .. } | FaultKind::RefSibling { keyword, .. } => {
            unknown_keyword::finding(span, keyword, None)
        }
        FaultKind::ReferenceNotString => ref_not_string::finding(span),
        FaultKind::ReferenceNotLocal { to } | FaultKind::ReferenceUnread { to, .. } => ref_not_local::finding(span, to),
        FaultKind::ReferencePath { to, .. } => ref_unsupported_path::finding(span, to),
        FaultKind::ReferenceNotFound { name, known } => ref_not_found::finding(span, name, known),
        FaultKind::ReferenceCircular { circle } => ref_circular::finding(span, circle),
    }
}

/// The finding for a fault of a section in shorthand.
pub(super) fn shorthand_finding(fault: &shorthand::Fault) -> Diagnostic {
    use shorthand::FaultKind as Kind;
    let span = fault.span;
    let mut finding = match &fault.kind {
        Kind::EmptyExpression => empty_expression::finding(span),
        Kind::UnknownType { name, meant } => unknown_type::finding(span, name, meant.as_deref()),
        Kind::CyclicType { circle } => cyclic_type::finding(span, circle),
        Kind::ObjectNotAllowed => object_not_allowed::finding(span),
        Kind::InvalidMapType => invalid_map_type::finding(span),
        Kind::MapKeyNotString { key } => map_key_not_string::finding(span, key),
        Kind::UnsupportedDefinition { of_type: None } => unsupported_field_definition::finding(span),
        Kind::UnsupportedDefinition { of_type: Some(name) } => unsupported_type_definition::finding(span, name),
        Kind::MarkerWithoutValue { word, marker } => marker_without_value::finding(span, word, *marker),
        Kind::UnknownMarker { name, meant } => unknown_marker::finding(span, name, *meant),
        Kind::RequiredNotAllowed => required_not_allowed::finding(span),
        Kind::InvalidDefault { value, kind } => invalid_default_literal::finding(span, value, *kind),
        Kind::InvalidEnum { value, kind } => invalid_enum_literal::finding(span, value, *kind),
        Kind::InvalidConstraint { marker, value } => invalid_constraint_value::finding(span, marker, value),
        Kind::InvalidExample => invalid_example_literal::finding(span),
        Kind::InvalidObjectDefault => invalid_object_default::finding(span),
        Kind::NotRepresentable { value } => default_not_representable::finding(span, value),
        Kind::InertMarker { marker, kind } => inert_marker::finding(span, marker, *kind),
        Kind::ImpossibleRange { why } => impossible_range::finding(span, why),
        Kind::InvalidPattern(why) => invalid_pattern::finding(span, why),
        Kind::UnusedType { name } => unused_type::finding(span, name),
        Kind::Unclosed { sign } => unclosed_in_marker::finding(span, *sign),
        Kind::BarInValue => bar_in_value::finding(span),
        Kind::QuotesKept => quotes_kept::finding(span),
        Kind::CommaInQuotes => comma_in_quotes::finding(span),
        Kind::ExampleIsBoolean { value, becomes } => example_becomes_boolean::finding(span, value, *becomes),
    };
    finding.path = Some(fault.path.clone());
    if fault.unread && finding.severity == Severity::Error {
        finding.severity = Severity::Warning;
        finding.message.push_str("; nothing uses the type that it is in");
    }
    finding
}

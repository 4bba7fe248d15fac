//! Findings about files as a whole, for the crate that knows files.

use crate::rules;
use lofting_diagnostic::Diagnostic;
use lofting_document::Span;

/// The file can not be read; `message` says why.
pub fn unreadable_file(span: Span, message: &str) -> Diagnostic {
    rules::lofting_unreadable_file::finding(span, message)
}

/// Something is wrong in `lofting.toml`.
pub fn configuration(span: Span, message: &str, help: Option<&str>) -> Diagnostic {
    rules::lofting_configuration::finding(span, message, help)
}

/// A modeline names a schema that can not be used.
pub fn modeline(span: Span, schema: &str, problem: &str) -> Diagnostic {
    rules::lofting_modeline::finding(span, schema, problem)
}

/// A repository names what it must not; `what` it is and why.
pub fn out_of_reach(span: Span, what: &str) -> Diagnostic {
    rules::lofting_out_of_reach::finding(span, what)
}

/// A `#@` comment in a file that is given as plain values.
pub fn annotation_in_plain_values(span: Span) -> Diagnostic {
    rules::ytt_annotation_in_plain_values::finding(span)
}

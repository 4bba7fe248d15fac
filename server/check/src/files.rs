//! Findings about files as a whole, for the crate that reads them.

use crate::rules;
use lofting_diagnostic::{Diagnostic, Rule};
use lofting_document::Span;

/// The file cannot be read; `message` says why.
pub fn unreadable_file(span: Span, message: &str) -> Diagnostic {
    rules::lofting_unreadable_file::finding(span, message)
}

/// A mistake in `lofting.toml`.
pub fn configuration(span: Span, message: &str, help: Option<&str>) -> Diagnostic {
    rules::lofting_configuration::finding(span, message, help)
}

/// A schema that is named somewhere cannot be read.
pub fn schema_not_read(span: Span, schema: &str, problem: &str) -> Diagnostic {
    rules::lofting_schema_not_read::finding(span, schema, problem)
}

/// Only an earlier copy of a named schema is available.
pub fn schema_outdated(span: Span, schema: &str, problem: &str) -> Diagnostic {
    rules::lofting_schema_not_read::outdated(span, schema, problem)
}

/// Only a part of a schema that something names can be read.
pub fn schema_partly_read(span: Span, schema: &str, problem: &str) -> Diagnostic {
    rules::lofting_schema_not_read::partly(span, schema, problem)
}

/// A modeline names a schema that cannot be used.
pub fn modeline(span: Span, schema: &str, problem: &str) -> Diagnostic {
    rules::lofting_modeline::finding(span, schema, problem)
}

/// A private library that no code gets.
pub fn unused_library(span: Span, name: &str) -> Diagnostic {
    rules::ytt_unused_library::finding(span, name)
}

/// A pattern of `[[schemas]]` that matches no file.
pub fn unused_pattern(span: Span, pattern: &str) -> Diagnostic {
    rules::lofting_unused_pattern::finding(span, pattern)
}

/// A repository names something outside its reach; `what` describes it and says why.
pub fn out_of_reach(span: Span, what: &str) -> Diagnostic {
    rules::lofting_out_of_reach::finding(span, what)
}

/// A rule is named by the code of an earlier version; `written` is what is to replace it.
pub fn renamed_rule(span: Span, today: &str, written: &str) -> Diagnostic {
    rules::lofting_renamed_rule::finding(span, today, written)
}

/// A comment that suppresses findings names an unknown rule.
pub fn suppression_of_unknown(span: Span, word: &str) -> Diagnostic {
    rules::lofting_suppression::unknown(span, word)
}

/// A comment that suppresses findings names no rule.
pub fn suppression_of_nothing(span: Span) -> Diagnostic {
    rules::lofting_suppression::empty(span)
}

/// A comment suppresses findings of a rule that has none there. `remove` is the text to delete.
pub fn unused_suppression(span: Span, ignored: &'static Rule, remove: Span) -> Diagnostic {
    rules::lofting_unused_suppression::finding(span, ignored, remove)
}

/// A `#@` comment in a file that is passed as plain values.
pub fn annotation_in_plain_values(span: Span) -> Diagnostic {
    rules::ytt_annotation_in_plain_values::finding(span)
}

//! Findings about libraries, for the code that evaluates them and reads what is passed to them.

use crate::final_values::LibraryRef;
use crate::rules;
use lofting_diagnostic::Diagnostic;
use lofting_document::{Notes, Span};

/// The library that a document's `#@library/ref` names; None without the annotation. `Err` holds the finding if the
/// annotation is wrong, and nothing if code computes the name.
pub fn library_ref(notes: &Notes) -> Option<Result<LibraryRef, Option<Box<Diagnostic>>>> {
    let note = notes.get("library/ref")?;
    Some(rules::ytt_library_ref::read(note))
}

/// A document or flag is for a library that no template evaluates; `library` is the name as written.
pub fn unused_for_library(span: Span, library: &str) -> Diagnostic {
    rules::ytt_library_not_evaluated::finding(span, library)
}

/// A key of the final data values is not a string.
pub fn key_in_struct(span: Span, key: &str) -> Diagnostic {
    rules::ytt_data_values_key::finding(span, key)
}

//! Findings about libraries, for those who run them and read what is addressed to them.

use crate::rules;
use lofting_diagnostic::Diagnostic;
use lofting_document::{Note, Notes, Span};
use lofting_eval::ExprKind;
use lofting_values::LibraryRef;

/// The library that a document's `#@library/ref` addresses it to; none if it has no such annotation.
/// What is wrong with the annotation is the finding; what code gives is not known.
pub fn library_ref(notes: &Notes) -> Option<Result<LibraryRef, Option<Box<Diagnostic>>>> {
    let note = notes.get("library/ref")?;
    Some(read(note))
}

fn read(note: &Note) -> Result<LibraryRef, Option<Box<Diagnostic>>> {
    let arguments = &note.arguments;
    if !arguments.errors.is_empty() || arguments.starred {
        return Err(None);
    }
    let wrong = |span: Span, message: &str| Err(Some(Box::new(rules::ytt_library_ref::finding(span, message))));
    let [only] = arguments.positional.as_slice() else {
        return wrong(note.span, &format!("expected one library, but found {}", arguments.positional.len()));
    };
    let span = Span::new(note.span.file, only.range.clone());
    match &only.kind {
        ExprKind::String(text) => match LibraryRef::read(text) {
            Ok(reference) => Ok(reference),
            Err(error) => wrong(span, &error.to_string()),
        },
        ExprKind::Code | ExprKind::Missing => Err(None),
        _ => wrong(span, &format!("expected a string, but was {}", only.type_name().unwrap_or("something else"))),
    }
}

/// A document or flag is addressed to a library that nothing evaluates; `library` is the address as
/// written.
pub fn unused_for_library(span: Span, library: &str) -> Diagnostic {
    rules::ytt_library_unused::finding(span, library)
}

/// A key of the final data values is no text.
pub fn key_in_struct(span: Span, key: &str) -> Diagnostic {
    rules::ytt_data_values_key::finding(span, key)
}

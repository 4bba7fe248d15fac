//! Findings about libraries, for the code that evaluates them and reads what is passed to them.

use crate::rules;
use lofting_diagnostic::Diagnostic;
use lofting_document::{Note, Notes, Span};
use lofting_eval::ExprKind;
use lofting_values::LibraryRef;

/// The library that a document's `#@library/ref` names; None without the annotation. `Err` holds the finding if the
/// annotation is wrong, and nothing if code computes the name.
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

/// A document or flag is for a library that no template evaluates; `library` is the name as written.
pub fn unused_for_library(span: Span, library: &str) -> Diagnostic {
    rules::ytt_library_not_evaluated::finding(span, library)
}

/// A key of the final data values is not a string.
pub fn key_in_struct(span: Span, key: &str) -> Diagnostic {
    rules::ytt_data_values_key::finding(span, key)
}

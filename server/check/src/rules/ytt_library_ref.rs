use crate::final_values::LibraryRef;
use crate::place::{Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::{Document, Note, Notes, Span};
use lofting_eval::ExprKind;

rule! {
    /// # A reference to an unknown library
    ///
    /// ## What
    /// `#@library/ref` takes one string: `"@path"`, `"@~alias"`, `"@path~alias"`, or nested `"@a@b"`.
    ///
    /// ## Why
    /// ytt refuses the file.
    ///
    /// ## Example
    /// ```yaml
    /// #@library/ref "frontend"
    /// #@data/values
    /// ---
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Start the name with `@`: `#@library/ref "@frontend"`.
    pub static RULE: Rule = Rule {
        code: "ytt/library-ref",
        stage: Stage::Overlay,
        severity: Severity::Error,
    };
}

pub(crate) static LOOKS: Looks = Looks::in_templates(&[Look::Document(look)]);

fn look(document: &Document, found: &mut Vec<Diagnostic>) {
    // ytt ignores the annotation on other documents.
    let note = document.notes.get("library/ref").filter(|_| document.is_schema() || document.is_data_values());
    if let Some(Err(Some(wrong))) = note.map(read) {
        found.push(*wrong);
    }
}

/// The library that a document's `#@library/ref` names; None without the annotation. `Err` holds the finding if the
/// annotation is wrong, and nothing if code computes the name.
pub fn library_ref(notes: &Notes) -> Option<Result<LibraryRef, Option<Box<Diagnostic>>>> {
    notes.get("library/ref").map(read)
}

/// The library that an annotation names. `Err` holds the finding if it is wrong, and nothing if code computes the name.
fn read(note: &Note) -> Result<LibraryRef, Option<Box<Diagnostic>>> {
    let arguments = &note.arguments;
    if !arguments.errors.is_empty() || arguments.starred {
        return Err(None);
    }
    let wrong = |span: Span, message: &str| Err(Some(Box::new(finding(span, message))));
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

fn finding(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`@library/ref`: {message}"))
        .help("write it as `#@library/ref \"@path\"`, `\"@~alias\"` or `\"@path~alias\"`")
}

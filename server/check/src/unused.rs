//! Findings about the code of a file.

use crate::Diagnostic;
use crate::place::CodePlace;
use crate::visit::Visit;
use lofting_document::FileId;
use lofting_eval::code::{Code, TermKind};

/// What the code of a file binds and never uses. `is_library`: other files may load what it defines.
pub fn check_unused(file: FileId, code: &Code, is_library: bool) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    // In half-typed code the use may be what is missing.
    if !code.bindings.is_empty() && !code.terms.iter().any(|term| matches!(term.kind, TermKind::Missing)) {
        Visit::of(true, &()).code(&CodePlace::new(file, code, is_library), &mut found);
    }
    found
}

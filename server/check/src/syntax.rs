//! Syntax errors as findings, and the text of a tree for those who word findings.

use crate::diagnostic::{Diagnostic, Severity, Stage};
use crate::view::Source;
use lofting_document::{FileId, Span};
use lofting_syntax::Tree;
use std::borrow::Cow;

/// The syntax errors of a file. Their codes are `yaml/` and the parser's name for the error.
pub fn check_syntax(file: FileId, tree: &Tree) -> Vec<Diagnostic> {
    let finding = |error: lofting_syntax::SyntaxError| Diagnostic {
        code: error.code.code(),
        severity: Severity::Error,
        stage: Stage::Parse,
        span: Span::new(file, error.range),
        message: error.message,
        found: None,
        expected: None,
        path: None,
        related: Vec::new(),
        help: error.help,
        fixes: Vec::new(),
        tags: Vec::new(),
    };
    tree.errors().into_iter().map(finding).collect()
}

/// The text of one file, from its tree.
#[derive(Clone, Copy)]
pub struct TreeSource<'t> {
    /// The file.
    pub file: FileId,
    /// Its tree.
    pub tree: &'t Tree,
}

impl Source for TreeSource<'_> {
    fn text(&self, span: Span) -> Option<Cow<'_, str>> {
        (span.file == self.file).then(|| self.tree.text(span.range()))
    }
}

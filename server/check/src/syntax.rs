//! Syntax errors as findings, and a tree as the source of texts for messages.

use crate::bound::extend;
use crate::rules;
use crate::view::Source;
use lofting_diagnostic::Diagnostic;
use lofting_document::{FileId, Span};
use lofting_syntax::Tree;
use lofting_syntax::resolve::{Library, Profile};
use std::borrow::Cow;
use std::ops::Range;

/// The syntax errors of a file for readers with this rule set.
pub fn check_syntax(file: FileId, tree: &Tree, profile: Profile) -> Vec<Diagnostic> {
    let finding = |error: lofting_syntax::SyntaxError| {
        let span = Span::new(file, before_break(tree, error.range));
        let mut finding = Diagnostic::new(rules::of_fault(error.code), span, error.message);
        finding.help = error.help;
        finding
    };
    let mut found = Vec::new();
    extend(&mut found, tree.errors_in(profile).into_iter().map(finding));
    // What ytt refuses is known with its documents.
    if profile.library() == Library::GoYaml && !profile.is_of_ytt() {
        extend(&mut found, rules::kubernetes_refused_yaml::findings(file, tree));
    }
    extend(&mut found, rules::yaml_unused_anchor::findings(file, tree));
    found
}

/// What is written before a line break, in place of it: no reader sees that one is underlined.
fn before_break(tree: &Tree, range: Range<usize>) -> Range<usize> {
    let is_break = !range.is_empty() && tree.text(range.clone()).chars().all(|c| matches!(c, '\n' | '\r'));
    let mut before = range.start.checked_sub(1).filter(|_| is_break).and_then(|at| tree.token_at(at));
    while let Some(token) = before.filter(|token| token.kind().is_trivia()) {
        before = token.range().start.checked_sub(1).and_then(|at| tree.token_at(at));
    }
    before.map_or(range, |token| token.range())
}

/// Values whose lines are too far left. Not for ytt's own files, since ytt accepts them.
pub fn check_columns(file: FileId, tree: &Tree) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let findings = tree.loose_values();
    let findings = findings.iter().map(|value| rules::yaml_loose_indentation::finding(file, value));
    extend(&mut found, findings);
    found
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

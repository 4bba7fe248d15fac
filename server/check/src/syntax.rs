//! Syntax errors as findings, and a tree as the source of texts for messages.

use crate::bound::extend;
use crate::rules;
use crate::suggest::{self, Comparisons};
use crate::view::Source;
use lofting_diagnostic::Diagnostic;
use lofting_document::{FileId, Span};
use lofting_syntax::resolve::{Library, Profile};
use lofting_syntax::{ErrorCode, SyntaxError, Tree};
use std::borrow::Cow;
use std::ops::Range;

/// The syntax errors of a file for readers with this rule set.
pub fn check_syntax(file: FileId, tree: &Tree, profile: Profile) -> Vec<Diagnostic> {
    let finding = |error: SyntaxError| {
        let error = as_text(tree, error);
        let span = Span::new(file, before_break(tree, error.range));
        let mut finding = Diagnostic::new(rules::of_fault(error.code), span, error.message);
        finding.help = error.help;
        finding
    };
    let mut found = Vec::new();
    extend(&mut found, tree.errors_in(profile).into_iter().map(finding));
    // What ytt refuses is known with its documents.
    if profile.library() == Library::GoYaml && !profile.is_of_ytt() {
        // Text that only looks like an alias has no name that could be wrong.
        let mut aliases: Vec<Range<usize>> =
            found.iter().filter(|found| is_alias(found)).map(|it| it.span.range()).collect();
        aliases.sort_unstable_by_key(|alias| alias.start);
        let is_said = |finding: &Diagnostic| {
            let at = finding.span.range().start;
            let before = aliases.partition_point(|alias| alias.start <= at).checked_sub(1);
            before.and_then(|before| aliases.get(before)).is_some_and(|alias| alias.contains(&at))
        };
        let refused = rules::kubernetes_refused_yaml::findings(file, tree);
        extend(&mut found, refused.filter(|finding| !is_said(finding)));
    }
    // A misspelt alias refers to the anchor that is meant.
    let unknown = found.iter().filter(|finding| is_alias(finding)).map(|finding| tree.text(finding.span.range()));
    let unknown: Vec<String> = unknown.map(|alias| alias.trim_start_matches('*').to_owned()).collect();
    let mut searches = Comparisons::default();
    let mut is_meant = |finding: &Diagnostic| {
        let anchor = tree.text(finding.span.range());
        let anchor = anchor.trim_start_matches('&');
        searches.allow(unknown.len()) && unknown.iter().any(|alias| suggest::nearest(alias, [anchor]).is_some())
    };
    let unused = rules::yaml_unused_anchor::findings(file, tree);
    extend(&mut found, unused.filter(|finding| !is_meant(finding)));
    found
}

fn is_alias(finding: &Diagnostic) -> bool {
    finding.rule == rules::of_fault(ErrorCode::UnknownAlias)
}

/// An error in what is meant as text, because of a character that means something else where it is: `*.example.com` only
/// looks like an alias, and `${X}` between brackets like a map.
fn as_text(tree: &Tree, error: SyntaxError) -> SyntaxError {
    let needs_quotes = |range: Range<usize>, what: &str| SyntaxError {
        message: format!("a text {what} needs quotes"),
        help: Some("put the text in quotes".to_owned()),
        range,
        ..error.clone()
    };
    let start = error.range.start;
    match error.code {
        ErrorCode::UnknownAlias => {
            let text = tree.text(error.range.clone());
            let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
            let is_name = text.strip_prefix('*').is_some_and(|name| name.chars().all(is_of_name));
            if is_name { error } else { needs_quotes(error.range.clone(), "that begins with `*`") }
        }
        ErrorCode::MissingComma => {
            let before = start.checked_sub(1).and_then(|before| tree.token_at(before)).map(|token| token.range());
            let before = before.filter(|before| tree.text(before.clone()).ends_with('$'));
            let line = tree.text(start..tree.len().min(start + LONGEST));
            let line = line.split(['\n', '\r']).next().unwrap_or_default();
            let closed = line.find('}').filter(|_| line.starts_with('{'));
            let end = closed.map(|closed| {
                let rest = line.get(closed + 1..).unwrap_or_default();
                let more = rest.find(|c: char| c.is_whitespace() || matches!(c, ',' | ']' | '}'));
                start + closed + 1 + more.unwrap_or(rest.len())
            });
            match (before, end) {
                (Some(before), Some(end)) => needs_quotes(before.start..end, "with `${` between brackets"),
                _ => error,
            }
        }
        _ => error,
    }
}

/// How much of a line is searched for the end of a text, in bytes.
const LONGEST: usize = 200;

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

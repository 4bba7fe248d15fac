use crate::within::{KnownFormat, MissingName, missing};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::suggest::Searches;
use lofting_diagnostic::{Cause, Certainty, rule};
use lofting_document::{FileId, Span};
use lofting_syntax::Tree;

rule! {
    /// # A name that the file does not declare
    ///
    /// ## What
    /// In a GitHub workflow, a job needs a job that is not in the file. In `compose.yaml` and `docker-compose.yml`, a service
    /// names a service, network, volume, secret or config that the file does not declare. In `.gitlab-ci.yml`, a job names
    /// a job, a template or a stage that there is not. Nothing is reported where an `include`, an override file beside it, a
    /// merge key or an expression may bring the name.
    ///
    /// ## Why
    /// The program that reads the file refuses it.
    ///
    /// ## Example
    /// ```yaml
    /// # docker-compose.yml
    /// services:
    ///   web:
    ///     image: nginx
    ///     depends_on: [databse]
    ///   database:
    ///     image: postgres
    /// ```
    ///
    /// ## How to fix
    /// Correct the name, or declare it.
    pub static RULE: Rule = Rule {
        code: "yaml/undeclared-name",
        stage: Stage::Validation,
        severity: Severity::Error,
        certainty: Certainty::NeedsWholeText,
        cause: Cause::NameGiven,
    };
}

/// The names in a file that nothing in it declares.
pub fn findings(file: FileId, tree: &Tree, format: &KnownFormat) -> Vec<Diagnostic> {
    let mut searches = Searches::default();
    let finding = |missing: MissingName| {
        let span = Span::new(file, missing.at);
        let message = format!("this file has no {} `{}`", missing.kind, missing.name);
        let finding = Diagnostic::new(&RULE, span, message);
        match searches.nearest(&missing.name, missing.known.iter().map(|name| name.as_str())) {
            Some(meant) => finding.meant(span, meant),
            None if missing.declared.is_empty() => finding,
            None => finding.help(format!("declare it below `{}` at the top of the file", missing.declared)),
        }
    };
    missing(format, tree).into_iter().map(finding).collect()
}

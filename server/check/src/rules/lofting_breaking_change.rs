use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Certainty, rule};
use lofting_document::Span;

rule! {
    /// # A change of a schema that breaks values
    ///
    /// ## What
    /// The schema refuses values that it accepted where the current branch began. It is reported in editors only, for
    /// schemas that are open, and compares with the commit that the branch has in common with the default branch
    /// (`origin/HEAD`, else `main` or `master`, of `origin` first); on the default branch itself, with the current
    /// commit. `lofting diff --against` finds the same changes, and more. Nothing is reported outside a git repository,
    /// or about files that the commit does not have.
    ///
    /// ## Why
    /// Everyone who has values for the schema has to change them. That may be what is wanted, and it is better to know
    /// it while the schema is being written.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// #! it was 80
    /// port: "80"
    /// ```
    ///
    /// ## How to fix
    /// Keep what was accepted: leave the key, deprecate it, and add a new one. Or write a plan for `lofting migrate`, for those who have
    /// values. A removed key is not reported if it was deprecated in the release that `[deprecation]` in
    /// `lofting.toml` names.
    pub static RULE: Rule = Rule {
        code: "lofting/breaking-change",
        stage: Stage::Lint,
        severity: Severity::Hint,
        certainty: Certainty::NeedsWholeText,
    };
}

/// A change that breaks values: its place in the new schema, the path, what changed, and the path that the key probably has now.
pub fn finding(span: Span, path: &str, words: &str, new_path: Option<&str>) -> Diagnostic {
    let subject = if path.is_empty() { "the schema" } else { path };
    let finding = Diagnostic::new(&RULE, span, format!("{subject}: {words}"));
    Diagnostic { path: Some(path.to_owned()), expected: new_path.map(str::to_owned), ..finding }
}

use super::{bounds, stray};
use crate::at::At;
use crate::view::View;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_schema::Pattern;

rule! {
    /// # A string does not match the pattern of its schema
    ///
    /// ## What
    /// The schema gives a regular expression (`pattern`), which must match somewhere in the string; it is not anchored
    /// unless it has `^` and `$` itself.
    ///
    /// ## Why
    /// A value that breaks this is refused.
    ///
    /// ## Example
    /// ```yaml
    /// # schema
    /// type: object
    /// properties:
    ///   name: {type: string, pattern: "^[a-z]+$"}
    /// # values
    /// name: A1
    /// ```
    ///
    /// ## How to fix
    /// Give a string that matches.
    pub static RULE: Rule = Rule {
        code: "schema/pattern",
        stage: Stage::Validation,
        severity: Severity::Error,
        shared: true,
    };
}

/// What a pattern for nothing but an expression asks for, in words.
fn expression(source: &str) -> Option<String> {
    let inner = source.strip_prefix('^')?.strip_suffix('$')?;
    let marks = inner.replace(r"(.|[\r\n])*", "").replace(".*", "");
    let verb = if inner.starts_with(".*") { "contain" } else { "be" };
    (marks == r"\$\{\{\}\}").then(|| format!("{verb} an expression `${{{{ … }}}}`"))
}

pub(crate) fn finding<V: View>(at: &At<'_>, value: V, pattern: &Pattern) -> Diagnostic {
    // A line break in it means one, also written so.
    let shown = pattern.source.replace('\r', "\\r").replace('\n', "\\n");
    let message = if pattern.is_valid() {
        let wanted = expression(&pattern.source).unwrap_or_else(|| format!("match `{shown}`"));
        format!("{} should {wanted}, but is {}", at.subject(), bounds::plain(at, value))
    } else {
        format!(
            "{} cannot have a value: its pattern `{shown}` is not a valid regular expression, so no string matches it",
            at.subject()
        )
    };
    let finding = Diagnostic::new(&RULE, at.value_span(value), message)
        .found(bounds::plain(at, value), format!("a string that matches {shown}"));
    match stray::last(at, value.span()).filter(|last| pattern.is_in(&last.kept) == Some(true)) {
        Some(last) => last.removed_from(finding),
        None => finding,
    }
}

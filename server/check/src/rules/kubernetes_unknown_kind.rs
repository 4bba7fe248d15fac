use crate::rules::renaming;
use crate::{Diagnostic, Fix, Severity, Stage, suggest};
use lofting_diagnostic::{Cause, Certainty, rule};
use lofting_document::Span;

rule! {
    /// # A kind that is most likely misspelt
    ///
    /// ## What
    /// No schema is known for the `apiVersion` and `kind` of a document, and Kubernetes itself or a definition in the
    /// workspace has one that differs by a typing error; or one of the two keys itself is misspelt or has no text, beside
    /// `metadata` or `spec` (where no document of the file has both keys, only beside a known kind or version).
    ///
    /// Kinds that are like no known one are not reported, because their definitions may be kept elsewhere, unless no
    /// definition can have them: a group without a period, such as `apps`, is Kubernetes' own, so `kind: Boat` in
    /// `apps/v1` is reported, and so is `kind: Pod` in `v2`. The version `v1` alone is that of files for many programs.
    ///
    /// ## Why
    /// The API server refuses the document, and until then nothing checks it.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apps/v1
    /// kind: Deploymnet
    /// metadata: {name: shop}
    /// ```
    ///
    /// ## How to fix
    /// Correct the kind, or the group or version.
    pub static RULE: Rule = Rule {
        code: "kubernetes/unknown-kind",
        stage: Stage::Lint,
        severity: Severity::Warning,
        certainty: Certainty::NeedsWholeText,
        cause: Cause::NameGiven,
    };
}

/// `key` is `kind` or `apiVersion`, and `span` its value.
pub fn finding(span: Span, key: &str, written: &str, other: &str, meant: Option<&str>) -> Diagnostic {
    let message = match key {
        "kind" => format!("there is no kind `{written}` in `{other}`"),
        _ => format!("there is no `{other}` in `{written}`"),
    };
    let finding = Diagnostic::new(&RULE, span, message);
    match meant {
        Some(meant) => finding.help(format!("did you mean `{meant}`?")).fix(Fix::replace(
            format!("Change to `{meant}`"),
            span,
            meant,
        )),
        None => finding,
    }
}

/// The value of one of the two keys is not a text.
pub fn unreadable(span: Span, key: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`{key}` should be a string, or nothing knows what the document is"))
}

/// One of the two keys is misspelt.
pub fn misspelt_key(span: Span, written: &str, meant: &str) -> Diagnostic {
    let fix = Fix::replace(renaming::title(meant), span, meant);
    let fix = if suggest::is_only_meaning(written, meant, []) { fix.sure() } else { fix };
    Diagnostic::new(&RULE, span, format!("the document has no `{meant}`, but `{written}`"))
        .help(format!("did you mean `{meant}`?"))
        .fix(fix)
}

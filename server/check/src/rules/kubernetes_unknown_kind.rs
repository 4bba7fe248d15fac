use crate::rules::renaming;
use crate::{Diagnostic, Fix, Severity, Stage, suggest};
use lofting_diagnostic::{Cause, Certainty, rule};
use lofting_document::Span;
use smol_str::SmolStr;

rule! {
    /// # A kind that is most likely misspelt
    ///
    /// ## What
    /// No schema is known for the `apiVersion` and `kind` of a document, and Kubernetes itself or a definition in the
    /// workspace has one that differs by a typing error; or one of the two keys itself is misspelt or has no text, beside
    /// `metadata` or `spec` (where no document of the file has both keys, only beside a known kind or version).
    ///
    /// A version is reported as well that the definition of a kind in the workspace does not have or does not serve.
    ///
    /// Kinds that are like no known one are not reported, because their definitions may be kept elsewhere, unless no
    /// definition can have them: a group without a period, such as `apps`, is Kubernetes' own, so `kind: Boat` in
    /// `apps/v1` is reported, and so is `kind: Pod` in `v2`. The version `v1` alone is that of files for many programs, so
    /// only kinds of Kubernetes itself are reported there, such as a `Deployment` with `metadata`, which is in `apps/v1`.
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

/// A version that a definition in the workspace does not serve. `is_defined`: it has the version all the same.
pub fn unknown_version(span: Span, kind: &str, version: &str, served: &[SmolStr], is_defined: bool) -> Diagnostic {
    let message = if is_defined {
        format!("`{kind}` is not served in the version `{version}`")
    } else {
        format!("the definition of `{kind}` has no version `{version}`")
    };
    let finding = Diagnostic::new(&RULE, span, message);
    let mut near = served.iter().filter(|known| suggest::is_slip(version, known));
    let meant = near.next().or_else(|| served.first().filter(|_| served.len() == 1));
    let names: Vec<String> = served.iter().map(|known| format!("`{known}`")).collect();
    let finding = finding.help(match names.split_last() {
        None => "none of its versions is served".to_owned(),
        Some((only, [])) => format!("it is served as {only}"),
        Some((last, first)) => format!("it is served as {} and {last}", first.join(", ")),
    });
    match meant {
        Some(meant) => finding.fix(Fix::replace(format!("Change to `{meant}`"), span, meant.as_str())),
        None => finding,
    }
}

/// The value of one of the two keys is not a string.
pub fn unreadable(span: Span, key: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`{key}` should be a string, or nothing knows what the document is"))
}

/// One of the two keys is absent; `span` is the other.
pub fn lacking_key(span: Span, lacking: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("the document has no `{lacking}`, so nothing knows what it is"))
        .help(format!("write `{lacking}:` with its name"))
}

/// One of the two keys is misspelt.
pub fn misspelt_key(span: Span, written: &str, meant: &str) -> Diagnostic {
    let fix = Fix::replace(renaming::title(meant), span, meant);
    let fix = if suggest::is_only_meaning(written, meant, []) { fix.sure() } else { fix };
    Diagnostic::new(&RULE, span, format!("the document has no `{meant}`, but `{written}`"))
        .help(format!("did you mean `{meant}`?"))
        .fix(fix)
}

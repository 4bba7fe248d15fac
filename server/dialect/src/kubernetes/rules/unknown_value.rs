use lofting_diagnostic::{Diagnostic, Severity, Stage, rule, suggest};
use lofting_document::Span;

rule! {
    /// # A word that a field of a resource cannot have
    ///
    /// ## What
    /// A field of one of Kubernetes' own kinds takes one of a few words (`pathType`, `imagePullPolicy`, the `type` of a
    /// `Service`), and this is none of them. Case matters.
    ///
    /// ## Why
    /// The API server refuses the resource. The schema of the kind does not say so, because it takes any text there.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: boat}
    /// spec:
    ///   restartPolicy: Nevre
    ///   containers:
    ///   - name: crew
    ///     image: crew:1
    /// ```
    ///
    /// ## How to fix
    /// Write one of the words that the message lists.
    pub static RULE: Rule = Rule {
        code: "kubernetes/unknown-value",
        stage: Stage::Validation,
        severity: Severity::Error,
    };
}

/// `words` are those that the field can have.
pub(in crate::kubernetes) fn finding(span: Span, written: &str, words: &[&str]) -> Diagnostic {
    let shown: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    let choice = match shown.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => shown.concat(),
    };
    let finding = Diagnostic::new(&RULE, span, format!("this should be {choice}, but is `{written}`"));
    let same = words.iter().find(|word| word.eq_ignore_ascii_case(written)).copied();
    match same.or_else(|| suggest::nearest(written, words.iter().copied())) {
        Some(meant) => finding.meant(span, meant),
        None => finding,
    }
}

use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A mount of a volume that the pod does not have
    ///
    /// ## What
    /// A container mounts a volume that is in neither `volumes` nor, in a `StatefulSet`, `volumeClaimTemplates`. Containers
    /// without an `image` are not looked at: they are parts of patches.
    ///
    /// ## Why
    /// The API server refuses the resource.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: boat}
    /// spec:
    ///   volumes:
    ///   - name: cargo
    ///     emptyDir: {}
    ///   containers:
    ///   - name: crew
    ///     image: crew:1
    ///     volumeMounts:
    ///     - name: cagro
    ///       mountPath: /cargo
    /// ```
    ///
    /// ## How to fix
    /// Correct the name, or add the volume.
    pub static RULE: Rule = Rule {
        code: "kubernetes/missing-volume",
        stage: Stage::Validation,
        severity: Severity::Error,
    };
}

/// `meant` is the most similar name.
pub(in crate::kubernetes) fn finding(span: Span, name: &str, meant: Option<&str>) -> Diagnostic {
    let finding = Diagnostic::new(&RULE, span, format!("the pod has no volume `{name}`"));
    match meant {
        Some(meant) => finding.meant(span, meant),
        None => finding,
    }
}

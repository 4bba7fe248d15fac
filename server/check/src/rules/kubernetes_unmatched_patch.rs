use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, Certainty, rule};
use lofting_document::Span;

rule! {
    /// # A patch for a resource that the kustomization does not have
    ///
    /// ## What
    /// The target of a patch in a `kustomization.yaml`, or the patch itself if it has no target, says a kind and a name, and
    /// no resource of the kustomization has them. This is only reported if all its resources are known: files and folders
    /// in the workspace, and what its generators make. Patterns, and the patches of components, are not looked at.
    ///
    /// ## Why
    /// A patch with a target changes nothing, without a word. One without a target makes `kustomize build` fail.
    ///
    /// ## Example
    /// ```yaml
    /// # kustomization.yaml
    /// apiVersion: kustomize.config.k8s.io/v1beta1
    /// kind: Kustomization
    /// configMapGenerator:
    /// - name: settings
    ///   literals: [level=info]
    /// patches:
    /// - target: {kind: ConfigMap, name: setings}
    ///   patch: |
    ///     - {op: replace, path: /data/level, value: debug}
    /// ```
    ///
    /// ## How to fix
    /// Correct the kind or the name, or add the resource.
    pub static RULE: Rule = Rule {
        code: "kubernetes/unmatched-patch",
        stage: Stage::Lint,
        severity: Severity::Warning,
        certainty: Certainty::NeedsWholeText,
        cause: Cause::NameGiven,
    };
}

/// `meant` is the name of a resource of this kind that is most likely meant.
pub fn finding(span: Span, kind: &str, name: &str, meant: Option<&str>) -> Diagnostic {
    let finding = Diagnostic::new(&RULE, span, format!("the kustomization has no {kind} `{name}` to patch"));
    match meant {
        Some(meant) => finding.meant(span, meant),
        None => finding,
    }
}

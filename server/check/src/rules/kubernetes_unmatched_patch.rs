use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, Certainty, rule};
use lofting_dialect::kubernetes::kustomization::{Aspect, Condition};
use lofting_document::Span;

rule! {
    /// # A patch for a resource that the kustomization does not have
    ///
    /// ## What
    /// The target of a patch in a `kustomization.yaml`, or the patch itself if it has no target, selects no resource of the
    /// kustomization. A target selects by kind, group, version, name and namespace, which are regular expressions for the
    /// whole of the text, and by labels and annotations. This is only reported if all resources are known: files and
    /// folders in the workspace, and what generators make. The patches of components are not looked at, and neither are
    /// labels, annotations and namespaces where a patch may change them.
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
    /// Correct what the target says, or add the resource.
    pub static RULE: Rule = Rule {
        code: "kubernetes/unmatched-patch",
        stage: Stage::Lint,
        severity: Severity::Warning,
        certainty: Certainty::NeedsWholeText,
        cause: Cause::NameGiven,
    };
}

/// What a patch is for, and what a kustomization does not have.
#[derive(Debug, Clone, Copy)]
pub enum Unpatched<'t> {
    /// A resource by its kind and name.
    Named {
        /// The kind.
        kind: &'t str,
        /// The name.
        name: &'t str,
    },
    /// What a condition of a target leaves.
    Selected {
        /// The kind, if that is known.
        kind: Option<&'t str>,
        /// The condition.
        condition: &'t Condition,
    },
}

/// `meant` is the name of a resource of this kind that is most likely meant.
pub fn finding(span: Span, what: &Unpatched<'_>, meant: Option<&str>) -> Diagnostic {
    let what = match what {
        Unpatched::Named { kind, name } => format!("{kind} `{name}`"),
        Unpatched::Selected { kind, condition } => {
            format!("{} {} `{}`", kind.unwrap_or("resource"), relation(condition), condition.text)
        }
    };
    let finding = Diagnostic::new(&RULE, span, format!("the kustomization has no {what} to patch"));
    match meant {
        Some(meant) => finding.meant(span, meant),
        None => finding,
    }
}

/// How a resource would have to be.
fn relation(condition: &Condition) -> &'static str {
    match (condition.aspect, condition.is_pattern()) {
        (Aspect::Kind, false) => "of the kind",
        (Aspect::Kind, true) => "whose kind matches",
        (Aspect::Group, false) => "of the group",
        (Aspect::Group, true) => "whose group matches",
        (Aspect::Version, false) => "of the version",
        (Aspect::Version, true) => "whose version matches",
        (Aspect::Name, false) => "with the name",
        (Aspect::Name, true) => "whose name matches",
        (Aspect::Namespace, false) => "in the namespace",
        (Aspect::Namespace, true) => "whose namespace matches",
        (Aspect::Labels, _) => "whose labels match",
        (Aspect::Annotations, _) => "whose annotations match",
    }
}

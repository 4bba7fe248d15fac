use crate::kubernetes::fields::Fields;
use crate::kubernetes::look::{Definition, Look};
use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::{NodeValue, Span};

rule! {
    /// # Not exactly one version of a definition is stored
    ///
    /// ## What
    /// Exactly one version has `storage: true`: the one in which resources are stored.
    ///
    /// ## Why
    /// The API server refuses the definition.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: boats.example.com}
    /// spec:
    ///   group: example.com
    ///   names: {kind: Boat, plural: boats}
    ///   scope: Namespaced
    ///   versions:
    ///   - name: v1
    ///     served: true
    ///     storage: false
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object}
    /// ```
    ///
    /// ## How to fix
    /// Set `storage: true` for one version and `storage: false` for all others.
    pub static RULE: Rule = Rule {
        code: "kubernetes/storage-version",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::Inside,
    };
}

pub(in crate::kubernetes) static LOOK: Look = Look::Definition(look);

/// Exactly one version is stored.
fn look(&Definition { spec, .. }: &Definition<'_>, found: &mut Vec<Diagnostic>) {
    let versions = || spec.items("versions").iter().map(|item| Fields(&item.value));
    let is_known = |version: Fields<'_>| {
        version.lacks("storage") || matches!(version.value("storage").map(|node| &node.value), Some(NodeValue::Bool(_)))
    };
    let Some(entry) = spec.entry("versions").filter(|entry| !entry.value.partial) else { return };
    if !matches!(entry.value.value, NodeValue::Array(_)) || !versions().all(is_known) {
        return;
    }
    let stored: Vec<_> = versions().filter(|version| version.is_set("storage")).collect();
    if let [first, others @ ..] = stored.as_slice() {
        let places = others.iter().filter_map(|version| Some((version.value("storage")?, first.value("storage")?)));
        for (place, first) in places {
            let finding = finding(place.span, "only one version can be stored");
            found.push(finding.related(first.span, "the version that is stored"));
        }
    } else {
        found.push(finding(entry.key_span, "one of the versions should have `storage: true`"));
    }
}

/// A finding at this place.
fn finding(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}

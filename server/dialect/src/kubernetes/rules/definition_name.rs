use crate::kubernetes::look::{Definition, Look};
use lofting_diagnostic::{Cause, Diagnostic, Fix, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # The name of a definition does not match what it declares
    ///
    /// ## What
    /// A `CustomResourceDefinition` is called `PLURAL.GROUP`, after `spec.names.plural` and `spec.group`.
    ///
    /// ## Why
    /// The API server refuses the definition.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: boat.example.com}
    /// spec:
    ///   group: example.com
    ///   names: {kind: Boat, plural: boats}
    ///   scope: Namespaced
    ///   versions:
    ///   - name: v1
    ///     served: true
    ///     storage: true
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    /// ```
    ///
    /// ## How to fix
    /// Use the name that the message gives.
    pub static RULE: Rule = Rule {
        code: "kubernetes/definition-name",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::Compared,
    };
}

pub(in crate::kubernetes) static LOOK: Look = Look::Definition(look);

/// The definition's own name follows from those that it declares.
fn look(&Definition { root, spec }: &Definition<'_>, found: &mut Vec<Diagnostic>) {
    let plural = spec.below("names").and_then(|names| names.text("plural"));
    let (Some(group), Some(plural)) = (spec.text("group"), plural) else { return };
    // Names of resources are in lower case; a plural that is not is reported for itself.
    let wanted = &format!("{}.{}", plural.text, group.text).to_lowercase();
    let Some(metadata) = root.below("metadata") else {
        if root.lacks("metadata") {
            found.push(finding(root.place(), format!("`metadata.name` should be `{wanted}`")));
        }
        return;
    };
    match metadata.text("name") {
        Some(name) if name.text != *wanted => {
            let message = format!("`{}` should be `{wanted}`, after `spec.names.plural` and `spec.group`", name.text);
            let fix = Fix::replace(format!("Change to `{wanted}`"), name.span, wanted.as_str());
            found.push(finding(name.span, message).fix(fix));
        }
        None if metadata.lacks("name") => {
            found.push(finding(metadata.place(), format!("`metadata.name` should be `{wanted}`")));
        }
        _ => {}
    }
}

/// A finding at this place.
fn finding(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}

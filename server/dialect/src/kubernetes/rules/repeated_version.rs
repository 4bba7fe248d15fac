use crate::kubernetes::fields::{Fields, Text};
use crate::kubernetes::look::{Definition, Look};
use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A version is declared twice
    ///
    /// ## What
    /// Two entries of `versions` have the same name.
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
    ///     storage: true
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object}
    ///   - name: v1
    ///     served: true
    ///     storage: false
    ///     schema: {openAPIV3Schema: {type: object}}
    /// ```
    ///
    /// ## How to fix
    /// Rename one of them, or remove it.
    pub static RULE: Rule = Rule {
        code: "kubernetes/repeated-version",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::Compared,
    };
}

pub(in crate::kubernetes) static LOOK: Look = Look::Definition(look);

fn look(definition: &Definition<'_>, found: &mut Vec<Diagnostic>) {
    let mut known: Vec<Text<'_>> = Vec::new();
    for name in definition.spec.items("versions").iter().filter_map(|item| Fields(&item.value).text("name")) {
        match known.iter().find(|known| known.text == name.text) {
            Some(first) => {
                let message = format!("there are two versions with the name `{}`", name.text);
                found.push(finding(name.span, message).related(first.span, "the other one"));
            }
            None => known.push(name),
        }
    }
}

/// A finding at this place.
fn finding(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}

use crate::at::At;
use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_document::Span;
use lofting_document::write::double_quoted;
use lofting_syntax::resolve::needs_quotes_in_flow;

rule! {
    /// # A name, label or reference of a resource that the API server does not accept
    ///
    /// ## What
    /// Names, labels, annotations, finalizers and owners in `metadata` follow the conventions of Kubernetes: a name is
    /// a DNS name in lower case, a label consists of up to 63 letters, digits, `-`, `_` and `.`, and names that have to
    /// be unique are not repeated. This holds for resources inside resources as well
    /// (`x-kubernetes-embedded-resource`).
    ///
    /// ## Why
    /// The API server refuses the resource.
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
    ///       openAPIV3Schema: {type: object}
    /// ---
    /// apiVersion: example.com/v1
    /// kind: Boat
    /// metadata:
    ///   name: My_Boat
    /// ```
    ///
    /// ## How to fix
    /// Write a name that follows the conventions, such as `my-boat`.
    pub static RULE: Rule = Rule {
        code: "schema/identity",
        stage: Stage::Validation,
        severity: Severity::Error,
        cause: Cause::Inside,
        shared: true,
    };
}

/// `instead` is what is most likely meant.
pub(crate) fn finding(at: &At<'_>, span: Span, message: &str, instead: Option<String>) -> Diagnostic {
    let finding = Diagnostic::new(&RULE, span, format!("{}: {message}", at.subject()));
    match instead {
        Some(text) => {
            let written = if needs_quotes_in_flow(at.profile(), &text) { double_quoted(&text) } else { text.clone() };
            finding.fix(Fix::replace(format!("Change to `{text}`"), span, written))
        }
        None => finding,
    }
}

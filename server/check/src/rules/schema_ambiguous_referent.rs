use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, Certainty, rule};
use lofting_dialect::SchemaName;
use lofting_document::Span;

rule! {
    /// # A name that several documents share
    ///
    /// ## What
    /// A document names another one, and several documents of the workspace have that kind, that name and that
    /// namespace, with different schemas, of which none is nearer: those in the same file come first, and then those that are
    /// in, or below, the nearest folder going up. Identical copies are not reported.
    ///
    /// ## Why
    /// Which of them the platform uses depends on which was submitted last. Values are checked against the one that is
    /// named first here.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: volume}
    /// spec: {schema: {parameters: {size: string}}}
    /// ---
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: volume}
    /// spec: {schema: {parameters: {size: integer}}}
    /// ---
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Component
    /// metadata: {name: shop}
    /// spec:
    ///   traits:
    ///   - name: volume
    ///     instanceName: data
    ///     parameters: {size: 1Gi}
    /// ```
    ///
    /// ## How to fix
    /// Remove or rename one of the documents, or give both of them their namespaces.
    pub static RULE: Rule = Rule {
        code: "schema/ambiguous-referent",
        stage: Stage::Lint,
        severity: Severity::Info,
        shared: true,
        certainty: Certainty::NeedsWholeText,
        cause: Cause::NameGiven,
    };
}

/// A reference leads to several documents with different content, named at these places.
pub fn finding(span: Span, family: &'static str, asked: &SchemaName, [first, other]: [Span; 2]) -> Diagnostic {
    let SchemaName { kind, name, namespace, .. } = asked;
    let help = match namespace {
        Some(_) => "remove or rename one of them",
        None => "remove or rename one of them, or give both their namespace",
    };
    Diagnostic::new(&RULE, span, format!("several documents are the {kind} `{name}`, and their schemas differ"))
        .related(first, "this one is taken")
        .related(other, "the other one")
        .help(help)
        .family(family)
}

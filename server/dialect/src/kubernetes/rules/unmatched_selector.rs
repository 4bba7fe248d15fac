use crate::kubernetes::pods::labels;
use crate::kubernetes::workloads::{SELECTING, Workload};
use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A selector that selects nothing
    ///
    /// ## What
    /// The pods of a workload do not have the labels that its own selector names, which is an error. Or a service is in a
    /// file with workloads, and selects none of them, which is a hint.
    ///
    /// ## Why
    /// The API server refuses a workload that does not select its own pods. A service without pods reaches nothing.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata: {name: boat}
    /// spec:
    ///   selector:
    ///     matchLabels:
    ///       app: boat
    ///   template:
    ///     metadata:
    ///       labels:
    ///         app: ship
    ///     spec:
    ///       containers: [{name: crew, image: crew:1}]
    /// ```
    ///
    /// ## How to fix
    /// Use the same labels in both places.
    pub static RULE: Rule = Rule {
        code: "kubernetes/unmatched-selector",
        stage: Stage::Validation,
        severity: Severity::Error,
    };
}

/// A workload has to select its own pods.
pub(in crate::kubernetes) fn look(workload: &Workload<'_, '_>, found: &mut Vec<Diagnostic>) {
    found.extend(own_selector(workload));
}

/// A service whose selector is at this place selects nothing.
pub(in crate::kubernetes) fn of_service(selector: Span) -> Diagnostic {
    let finding = Diagnostic::new(&RULE, selector, "no workload beside it has these labels");
    Diagnostic { severity: Severity::Hint, ..finding }
}

fn own_selector(workload: &Workload<'_, '_>) -> Option<Diagnostic> {
    let (written, own) = (workload.written.as_ref()?, workload.labels.as_ref()?);
    workload.resource.kind.as_deref().filter(|kind| SELECTING.contains(kind))?;
    let wanted = workload.resource.root.key("spec")?.key("selector")?.key("matchLabels")?;
    let selector = labels(&wanted)?;
    let (name, value) = selector.iter().find(|wanted| !own.contains(wanted))?;
    let span = workload.span(wanted.key(name)?.key_range());
    let message = format!("the pods of this workload have no label `{name}: {value}`");
    let labels = workload.span(written.key_range());
    Some(Diagnostic::new(&RULE, span, message).related(labels, "the labels of its pods"))
}

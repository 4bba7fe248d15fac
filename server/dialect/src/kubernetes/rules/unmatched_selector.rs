use crate::WrittenSteps;
use crate::kubernetes::pods::{Written, is_computed, labels, lack};
use crate::kubernetes::validation::{has_label_form, is_label_name};
use crate::kubernetes::workloads::{Labels, SELECTING, Workload};
use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;
use smol_str::SmolStr;
use std::ops::Range;

rule! {
    /// # A selector that selects nothing
    ///
    /// ## What
    /// The pods of a workload do not have the labels that its own selector names, or do not meet its expressions, which
    /// is an error. Or a service is in a file with workloads, and selects none of them, which is a hint.
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
        cause: Cause::Compared,
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
    let own = workload.labels.as_ref().filter(|_| workload.written.is_some() || has_images(workload))?;
    let selector = workload.resource.root.key("spec")?.key("selector")?;
    let (span, message) = match workload.resource.kind.as_deref()? {
        "ReplicationController" => lacking_label(&selector, own)?,
        kind if SELECTING.contains(&kind) => {
            let lacking = selector.key("matchLabels").and_then(|wanted| lacking_label(&wanted, own));
            let expressions = selector.key("matchExpressions").map(|array| array.items()).unwrap_or_default();
            lacking.or_else(|| expressions.iter().find_map(|expression| unmet_expression(expression, own)))?
        }
        _ => return None,
    };
    let finding = Diagnostic::new(&RULE, workload.span(span), message);
    let lack =
        workload.without.as_ref().and_then(|(beside, key)| lack(Some(workload.span(beside.clone())), &[key], false));
    let finding = Diagnostic { lack, ..finding };
    Some(match &workload.written {
        Some(written) => finding.related(workload.span(written.key_range()), "the labels of its pods"),
        None => finding,
    })
}

/// Whether the containers have images. Those of patches, which leave out labels that they do not change, have none most
/// often.
fn has_images(workload: &Workload<'_, '_>) -> bool {
    let containers = &workload.pods.containers;
    !containers.is_empty() && containers.iter().all(|container| container.is_whole)
}

/// The first label that is asked for and not there.
fn lacking_label(wanted: &WrittenSteps<'_>, own: &Labels) -> Option<(Range<usize>, String)> {
    let all = labels(wanted)?;
    // What no label can be is another mistake.
    let can_be = |(name, value): &&(SmolStr, SmolStr)| has_label_form(name, value);
    let (name, value) = all.iter().filter(can_be).find(|wanted| !own.contains(wanted))?;
    Some((wanted.key(name)?.key_range(), format!("the pods of this workload have no label `{name}: {value}`")))
}

/// An expression that the labels do not meet.
fn unmet_expression(expression: &WrittenSteps<'_>, own: &Labels) -> Option<(Range<usize>, String)> {
    let key = Written::of(&expression.key("key")?).filter(|key| is_label_name(&key.name) && !is_computed(&key.name))?;
    let name = &key.name;
    let value = own.iter().find(|(own, _)| own == name).map(|(_, value)| value);
    let values = || {
        let values = expression.key("values")?.items();
        let texts = values.iter().map(|value| value.text().filter(|text| !is_computed(text)));
        texts.collect::<Option<Vec<SmolStr>>>().filter(|values| !values.is_empty())
    };
    let why = match (expression.text_at("operator")?.as_str(), value) {
        ("In" | "Exists", None) => format!("no label `{name}`"),
        ("In", Some(value)) if !values()?.contains(value) => {
            format!("the label `{name}: {value}`, which is none of these values")
        }
        ("NotIn", Some(value)) if values()?.contains(value) => {
            format!("the label `{name}: {value}`, which is one of these values")
        }
        ("DoesNotExist", Some(_)) => format!("the label `{name}`, which should not exist"),
        _ => return None,
    };
    Some((key.at, format!("the pods of this workload have {why}")))
}

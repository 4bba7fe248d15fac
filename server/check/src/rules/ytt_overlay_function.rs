use crate::place::{Look, Looks, MergePlace};
use crate::rules::ytt_evaluation;
use crate::{Diagnostic, Related, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;
use lofting_overlay::ProblemKind;

rule! {
    /// # A function of an overlay fails
    ///
    /// ## What
    /// A function given with `by=`, `via=` or `expects=` failed, or `#@overlay/assert` is not satisfied.
    ///
    /// ## Why
    /// ytt stops.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values
    /// ---
    /// #@overlay/assert via=lambda old, new: new < old
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Correct the function or the value.
    pub static RULE: Rule = Rule {
        code: "ytt/overlay-function",
        stage: Stage::Overlay,
        severity: Severity::Error,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Merge(look)]);

fn look(place: &MergePlace<'_>, found: &mut Vec<Diagnostic>) {
    let message = match &place.problem.kind {
        ProblemKind::Function { message } => message.clone(),
        ProblemKind::AssertFailed { message: Some(message) } => format!("the assertion does not hold: {message}"),
        ProblemKind::AssertFailed { message: None } => "the assertion does not hold".into(),
        _ => return,
    };
    let lofting_overlay::Problem { span, annotation, trace, .. } = place.problem;
    let mut finding = Diagnostic::new(&RULE, *span, message);
    finding.help = trace.hint.clone().or_else(|| advice(&place.problem.kind));
    for (nth, (place, function)) in trace.calls.iter().enumerate() {
        let message = if nth == 0 { "it fails here".to_owned() } else { format!("called in {function}") };
        finding.related.push(Related { span: *place, message });
    }
    // It is marked already where a part of it fails.
    let is_marked = |function: &Span| {
        let holds = |place: &Span| function.start <= place.start && place.end <= function.end;
        trace.calls.iter().any(|(place, _)| place.file == function.file && holds(place))
    };
    if let Some(function) = annotation.filter(|function| !is_marked(function)) {
        finding.related.push(Related { span: function, message: "the function".to_owned() });
    }
    if let Some(left) = trace.left {
        finding.related.push(Related { span: left, message: "called for this value".to_owned() });
    }
    found.push(finding);
}

/// How to fix what a function says.
fn advice(kind: &ProblemKind) -> Option<String> {
    match kind {
        ProblemKind::Function { message } | ProblemKind::AssertFailed { message: Some(message) } => {
            ytt_evaluation::advice(message)
        }
        _ => None,
    }
}

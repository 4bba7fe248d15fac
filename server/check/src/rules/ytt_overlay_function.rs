use crate::place::{Look, Looks, MergePlace};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
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
    let finding = Diagnostic::new(&RULE, place.problem.span, message);
    found.push(match place.problem.annotation {
        Some(annotation) => finding.related(annotation, "the function"),
        None => finding,
    });
}

use crate::place::{Look, Looks, MergePlace};
use crate::{Diagnostic, Severity, Stage, words};
use lofting_diagnostic::{Cause, rule};
use lofting_overlay::ProblemKind;

rule! {
    /// # Wrong overlay annotations
    ///
    /// ## What
    /// An overlay annotation has wrong arguments, is on a node it is not for, or contradicts another one.
    ///
    /// ## Why
    /// ytt stops.
    ///
    /// ## Example
    /// ```yaml
    /// #! schema
    /// port: 8080
    /// #! values
    /// #@overlay/replace
    /// #@overlay/remove
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Correct the annotation.
    pub static RULE: Rule = Rule {
        code: "ytt/overlay-arguments",
        stage: Stage::Overlay,
        severity: Severity::Error,
        cause: Cause::RelatedPlace,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Merge(look)]);

fn look(place: &MergePlace<'_>, found: &mut Vec<Diagnostic>) {
    let message = match &place.problem.kind {
        ProblemKind::SeveralOperations => {
            "only one of merge, remove, replace, insert, append and assert can be done here".into()
        }
        ProblemKind::OperationPlace { annotation, place } => {
            format!("`@{annotation}` cannot be used on {}", words::with_article(place))
        }
        ProblemKind::Argument { message } => message.clone(),
        ProblemKind::RemoveDocument => "a whole data values document cannot be removed: ytt crashes".into(),
        _ => return,
    };
    let finding = Diagnostic::new(&RULE, place.problem.span, message);
    found.push(match place.problem.annotation {
        Some(annotation) => finding.blames(annotation, "the annotation"),
        None => finding,
    });
}

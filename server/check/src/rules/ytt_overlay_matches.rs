use crate::place::{Look, Looks, MergePlace};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Certainty, rule};
use lofting_document::Span;
use lofting_overlay::ProblemKind;

rule! {
    /// # An overlay matches too many or too few nodes
    ///
    /// ## What
    /// An overlay annotation must match a certain number of existing nodes, by default exactly one.
    ///
    /// ## Why
    /// ytt stops, so that an overlay that matches nothing is not silently lost.
    ///
    /// ## Example
    /// ```yaml
    /// #! schema
    /// hosts:
    /// - name: ""
    /// #! values
    /// hosts:
    /// #@overlay/match by="name"
    /// - name: web
    /// ```
    ///
    /// ## How to fix
    /// Correct what `by=` matches, or declare how many matches are expected with `expects=` or `missing_ok=True`.
    pub static RULE: Rule = Rule {
        code: "ytt/overlay-matches",
        stage: Stage::Overlay,
        severity: Severity::Error,
        certainty: Certainty::NeedsAllValues,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Merge(look)]);

fn look(place: &MergePlace<'_>, found: &mut Vec<Diagnostic>) {
    let span = place.problem.span;
    found.extend(match &place.problem.kind {
        ProblemKind::MatchCount { expected, found: _, matched } => Some(count(span, expected, matched)),
        ProblemKind::MissingBy => Some(missing_by(span)),
        ProblemKind::NoDocument => Some(no_document(span)),
        ProblemKind::MissingMatchKey { key } => Some(missing_key(span, key, place.problem.trace.left)),
        _ => None,
    });
}

/// The number of matches is wrong.
fn count(span: Span, expected: &str, matched: &[Span]) -> Diagnostic {
    let found = matched.len();
    let message = match found {
        0 => format!("this matches nothing, but should match {expected}"),
        1 => format!("this matches 1 node, but should match {expected}"),
        _ => format!("this matches {found} nodes, but should match {expected}"),
    };
    let mut finding = Diagnostic::new(&RULE, span, message).found(found.to_string(), expected);
    for place in matched.iter().take(5) {
        finding = finding.related(*place, "matched");
    }
    if found == 0 { finding.help("`missing_ok=True` allows that nothing matches") } else { finding }
}

/// `@overlay/match` without `by=` on an array item or a document.
fn missing_by(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "`@overlay/match` needs `by=` here, which says what it matches").help(
        "as `by=\"name\"` for items with an equal `name`, `by=overlay.index(0)`, or for documents `by=overlay.all`",
    )
}

/// A document that an overlay adds, without others.
fn no_document(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "there is no document to add this to: all others are overlays or empty")
        .help("a document is added to the file of the others; ytt crashes without one")
}

/// `by="key"` on a value without that key.
fn missing_key(span: Span, key: &str, without: Option<Span>) -> Diagnostic {
    let finding =
        Diagnostic::new(&RULE, span, format!("items are matched by `{key}`, which one of them does not have"));
    match without {
        Some(without) if without != span => finding.related(without, format!("this has no `{key}`")),
        _ => finding,
    }
}

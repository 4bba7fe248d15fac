use crate::place::{Look, Looks, MergePlace};
use crate::{Diagnostic, Severity, Stage, words};
use lofting_diagnostic::rule;
use lofting_document::Span;
use lofting_overlay::ProblemKind;

rule! {
    /// # A map or array is merged onto something else
    ///
    /// ## What
    /// A later document has a map where the documents before it have something else, or an array where
    /// they have no array.
    ///
    /// ## Why
    /// Maps and arrays are merged onto the existing value, which must be of the same kind. ytt says "Expected map, but
    /// was string", where "was" is the existing value.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// a: 1
    /// #@data/values-schema
    /// ---
    /// a:
    ///   b: 2
    /// ```
    ///
    /// ## How to fix
    /// Give a value of the same kind, or put `#@overlay/replace` above it.
    pub static RULE: Rule = Rule {
        code: "ytt/overlay-kind",
        stage: Stage::Overlay,
        severity: Severity::Error,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Merge(look)]);

fn look(place: &MergePlace<'_>, found: &mut Vec<Diagnostic>) {
    found.extend(match &place.problem.kind {
        ProblemKind::Kind { expected, existing, left } => Some(finding(place.problem.span, expected, existing, *left)),
        ProblemKind::Raw { expected, left } => {
            Some(finding(place.problem.span, expected, "dict or list made by code", *left))
        }
        _ => None,
    });
}

pub(crate) fn finding(span: Span, new: &str, existing: &str, left: Span) -> Diagnostic {
    let message = format!("{} cannot be merged with {}", words::with_article(new), words::with_article(existing));
    Diagnostic::new(&RULE, span, message)
        .found(new, existing)
        .help("put `#@overlay/replace` above it to replace the existing value")
        .related(left, "the existing value")
}

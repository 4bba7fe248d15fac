use crate::at::At;
use crate::view::View;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;

rule! {
    /// # Two items of an array are equal
    ///
    /// ## What
    /// The schema requires all items to be different (`uniqueItems`).
    ///
    /// ## Why
    /// An array with repeated items is refused.
    ///
    /// ## Example
    /// ```yaml
    /// # schema
    /// type: object
    /// properties:
    ///   tags: {type: array, uniqueItems: true, items: {type: string}}
    /// # values
    /// tags: [a, a]
    /// ```
    ///
    /// ## How to fix
    /// Remove the second one.
    pub static RULE: Rule = Rule {
        code: "schema/unique-items",
        stage: Stage::Validation,
        severity: Severity::Error,
        shared: true,
    };
}

/// `first` and `second` are the indices of the items, from 0.
pub(crate) fn finding<V: View>(at: &At<'_>, value: V, first: usize, second: usize) -> Diagnostic {
    let message = format!("items {} and {} of {} are equal", first + 1, second + 1, at.subject());
    let place = |index: usize| value.items().nth(index).map(|item| item.value.span());
    let is_own = |span: &Span| span.file == at.name.file;
    // What an alias stands for is elsewhere, and repeats nothing there.
    let (first, second) = (place(first).filter(is_own), place(second).filter(is_own));
    let whole = value.span();
    let is_inside = |span: &Span| whole.start <= span.start && span.end <= whole.end;
    let finding = Diagnostic::new(&RULE, second.filter(is_inside).unwrap_or_else(|| at.value_span(value)), message);
    let finding = finding.found("repeated items", "items that all differ");
    first.into_iter().fold(finding, |finding, span| finding.related(span, "the first"))
}

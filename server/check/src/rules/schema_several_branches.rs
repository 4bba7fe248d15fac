use crate::at::At;
use crate::view::View;
use crate::{Diagnostic, Severity, Stage, words};
use lofting_diagnostic::rule;
use lofting_document::{Key, Span};

rule! {
    /// # A value fits several alternatives where only one may fit
    ///
    /// ## What
    /// The schema lists alternatives of which exactly one must fit (`oneOf`), and more than one does.
    ///
    /// ## Why
    /// Ambiguous values are refused.
    ///
    /// ## Example
    /// ```yaml
    /// # schema
    /// type: object
    /// properties:
    ///   kind: {type: string}
    ///   size: {type: integer}
    /// oneOf:
    /// - required: [kind]
    /// - required: [size]
    /// # values
    /// kind: a
    /// size: 1
    /// ```
    ///
    /// ## How to fix
    /// Remove the keys that belong only to the other alternative.
    pub static RULE: Rule = Rule {
        code: "schema/several-branches",
        stage: Stage::Type,
        severity: Severity::Error,
        shared: true,
    };
}

/// Like [`finding`], where each alternative only requires keys; `last` is the place of the last one.
pub(crate) fn keys(last: Span, keys: &[Key], fitting: &[Span]) -> Diagnostic {
    let message = format!("{} cannot be given together: only one alternative may fit", words::all_of(keys));
    let finding = Diagnostic::new(&RULE, last, message).found(SEVERAL_KEYS, "exactly one alternative");
    fitting.iter().fold(finding, |finding, span| finding.related(*span, "this alternative fits"))
}

/// What is found where alternatives only require keys.
const SEVERAL_KEYS: &str = "several keys";

/// Whether a finding is about keys that exclude each other. Others may be due to alternatives that say too little.
pub fn is_about_keys(finding: &Diagnostic) -> bool {
    *finding.rule == RULE && finding.found.as_deref() == Some(SEVERAL_KEYS)
}

/// Like [`keys`], where each of the alternatives refuses what the others require.
pub(crate) fn exclusive(last: Span, keys: &[Key], alternatives: &[Span]) -> Diagnostic {
    let message = format!("{} cannot be given together: each belongs to another alternative", words::all_of(keys));
    let finding = Diagnostic::new(&RULE, last, message).found("several", "exactly one alternative");
    alternatives.iter().fold(finding, |finding, span| finding.related(*span, "this alternative has one of them"))
}

/// `fitting` are the places of the alternatives that fit.
pub(crate) fn finding<V: View>(at: &At<'_>, value: V, fitting: &[Span]) -> Diagnostic {
    let message = format!("{} fits {} alternatives of which exactly one may", at.subject(), fitting.len());
    let finding = Diagnostic::new(&RULE, at.value_span(value), message).found("several", "exactly one alternative");
    fitting.iter().fold(finding, |finding, span| finding.related(*span, "this alternative fits"))
}

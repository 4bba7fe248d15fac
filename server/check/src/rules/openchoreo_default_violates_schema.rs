use crate::place::{Look, Looks, WholeSchema};
use crate::{Diagnostic, Rule, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_document::Span;
use lofting_schema::SchemaId;
use lofting_schema::semantics::Defaults;
use rustc_hash::{FxHashMap, FxHashSet};

rule! {
    /// # A default that does not fit its own schema
    ///
    /// ## What
    /// The default of a field does not fit the type or the bounds of the field, before other defaults are filled in.
    ///
    /// ## Why
    /// In shorthand the platform refuses the document. In an `openAPIV3Schema` it accepts the document, and refuses
    /// values for which the default is filled in; there the finding is a warning. Kubernetes refuses definitions of
    /// custom resources with such defaults.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: sized}
    /// spec:
    ///   schema:
    ///     parameters:
    ///       size: integer | default=0 minimum=1
    /// ```
    ///
    /// ## How to fix
    /// Change the default or the bound.
    pub static RULE: Rule = Rule {
        code: "openchoreo/default-violates-schema",
        stage: Stage::Schema,
        severity: Severity::Error,
        shared: true,
        cause: Cause::RelatedPlace,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Schema(look)]);

fn look(whole: &WholeSchema<'_>, found: &mut Vec<Diagnostic>) {
    check_defaults(&RULE, whole, |key| key != OBJECT, found);
}

/// The key of an object's own default.
pub(super) const OBJECT: &str = "$default";

/// Checks defaults that have to fit all rules of their node, those whose keyword `is_meant`. A default that applies in
/// several places, such as one in a definition, is reported once.
pub(super) fn check_defaults(
    rule: &'static Rule,
    whole: &WholeSchema<'_>,
    is_meant: fn(&str) -> bool,
    found: &mut Vec<Diagnostic>,
) {
    let is_refused = match whole.schema.semantics().defaults {
        Defaults::Types => return,
        Defaults::Whole => true,
        Defaults::WholeWhenFilled => false,
    };
    let mut paths = None;
    let mut known: FxHashSet<(Span, &str)> = FxHashSet::default();
    for (id, node) in whole.schema.nodes() {
        let Some(default) = node.default.as_ref().filter(|default| default.explicit) else { continue };
        let key = default.keyword.and_then(|keyword| whole.source.text(keyword)).unwrap_or_default();
        if !is_meant(key.trim_matches(['"', '\''])) {
            continue;
        }
        for inner in whole.wrong(id, &default.value, default.span) {
            // Keys that nothing reads do no harm.
            if inner.severity != Severity::Error || !known.insert((inner.span, inner.rule.code)) {
                continue;
            }
            let paths: &FxHashMap<SchemaId, String> = paths.get_or_insert_with(|| whole.schema.paths_of_keys());
            let span = if inner.span.is_within(default.span) { inner.span } else { default.span };
            let mut finding = Diagnostic::about_value(rule, span, "the default does not fit", &inner);
            finding.related = inner.related;
            finding.path = Some(paths.get(&id).cloned().unwrap_or_default());
            if !is_refused {
                (finding.severity, finding.stage) = (Severity::Warning, Stage::Lint);
            }
            found.push(finding);
        }
    }
}

/// A default or an example that programs accept, although it does not fit.
pub(crate) fn doubtful(what: &str, argument: Span, inner: &Diagnostic) -> Diagnostic {
    let span = if inner.span.is_within(argument) { inner.span } else { argument };
    let mut finding = Diagnostic::about_value(&RULE, span, &format!("the {what} does not fit"), inner);
    finding.related.clone_from(&inner.related);
    (finding.severity, finding.stage) = (Severity::Warning, Stage::Lint);
    finding
}

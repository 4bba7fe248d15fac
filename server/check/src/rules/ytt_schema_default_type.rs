use crate::place::{Look, Looks, WholeSchema};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_document::Span;
use lofting_schema::semantics::{Defaults, Notation};

rule! {
    /// # A default that does not have the type of its value
    ///
    /// ## What
    /// `#@schema/default` gives a value that does not fit the type that the value below declares.
    ///
    /// ## Why
    /// ytt refuses the schema.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// #@schema/default "80"
    /// port: 0
    /// ```
    ///
    /// ## How to fix
    /// Give a default of the declared type. null is only allowed with `#@schema/nullable`.
    pub static RULE: Rule = Rule {
        code: "ytt/schema-default-type",
        stage: Stage::Schema,
        severity: Severity::Error,
        shared: true,
        cause: Cause::AnnotationBeside,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Schema(look)]);

fn look(whole: &WholeSchema<'_>, found: &mut Vec<Diagnostic>) {
    if whole.schema.semantics().defaults != Defaults::Types {
        return;
    }
    for (id, node) in whole.schema.nodes() {
        let Some(default) = node.default.as_ref().filter(|default| default.explicit) else { continue };
        // A default that fitted the declared value may not fit the one that a later document put there.
        let name = node.changed.unwrap_or(node.declared.name);
        let annotated = default.keyword.is_none().then_some(name);
        let wrong = whole.wrong_types(id, &default.value, default.span);
        found.extend(wrong.iter().map(|inner| {
            let finding = finding(annotated, default.span, inner);
            // JSON Schema recommends that defaults fit, and no program refuses a schema because of them.
            match whole.schema.semantics().words.notation {
                Notation::Json => Diagnostic { severity: Severity::Warning, ..finding },
                Notation::Starlark => finding,
            }
        }));
    }
}

/// `inner` is the finding from checking the default against the node's type. Where the default is an annotation, ytt
/// points to the node that has it, whose name is `annotated`.
fn finding(annotated: Option<Span>, argument: Span, inner: &Diagnostic) -> Diagnostic {
    let given = inner.span.is_within(argument);
    let span = annotated.filter(|_| given).unwrap_or(inner.span);
    let finding = Diagnostic::about_value(&RULE, span, "the default does not fit", inner);
    match (given, annotated) {
        (true, Some(_)) => finding.blames(argument, "the default"),
        (true, None) => finding,
        (false, _) => finding.related(argument, "the default"),
    }
}

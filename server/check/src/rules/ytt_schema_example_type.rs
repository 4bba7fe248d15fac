use crate::place::{Look, Looks, WholeSchema};
use crate::{Diagnostic, Severity, Stage, words};
use lofting_diagnostic::{Cause, rule};
use lofting_document::Span;
use lofting_schema::semantics::{Defaults, Examples, Notation};

rule! {
    /// # An example that does not have the type of its value
    ///
    /// ## What
    /// `#@schema/examples` gives a value that does not fit the type that the value below declares. In the design proposals,
    /// an example that breaks a rule of the value is a warning.
    ///
    /// ## Why
    /// ytt refuses the schema.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// #@schema/examples ("the usual one", "80")
    /// port: 0
    /// ```
    ///
    /// ## How to fix
    /// Give an example of the declared type. null is only allowed with `#@schema/nullable`.
    pub static RULE: Rule = Rule {
        code: "ytt/schema-example-type",
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
    let is_advice = whole.schema.semantics().words.notation == Notation::Json;
    for (id, node) in whole.schema.nodes() {
        let name = node.changed.unwrap_or(node.declared.name);
        for example in &node.docs.examples {
            let wrong = whole.wrong_types(id, &example.value, example.span);
            found.extend(wrong.iter().map(|inner| {
                if is_advice {
                    advice(example.span, inner)
                } else {
                    finding(name, example.span, &example.description, inner)
                }
            }));
            if wrong.is_empty() && whole.schema.semantics().examples == Examples::Rules {
                let broken = whole.broken_rules(id, &example.value, example.span);
                found.extend(broken.iter().map(|inner| advice(example.span, inner).stage(Stage::Lint)));
            }
        }
    }
}

/// Where examples should fit, and no program refuses a schema because of them: in JSON Schema, and for rules.
fn advice(argument: Span, inner: &Diagnostic) -> Diagnostic {
    let span = if inner.span.is_within(argument) { inner.span } else { argument };
    let mut finding = Diagnostic::about_value(&RULE, span, "the example does not fit", inner);
    finding.related.clone_from(&inner.related);
    finding.severity = Severity::Warning;
    finding
}

/// `inner` is the finding from checking the example against the node's type.
fn finding(name: Span, argument: Span, description: &str, inner: &Diagnostic) -> Diagnostic {
    let given = inner.span.is_within(argument);
    let what = match description {
        "" => "the example does not fit".to_owned(),
        _ => format!("the example {} does not fit", words::quoted(description)),
    };
    let finding = Diagnostic::about_value(&RULE, if given { name } else { inner.span }, &what, inner);
    if given { finding.blames(argument, "the example") } else { finding.related(argument, "the example") }
}

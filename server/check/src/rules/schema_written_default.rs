use crate::rules::merged_as_is::{entries, is_scalar};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Certainty, Subject, Tag, rule};
use lofting_document::{Document, Node, NodeValue, Notes, Span};
use lofting_schema::{KeyChild, Schema, SchemaId, Via};

rule! {
    /// # A value that is the default
    ///
    /// ## What
    /// A values file sets a key to the default that the schema declares for it, and no other file comes before it.
    ///
    /// ## Why
    /// The line changes nothing now. When the default changes, the line keeps the old value.
    ///
    /// The rule is off by default: many people set a value deliberately, whatever the default may become.
    ///
    /// ## Example
    /// ```yaml
    /// #! schema
    /// port: 80
    /// #! values
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Remove the line.
    pub static RULE: Rule = Rule {
        code: "schema/written-default",
        stage: Stage::Lint,
        severity: Severity::Hint,
        shared: true,
        silent: true,
        certainty: Certainty::NeedsWholeSchema,
        subject: Subject::Key,
    };
}

/// Scalars of a document that are the defaults of their keys. It is the only one that is merged onto the defaults.
pub fn check_written_defaults(schema: &Schema, document: &Document) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut open: Vec<(&Node, SchemaId)> = vec![(&document.value, schema.root())];
    while let Some((value, id)) = open.pop() {
        let node = schema.node(id);
        match &value.value {
            NodeValue::Map(items) => {
                let Some(shape) = &node.map else { continue };
                for item in entries(items) {
                    let KeyChild::Child(child) = shape.child(&item.key) else { continue };
                    let below = schema.node(child.schema);
                    let default = below.default.as_ref().filter(|_| child.via == Via::Declared && below.known);
                    match default {
                        Some(default) if is_scalar(&item.value) && item.value.value == default.value.value => {
                            found.push(finding(item.key_span, default.span));
                        }
                        _ => open.push((&item.value, child.schema)),
                    }
                }
            }
            NodeValue::Array(items) => {
                let Some(shape) = &node.array else { continue };
                open.extend(
                    items.iter().filter(|item| item.notes == Notes::default()).map(|item| (&item.value, shape.item)),
                );
            }
            _ => {}
        }
    }
    let family = schema.semantics().family;
    found.into_iter().map(|finding| finding.family(family)).collect()
}

/// `default`: where it is declared.
fn finding(span: Span, default: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "this is the default anyway").related(default, "declared here").tag(Tag::Unnecessary)
}

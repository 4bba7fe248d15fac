//! What a schema says that is allowed and most likely not meant: rules look at each of its nodes.

use super::within;
use crate::place::{Compare, SchemaPlace};
use crate::values::{Checks, Root, ValuesCheck};
use crate::view::{NodeView, Source};
use crate::visit::Visit;
use lofting_diagnostic::Diagnostic;
use lofting_document::Node;
use lofting_schema::semantics::Defaults;
use lofting_schema::{Schema, SchemaId};

/// What is doubtful in a schema that gives types by their defaults. In other languages a default is one of several things
/// that are said, and their readers look at it.
pub fn lint_schema(schema: &Schema, source: &dyn Source) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if schema.semantics().defaults != Defaults::Types {
        return found;
    }
    let compare = Alone { schema, source };
    let visit = Visit::of(true, source);
    for (id, node) in schema.nodes() {
        visit.schema_node(&SchemaPlace { schema, id, node, source, compare: &compare }, &mut found);
    }
    let family = schema.semantics().family;
    found.into_iter().map(|finding| finding.family(family)).collect()
}

/// Compares values with a schema that nothing is merged into.
struct Alone<'s> {
    schema: &'s Schema,
    source: &'s dyn Source,
}

impl Compare for Alone<'_> {
    fn wrong_types(&self, id: SchemaId, value: &Node) -> Vec<Diagnostic> {
        within(self.schema, id, value, value.span, self.source)
    }

    fn keeps_rules(&self, id: SchemaId, value: &Node) -> bool {
        let check = ValuesCheck::alone(self.schema, self.source).asking(Checks { counts: false, ..Checks::RULES });
        let root = Root { is_value: true, ..Root::new(NodeView(value), value.span) };
        check.run_at(root, id).into_diagnostics().is_empty()
    }
}

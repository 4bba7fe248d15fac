//! Findings about a schema: its faults, what rules find in it, and its documents alone.

use crate::place::{Aspects, Compare, WholeSchema};
use crate::values::{Checks, Root, ValuesCheck};
use crate::view::{NodeView, Source};
use crate::visit::Visit;
use crate::{rules, suggest};
use lofting_diagnostic::{Diagnostic, Severity};
use lofting_dialect::Fault;
use lofting_document::{Node, Span};
use lofting_schema::semantics::{Defaults, Notation};
use lofting_schema::{Schema, SchemaId};
use rustc_hash::FxHashSet;

/// Findings about a schema: the faults that its reader noticed, and its defaults and examples.
pub fn check_schema(schema: &Schema, faults: &[Fault], source: &dyn Source) -> Vec<Diagnostic> {
    let faults = faults.iter().enumerate().filter_map(|(nth, fault)| match fault {
        Fault::Found(found) => Some(found.as_ref().clone()),
        Fault::Merge(problem) => crate::overlay::check_overlay(problem, nth < suggest::SEARCHES),
    });
    let mut found: Vec<Diagnostic> = faults.collect();
    found.extend(of_family(schema, |found| {
        Visit::of(true, source).schema(&WholeSchema { schema, source, compare: &Alone }, found)
    }));
    found
}

/// What is doubtful in a schema that gives types by their defaults. In other languages a default is only one part of a
/// schema, and their readers check it.
pub fn lint_schema(schema: &Schema, source: &dyn Source) -> Vec<Diagnostic> {
    if schema.semantics().defaults != Defaults::Types {
        return Vec::new();
    }
    of_family(schema, |found| {
        Visit::of(true, source).schema_nodes(&WholeSchema { schema, source, compare: &Alone }, found)
    })
    .collect()
}

/// What a visit finds, in the family of the schema.
fn of_family(schema: &Schema, visit: impl FnOnce(&mut Vec<Diagnostic>)) -> impl Iterator<Item = Diagnostic> {
    let mut found = Vec::new();
    visit(&mut found);
    let family = schema.semantics().family;
    found.into_iter().map(move |finding| finding.family(family))
}

/// Defaults and examples of a schema that have the right type and break another rule of their node, where a language lets
/// that pass. A key that they lack may be filled in.
pub fn check_documented_values(schema: &Schema, source: &dyn Source) -> Vec<Diagnostic> {
    let whole = WholeSchema { schema, source, compare: &Alone };
    let mut known: FxHashSet<(Span, &str)> = FxHashSet::default();
    let found = of_family(schema, |found| {
        for (id, node) in schema.nodes() {
            let default = node.default.as_ref().filter(|default| default.explicit);
            let default = default.map(|default| ("default", &default.value, default.span));
            let examples = node.docs.examples.iter().map(|example| ("example", &example.value, example.span));
            for (what, value, span) in default.into_iter().chain(examples) {
                // Where the type is wrong, this has been said.
                if !whole.wrong_types(id, value, span).is_empty() {
                    continue;
                }
                for inner in whole.wrong(id, value, span) {
                    let is_about_more = inner.severity == Severity::Error && inner.key.is_none();
                    if is_about_more && known.insert((inner.span, inner.rule.code)) {
                        found.push(rules::openchoreo_default_violates_schema::doubtful(what, span, &inner));
                    }
                }
            }
        }
    });
    found.collect()
}

/// What no value satisfies in a schema whose bounds are keywords, at places about which nothing else is known to be wrong.
/// Several ways may lead to one place.
pub fn check_impossible_rules(schema: &Schema, source: &dyn Source, known: &[Diagnostic]) -> Vec<Diagnostic> {
    // For arguments of annotations, there is a look of its own.
    if schema.semantics().words.notation == Notation::Starlark {
        return Vec::new();
    }
    let whole = WholeSchema { schema, source, compare: &Alone };
    let mut known: FxHashSet<Span> = known.iter().map(|finding| finding.span).collect();
    let found = of_family(schema, |found| rules::ytt_schema_impossible_rules::in_keywords(&whole, found));
    found.filter(|finding| known.insert(finding.span)).collect()
}

/// Adds the findings of single schema documents: defaults and examples that a later document replaces (docs/ytt.md
/// 8.2). Findings that are already in `found` are not repeated.
pub fn check_schemas_alone(alone: &[Schema], found: &mut Vec<Diagnostic>, source: &dyn Source) {
    let place = |finding: &Diagnostic| (finding.rule.code, finding.span);
    let mut known: FxHashSet<(&str, Span)> = found.iter().map(place).collect();
    for schema in alone {
        let replaced = check_schema(schema, &[], source);
        found.extend(replaced.into_iter().filter(|finding| known.insert(place(finding))));
    }
}

/// Compares with a schema that nothing is merged into.
struct Alone;

impl Compare for Alone {
    fn wrong(
        &self,
        of: &WholeSchema<'_>,
        id: SchemaId,
        (value, span): (&Node, Span),
        asked: Aspects,
    ) -> Vec<Diagnostic> {
        let checks = match asked {
            Aspects::Types => Checks::TYPES,
            Aspects::Rules => Checks { counts: false, ..Checks::RULES },
            Aspects::Everything => Checks { notices: false, ..Checks::ALL },
        };
        let checks = Checks { is_raw: of.schema.semantics().defaults == Defaults::Whole, ..checks };
        let check = ValuesCheck::alone(of.schema, of.source).asking(checks);
        let root = Root { is_value: true, ..Root::new(NodeView(value), span) };
        check.run_at(root, id).into_diagnostics()
    }
}

#[cfg(test)]
mod tests;

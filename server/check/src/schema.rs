//! Findings about a schema: the reader's faults in words, and defaults and examples that do not fit their own node.

mod lints;

pub use lints::lint_schema;

use crate::values::{Checks, Root, ValuesCheck};
use crate::view::{NodeView, Source};
use crate::{rules, suggest};
use lofting_diagnostic::{Diagnostic, Severity, Stage};
use lofting_dialect::Fault;
use lofting_dialect::ytt::{Problem, ProblemKind};
use lofting_document::{Node, Span};
use lofting_schema::semantics::{Defaults, Notation};
use lofting_schema::{Schema, SchemaId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Findings about a schema: the faults that its reader noticed, and its defaults and examples.
pub fn check_schema(schema: &Schema, faults: &[Fault], source: &dyn Source) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> =
        faults.iter().enumerate().map(|(nth, wrong)| fault(wrong, nth < suggest::SEARCHES)).collect();
    let family = schema.semantics().family;
    let refused = match schema.semantics().defaults {
        Defaults::Types => None,
        Defaults::Whole => Some(true),
        Defaults::WholeWhenFilled => Some(false),
    };
    if let Some(refused) = refused {
        let mut wrong = whole_defaults(schema, source);
        if !refused {
            for finding in &mut wrong {
                (finding.severity, finding.stage) = (Severity::Warning, Stage::Lint);
            }
        }
        found.extend(wrong);
        return found;
    }
    // JSON Schema recommends that they fit, and no program refuses a schema because of them.
    let is_advice = schema.semantics().words.notation == Notation::Json;
    let as_asked = |finding: Diagnostic| match is_advice {
        true => Diagnostic { severity: Severity::Warning, ..finding },
        false => finding,
    };
    for (id, node) in schema.nodes() {
        // A default that fitted the declared value may not fit the one that a later document put there.
        let name = node.changed.unwrap_or(node.declared.name);
        if let Some(default) = node.default.as_ref().filter(|default| default.explicit) {
            let annotated = default.keyword.is_none().then_some(name);
            let inner = within(schema, id, &default.value, default.span, source);
            found.extend(inner.iter().map(|inner| {
                as_asked(rules::ytt_schema_default_type::finding(annotated, default.span, inner).family(family))
            }));
        }
        for example in &node.docs.examples {
            let inner = within(schema, id, &example.value, example.span, source);
            found.extend(inner.iter().map(|inner| {
                let name = (!is_advice).then_some(name);
                let finding = rules::ytt_schema_example_type::finding(name, example.span, &example.description, inner);
                as_asked(finding.family(family))
            }));
        }
    }
    found
}

/// Defaults and examples of a schema that have the right type and break another rule of their node, where a language lets
/// that pass. A key that they lack may be filled in.
pub fn check_documented_values(schema: &Schema, source: &dyn Source) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut known: FxHashSet<(Span, &str)> = FxHashSet::default();
    let family = schema.semantics().family;
    for (id, node) in schema.nodes() {
        let default =
            node.default.as_ref().filter(|default| default.explicit).map(|it| ("default", &it.value, it.span));
        let examples = node.docs.examples.iter().map(|example| ("example", &example.value, example.span));
        for (what, value, span) in default.into_iter().chain(examples) {
            // Where the type is wrong, this has been said.
            if !within(schema, id, value, span, source).is_empty() {
                continue;
            }
            let check = ValuesCheck::alone(schema, source).asking(Checks { notices: false, ..Checks::ALL });
            let root = Root { is_value: true, ..Root::new(NodeView(value), span) };
            for inner in check.run_at(root, id).into_diagnostics() {
                let is_about_more = inner.severity == Severity::Error && inner.key.is_none();
                if is_about_more && known.insert((inner.span, inner.rule.code)) {
                    let finding = rules::openchoreo_default_violates_schema::doubtful(what, span, &inner);
                    found.push(finding.family(family));
                }
            }
        }
    }
    found
}

/// Checks defaults that have to fit all rules of their node. A default that applies in several places, such as one in a
/// definition, is reported once.
fn whole_defaults(schema: &Schema, source: &dyn Source) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut paths = None;
    let mut known: FxHashSet<(Span, &str)> = FxHashSet::default();
    for (id, node) in schema.nodes() {
        let Some(default) = node.default.as_ref().filter(|default| default.explicit) else { continue };
        let check = ValuesCheck::alone(schema, source).asking(Checks { notices: false, ..Checks::ALL });
        let root = Root { is_value: true, ..Root::new(NodeView(&default.value), default.span) };
        let of_object = default
            .keyword
            .and_then(|keyword| source.text(keyword))
            .is_some_and(|key| key.trim_matches(['"', '\'']) == OBJECT);
        for inner in check.run_at(root, id).into_diagnostics() {
            // Keys that nothing reads do no harm.
            if inner.severity != Severity::Error || !known.insert((inner.span, inner.rule.code)) {
                continue;
            }
            let paths: &FxHashMap<SchemaId, String> = paths.get_or_insert_with(|| schema.paths_of_keys());
            let path = paths.get(&id).cloned().unwrap_or_default();
            found.push(if of_object {
                rules::openchoreo_object_default_violates_schema::finding(default.span, &inner, path)
            } else {
                let family = schema.semantics().family;
                rules::openchoreo_default_violates_schema::finding(default.span, &inner, path).family(family)
            });
        }
    }
    found
}

/// The key of an object's own default.
const OBJECT: &str = "$default";

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

/// Checks a value in the schema against one of its nodes (docs/ytt.md 10.2).
fn within(schema: &Schema, id: SchemaId, value: &Node, span: Span, source: &dyn Source) -> Vec<Diagnostic> {
    let check = ValuesCheck::alone(schema, source).asking(Checks::TYPES);
    let root = Root { is_value: true, ..Root::new(NodeView(value), span) };
    check.run_at(root, id).into_diagnostics()
}

fn fault(fault: &Fault, suggest: bool) -> Diagnostic {
    match fault {
        Fault::Ytt(wrong) => problem(wrong, suggest),
        Fault::Found(found) => found.as_ref().clone(),
    }
}

fn problem(problem: &Problem, suggest: bool) -> Diagnostic {
    match &problem.kind {
        ProblemKind::NullValue { nullable } => rules::ytt_schema_null_value::finding(problem, *nullable),
        ProblemKind::ArrayItems { count } => rules::ytt_schema_array_items::finding(problem, *count),
        ProblemKind::ComputedCollection { found } => rules::ytt_schema_computed_collection::finding(problem, found),
        ProblemKind::WithinAny { annotations, any } => {
            rules::ytt_schema_within_any::finding(problem, annotations, *any)
        }
        ProblemKind::TypeMissing => rules::ytt_schema_type_arguments::missing(problem),
        ProblemKind::TypeKeyword { name } => rules::ytt_schema_type_arguments::keyword(problem, name),
        ProblemKind::TypeValue { found } => rules::ytt_schema_type_arguments::value(problem, found),
        ProblemKind::NullableKeyword { name } => rules::ytt_schema_nullable_arguments::finding(problem, name),
        ProblemKind::Text { name, wrong } => rules::ytt_schema_text_arguments::finding(problem, name, wrong),
        ProblemKind::DeprecatedOnDocument => rules::ytt_schema_text_arguments::deprecated_document(problem),
        ProblemKind::Examples { wrong } => rules::ytt_schema_examples_arguments::finding(problem, wrong),
        ProblemKind::Default { wrong, expected } => {
            rules::ytt_schema_default_arguments::finding(problem, wrong, expected)
        }
        ProblemKind::DefaultOnArrayItem => rules::ytt_schema_default_arguments::on_array_item(problem),
        ProblemKind::Validation { wrong } => rules::ytt_schema_validation_arguments::finding(problem, wrong),
        ProblemKind::Overlay { wrong } => crate::overlay::check_overlay(
            &lofting_overlay::Problem { kind: wrong.clone(), span: problem.node.name, annotation: problem.annotation },
            suggest,
        ),
    }
}

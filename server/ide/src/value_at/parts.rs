//! The schemas that are parts of a file, such as the sections of a type or the versions of a custom resource.

use lofting_dialect::SchemaName;
use lofting_document::{FileId, Key, Span};
use lofting_schema::{Schema, export};
use lofting_workspace::Snapshot;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A schema that is a part of a file.
#[derive(Debug, Clone)]
pub struct SchemaPart {
    /// Tells it from the others of the file, in the form of a path: `parameters`, `web.parameters`.
    pub name: String,
    /// What declares it.
    pub declared: Span,
    /// The schema.
    pub schema: Arc<Schema>,
}

/// The schemas that are parts of a file, in the order of the text. `document`: only those in the document with this number.
pub fn schema_parts(snapshot: &Snapshot, file: FileId, document: Option<usize>) -> Vec<SchemaPart> {
    let tree = snapshot.tree(file);
    let all = snapshot.named_schemas_in(file);
    let labels = labels(&all.iter().map(|(name, _)| name).collect::<Vec<_>>());
    let parts = all.into_iter().zip(labels).map(|((_, schema), name)| {
        let declared = schema.node(schema.root()).declared.name;
        SchemaPart { name, declared, schema }
    });
    let is_in = |part: &SchemaPart, number: usize| {
        tree.document_at(part.declared.range().start).is_some_and(|(found, _)| found == number)
    };
    parts.filter(|part| document.is_none_or(|number| is_in(part, number))).collect()
}

/// What tells schemas apart: their documents, their sections, or both.
fn labels(names: &[&SchemaName]) -> Vec<String> {
    let are_same = |of: fn(&SchemaName) -> &str| names.iter().zip(names.iter().skip(1)).all(|(a, b)| of(a) == of(b));
    let is_one_kind = are_same(|name| &name.kind);
    // The version of a custom resource follows its group.
    let own = |name: &SchemaName| name.name.rsplit('/').next().unwrap_or_default().to_owned();
    let document = |name: &SchemaName| if is_one_kind { own(name) } else { format!("{} {}", name.kind, own(name)) };
    let mut documents: FxHashMap<String, usize> = FxHashMap::default();
    names.iter().for_each(|name| *documents.entry(document(name)).or_default() += 1);
    let mut known: FxHashMap<String, usize> = FxHashMap::default();
    let label = |name: &&SchemaName| {
        let own = document(name);
        let is_alone = documents.get(&own) == Some(&1);
        let is_only = documents.len() == 1;
        let steps = [(!is_only).then_some(own.as_str()), (!is_alone).then_some(name.slot)];
        let steps = steps.into_iter().flatten().map(|step| export::escaped(&Key::from(step)));
        let label = steps.collect::<Vec<_>>().join(".");
        let count = known.entry(label.clone()).or_default();
        *count += 1;
        if *count > 1 { format!("{label} {count}") } else { label }
    };
    names.iter().map(label).collect()
}

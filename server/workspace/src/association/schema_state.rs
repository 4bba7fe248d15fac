//! Schemas of the workspace, each read once for each state of its files.

use crate::association::shared::FileList;
use crate::association::state::AssociationState;
use crate::caches::weight;
use crate::evaluation::Callbacks;
use crate::files::file::File;
use crate::source::TextSource;
use lofting_check::Diagnostic;
use lofting_diagnostic::Certainty;
use lofting_dialect::{Fault, data_values};
use lofting_document::{Document, DocumentSet, FileId, Node, NodeValue, Notes};
use lofting_memo::Stamp;
use lofting_memo::Weigh;
use lofting_schema::Schema;
use lofting_schema::SchemaNode;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The schema that a list of files forms.
#[derive(Debug)]
pub struct SchemaState {
    /// The schema; unknown where it is wrong or needs evaluation.
    pub schema: Arc<Schema>,
    /// Its faults.
    pub faults: Vec<Fault>,
    /// The faults as findings, together with those about defaults and examples, by file.
    pub(crate) findings: FxHashMap<FileId, Vec<Diagnostic>>,
    /// The files that hold its documents, in ytt's order.
    pub files: Arc<[FileId]>,
    /// Stands for the meaning of the schema: stays the same when only comments, documentation or places change.
    pub(crate) meaning: Stamp,
    /// One of the files has syntax errors, so keys may be missing.
    pub uncertain: bool,
    /// A rule or condition is code. Asked at every key, so it is not looked for in all nodes then.
    pub(crate) has_code: bool,
    /// Something follows only from the merged document. Asked at every key as well.
    pub(crate) asks_merged: bool,
    pub(crate) documents: Vec<Arc<DocumentSet>>,
    /// Differs from the stamps of all other schemas.
    pub(crate) stamp: Stamp,
}

impl Weigh for SchemaState {
    fn weight(&self) -> usize {
        // With keys, defaults and documentation a node takes about twice its own size.
        let findings = self.findings.values().flatten().map(weight::of_diagnostic).sum::<usize>();
        size_of::<SchemaState>() + 2 * size_of::<SchemaNode>() * self.schema.nodes().count() + findings
    }

    fn version(&self) -> Option<Stamp> {
        Some(self.stamp)
    }

    fn meaning(&self) -> Option<Stamp> {
        Some(self.meaning)
    }
}

impl SchemaState {
    /// Reads the schema that `files` form in this order.
    pub(crate) fn read(state: &AssociationState, files: &[Arc<File>], list: &FileList) -> SchemaState {
        let documents: Vec<Arc<DocumentSet>> = files.iter().map(|file| state.documents(file).clone()).collect();
        let schema_documents: Vec<&Document> = documents.iter().flat_map(|set| own_schema_documents(set)).collect();
        let texts = TextSource::Files(files);
        let read = data_values::read_with(&schema_documents, &Callbacks { texts, runner: state.runner.as_ref() });
        let mut found = lofting_check::check_schema(&read.schema, &read.faults, &texts);
        lofting_check::check_schemas_alone(&read.alone, &mut found, &texts);
        found.extend(lofting_check::lint_schema(&read.schema, &texts));
        let mut findings: FxHashMap<FileId, Vec<Diagnostic>> = FxHashMap::default();
        for finding in found {
            findings.entry(finding.span.file).or_default().push(finding);
        }
        let uncertain = files.iter().any(|file| !file.errors().is_empty());
        let stamp = Stamp::next();
        let before = state.memos.schemas.newest(list);
        let same = before.filter(|before| before.uncertain == uncertain && before.schema.means_the_same(&read.schema));
        let meaning = same.map_or(stamp, |before| before.meaning);
        SchemaState {
            stamp,
            meaning,
            has_code: read.schema.has_code(),
            asks_merged: read.schema.asks_merged(),
            schema: Arc::new(read.schema),
            faults: read.faults,
            findings,
            files: list.files().clone(),
            uncertain,
            documents,
        }
    }

    /// Drops findings that may only be caused by an incomplete schema: one that is being typed, or is partly unknown.
    pub(crate) fn keep_certain(&self, findings: &mut Vec<Diagnostic>, incomplete: bool) {
        if self.uncertain || incomplete {
            findings.retain(|finding| finding.rule.certainty != Certainty::NeedsWholeSchema);
        }
    }

    /// Whether the files just happen to lie together: they do not fit, and none of them has overlay annotations.
    pub(crate) fn is_accidental(&self) -> bool {
        let conflict = |fault: &Fault| match fault {
            Fault::Merge(_) => true,
            Fault::Found(found) => data_values::is_mixed(found),
        };
        self.documents.len() > 1
            && self.faults.iter().any(conflict)
            && !self.schema_documents().any(|document| has_overlay(&document.notes) || holds_overlay(&document.value))
    }

    /// The schema documents, in ytt's order.
    pub fn schema_documents(&self) -> impl Iterator<Item = &Document> {
        self.documents.iter().flat_map(|set| own_schema_documents(set))
    }
}

/// Schema documents for the file's own library; those with `@library/ref` are for another one.
fn own_schema_documents(set: &DocumentSet) -> impl Iterator<Item = &Document> {
    set.documents.iter().filter(|document| document.is_schema() && !document.notes.has("library/ref"))
}

fn has_overlay(notes: &Notes) -> bool {
    notes.annotations.iter().any(|note| note.name.starts_with("overlay/"))
}

fn holds_overlay(node: &Node) -> bool {
    match &node.value {
        NodeValue::Map(items) => items.iter().any(|item| has_overlay(&item.notes) || holds_overlay(&item.value)),
        NodeValue::Array(items) => items.iter().any(|item| has_overlay(&item.notes) || holds_overlay(&item.value)),
        _ => false,
    }
}

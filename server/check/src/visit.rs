//! The one walk over the places of a document, and the tables of the rules that look at them.

use crate::bound::Bound;
use crate::place::{
    AnnotationPlace, CodePlace, CommentPlace, Content, EntryPlace, Files, IssuePlace, ItemPlace, Look, Looks,
    MergePlace, ScalarPlace, SchemaPlace, WholeSchema,
};
use crate::rules;
use crate::view::Source;
use lofting_diagnostic::Diagnostic;
use lofting_dialect::data_values::is_meant_as_proposal;
use lofting_document::{Document, DocumentSet, Issue, Key, Node, NodeValue, Notes, Span};
use std::borrow::Borrow;
use std::sync::LazyLock;

type Found = Vec<Diagnostic>;

/// The rules of one kind of file, by what they look at.
#[derive(Default)]
struct Table {
    documents: Vec<fn(&[Document], &mut Found)>,
    document: Vec<fn(&Document, &mut Found)>,
    entry: Vec<fn(&EntryPlace<'_>, &mut Found)>,
    item: Vec<fn(&ItemPlace<'_>, &mut Found)>,
    scalar: Vec<fn(&ScalarPlace<'_>, &mut Found)>,
    annotation: Vec<fn(&AnnotationPlace<'_>, &mut Found)>,
    comment: Vec<fn(&CommentPlace<'_>, &mut Found)>,
    issue: Vec<fn(&IssuePlace<'_>, &mut Found)>,
    code: Vec<fn(&CodePlace<'_>, &mut Found)>,
    merge: Vec<fn(&MergePlace<'_>, &mut Found)>,
    schema: Vec<fn(&WholeSchema<'_>, &mut Found)>,
    schema_node: Vec<fn(&SchemaPlace<'_>, &mut Found)>,
}

impl Table {
    fn of(files: Files) -> Table {
        let mut table = Table::default();
        let is_here = |looks: &&Looks| looks.files == files || looks.files == Files::All;
        for look in rules::LOOKING.iter().copied().filter(is_here).flat_map(|looks| looks.at) {
            match *look {
                Look::Documents(look) => table.documents.push(look),
                Look::Document(look) => table.document.push(look),
                Look::Entry(look) => table.entry.push(look),
                Look::Item(look) => table.item.push(look),
                Look::Scalar(look) => table.scalar.push(look),
                Look::Annotation(look) => table.annotation.push(look),
                Look::Comment(look) => table.comment.push(look),
                Look::Issue(look) => table.issue.push(look),
                Look::Code(look) => table.code.push(look),
                Look::Merge(look) => table.merge.push(look),
                Look::Schema(look) => table.schema.push(look),
                Look::SchemaNode(look) => table.schema_node.push(look),
            }
        }
        table
    }
}

static IN_TEMPLATES: LazyLock<Table> = LazyLock::new(|| Table::of(Files::Templates));
static IN_PLAIN_FILES: LazyLock<Table> = LazyLock::new(|| Table::of(Files::Plain));

/// Leads the rules to the places of a file.
#[derive(Clone, Copy)]
pub(crate) struct Visit<'v> {
    table: &'static Table,
    source: &'v dyn Source,
}

/// A document that the walk goes through.
pub(crate) trait Ground<'p> {
    /// A collection, or a part of one.
    type Node;
    /// What stands for a node that has nothing to report.
    type Mark;

    /// What is known about a node before it is opened.
    fn recall(&self, node: &Self::Node) -> Recalled<Self::Mark>;
    /// Notes that there is nothing to report below a node.
    fn remember(&mut self, mark: Self::Mark);
    /// Lists what is directly in a node, and reports what reading it finds. None if it cannot be read here.
    fn open(&mut self, node: Self::Node, inside: &mut Vec<Inside<'p, Self::Node>>, found: &mut Found) -> Option<()>;
}

/// What is known about a node.
pub(crate) enum Recalled<M> {
    /// There is nothing to report below it.
    Clean,
    /// Nothing. If there is nothing to report below it, this is worth remembering.
    Open(Option<M>),
}

/// What is directly in a collection.
pub(crate) enum Inside<'p, N> {
    /// A part of the collection.
    Part(N),
    Entry {
        key: Key,
        span: Span,
        notes: Option<&'p Notes>,
        merged: bool,
        value: Value<'p, N>,
    },
    Item {
        span: Span,
        notes: Option<&'p Notes>,
        value: Value<'p, N>,
    },
}

/// A value as the walk sees it.
pub(crate) enum Value<'p, N> {
    Collection(N),
    Scalar(Span, Content<'p>),
    /// Nothing is written.
    Missing,
    /// Computed by code, or broken.
    Unknown,
}

enum Todo<N, M> {
    Open(N),
    Close(M, usize),
}

impl<'v> Visit<'v> {
    /// The rules for templates of ytt, or for other files.
    pub fn of(is_template: bool, source: &'v dyn Source) -> Self {
        Visit { table: if is_template { &IN_TEMPLATES } else { &IN_PLAIN_FILES }, source }
    }

    /// Whether no rule looks at what documents contain.
    fn is_idle(&self) -> bool {
        let Table { entry, item, scalar, annotation, .. } = self.table;
        entry.is_empty() && item.is_empty() && scalar.is_empty() && annotation.is_empty()
    }

    /// All places of a file that was lowered.
    pub fn documents(&self, set: &DocumentSet, found: &mut Found) {
        self.table.documents.iter().for_each(|look| look(&set.documents, found));
        for document in &set.documents {
            lofting_memo::step();
            self.table.document.iter().for_each(|look| look(document, found));
            let in_proposal = is_meant_as_proposal(document);
            self.annotations(&document.notes, in_proposal, None, found);
            if !self.is_idle() {
                // Data can always be read.
                let _ = self.values(&mut Lowered, value(&document.value), in_proposal, found);
            }
        }
        // Comments after the last node may become part of its document.
        let in_proposal = set.documents.last().is_some_and(is_meant_as_proposal);
        self.annotations(&set.tail, in_proposal, None, found);
    }

    /// All places in the value of a document, with an explicit stack. None if the ground cannot be read.
    pub fn values<'p, G: Ground<'p>>(
        &self,
        ground: &mut G,
        root: Value<'p, G::Node>,
        in_proposal: bool,
        found: &mut Found,
    ) -> Option<()> {
        let mut todo: Vec<Todo<G::Node, G::Mark>> = Vec::new();
        let mut inside = Vec::new();
        // Once findings are only counted, their number no longer tells whether there was one.
        let (mut bound, mut bounded) = (Bound::of(found), false);
        self.value(root, &mut todo, found);
        while let Some(step) = todo.pop() {
            lofting_memo::step();
            let node = match step {
                Todo::Open(node) => node,
                Todo::Close(mark, before) => {
                    if found.len() == before && !bounded {
                        ground.remember(mark);
                    }
                    continue;
                }
            };
            match ground.recall(&node) {
                Recalled::Clean => continue,
                Recalled::Open(mark) => todo.extend(mark.map(|mark| Todo::Close(mark, found.len()))),
            }
            ground.open(node, &mut inside, found)?;
            bounded |= bound.look(found);
            for inside in inside.drain(..) {
                lofting_memo::step();
                match inside {
                    Inside::Part(node) => todo.push(Todo::Open(node)),
                    Inside::Entry { key, span, notes, merged, value } => {
                        let place = EntryPlace { key: &key, span, notes, merged, source: self.source };
                        self.table.entry.iter().for_each(|look| look(&place, found));
                        self.annotated(notes, in_proposal, (span, &value), found);
                        self.value(value, &mut todo, found);
                    }
                    Inside::Item { span, notes, value } => {
                        let place = ItemPlace { span, notes };
                        self.table.item.iter().for_each(|look| look(&place, found));
                        self.annotated(notes, in_proposal, (span, &value), found);
                        self.value(value, &mut todo, found);
                    }
                }
                bounded |= bound.look(found);
            }
        }
        Some(())
    }

    fn value<'p, N, M>(&self, value: Value<'p, N>, todo: &mut Vec<Todo<N, M>>, found: &mut Found) {
        match value {
            Value::Collection(node) => todo.push(Todo::Open(node)),
            Value::Scalar(span, content) => {
                let place = ScalarPlace { span, content, source: self.source };
                self.table.scalar.iter().for_each(|look| look(&place, found));
            }
            Value::Missing | Value::Unknown => {}
        }
    }

    fn annotated<N>(
        &self,
        notes: Option<&Notes>,
        in_proposal: bool,
        (span, value): (Span, &Value<'_, N>),
        found: &mut Found,
    ) {
        if let Some(notes) = notes {
            self.annotations(notes, in_proposal, matches!(value, Value::Missing).then_some(span), found);
        }
    }

    /// `missing`: the place of an item without a value.
    fn annotations(&self, notes: &Notes, in_proposal: bool, missing: Option<Span>, found: &mut Found) {
        for note in &notes.annotations {
            let is_value = missing.is_some_and(|item| note.span.start >= item.end);
            let place = AnnotationPlace { note, in_proposal, is_value };
            self.table.annotation.iter().for_each(|look| look(&place, found));
        }
    }

    /// The comments of a file.
    pub fn comments<'t>(&self, comments: impl IntoIterator<Item = (Span, &'t str)>, found: &mut Found) {
        let mut bound = Bound::of(found);
        for (span, text) in comments {
            lofting_memo::step();
            self.table.comment.iter().for_each(|look| look(&CommentPlace { span, text }, found));
            bound.look(found);
        }
    }

    /// What reading a text noticed.
    pub fn issues(&self, issues: impl IntoIterator<Item = impl Borrow<Issue>>, found: &mut Found) {
        let mut bound = Bound::of(found);
        for issue in issues {
            let place = IssuePlace { issue: issue.borrow(), source: self.source };
            self.table.issue.iter().for_each(|look| look(&place, found));
            bound.look(found);
        }
    }

    /// The code of a file.
    pub fn code(&self, place: &CodePlace<'_>, found: &mut Found) {
        self.table.code.iter().for_each(|look| look(place, found));
    }

    /// What could not be merged.
    pub fn merge(&self, place: &MergePlace<'_>, found: &mut Found) {
        self.table.merge.iter().for_each(|look| look(place, found));
    }

    /// A schema as a whole.
    pub fn schema(&self, whole: &WholeSchema<'_>, found: &mut Found) {
        self.table.schema.iter().for_each(|look| look(whole, found));
    }

    /// The nodes of a schema.
    pub fn schema_nodes(&self, whole: &WholeSchema<'_>, found: &mut Found) {
        for (id, node) in whole.schema.nodes() {
            let place = SchemaPlace { whole, id, node };
            self.table.schema_node.iter().for_each(|look| look(&place, found));
        }
    }
}

/// Documents that were lowered.
struct Lowered;

impl<'p> Ground<'p> for Lowered {
    type Node = &'p Node;
    type Mark = ();

    fn recall(&self, _: &&'p Node) -> Recalled<()> {
        Recalled::Open(None)
    }

    fn remember(&mut self, (): ()) {}

    fn open(&mut self, node: &'p Node, inside: &mut Vec<Inside<'p, &'p Node>>, _: &mut Found) -> Option<()> {
        match &node.value {
            NodeValue::Map(items) => inside.extend(items.iter().map(|item| Inside::Entry {
                key: item.key.clone(),
                span: item.key_span,
                notes: Some(&item.notes),
                merged: item.merged,
                value: value(&item.value),
            })),
            NodeValue::Array(items) => inside.extend(items.iter().map(|item| Inside::Item {
                span: item.span,
                notes: Some(&item.notes),
                value: value(&item.value),
            })),
            _ => {}
        }
        Some(())
    }
}

fn value(node: &Node) -> Value<'_, &Node> {
    match &node.value {
        _ if node.missing => Value::Missing,
        NodeValue::Map(_) | NodeValue::Array(_) => Value::Collection(node),
        NodeValue::String(text) => Value::Scalar(node.span, Content::String(text)),
        NodeValue::Null | NodeValue::Bool(_) | NodeValue::Int(_) | NodeValue::Float(_) => {
            Value::Scalar(node.span, Content::Other)
        }
        NodeValue::Unknown => Value::Unknown,
    }
}

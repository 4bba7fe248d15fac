//! The two design proposals for schemas of data values, which share one vocabulary, read into the model.
//!
//! Types follow from values, as in ytt's own language, or are listed; keys may be optional or free; strings must not be
//! empty unless the schema allows it. [`Form`] describes where the two forms differ.

pub mod convert;
mod defaults;
mod dialect;
mod documentation;
mod keys;
pub mod rules;
mod types;
mod validate;
mod wrong_argument;

use self::keys::Role;
pub use crate::head::Form;
use crate::head::Head;
use crate::{Claim, Fault, Read, SchemaPart, ytt};
use lofting_diagnostic::Diagnostic;
use lofting_document::{ArrayItem, Document, DocumentSet, MapItem, Node, Note, Notes, OwnerKind, Span};
use lofting_overlay::Functions;
use lofting_schema::semantics::{
    Calls, DataValues, Empty, Examples, Formats, LengthUnit, Misapplied, NewKeys, Notation, Null, NullPart, Numbers,
    OtherKinds, Required, Words,
};
use lofting_schema::{Declared, Schema, SchemaId, SchemaNode, Semantics};

/// How values are compared with a schema of either form.
pub static SEMANTICS: Semantics = Semantics {
    family: "proposals",
    profile: ytt::SEMANTICS.profile,
    length: LengthUnit::Bytes,
    misapplied: Misapplied::Ignored,
    null: Null::Absent,
    null_part: NullPart::Value,
    empty: Empty::Value,
    formats: Formats::Proposed,
    unread_patterns: ytt::SEMANTICS.unread_patterns,
    unread: ytt::SEMANTICS.unread,
    examples: Examples::Rules,
    numbers: Numbers::Written,
    required: Required::AfterDefaults,
    keys: ytt::SEMANTICS.keys,
    filled: ytt::SEMANTICS.filled,
    defaults: ytt::SEMANTICS.defaults,
    substitution: ytt::SEMANTICS.substitution,
    data_values: DataValues { new_keys: NewKeys::Free, other_kinds: OtherKinds::Replace, calls: Calls::Results },
    words: Words {
        notation: Notation::Starlark,
        number: "float",
        document: "(document)",
        declared: "declared here",
        bound: "the rule is here",
        undeclared: "is not declared in the schema",
        bytes: "bytes are counted, and letters beyond ASCII take more than one",
    },
};

impl Form {
    /// Whether an array must declare its default; otherwise it is empty.
    fn requires_array_default(self) -> bool {
        self == Form::First
    }

    /// Whether a scalar may have a default besides its value.
    fn allows_scalar_default(self) -> bool {
        self == Form::Second
    }

    /// Whether the type of a scalar may be listed as inferred.
    fn allows_inferred_scalar(self) -> bool {
        self == Form::Second
    }

    /// Whether a notice of deprecation or removal needs a text.
    fn requires_notice(self) -> bool {
        self == Form::Second
    }
}

/// The schema documents of a form. A head that fits both forms belongs to the second.
pub(crate) fn claims(set: &DocumentSet, form: Form) -> Vec<Claim> {
    let own = |document: &Document| document.heads().next().and_then(|note| Head::of(note).alone()) == Some(form);
    let documents = set.documents.iter().enumerate();
    let own = documents.filter(|(_, document)| own(document));
    own.map(|(number, document)| ytt::claim(number, document)).collect()
}

/// Reads the schema that documents form together.
pub(crate) fn read(parts: &[SchemaPart<'_>], form: Form, host: &dyn Functions) -> Read {
    let documents: Vec<&Document> = parts.iter().map(|part| part.document).collect();
    let one = |document: &Document| {
        let mut reader = ProposalReader { form, host, nodes: Vec::new(), faults: Vec::new() };
        let declared = ytt::declared_document(document);
        let root = reader.node(&document.value, &document.notes, declared, Site::of(OwnerKind::Document));
        (Schema::new(reader.nodes, root, &SEMANTICS), reader.faults)
    };
    let mut faults: Vec<Fault> = Vec::new();
    for (number, document) in documents.iter().enumerate() {
        let own = document.heads().next().filter(|own| own.name != "data/values-schema");
        let of_head = own
            .into_iter()
            .flat_map(|own| std::iter::once(rules::unbuilt_head::look(own)).chain(rules::head::look(own, number == 0)));
        faults.extend(of_head.map(found));
    }
    let [first, others @ ..] = documents.as_slice() else {
        return Read::anything();
    };
    if others.is_empty() {
        let (schema, own) = one(first);
        faults.extend(own);
        return Read { schema, faults, alone: Vec::new() };
    }
    let mut alone = Vec::new();
    for document in &documents {
        let (schema, own) = one(document);
        alone.push(schema);
        faults.extend(own);
    }
    let amends = |document: &&Document| document.notes.has("schema/amend");
    let (merged, problems) = ytt::merge(first, others, amends, host);
    faults.extend(problems.into_iter().map(Fault::from));
    let (schema, of_whole) = one(&merged);
    let new = of_whole.into_iter().filter(|fault| !faults.iter().any(|known| is_same(known, fault)));
    let new: Vec<Fault> = new.collect();
    faults.extend(new);
    Read { schema, faults, alone }
}

/// Whether a fault of the whole schema is also a fault of one document, possibly reported at another place.
fn is_same(known: &Fault, other: &Fault) -> bool {
    match (known, other) {
        (Fault::Found(known), Fault::Found(other)) => known.rule == other.rule && known.message == other.message,
        (known, other) => known == other,
    }
}

fn found(finding: Diagnostic) -> Fault {
    Fault::Found(Box::new(finding))
}

/// The context of a node before its annotations are read.
#[derive(Debug, Clone, Copy)]
struct Site {
    place: OwnerKind,
    /// Its default is never used.
    without_default: bool,
}

impl Site {
    fn of(place: OwnerKind) -> Site {
        Site { place, without_default: place != OwnerKind::MapItem }
    }
}

struct ProposalReader<'h> {
    form: Form,
    host: &'h dyn Functions,
    nodes: Vec<SchemaNode>,
    faults: Vec<Fault>,
}

impl ProposalReader<'_> {
    fn add(&mut self, node: SchemaNode) -> SchemaId {
        let id = SchemaId(self.nodes.len() as u32);
        self.nodes.push(node);
        id
    }

    fn found(&mut self, finding: Diagnostic) {
        self.faults.push(found(finding));
    }

    /// Documents have bounded depth, and so has this recursion.
    fn node(&mut self, value: &Node, notes: &Notes, declared: Declared, site: Site) -> SchemaId {
        for (number, note) in notes.annotations.iter().enumerate() {
            let before = notes.annotations.get(..number).unwrap_or_default();
            let of_place = rules::annotation_place::look(note, declared, site.place);
            let others = rules::spelling::look(note).into_iter().chain(rules::repeated_annotation::look(note, before));
            of_place.into_iter().chain(others).for_each(|finding| self.found(finding));
        }
        let mut node = self.typed(value, notes, declared);
        let own = declared.span;
        let is_own = value.span.file == own.file && own.start <= value.span.start && value.span.end <= own.end;
        node.changed = (value.replaced.is_some() && !is_own).then_some(value.span);
        self.documentation(&mut node, notes, site);
        self.defaults(&mut node, notes, site);
        self.rules(&mut node, notes);
        self.add(node)
    }

    fn map(&mut self, items: &lofting_document::Map, partial: bool) -> lofting_schema::MapShape {
        keys::read(self, items, partial)
    }

    /// The node of a map item.
    fn item(&mut self, item: &MapItem, role: &Role) -> SchemaId {
        let declared = ytt::declared_item(item);
        let without_default = !matches!(role, Role::Declared) || item.notes.has("schema/removed");
        let site = Site { place: OwnerKind::MapItem, without_default };
        let id = self.node(&item.value, &item.notes, declared, site);
        if let Some(node) = self.nodes.get_mut(id.0 as usize) {
            node.left_out = matches!(role, Role::Optional) || node.docs.removed.is_some();
            if matches!(role, Role::Declared | Role::Optional) && node.docs.title.is_none() {
                node.docs.inferred_title = item.key.as_str().map(documentation::inferred_title);
            }
        }
        id
    }

    fn array_item(&mut self, item: &ArrayItem) -> SchemaId {
        self.node(&item.value, &item.notes, ytt::declared_array_item(item), Site::of(OwnerKind::ArrayItem))
    }

    /// A node that accepts anything.
    fn anything(&mut self, declared: Declared, known: bool) -> SchemaId {
        let facet = if known { lofting_schema::Facet::Any } else { lofting_schema::Facet::Unknown };
        self.add(SchemaNode::new(facet, declared))
    }
}

/// An annotation by its name, or by the name that ytt uses for it.
fn note<'n>(notes: &'n Notes, name: &str) -> Option<&'n Note> {
    let other = rules::spelling::OTHER_NAMES.iter().find(|(_, own)| *own == name).map(|(other, _)| *other);
    notes.annotations.iter().rev().find(|note| note.name == name || Some(note.name.as_str()) == other)
}

/// Whether all arguments of an annotation are present and readable.
fn is_sure(note: &Note) -> bool {
    note.arguments.errors.is_empty() && !note.arguments.starred
}

/// A place in an annotation.
fn at(note: &Note, range: &std::ops::Range<usize>) -> Span {
    Span::new(note.span.file, range.clone())
}

/// The known word that is most similar to a misspelt one.
fn nearest<'w>(word: &str, known: &[&'w str]) -> Option<&'w str> {
    let similarity = |known: &str| strsim::normalized_damerau_levenshtein(word, known);
    let best = known.iter().max_by(|a, b| similarity(a).total_cmp(&similarity(b)))?;
    (similarity(best) >= 0.5).then_some(*best)
}

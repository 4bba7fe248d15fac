//! Reads ytt's data values schema: types follow from values, and annotations refine them (docs/ytt.md 8, 9, 10, 13.2).
//!
//! ytt stops at the first error; this reader reports all and continues with what is certain. A node with an error
//! counts as unknown, so that no further errors follow from it.

mod asserted;
mod claims;
mod documentation;
mod merge;
pub mod problem;
pub mod rules;
#[cfg(test)]
mod tests;
mod validation;

pub use asserted::asserted;
pub(crate) use claims::claim;
pub use claims::{OWN, PRIVATE};
pub(crate) use merge::merge;
pub use problem::{Problem, ProblemKind};

use self::problem::DefaultArgument;
use crate::{Claim, Dialect, Fault, FileView, Marks, ReadsSchemas, Recognises, SchemaPart};
use lofting_diagnostic::Rule;
use lofting_document::{
    ArrayItem, Document, FileId, Key, MapItem, Node, NodeValue, Note, Notes, OwnerKind, Seldom, Span, from_expression,
};
use lofting_eval::ExprKind;
use lofting_overlay::{Functions, NoFunctions};
use lofting_schema::semantics::{
    DataValues, Defaults, Empty, Examples, Filled, Formats, Keys, LengthUnit, Misapplied, Notation, Null, NullPart,
    Numbers, Required, Semantics, Substitution, UnreadKeys, UnreadPatterns, Words,
};
use lofting_schema::{
    ArrayShape, Constraint, Declared, DeclaredKey, DefaultValue, Facet, MapShape, Rest, Schema, SchemaId, SchemaNode,
};
use lofting_syntax::resolve::Profile;
use rustc_hash::FxHashMap;
use rustc_hash::FxHashSet;

/// How ytt compares data values with their schema (docs/ytt.md 9.4, 13.3, 13.5).
pub static SEMANTICS: Semantics = Semantics {
    family: "ytt",
    profile: Profile::Ytt,
    length: LengthUnit::Bytes,
    misapplied: Misapplied::Broken,
    null: Null::Absent,
    null_part: NullPart::Value,
    empty: Empty::Null,
    numbers: Numbers::Written,
    keys: Keys::Written,
    formats: Formats::Shown,
    unread_patterns: UnreadPatterns::Permit,
    unread: UnreadKeys::RefusedByStrict,
    examples: Examples::Types,
    required: Required::AfterDefaults,
    filled: Filled::Missing,
    defaults: Defaults::Types,
    substitution: Substitution::Never,
    data_values: DataValues::YTT,
    words: Words {
        notation: Notation::Starlark,
        number: "float",
        document: "(document)",
        declared: "declared here",
        bound: "the rule is here",
        undeclared: "is not declared in the schema",
        bytes: "ytt counts bytes, and letters beyond ASCII take more than one",
    },
};

/// ytt's schema language.
pub struct Ytt;

impl Dialect for Ytt {
    fn name(&self) -> &'static str {
        SEMANTICS.family
    }

    fn rules(&self) -> &'static [&'static Rule] {
        rules::RULES
    }
}

impl Recognises for Ytt {
    fn by_annotations(&self) -> bool {
        true
    }

    fn marks(&self) -> Marks {
        Marks { claim: &["#@"], schema: &["#@data/values-schema"] }
    }

    fn claims(&self, file: &dyn FileView) -> Vec<Claim> {
        claims::claims(file.documents())
    }
}

impl ReadsSchemas for Ytt {
    fn read(&self, parts: &[SchemaPart<'_>], host: &dyn Functions) -> crate::Read {
        let documents: Vec<&Document> = parts.iter().map(|part| part.document).collect();
        let Read { schema, problems, alone } = read_with(&documents, host);
        crate::Read { schema, faults: problems.into_iter().map(Fault::from).collect(), alone }
    }

    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }
}

/// The result of reading a schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// The schema, unknown where it is wrong or needs evaluation.
    pub schema: Schema,
    /// Its errors, in the order of the text.
    pub problems: Vec<Problem>,
    /// For several documents, the schema of each alone: a later one may replace what is wrong in an earlier one
    /// (docs/ytt.md 8.2).
    pub alone: Vec<Schema>,
}

impl Read {
    /// The problems as faults of a language.
    pub fn faults(&self) -> Vec<Fault> {
        self.problems.iter().cloned().map(Fault::from).collect()
    }
}

/// Reads the schema that documents form together, in the order in which ytt merges them. Without any document,
/// everything is allowed. Functions in overlay annotations are unknown.
pub fn read(documents: &[&Document]) -> Read {
    read_with(documents, &NoFunctions)
}

/// Like [`read`], with an evaluator for functions in overlay annotations.
pub fn read_with(documents: &[&Document], functions: &dyn Functions) -> Read {
    match documents {
        [] => {
            let span = Span::new(FileId(u32::MAX), 0..0);
            let node = SchemaNode::new(Facet::Any, Declared { span, name: span });
            Read { schema: Schema::new(vec![node], SchemaId(0), &SEMANTICS), problems: Vec::new(), alone: Vec::new() }
        }
        [document] => read_document(document),
        [first, others @ ..] => {
            // Every document must be a valid schema by itself (docs/ytt.md 8.2).
            let each = documents.iter().map(|document| read_document(document));
            let (alone, problems): (Vec<Schema>, Vec<Vec<Problem>>) =
                each.map(|read| (read.schema, read.problems)).unzip();
            let mut problems: Vec<Problem> = problems.concat();
            let (merged, overlay) = merge::merge(first, others, |_| false, functions);
            let read = read_document(&merged);
            // A problem of one document occurs again in the merged schema, perhaps at an earlier key.
            let known: FxHashSet<_> = problems.iter().map(|problem| std::mem::discriminant(&problem.kind)).collect();
            let of_whole = read.problems.into_iter();
            let of_whole = of_whole.filter(|problem| !known.contains(&std::mem::discriminant(&problem.kind)));
            problems.extend(overlay);
            problems.extend(of_whole);
            Read { schema: read.schema, problems, alone }
        }
    }
}

/// Reads one schema document.
pub(crate) fn read_document(document: &Document) -> Read {
    let mut reader = YttReader { nodes: Vec::new(), problems: Vec::new() };
    let declared = declared_document(document);
    let root = reader.node(&document.value, &document.notes, declared, OwnerKind::Document);
    Read { schema: Schema::new(reader.nodes, root, &SEMANTICS), problems: reader.problems, alone: Vec::new() }
}

/// The content of `@schema/type`.
enum AnyType {
    No,
    Yes,
    /// It is wrong or needs evaluation.
    Unknown,
}

struct YttReader {
    nodes: Vec<SchemaNode>,
    problems: Vec<Problem>,
}

impl YttReader {
    fn add(&mut self, node: SchemaNode) -> SchemaId {
        let id = SchemaId(self.nodes.len() as u32);
        self.nodes.push(node);
        id
    }

    fn problem(&mut self, node: Declared, note: Option<&Note>, span: Span, kind: ProblemKind) {
        self.problems.push(Problem { node, annotation: note.map(|note| note.span), span, kind });
    }

    fn node(&mut self, value: &Node, notes: &Notes, declared: Declared, place: OwnerKind) -> SchemaId {
        let any = self.type_annotation(notes, declared);
        let (nullable, nullable_sound) = self.nullable(notes, declared);
        let (shape, default) = match any {
            AnyType::Yes => {
                if let Some(note) = notes.get("schema/type") {
                    self.within_any(value, note.span);
                }
                (Facet::Any, Some(value.clone()))
            }
            AnyType::Unknown => (Facet::Unknown, None),
            AnyType::No => self.infer(value, notes, declared, nullable, nullable_sound),
        };
        let default = default.map(|value| DefaultValue { span: value.span, value, explicit: false, keyword: None });
        let mut node = SchemaNode { nullable, default: default.map(Box::new), ..SchemaNode::new(shape, declared) };
        let (own, here) = (declared.span, value.span);
        let is_own = here.file == own.file && own.start <= here.start && here.end <= own.end;
        node.changed = (value.replaced.is_some() && !is_own).then_some(here);
        if nullable {
            let span = notes.get("schema/nullable").map_or(value.span, |note| note.span);
            node.default = Some(Box::new(DefaultValue {
                value: Node::new(NodeValue::Null, span),
                span,
                explicit: true,
                keyword: None,
            }));
        }
        self.documentation(&mut node, notes, place);
        self.default(&mut node, notes, place);
        if let Some(note) = notes.get("schema/validation") {
            self.validation(&mut node, note);
        }
        self.add(node)
    }

    /// `@schema/type any=...`
    fn type_annotation(&mut self, notes: &Notes, declared: Declared) -> AnyType {
        let Some(note) = notes.get("schema/type") else { return AnyType::No };
        if !note.arguments.errors.is_empty() || note.arguments.starred {
            return AnyType::Unknown;
        }
        if note.arguments.keywords.is_empty() {
            self.problem(declared, Some(note), note.name_span, ProblemKind::TypeMissing);
            return AnyType::Unknown;
        }
        let mut any = AnyType::No;
        for keyword in &note.arguments.keywords {
            if keyword.name != "any" {
                let span = Span::new(note.span.file, keyword.name_range.clone());
                self.problem(declared, Some(note), span, ProblemKind::TypeKeyword { name: keyword.name.clone() });
                any = AnyType::Unknown;
                continue;
            }
            any = match (&keyword.value.kind, keyword.value.type_name()) {
                (ExprKind::Bool(true), _) => AnyType::Yes,
                (ExprKind::Bool(false), _) => AnyType::No,
                (_, Some(found)) => {
                    let span = Span::new(note.span.file, keyword.value.range.clone());
                    self.problem(declared, Some(note), span, ProblemKind::TypeValue { found: found.into() });
                    AnyType::Unknown
                }
                (_, None) => AnyType::Unknown,
            };
        }
        any
    }

    /// Whether there is an `@schema/nullable`, and whether it is valid.
    fn nullable(&mut self, notes: &Notes, declared: Declared) -> (bool, bool) {
        let Some(note) = notes.get("schema/nullable") else { return (false, true) };
        for keyword in &note.arguments.keywords {
            let span = Span::new(note.span.file, keyword.name_range.clone());
            self.problem(declared, Some(note), span, ProblemKind::NullableKeyword { name: keyword.name.clone() });
        }
        (true, note.arguments.keywords.is_empty())
    }

    /// Below `any=True`, no annotation may say anything about types (docs/ytt.md 9.2). Titles, descriptions and
    /// validations below are silently ignored.
    fn within_any(&mut self, value: &Node, any: Span) {
        match &value.value {
            NodeValue::Map(items) => {
                for item in items {
                    self.nested_annotations(&item.notes, declared_item(item), any);
                    self.within_any(&item.value, any);
                }
            }
            NodeValue::Array(items) => {
                for item in items {
                    self.nested_annotations(&item.notes, declared_array_item(item), any);
                    self.within_any(&item.value, any);
                }
            }
            _ => {}
        }
    }

    fn nested_annotations(&mut self, notes: &Notes, declared: Declared, any: Span) {
        let names = ["schema/nullable", "schema/type", "schema/default"];
        let found: Vec<&Note> = names.iter().filter_map(|name| notes.get(name)).collect();
        let Some(first) = found.first() else { return };
        let annotations = found.iter().map(|note| (note.name.clone(), note.span)).collect();
        self.problem(declared, Some(first), first.span, ProblemKind::WithinAny { annotations, any });
    }

    /// The type that the value implies, and the default that it gives.
    fn infer(
        &mut self,
        value: &Node,
        notes: &Notes,
        declared: Declared,
        nullable: bool,
        sound: bool,
    ) -> (Facet, Option<Node>) {
        if (notes.computed.is_some() || value.raw)
            && let Some(found) = collection_name(&value.value)
        {
            self.problem(declared, None, value.span, ProblemKind::ComputedCollection { found: found.into() });
            return (Facet::Unknown, None);
        }
        let shape = match &value.value {
            NodeValue::Map(items) => return (self.map(items, value.partial), None),
            NodeValue::Array(items) => return self.array(items, value, declared),
            NodeValue::Null => {
                if sound {
                    self.problem(declared, None, value.span, ProblemKind::NullValue { nullable });
                }
                return (Facet::Unknown, None);
            }
            NodeValue::Unknown => Facet::Unknown,
            NodeValue::Bool(_) => Facet::Bool,
            NodeValue::Int(_) => Facet::Int,
            NodeValue::Float(_) => Facet::Float,
            NodeValue::String(_) => Facet::String,
        };
        (shape, Some(value.clone()))
    }

    fn map(&mut self, items: &[MapItem], partial: bool) -> Facet {
        let mut keys: Vec<DeclaredKey> = Vec::with_capacity(items.len());
        let mut by_key: FxHashMap<Key, u32> = FxHashMap::default();
        for item in items {
            lofting_memo::step();
            let schema = self.node(&item.value, &item.notes, declared_item(item), OwnerKind::MapItem);
            let declared = DeclaredKey { key: item.key.clone(), schema, required: false };
            match by_key.get(&item.key).copied() {
                Some(index) => {
                    if item.conditional {
                        self.either(schema);
                    }
                    // A repeated key has its own rule; the last one counts.
                    if let Some(first) = keys.get_mut(index as usize) {
                        *first = declared;
                    }
                }
                None => {
                    by_key.insert(item.key.clone(), keys.len() as u32);
                    keys.push(declared);
                }
            }
        }
        let rest = if partial { Rest::Open } else { Rest::Closed };
        Facet::Map(MapShape { keys, by_key, rest, ..MapShape::closed(Vec::new()) })
    }

    /// A key that occurs in two branches of an `if`: it is not known which branch applies.
    fn either(&mut self, id: SchemaId) {
        if let Some(node) = self.nodes.get_mut(id.0 as usize) {
            node.set(Facet::Unknown);
            node.default = None;
            node.constraints = Seldom::default();
            node.rules = Seldom::default();
            node.condition = None;
        }
    }

    fn array(&mut self, items: &[ArrayItem], value: &Node, declared: Declared) -> (Facet, Option<Node>) {
        let ids: Vec<SchemaId> = items
            .iter()
            .map(|item| self.node(&item.value, &item.notes, declared_array_item(item), OwnerKind::ArrayItem))
            .collect();
        let item = match ids.as_slice() {
            [only] => *only,
            // Loops and branches may leave exactly one item.
            _ if value.partial => self.unknown(declared),
            _ => {
                self.problem(declared, None, value.span, ProblemKind::ArrayItems { count: items.len() });
                self.unknown(declared)
            }
        };
        let empty = Node::new(NodeValue::Array(Vec::new()), value.span);
        (Facet::Array(ArrayShape::of(item)), Some(empty))
    }

    fn unknown(&mut self, declared: Declared) -> SchemaId {
        self.add(SchemaNode::new(Facet::Unknown, declared))
    }

    /// `@schema/default X` (docs/ytt.md 10).
    fn default(&mut self, node: &mut SchemaNode, notes: &Notes, place: OwnerKind) {
        let Some(note) = notes.get("schema/default") else { return };
        let declared = node.declared;
        if place == OwnerKind::ArrayItem {
            self.problem(declared, Some(note), note.name_span, ProblemKind::DefaultOnArrayItem);
            return;
        }
        let arguments = &note.arguments;
        let unsure = !arguments.errors.is_empty() || arguments.starred;
        let wrong = match (arguments.keywords.first(), arguments.positional.as_slice()) {
            _ if unsure => None,
            (Some(keyword), _) => {
                let span = Span::new(note.span.file, keyword.name_range.clone());
                Some((DefaultArgument::Keyword(keyword.name.clone()), span))
            }
            (None, []) => Some((DefaultArgument::Missing, note.name_span)),
            (None, [only]) => match only.not_data() {
                Some((part, kind)) => {
                    Some((DefaultArgument::NotData(kind.into()), Span::new(note.span.file, part.range.clone())))
                }
                None => {
                    let value = from_expression(note.span.file, only);
                    node.default =
                        Some(Box::new(DefaultValue { span: value.span, value, explicit: true, keyword: None }));
                    return;
                }
            },
            (None, [_, second, ..]) => {
                let span = Span::new(note.span.file, second.range.clone());
                Some((DefaultArgument::Several(arguments.positional.len()), span))
            }
        };
        let span = wrong.as_ref().map_or(note.span, |(_, span)| *span);
        node.default = Some(Box::new(DefaultValue { value: Node::unknown(span), span, explicit: true, keyword: None }));
        if let Some((wrong, span)) = wrong {
            let expected = lofting_schema::words::kind(node.shape(), node.nullable, &SEMANTICS.words);
            self.problem(declared, Some(note), span, ProblemKind::Default { wrong, expected });
        }
    }
}

pub(crate) fn declared_document(document: &Document) -> Declared {
    let start = document.value.span.start;
    let name = document.marker.unwrap_or(Span { start, end: start, ..document.span });
    Declared { span: document.span, name }
}

pub(crate) fn declared_item(item: &MapItem) -> Declared {
    Declared { span: item.span, name: item.key_span }
}

pub(crate) fn declared_array_item(item: &ArrayItem) -> Declared {
    let end = item.value.span.end.max(item.span.end);
    Declared { span: Span { end, ..item.span }, name: item.span }
}

fn collection_name(value: &NodeValue) -> Option<&'static str> {
    match value {
        NodeValue::Map(_) => Some("dict"),
        NodeValue::Array(_) => Some("list"),
        _ => None,
    }
}

/// Constraints in the order in which ytt checks them (docs/ytt.md 13.3).
fn in_order(mut constraints: Vec<(u8, Constraint)>) -> Vec<Constraint> {
    constraints.sort_by_key(|(rank, _)| *rank);
    constraints.into_iter().map(|(_, constraint)| constraint).collect()
}

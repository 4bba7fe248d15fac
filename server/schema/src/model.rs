//! The one schema model. ytt's data values schema, its design proposals, OpenChoreo's schemas and JSON Schema are all
//! lowered into it; checking, completion and documentation read nothing else.
//!
//! Nodes are kept in an arena and identified by [`SchemaId`], so references (`$ref`, custom types) and recursion need
//! no special form. Every node keeps the place of its declaration.

use crate::facets::{
    ANY_MAP, Admits, ArrayShape, Clause, DeclaredKey, Expected, Facet, FreeKeys, Kinds, MapShape, Rest, Shape,
};
use crate::{Choices, Judged, Pattern, Semantics};
use lofting_document::{Empty, Key, Node, Seldom, Span};
use lofting_eval::Callable;

/// Identifies a node within its [`Schema`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SchemaId(pub u32);

/// A lowered schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    nodes: Vec<SchemaNode>,
    root: SchemaId,
    semantics: &'static Semantics,
}

impl Schema {
    /// Builds a schema from its nodes and the semantics of its language. `root` must be an index into `nodes`.
    pub fn new(mut nodes: Vec<SchemaNode>, root: SchemaId, semantics: &'static Semantics) -> Self {
        nodes.shrink_to_fit();
        Schema { nodes, root, semantics }
    }

    /// This schema, whose root, if it is a map, also accepts these keys with any value.
    #[must_use]
    pub fn with_keys(mut self, names: &[&str]) -> Schema {
        let Some(root) = self.nodes.get(self.root.0 as usize) else { return self };
        let (declared, Some(map)) = (root.declared, root.map.clone()) else { return self };
        let mut keys = map.keys;
        for name in names.iter().map(|name| Key::from(*name)).filter(|name| !map.by_key.contains_key(name)) {
            keys.push(DeclaredKey { key: name, schema: SchemaId(self.nodes.len() as u32), required: false });
            self.nodes.push(SchemaNode::new(Facet::Any, declared));
        }
        let with =
            MapShape { patterns: map.patterns, rest: map.rest, ..MapShape::closed(keys) }.requiring(map.required);
        if let Some(root) = self.nodes.get_mut(self.root.0 as usize) {
            root.map = Some(Box::new(with));
        }
        self
    }

    /// This schema with further rules of a node that only its language can check.
    #[must_use]
    pub fn judged(mut self, id: SchemaId, judged: Judged) -> Schema {
        if let Some(node) = self.nodes.get_mut(id.0 as usize) {
            node.judged = Some(match node.judged.take() {
                Some(own) => own.and(judged),
                None => judged,
            });
        }
        self
    }

    /// Adds the nodes of another schema of the same language. Nothing leads to them yet. Returns its root.
    pub fn adopt(&mut self, other: &Schema) -> SchemaId {
        let first = self.nodes.len() as u32;
        let adopted = other.nodes.iter().cloned().map(|mut node| {
            node.ids(&mut |id| id.0 += first);
            node
        });
        self.nodes.extend(adopted);
        SchemaId(other.root.0 + first)
    }

    /// Where `id` is a map, it gets the keys of the map `with`. If it declares one of them itself, both apply.
    #[must_use]
    pub fn with_keys_of(mut self, id: SchemaId, with: SchemaId) -> Schema {
        let Some(more) = self.node(with).map.clone() else { return self };
        let Some(own) = self.nodes.get(id.0 as usize).and_then(|node| node.map.clone()) else { return self };
        let MapShape { mut keys, patterns, free, rest, mut required, .. } = *own;
        for declared in more.keys {
            match keys.iter().find(|own| own.key == declared.key) {
                Some(own) => self.applies_as_well(own.schema, declared.schema),
                None => keys.push(declared),
            }
        }
        required.extend(more.required);
        let shape = MapShape { patterns, free, rest, ..MapShape::closed(keys) }.requiring(required);
        if let Some(node) = self.nodes.get_mut(id.0 as usize) {
            node.map = Some(Box::new(shape));
        }
        self
    }

    /// This schema, where the map at `id` does not share what it declares for a key with other places, and the node
    /// for this key.
    #[must_use]
    pub fn with_own_key(mut self, id: SchemaId, key: &Key) -> (Schema, Option<SchemaId>) {
        let own = SchemaId(self.nodes.len() as u32);
        let Some(map) = self.nodes.get_mut(id.0 as usize).and_then(|node| node.map.as_deref_mut()) else {
            return (self, None);
        };
        let Some(declared) = map.keys.iter_mut().find(|declared| declared.key == *key) else { return (self, None) };
        let shared = std::mem::replace(&mut declared.schema, own);
        self.nodes.push(self.node(shared).clone());
        (self, Some(own))
    }

    /// What a node accepts has to fit another one, too, which then says which keys there are.
    fn applies_as_well(&mut self, id: SchemaId, other: SchemaId) {
        let Some(node) = self.nodes.get_mut(id.0 as usize) else { return };
        if let Some(map) = &mut node.map
            && matches!(map.rest, Rest::Closed | Rest::Unread)
        {
            map.rest = Rest::Open;
        }
        node.clauses.push(Clause::All(vec![other]));
    }

    /// This schema, where keys that nothing reads are refused.
    #[must_use]
    pub fn strict(mut self) -> Schema {
        for map in self.nodes.iter_mut().filter_map(|node| node.map.as_deref_mut()) {
            if map.rest == Rest::Unread {
                map.rest = Rest::Closed;
            }
        }
        self
    }

    /// This schema, where a map has only the keys that are declared.
    #[must_use]
    pub fn closed_at(mut self, id: SchemaId) -> Schema {
        if let Some(map) = self.nodes.get_mut(id.0 as usize).and_then(|node| node.map.as_deref_mut()) {
            map.rest = Rest::Closed;
        }
        self
    }

    /// How the schema's language compares values.
    pub fn semantics(&self) -> &'static Semantics {
        self.semantics
    }

    /// The node a document is checked against.
    pub fn root(&self) -> SchemaId {
        self.root
    }

    /// Whether nothing is known about what documents may contain.
    pub fn is_unknown(&self) -> bool {
        !self.node(self.root).known
    }

    /// The node with this id, which must be one of this schema's.
    pub fn node(&self, id: SchemaId) -> &SchemaNode {
        &self.nodes[id.0 as usize]
    }

    /// The map facets of all nodes.
    pub fn maps_mut(&mut self) -> impl Iterator<Item = &mut MapShape> {
        self.nodes.iter_mut().filter_map(|node| node.map.as_deref_mut())
    }

    /// Whether any rule or condition is code.
    pub fn has_code(&self) -> bool {
        self.nodes.iter().any(SchemaNode::has_code)
    }

    /// Whether something that it says of a value follows only from the merged document: a condition looks at more than its
    /// own value (docs/ytt.md 13.4), a function decides about keys, or a bound compares maps or arrays as a whole.
    pub fn asks_merged(&self) -> bool {
        self.nodes.iter().any(|node| node.asks_context() || node.asks_about_keys() || node.compares_collections())
    }

    /// How many nodes there are.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes with their ids, in declaration order.
    pub fn nodes(&self) -> impl Iterator<Item = (SchemaId, &SchemaNode)> {
        self.nodes.iter().enumerate().map(|(index, node)| {
            lofting_memo::step();
            (SchemaId(index as u32), node)
        })
    }
}

/// What one place of a values document may hold.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaNode {
    /// The kinds of value that are accepted.
    pub kinds: Kinds,
    /// False if it is not known before evaluation what the node accepts. Anything is accepted then, and hovers say so.
    pub known: bool,
    /// Null is accepted as well.
    pub nullable: bool,
    /// Rules for a value that is a map.
    pub map: Option<Box<MapShape>>,
    /// Rules for a value that is an array.
    pub array: Option<Box<ArrayShape>>,
    /// What other nodes say about the same value.
    pub clauses: Seldom<Vec<Clause>>,
    /// The default value and where it is declared; unknown if it needs evaluation. For ytt's arrays it is the empty
    /// array. `None` if there is none, or if it follows from the keys of a map (then [`Schema::effective_default`]
    /// gives it).
    pub default: Option<Box<DefaultValue>>,
    /// Allowed values, ranges, lengths, patterns; all must hold.
    pub constraints: Seldom<Vec<Constraint>>,
    /// The schema's own message for a value that is not accepted.
    pub message: Option<Box<str>>,
    /// Rules that are code.
    pub rules: Seldom<Vec<CodeRule>>,
    /// Rules that only the language of the schema can check.
    pub judged: Option<Judged>,
    /// The constraints and rules apply only under this condition.
    pub condition: Option<Box<Condition>>,
    /// Documentation.
    pub docs: Seldom<Docs>,
    /// Where the node is declared.
    pub declared: Declared,
    /// The value of a later schema document that replaced the declared one; annotations were kept.
    pub changed: Option<Span>,
    /// If the key is not given, it stays absent: no default is added for it.
    pub left_out: bool,
}

impl SchemaNode {
    /// A node with one facet and nothing else.
    pub fn new(facet: Facet, declared: Declared) -> Self {
        let mut node = SchemaNode {
            kinds: Kinds::ANY,
            known: true,
            nullable: false,
            map: None,
            array: None,
            clauses: Seldom::default(),
            default: None,
            constraints: Seldom::default(),
            message: None,
            rules: Seldom::default(),
            judged: None,
            condition: None,
            docs: Seldom::default(),
            declared,
            changed: None,
            left_out: false,
        };
        node.set(facet);
        node
    }

    /// Replaces the facets kind, keys and items.
    pub fn set(&mut self, facet: Facet) {
        (self.known, self.map, self.array) = (true, None, None);
        self.clauses = Seldom::default();
        self.kinds = match facet {
            Facet::Any => Kinds::ANY,
            Facet::Unknown => {
                self.known = false;
                Kinds::ANY
            }
            Facet::Null => Kinds::NULL,
            Facet::Bool => Kinds::BOOL,
            Facet::Int => Kinds::INT,
            Facet::Float => Kinds::NUMBER,
            Facet::String => Kinds::STRING,
            Facet::Map(map) => {
                self.map = Some(Box::new(map));
                Kinds::MAP
            }
            Facet::Array(array) => {
                self.array = Some(Box::new(array));
                Kinds::ARRAY
            }
        };
    }

    /// Whether it accepts any value and has no rules for its parts.
    pub fn says_nothing(&self) -> bool {
        self.kinds == Kinds::ANY && self.map.is_none() && self.array.is_none() && self.clauses.is_empty()
    }

    /// Whether all its rules are in other nodes.
    pub fn says_only_clauses(&self) -> bool {
        self.kinds == Kinds::ANY && self.map.is_none() && self.array.is_none() && self.constraints.is_empty()
    }

    /// The node as one kind, for places where one word is needed.
    pub fn shape(&self) -> Shape<'_> {
        if !self.known {
            return Shape::Unknown;
        }
        match self.kinds {
            Kinds::NULL => Shape::Null,
            Kinds::BOOL => Shape::Bool,
            Kinds::INT => Shape::Int,
            Kinds::NUMBER => Shape::Float,
            Kinds::STRING => Shape::String,
            Kinds::MAP => Shape::Map(self.map.as_deref().unwrap_or(&ANY_MAP)),
            Kinds::ARRAY => self.array.as_deref().map_or(Shape::Any, Shape::Array),
            _ => match (&self.map, &self.array, self.clauses.as_slice()) {
                (Some(map), ..) => Shape::Map(map),
                (None, Some(array), _) => Shape::Array(array),
                (None, None, [Clause::Any(members) | Clause::One(members)]) => Shape::Union(members),
                _ => Shape::Any,
            },
        }
    }

    /// Whether a rule or the condition is code.
    pub fn has_code(&self) -> bool {
        !self.rules.is_empty() || self.condition.is_some()
    }

    fn asks_context(&self) -> bool {
        let function = self.condition.as_ref().and_then(|condition| condition.function.as_ref());
        function.is_some_and(|function| function.parameters == Some(2))
    }

    /// Whether functions decide which keys a map may have, or how many.
    pub fn asks_about_keys(&self) -> bool {
        let by_function = |free: &FreeKeys| {
            matches!(free.admits, Admits::Function(_))
                || free.expects.iter().any(|expected| matches!(expected, Expected::Function(_)))
        };
        self.map.as_deref().is_some_and(|map| map.free.iter().any(by_function))
    }

    fn compares_collections(&self) -> bool {
        let is_collection = |on: Kinds| self.kinds.and(on).and(Kinds::COLLECTIONS) != Kinds::NONE;
        self.constraints.iter().any(|constraint| match constraint.kind {
            ConstraintKind::UniqueItems => is_collection(Kinds::ARRAY),
            ConstraintKind::OneOf(_)
            | ConstraintKind::Min(_)
            | ConstraintKind::Max(_)
            | ConstraintKind::ExclusiveMin(_)
            | ConstraintKind::ExclusiveMax(_) => is_collection(constraint.on),
            _ => false,
        })
    }
}

/// A default value with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct DefaultValue {
    /// The value.
    pub value: Node,
    /// Where it is declared: the value in the schema, or the annotation argument that overrides it.
    pub span: Span,
    /// Declared by an annotation instead of the schema's own value.
    pub explicit: bool,
    /// The key that declares it, in languages that have one, such as `default`.
    pub keyword: Option<Span>,
}

/// A bound on a value, with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Constraint {
    /// The bound.
    pub kind: ConstraintKind,
    /// The argument or keyword in the schema.
    pub span: Span,
    /// It applies only under a condition that is code (`when=`), so it is not checked without evaluation.
    pub conditional: bool,
    /// The kinds of values it applies to.
    pub on: Kinds,
    /// The schema's own message for a value that breaks it.
    pub message: Option<String>,
}

impl Constraint {
    /// A bound on values of any kind, without a condition.
    pub fn new(kind: ConstraintKind, span: Span) -> Self {
        Constraint { kind, span, conditional: false, on: Kinds::ANY, message: None }
    }
}

/// The kinds of bounds.
#[derive(Debug, Clone, PartialEq)]
pub enum ConstraintKind {
    /// `value >= n`; a [`Node`] because ytt compares any two values of one kind.
    Min(Node),
    /// `value <= n`
    Max(Node),
    /// `value > n`
    ExclusiveMin(Node),
    /// `value < n`
    ExclusiveMax(Node),
    /// `value` is a multiple of n.
    MultipleOf(f64),
    /// Length: bytes of text in ytt, characters in JSON Schema; keys of maps; items.
    MinLength(i128),
    /// Length, see [`ConstraintKind::MinLength`].
    MaxLength(i128),
    /// One of these values.
    OneOf(Choices),
    /// Not null; checked before everything else.
    NotNull,
    /// Exactly one of these keys has a value other than null; `None` stands for all keys.
    OneNotNull(Option<Vec<Key>>),
    /// A string that matches.
    Pattern(Pattern),
    /// A string with this prefix.
    StartsWith(String),
    /// A string with this suffix.
    EndsWith(String),
    /// A string of a named format (`email`, `date-time` ...).
    Format(String),
    /// A format in a language where formats are documentation only: a violation is worth a hint.
    FormatHint(String),
    /// All items differ from each other.
    UniqueItems,
}

/// A rule that is code: a pair of description and assertion in `@schema/validation`.
#[derive(Debug, Clone, PartialEq)]
pub struct CodeRule {
    /// The description of a valid value, if it is a literal.
    pub description: Option<String>,
    /// The rule's source in the schema.
    pub span: Span,
    /// What to call with the value: a function, or an object with a function as attribute `check`. `None` before
    /// evaluation.
    pub assertion: Option<Callable>,
}

/// The condition of a node's constraints and rules (`when=`): a function of the value and, if it has
/// two parameters, of the context.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// The argument.
    pub span: Span,
    /// What to call; `None` before evaluation.
    pub function: Option<Callable>,
}

/// Documentation of a node.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Docs {
    /// Short name.
    pub title: Option<Text>,
    /// The name derived from the key, in languages that do so, if the schema gives none.
    pub inferred_title: Option<String>,
    /// Longer text, from `@schema/desc` or else from `@schema/doc`.
    pub description: Option<Text>,
    /// The description comes from `@schema/doc`, which ytt ignores.
    pub from_doc: bool,
    /// Examples in order.
    pub examples: Vec<Example>,
    /// What each allowed value means, in the order of the values; may be shorter than those.
    pub of_values: Vec<String>,
    /// Snippets that an editor may offer.
    pub snippets: Vec<Snippet>,
    /// It is allowed, but editors should not offer it.
    pub unoffered: bool,
    /// Who may write the value, if not everyone.
    pub access: Option<Access>,
    /// It should no longer be used; the text says what to use instead.
    pub deprecated: Option<Text>,
    /// It must no longer be used.
    pub removed: Option<Text>,
}

impl Empty for Docs {
    const EMPTY: &'static Self = &Docs {
        title: None,
        inferred_title: None,
        description: None,
        from_doc: false,
        examples: Vec::new(),
        of_values: Vec::new(),
        snippets: Vec::new(),
        unoffered: false,
        access: None,
        deprecated: None,
        removed: None,
    };
}

/// A value that is only sent in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Only the program that reads the document sets it.
    ReadOnly,
    /// It is never shown again.
    WriteOnly,
}

/// A snippet that the schema provides for editors.
#[derive(Debug, Clone, PartialEq)]
pub struct Snippet {
    /// The label; None for the value itself.
    pub label: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// The value. Strings in it may contain tab stops of LSP snippets, `$1` and `${1:name}`; a `^` before them marks a
    /// value that is not a string. A string as a whole is inserted as it is.
    pub body: Node,
    /// The body is text, lines of YAML, and not a value.
    pub is_text: bool,
}

/// A text with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// The text.
    pub text: String,
    /// The annotation argument.
    pub span: Span,
}

/// An example value.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// What it shows.
    pub description: String,
    /// The value; unknown where it needs evaluation.
    pub value: Node,
    /// Its place.
    pub span: Span,
}

/// Where a node is declared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Declared {
    /// The item or document: from the key to the end of the value.
    pub span: Span,
    /// The place to point at: the key, the dash, or the `---` marker.
    pub name: Span,
}

#[cfg(test)]
mod tests {
    use super::SchemaNode;

    /// A schema has one for each of its keys, and Kubernetes has some ten thousand keys.
    #[test]
    fn a_node_is_small() {
        assert_eq!(size_of::<SchemaNode>(), 144);
    }
}

//! The one schema model. ytt's data values schema, its design proposals, OpenChoreo's schemas and
//! JSON Schema all lower into it; checking, completion and documentation read only this.
//!
//! Nodes live in an arena and are named by [`SchemaId`], so that references (`$ref`, custom types)
//! and recursion need no special form, and every node keeps where it was declared.

use crate::facets::{ANY_MAP, ArrayShape, Clause, DeclaredKey, Facet, Kinds, MapShape, Shape};
use crate::{Pattern, Semantics};
use lofting_document::{Key, Node, Span};
use lofting_eval::Callable;

/// A node of a [`Schema`]. Ids are only meaningful together with their schema.
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
    /// A schema from its nodes, with how its language compares values. `root` must be an index into `nodes`.
    pub fn new(mut nodes: Vec<SchemaNode>, root: SchemaId, semantics: &'static Semantics) -> Self {
        nodes.shrink_to_fit();
        Schema { nodes, root, semantics }
    }

    /// The same schema, where these keys may stand in its root, if that is a map, with any value.
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
            root.map = Some(with);
        }
        self
    }

    /// How values are compared with it.
    pub fn semantics(&self) -> &'static Semantics {
        self.semantics
    }

    /// The node a document is checked against.
    pub fn root(&self) -> SchemaId {
        self.root
    }

    /// The node named by `id`, which must come from this schema.
    pub fn node(&self, id: SchemaId) -> &SchemaNode {
        &self.nodes[id.0 as usize]
    }

    /// What is said about keys, in all nodes.
    pub fn maps_mut(&mut self) -> impl Iterator<Item = &mut MapShape> {
        self.nodes.iter_mut().filter_map(|node| node.map.as_mut())
    }

    /// Whether any rule or condition is code.
    pub fn has_code(&self) -> bool {
        self.nodes.iter().any(SchemaNode::has_code)
    }

    /// Whether any condition looks at more of the document than at its own value (docs/ytt.md 13.4).
    pub fn asks_context(&self) -> bool {
        let functions = self.nodes.iter().filter_map(|node| node.condition.as_ref()?.function.as_ref());
        functions.into_iter().any(|function| function.parameters == Some(2))
    }

    /// All nodes with their ids, in declaration order.
    pub fn nodes(&self) -> impl Iterator<Item = (SchemaId, &SchemaNode)> {
        self.nodes.iter().enumerate().map(|(index, node)| (SchemaId(index as u32), node))
    }
}

/// What one place of a values document may hold.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaNode {
    /// The kinds of value that are accepted.
    pub kinds: Kinds,
    /// False: what is accepted is not known before evaluation. Checked as if anything were, but said so in hovers.
    pub known: bool,
    /// Null is accepted as well.
    pub nullable: bool,
    /// What holds for a value that is a map.
    pub map: Option<MapShape>,
    /// What holds for a value that is an array.
    pub array: Option<ArrayShape>,
    /// What other nodes say about the same value.
    pub clauses: Vec<Clause>,
    /// The value that holds when the user gives none, and where that was said; unknown where it needs
    /// evaluation. For arrays of ytt it is the empty array. `None`: there is none, or it follows from
    /// the keys of a map ([`Schema::effective_default`] gives it).
    pub default: Option<DefaultValue>,
    /// Allowed values, ranges, lengths, patterns; all must hold.
    pub constraints: Vec<Constraint>,
    /// What to say of a value that is not accepted, in the schema's own words.
    pub message: Option<String>,
    /// Rules given as code, with source.
    pub rules: Vec<CodeRule>,
    /// Constraints and rules hold only under this condition.
    pub condition: Option<Condition>,
    /// Documentation.
    pub docs: Docs,
    /// Where the node is declared.
    pub declared: Declared,
    /// The value of a later document that took the place of the declared one. The annotations stayed.
    pub changed: Option<Span>,
    /// Where nobody gives the key, it is not there: no default is filled in for it.
    pub left_out: bool,
}

impl SchemaNode {
    /// A node of one facet, without anything else.
    pub fn new(facet: Facet, declared: Declared) -> Self {
        let mut node = SchemaNode {
            kinds: Kinds::ANY,
            known: true,
            nullable: false,
            map: None,
            array: None,
            clauses: Vec::new(),
            default: None,
            constraints: Vec::new(),
            message: None,
            rules: Vec::new(),
            condition: None,
            docs: Docs::default(),
            declared,
            changed: None,
            left_out: false,
        };
        node.set(facet);
        node
    }

    /// Replaces what is said about kinds, keys and items.
    pub fn set(&mut self, facet: Facet) {
        (self.known, self.map, self.array) = (true, None, None);
        self.clauses.clear();
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
                self.map = Some(map);
                Kinds::MAP
            }
            Facet::Array(array) => {
                self.array = Some(array);
                Kinds::ARRAY
            }
        };
    }

    /// Whether it accepts any value and says nothing about its parts.
    pub fn says_nothing(&self) -> bool {
        self.kinds == Kinds::ANY && self.map.is_none() && self.array.is_none() && self.clauses.is_empty()
    }

    /// Whether all it says is said by other nodes.
    pub fn says_only_clauses(&self) -> bool {
        self.kinds == Kinds::ANY && self.map.is_none() && self.array.is_none() && self.constraints.is_empty()
    }

    /// What the node comes down to where one word has to do.
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
            Kinds::MAP => Shape::Map(self.map.as_ref().unwrap_or(&ANY_MAP)),
            Kinds::ARRAY => self.array.as_ref().map_or(Shape::Any, Shape::Array),
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
}

/// A default value with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct DefaultValue {
    /// The value.
    pub value: Node,
    /// Where it was said: the value in the schema, or the annotation argument that overrides it.
    pub span: Span,
    /// Given by an annotation rather than by the schema's own value.
    pub explicit: bool,
    /// The key or marker that gives it, in languages with one.
    pub keyword: Option<Span>,
}

/// A bound on a value, with the place that says it.
#[derive(Debug, Clone, PartialEq)]
pub struct Constraint {
    /// The bound.
    pub kind: ConstraintKind,
    /// The argument or keyword in the schema.
    pub span: Span,
    /// It holds only under a condition that is code (`when=`): not checked without evaluation.
    pub conditional: bool,
    /// The kinds of value it speaks about; it says nothing about others.
    pub on: Kinds,
    /// What to say where it does not hold, in the schema's own words.
    pub message: Option<String>,
}

impl Constraint {
    /// A bound on values of any kind, under no condition.
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
    OneOf(Vec<Node>),
    /// Not null; checked before everything else.
    NotNull,
    /// Exactly one of these keys is set to something other than null; `None`: of all keys.
    OneNotNull(Option<Vec<Key>>),
    /// Text that matches.
    Pattern(Pattern),
    /// Text that begins so.
    StartsWith(String),
    /// Text that ends so.
    EndsWith(String),
    /// Text of a named format (`email`, `date-time` ...).
    Format(String),
    /// The same where the language takes formats for documentation: worth a hint.
    FormatHint(String),
    /// No two items are equal.
    UniqueItems,
}

/// A rule that is code: a (description, assertion) pair of `@schema/validation`.
#[derive(Debug, Clone, PartialEq)]
pub struct CodeRule {
    /// What a valid value is, in words, if it is a literal.
    pub description: Option<String>,
    /// The rule's source in the schema.
    pub span: Span,
    /// What to call with the value: a function, or an object whose attribute `check` is one. `None`
    /// before evaluation.
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
    /// The name that follows from the key where the language makes one and the schema gives none.
    pub inferred_title: Option<String>,
    /// Longer text, from `@schema/desc` or else from `@schema/doc`.
    pub description: Option<Text>,
    /// The description came from `@schema/doc`, which ytt ignores.
    pub from_doc: bool,
    /// Examples in order.
    pub examples: Vec<Example>,
    /// What each allowed value means, in their order; shorter where nothing is said.
    pub of_values: Vec<String>,
    /// What an editor may offer to insert.
    pub snippets: Vec<Snippet>,
    /// It is fine, but no editor should offer it.
    pub unoffered: bool,
    /// It should not be used any more, and what to do instead.
    pub deprecated: Option<Text>,
    /// It must not be used any more.
    pub removed: Option<Text>,
}

/// A value that a schema has for editors to insert.
#[derive(Debug, Clone, PartialEq)]
pub struct Snippet {
    /// What is shown; none: the value itself.
    pub label: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// The value. Texts in it may hold tab stops of LSP's snippets, `$1` and `${1:name}`; with a `^` before them they
    /// stand for what is no text. A text as a whole is inserted as it is.
    pub body: Node,
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
    /// The item or document: key to end of value.
    pub span: Span,
    /// What to point at: the key, the dash, or the `---` marker.
    pub name: Span,
}

//! The tree of an expression as a list of nodes. The parts of a node come before it, so visiting the list needs no
//! recursion.

use std::ops::Range;

/// An expression.
#[derive(Debug, Clone, Default)]
pub struct Expression {
    /// All nodes; parts come before the node that contains them.
    pub nodes: Vec<Node>,
    /// Names that are defined only for some of the nodes.
    pub scopes: Vec<Scope>,
    /// The first error.
    pub fault: Option<Fault>,
}

/// The index of a node.
pub type Id = usize;

/// A part of an expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Its bytes.
    pub range: Range<usize>,
    /// Whether it is a field or item that may be absent: `a.?b`, `a[?b]`.
    pub may_be_absent: bool,
    /// Whether it is an item or key that is left out if it is empty: `[?a]`, `{?a: b}`.
    pub may_be_empty: bool,
}

/// What a node is.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeKind {
    /// Nothing is written where an operand is required.
    Missing,
    /// A number, as it is written.
    Number(String),
    /// Text.
    Text {
        /// As it is written between the quotes.
        text: String,
        /// The bytes between the quotes.
        inner: Range<usize>,
        /// Whether a backslash is nothing special.
        is_raw: bool,
    },
    /// Bytes.
    Bytes {
        /// As they are written between the quotes.
        text: String,
        /// Whether a backslash is nothing special.
        is_raw: bool,
    },
    /// `true`, `false`
    Bool(bool),
    /// `null`
    Null,
    /// A name.
    Name(String),
    /// `.name`: a name that does not belong to an inner scope.
    Outermost(String),
    /// `of.name`; the name may be empty.
    Select {
        /// The value that has the field.
        of: Id,
        /// The name of the field.
        name: String,
        /// Its bytes.
        name_range: Range<usize>,
    },
    /// `of[key]`
    Index {
        /// The array or map.
        of: Id,
        /// The index or key.
        key: Id,
    },
    /// `name(…)`, `of.name(…)`
    Call {
        /// The receiver of a method.
        of: Option<Id>,
        /// Its name.
        name: String,
        /// The bytes of the name.
        name_range: Range<usize>,
        /// The arguments.
        arguments: Vec<Id>,
    },
    /// `-a`, `!a`
    Unary(Operator, Id),
    /// `a + b`
    Binary(Operator, Id, Id),
    /// `a ? b : c`
    Choice(Id, Id, Id),
    /// `[a, b]`
    List(Vec<Id>),
    /// `{a: b}`
    Map(Vec<(Id, Id)>),
    /// `Type{a: b}`
    Message {
        /// The name of the type.
        of: Id,
        /// Its fields and their values.
        entries: Vec<(Id, Id)>,
    },
}

impl NodeKind {
    /// The nodes that it is made of, which come before it in the expression.
    pub fn parts(&self) -> Vec<Id> {
        let pairs = |entries: &[(Id, Id)]| entries.iter().flat_map(|(key, value)| [*key, *value]).collect::<Vec<_>>();
        match self {
            NodeKind::Select { of, .. } | NodeKind::Unary(_, of) => vec![*of],
            NodeKind::Index { of, key } => vec![*of, *key],
            NodeKind::Call { of, arguments, .. } => of.iter().chain(arguments).copied().collect(),
            NodeKind::Binary(_, left, right) => vec![*left, *right],
            NodeKind::Choice(condition, then, other) => vec![*condition, *then, *other],
            NodeKind::List(items) => items.clone(),
            NodeKind::Map(entries) => pairs(entries),
            NodeKind::Message { of, entries } => [vec![*of], pairs(entries)].concat(),
            _ => Vec::new(),
        }
    }
}

/// A field that a node selects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member<'e> {
    /// The value that has the field.
    pub of: Id,
    /// The name of the field; empty if it is not written yet.
    pub name: &'e str,
    /// Its bytes, without quotes.
    pub range: Range<usize>,
    /// It is a string in brackets instead of a word after a dot.
    pub is_quoted: bool,
}

impl Expression {
    /// The field that a node selects: `of.name` or `of["name"]`.
    pub fn member<'e>(&'e self, node: &'e Node) -> Option<Member<'e>> {
        match &node.kind {
            NodeKind::Select { of, name, name_range } => {
                Some(Member { of: *of, name, range: name_range.clone(), is_quoted: false })
            }
            NodeKind::Index { of, key } => match &self.nodes.get(*key)?.kind {
                // What an escape stands for is not the name of any field.
                NodeKind::Text { text, inner, .. } if !text.contains('\\') => {
                    Some(Member { of: *of, name: text, range: inner.clone(), is_quoted: true })
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// An operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `in`
    In,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `!`
    Not,
}

/// Names that a macro defines for the items of its receiver.
#[derive(Debug, Clone, PartialEq)]
pub struct Scope {
    /// The nodes for which they are defined.
    pub nodes: Range<Id>,
    /// Their bytes, with the brackets around them.
    pub range: Range<usize>,
    /// The names.
    pub names: Vec<String>,
    /// The receiver.
    pub of: Id,
    /// Whether they stand for items: other macros name a value as a whole.
    pub is_loop: bool,
}

/// A syntax error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub range: Range<usize>,
    /// What, in a sentence.
    pub message: String,
}

//! The facets of a schema node: kinds, keys, items, and clauses that join other nodes. They are independent of each
//! other: a rule about keys applies only to maps.

use crate::semantics::Words;
use crate::{Pattern, SchemaId};
use lofting_document::{Key, NodeValue, Span};
use lofting_eval::Callable;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use std::borrow::Cow;
use std::ops::BitOr;
use std::sync::LazyLock;

/// A set of kinds of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kinds(u8);

impl Kinds {
    /// Null.
    pub const NULL: Kinds = Kinds(1);
    /// Booleans.
    pub const BOOL: Kinds = Kinds(1 << 1);
    /// Integers.
    pub const INT: Kinds = Kinds(1 << 2);
    /// Numbers that are not integers.
    pub const FLOAT: Kinds = Kinds(1 << 3);
    /// Text.
    pub const STRING: Kinds = Kinds(1 << 4);
    /// Maps.
    pub const MAP: Kinds = Kinds(1 << 5);
    /// Arrays.
    pub const ARRAY: Kinds = Kinds(1 << 6);
    /// Integers and other numbers.
    pub const NUMBER: Kinds = Kinds::INT.or(Kinds::FLOAT);
    /// All of them.
    pub const ANY: Kinds = Kinds((1 << 7) - 1);
    /// Maps and arrays.
    pub const COLLECTIONS: Kinds = Kinds::MAP.or(Kinds::ARRAY);
    /// None of them.
    pub const NONE: Kinds = Kinds(0);

    /// Each kind with its word.
    const WORDS: [(Kinds, &str); 7] = [
        (Kinds::MAP, "map"),
        (Kinds::ARRAY, "array"),
        (Kinds::STRING, "string"),
        (Kinds::INT, "integer"),
        (Kinds::FLOAT, "float"),
        (Kinds::BOOL, "boolean"),
        (Kinds::NULL, "null"),
    ];

    /// The kind of a value; None if that is not known.
    pub fn of(value: &NodeValue) -> Option<Kinds> {
        Some(match value {
            NodeValue::Null => Kinds::NULL,
            NodeValue::Bool(_) => Kinds::BOOL,
            NodeValue::Int(_) => Kinds::INT,
            NodeValue::Float(_) => Kinds::FLOAT,
            NodeValue::String(_) => Kinds::STRING,
            NodeValue::Map(_) => Kinds::MAP,
            NodeValue::Array(_) => Kinds::ARRAY,
            NodeValue::Unknown => return None,
        })
    }

    /// Whether it contains all of `others`.
    pub fn has(self, others: Kinds) -> bool {
        self.0 & others.0 == others.0
    }

    /// The kinds in either.
    #[must_use]
    pub const fn or(self, others: Kinds) -> Kinds {
        Kinds(self.0 | others.0)
    }

    /// The kinds that are not in `others`.
    #[must_use]
    pub const fn without(self, others: Kinds) -> Kinds {
        Kinds(self.0 & !others.0)
    }

    /// The kinds in both.
    #[must_use]
    pub fn and(self, others: Kinds) -> Kinds {
        Kinds(self.0 & others.0)
    }

    /// Whether it contains more than one kind, not counting null; integers and floats are one kind.
    pub fn is_several(self) -> bool {
        let apart = self.without(Kinds::NULL);
        let one = if apart.has(Kinds::NUMBER) { apart.without(Kinds::INT) } else { apart };
        one.0.count_ones() > 1
    }

    /// The kinds in a language's words: `integer`, `string` and `map`. A set with floats contains integers as well.
    pub fn words(self, language: &Words) -> Vec<&'static str> {
        let takes_int = self.has(Kinds::FLOAT);
        let said = |kind: Kinds| self.has(kind) && !(takes_int && kind == Kinds::INT);
        let word = |(kind, word): &(Kinds, &'static str)| if *kind == Kinds::FLOAT { language.number } else { word };
        Kinds::WORDS.iter().filter(|(kind, _)| said(*kind)).map(word).collect()
    }
}

impl BitOr for Kinds {
    type Output = Kinds;

    fn bitor(self, others: Kinds) -> Kinds {
        self.or(others)
    }
}

/// A single facet, for languages in which a value has one kind.
#[derive(Debug, Clone, PartialEq)]
pub enum Facet {
    /// Anything, unchecked below.
    Any,
    /// Not known before evaluation.
    Unknown,
    /// Only null.
    Null,
    /// A boolean.
    Bool,
    /// An integer.
    Int,
    /// A float; integers are accepted and stay integers.
    Float,
    /// Text.
    String,
    /// A map.
    Map(MapShape),
    /// An array.
    Array(ArrayShape),
}

/// A node seen as one kind, where one word is needed: in titles, in exports, for what may be typed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape<'s> {
    /// Anything.
    Any,
    /// Not known before evaluation.
    Unknown,
    /// Only null.
    Null,
    /// A boolean.
    Bool,
    /// An integer.
    Int,
    /// A float; integers are accepted and stay integers.
    Float,
    /// Text.
    String,
    /// A map, or any value if only maps are described further.
    Map(&'s MapShape),
    /// An array, or any value if only arrays are described further.
    Array(&'s ArrayShape),
    /// A value that one of these nodes accepts.
    Union(&'s [SchemaId]),
}

/// A clause: what other nodes say about the value of a node.
#[derive(Debug, Clone, PartialEq)]
pub enum Clause {
    /// All of them have to accept it.
    All(Vec<SchemaId>),
    /// At least one has to accept it.
    Any(Vec<SchemaId>),
    /// Exactly one has to accept it.
    One(Vec<SchemaId>),
    /// The node must not accept it.
    Not(SchemaId),
    /// If the condition accepts it, `then` has to accept it as well, else `otherwise`.
    If {
        /// The condition.
        condition: SchemaId,
        /// What has to accept it if the condition does; None for no requirement.
        then: Option<SchemaId>,
        /// What has to accept it if the condition does not; None for no requirement.
        otherwise: Option<SchemaId>,
    },
    /// If the value is a map with this key, the node has to accept it.
    Dependent {
        /// The key.
        key: Key,
        /// The node for the whole map.
        schema: SchemaId,
    },
    /// If the value is a map, the node has to accept the name of each of its keys, as text.
    Names(SchemaId),
    /// If the value is an array, the node has to accept this many of its items.
    Contains {
        /// What the items have to fit.
        schema: SchemaId,
        /// At least this many.
        least: u64,
        /// At most this many; None for any number.
        most: Option<u64>,
        /// Items that fit count as evaluated for [`Clause::OtherItems`].
        evaluates: bool,
    },
    /// If the value is a map, the node has to accept the values of all keys that were not evaluated otherwise: by this
    /// node, or by nodes that its clauses name and that accept the map.
    OtherKeys(SchemaId),
    /// If the value is an array, the node has to accept all items that were not evaluated otherwise, as `OtherKeys` does.
    OtherItems(SchemaId),
}

impl Clause {
    /// Gives each node that it leads to.
    pub(crate) fn ids(&mut self, each: &mut dyn FnMut(&mut SchemaId)) {
        match self {
            Clause::All(members) | Clause::Any(members) | Clause::One(members) => members.iter_mut().for_each(each),
            Clause::Not(schema)
            | Clause::Dependent { schema, .. }
            | Clause::Names(schema)
            | Clause::Contains { schema, .. }
            | Clause::OtherKeys(schema)
            | Clause::OtherItems(schema) => each(schema),
            Clause::If { condition, then, otherwise } => {
                [Some(condition), then.as_mut(), otherwise.as_mut()].into_iter().flatten().for_each(each);
            }
        }
    }

    /// The nodes that may describe a value, in the order of the schema.
    pub fn members(&self) -> Cow<'_, [SchemaId]> {
        match self {
            Clause::All(members) | Clause::Any(members) | Clause::One(members) => Cow::Borrowed(members),
            Clause::Not(_)
            | Clause::Names(_)
            | Clause::Contains { .. }
            | Clause::OtherKeys(_)
            | Clause::OtherItems(_) => Cow::Borrowed(&[]),
            Clause::If { then, otherwise, .. } => then.iter().chain(otherwise).copied().collect(),
            Clause::Dependent { schema, .. } => Cow::Borrowed(std::slice::from_ref(schema)),
        }
    }

    /// All nodes that are compared with the same value.
    pub fn about_the_same(&self) -> Cow<'_, [SchemaId]> {
        match self {
            Clause::Not(member) => Cow::Borrowed(std::slice::from_ref(member)),
            Clause::If { condition, .. } => std::iter::once(condition).chain(self.members().iter()).copied().collect(),
            _ => self.members(),
        }
    }

    /// Whether only one of the members describes a value, not all of them.
    pub fn is_choice(&self) -> bool {
        matches!(self, Clause::Any(_) | Clause::One(_) | Clause::If { .. })
    }
}

/// A map with declared keys and a rule for the others.
#[derive(Debug, Clone, PartialEq)]
pub struct MapShape {
    /// Declared keys in the order of the schema.
    pub keys: Vec<DeclaredKey>,
    /// Index into `keys`.
    pub by_key: FxHashMap<Key, u32>,
    /// Nodes for keys that match a pattern (JSON Schema `patternProperties`), in order.
    pub patterns: Vec<(Pattern, SchemaId)>,
    /// Rules for undeclared keys; the first one that admits a key applies.
    pub free: Vec<FreeKeys>,
    /// The rule for keys that are neither declared nor match a pattern.
    pub rest: Rest,
    /// Keys that have to be present, declared or not, in the order of the schema. ytt has none: all its keys have
    /// defaults.
    pub required: Vec<Key>,
}

/// The shape of a map without any rules.
pub(crate) static ANY_MAP: LazyLock<MapShape> =
    LazyLock::new(|| MapShape { rest: Rest::Open, ..MapShape::closed(Vec::new()) });

impl MapShape {
    /// A map with exactly these keys; the last of a repeated key counts.
    pub fn closed(keys: Vec<DeclaredKey>) -> Self {
        let by_key = keys.iter().enumerate().map(|(index, key)| (key.key.clone(), index as u32)).collect();
        MapShape { keys, by_key, patterns: Vec::new(), free: Vec::new(), rest: Rest::Closed, required: Vec::new() }
    }

    /// A map without any rules.
    pub fn any() -> &'static MapShape {
        &ANY_MAP
    }

    /// Whether keys that are not declared may be any, with any values.
    pub fn takes_any_other(&self) -> bool {
        self.patterns.is_empty() && self.free.is_empty() && self.rest == Rest::Open
    }

    /// This map, requiring these keys; each once, however often it is named.
    #[must_use]
    pub fn requiring(mut self, mut required: Vec<Key>) -> Self {
        let mut known = FxHashSet::default();
        required.retain(|key| known.insert(key.clone()));
        for key in &required {
            if let Some(declared) = self.by_key.get(key).and_then(|index| self.keys.get_mut(*index as usize)) {
                declared.required = true;
            }
        }
        self.required = required;
        self
    }

    /// The declaration of `key`.
    pub fn get(&self, key: &Key) -> Option<&DeclaredKey> {
        self.by_key.get(key).and_then(|index| self.keys.get(*index as usize))
    }
}

/// A rule for undeclared keys: which keys it admits, and how many of them.
#[derive(Debug, Clone, PartialEq)]
pub struct FreeKeys {
    /// Which keys it admits.
    pub admits: Admits,
    /// The node for their values.
    pub schema: SchemaId,
    /// How many of them a map must have: any of these. Empty for any number.
    pub expects: Vec<Expected>,
    /// Where the number is stated.
    pub span: Span,
}

/// Which keys a rule admits.
#[derive(Debug, Clone, PartialEq)]
pub enum Admits {
    /// Every key.
    All,
    /// Keys in which the regular expression is found.
    Pattern(Pattern),
    /// Keys for which a function returns true.
    Function(Asked<SmolStr>),
}

/// An allowed number of keys.
#[derive(Debug, Clone, PartialEq)]
pub enum Expected {
    /// Exactly this many.
    Exactly(usize),
    /// This many or more.
    AtLeast(usize),
    /// As a function decides.
    Function(Asked<usize>),
}

/// A function of a schema, with the answers of the calls made so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked<K: std::hash::Hash + Eq> {
    /// Its place.
    pub span: Span,
    /// What to call; None before evaluation.
    pub function: Option<Callable>,
    /// The schema item's own key, which is passed as well.
    pub own_key: Option<Key>,
    /// Its answers, by argument.
    pub answers: FxHashMap<K, bool>,
}

impl Admits {
    /// Whether it admits a key; None if the function has not been called.
    pub fn takes(&self, key: &str) -> Option<bool> {
        match self {
            Admits::All => Some(true),
            Admits::Pattern(pattern) => pattern.is_in(key),
            Admits::Function(asked) => asked.answers.get(key).copied(),
        }
    }
}

impl Expected {
    /// Whether it allows a number; None if the function has not been called.
    pub fn allows(&self, count: usize) -> Option<bool> {
        match self {
            Expected::Exactly(number) => Some(count == *number),
            Expected::AtLeast(number) => Some(count >= *number),
            Expected::Function(asked) => asked.answers.get(&count).copied(),
        }
    }
}

impl FreeKeys {
    /// Whether a map may have this many of these keys; None if that is not known.
    pub fn allows(&self, count: usize) -> Option<bool> {
        let said: Vec<Option<bool>> = self.expects.iter().map(|expected| expected.allows(count)).collect();
        if said.is_empty() || said.contains(&Some(true)) {
            Some(true)
        } else if said.contains(&None) {
            None
        } else {
            Some(false)
        }
    }

    /// The numbers in words, `exactly 1`, `0 or 1`, `at least 2`.
    pub fn expected_words(&self) -> String {
        let number = |expected: &Expected| match expected {
            Expected::Exactly(number) => number.to_string(),
            Expected::AtLeast(number) => format!("at least {number}"),
            Expected::Function(_) => "as many as its function says".to_owned(),
        };
        match self.expects.as_slice() {
            [] => "any number".to_owned(),
            [Expected::Exactly(number)] => format!("exactly {number}"),
            several => several.iter().map(number).collect::<Vec<_>>().join(" or "),
        }
    }
}

/// A declared key of a map.
#[derive(Debug, Clone, PartialEq)]
pub struct DeclaredKey {
    /// The key with its YAML type.
    pub key: Key,
    /// The node for its value.
    pub schema: SchemaId,
    /// The key has to be present; see [`MapShape::required`].
    pub required: bool,
}

/// The rule of a map for undeclared keys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rest {
    /// They are not allowed.
    Closed,
    /// They are allowed and not checked.
    Open,
    /// They are allowed, but nothing reads them.
    Unread,
    /// They are allowed if their value fits.
    Schema(SchemaId),
}

/// An array.
#[derive(Debug, Clone, PartialEq)]
pub struct ArrayShape {
    /// Nodes for the first items (JSON Schema `prefixItems`).
    pub prefix: Vec<SchemaId>,
    /// The node for every other item.
    pub item: SchemaId,
    /// There is no rule for other items. `item` accepts anything, and such items count as not evaluated.
    pub open: bool,
}

impl ArrayShape {
    /// An array of such items.
    pub fn of(item: SchemaId) -> Self {
        ArrayShape { prefix: Vec::new(), item, open: false }
    }
}

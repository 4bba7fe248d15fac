//! The facets of a schema node: kinds, keys, items, and what other nodes say about the same value. They are independent
//! of each other: what is said about keys says nothing about a value that is no map.

use crate::{Pattern, SchemaId};
use lofting_document::{Key, Span};
use lofting_eval::Callable;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::ops::BitOr;
use std::sync::LazyLock;

/// A set of kinds of value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kinds(u8);

impl Kinds {
    /// Null.
    pub const NULL: Kinds = Kinds(1);
    /// Booleans.
    pub const BOOL: Kinds = Kinds(1 << 1);
    /// Integers.
    pub const INT: Kinds = Kinds(1 << 2);
    /// Numbers that are no integers.
    pub const FLOAT: Kinds = Kinds(1 << 3);
    /// Text.
    pub const STRING: Kinds = Kinds(1 << 4);
    /// Maps.
    pub const MAP: Kinds = Kinds(1 << 5);
    /// Arrays.
    pub const ARRAY: Kinds = Kinds(1 << 6);
    /// Integers and other numbers.
    pub const NUMBER: Kinds = Kinds(Kinds::INT.0 | Kinds::FLOAT.0);
    /// All of them.
    pub const ANY: Kinds = Kinds((1 << 7) - 1);
    /// Maps and arrays.
    pub const COLLECTIONS: Kinds = Kinds(Kinds::MAP.0 | Kinds::ARRAY.0);
    /// None of them.
    pub const NONE: Kinds = Kinds(0);

    /// Each kind alone, with its word.
    const WORDS: [(Kinds, &str); 7] = [
        (Kinds::MAP, "map"),
        (Kinds::ARRAY, "array"),
        (Kinds::STRING, "string"),
        (Kinds::INT, "integer"),
        (Kinds::FLOAT, "float"),
        (Kinds::BOOL, "boolean"),
        (Kinds::NULL, "null"),
    ];

    /// Whether all of `others` are in it.
    pub fn has(self, others: Kinds) -> bool {
        self.0 & others.0 == others.0
    }

    /// The kinds in either.
    #[must_use]
    pub const fn or(self, others: Kinds) -> Kinds {
        Kinds(self.0 | others.0)
    }

    /// Those kinds that are not among others.
    #[must_use]
    pub const fn without(self, others: Kinds) -> Kinds {
        Kinds(self.0 & !others.0)
    }

    /// The kinds in both.
    #[must_use]
    pub fn and(self, others: Kinds) -> Kinds {
        Kinds(self.0 & others.0)
    }

    /// Whether values of more than one kind are in it, null aside; a number is one kind.
    pub fn is_several(self) -> bool {
        let apart = self.0 & !Kinds::NULL.0;
        let one = if apart & Kinds::NUMBER.0 == Kinds::NUMBER.0 { apart & !Kinds::INT.0 } else { apart };
        one.count_ones() > 1
    }

    /// The kinds in words: `integer`, `string or map`; a float takes integers, too.
    pub fn words(self) -> Vec<&'static str> {
        let takes_int = self.has(Kinds::FLOAT);
        let said = |(kind, _): &&(Kinds, &str)| self.has(*kind) && !(takes_int && *kind == Kinds::INT);
        Kinds::WORDS.iter().filter(said).map(|(_, word)| *word).collect()
    }
}

impl BitOr for Kinds {
    type Output = Kinds;

    fn bitor(self, others: Kinds) -> Kinds {
        Kinds(self.0 | others.0)
    }
}

/// What readers of languages in which a value has one kind say about it.
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

/// A node seen as one kind, where one word has to do: in titles, in exports, for what can be typed.
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
    /// A map, or anything of which maps are spoken about.
    Map(&'s MapShape),
    /// An array, or anything of which arrays are spoken about.
    Array(&'s ArrayShape),
    /// What one of these nodes accepts.
    Union(&'s [SchemaId]),
}

/// What other nodes say about the value of a node.
#[derive(Debug, Clone, PartialEq)]
pub enum Clause {
    /// All of them accept it.
    All(Vec<SchemaId>),
    /// At least one accepts it.
    Any(Vec<SchemaId>),
    /// Exactly one accepts it.
    One(Vec<SchemaId>),
    /// It does not accept it.
    Not(SchemaId),
    /// The second accepts it if the first does, else the third.
    If {
        /// What is asked.
        condition: SchemaId,
        /// What follows; none: nothing.
        then: Option<SchemaId>,
        /// What follows otherwise; none: nothing.
        otherwise: Option<SchemaId>,
    },
    /// If it is a map with this key, the node accepts it.
    Dependent {
        /// The key.
        key: Key,
        /// What then holds for the map.
        schema: SchemaId,
    },
    /// If it is a map, the node accepts the name of each of its keys, as text.
    Names(SchemaId),
    /// If it is an array, the node accepts so many of its items.
    Contains {
        /// What items have to fit.
        schema: SchemaId,
        /// At least so many do.
        least: u64,
        /// At most so many do; none: any number.
        most: Option<u64>,
        /// Items that fit count as looked at for [`Clause::OtherItems`].
        evaluates: bool,
    },
    /// If it is a map, the node accepts the values of all keys that nothing else has looked at: neither this node nor
    /// those that its clauses name and that accept the map.
    OtherKeys(SchemaId),
    /// The same for the items of an array.
    OtherItems(SchemaId),
}

impl Clause {
    /// The nodes that it speaks of and a value can be described by, in the order of the schema.
    pub fn members(&self) -> Vec<SchemaId> {
        match self {
            Clause::All(members) | Clause::Any(members) | Clause::One(members) => members.clone(),
            Clause::Not(_)
            | Clause::Names(_)
            | Clause::Contains { .. }
            | Clause::OtherKeys(_)
            | Clause::OtherItems(_) => Vec::new(),
            Clause::If { then, otherwise, .. } => then.iter().chain(otherwise).copied().collect(),
            Clause::Dependent { schema, .. } => vec![*schema],
        }
    }

    /// All nodes that are asked about the same value.
    pub fn about_the_same(&self) -> Vec<SchemaId> {
        match self {
            Clause::Not(member) => vec![*member],
            Clause::If { condition, .. } => std::iter::once(*condition).chain(self.members()).collect(),
            _ => self.members(),
        }
    }

    /// Whether a value is described by one of the members and not by all.
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
    /// Keys that match a pattern (JSON Schema `patternProperties`), tried in order.
    pub patterns: Vec<(Pattern, SchemaId)>,
    /// Rules that take keys which are not declared, each key by the first that admits it.
    pub free: Vec<FreeKeys>,
    /// What holds for keys that are neither declared nor match a pattern.
    pub rest: Rest,
    /// Keys that have to be there, declared or not, in the order of the schema. ytt has none: all have defaults.
    pub required: Vec<Key>,
}

/// What a map without declarations says: nothing.
pub(crate) static ANY_MAP: LazyLock<MapShape> =
    LazyLock::new(|| MapShape { rest: Rest::Open, ..MapShape::closed(Vec::new()) });

impl MapShape {
    /// A map of exactly these keys; of a repeated key the last counts.
    pub fn closed(keys: Vec<DeclaredKey>) -> Self {
        let by_key = keys.iter().enumerate().map(|(index, key)| (key.key.clone(), index as u32)).collect();
        MapShape { keys, by_key, patterns: Vec::new(), free: Vec::new(), rest: Rest::Closed, required: Vec::new() }
    }

    /// A map of which nothing is said.
    pub fn any() -> &'static MapShape {
        &ANY_MAP
    }

    /// The same map, in which these keys have to be there.
    #[must_use]
    pub fn requiring(mut self, required: Vec<Key>) -> Self {
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

/// Keys that a schema does not name, but says which they may be and how many.
#[derive(Debug, Clone, PartialEq)]
pub struct FreeKeys {
    /// Which keys.
    pub admits: Admits,
    /// What their values may be.
    pub schema: SchemaId,
    /// How many of them a map has to have: one of these. None: any number.
    pub expects: Vec<Expected>,
    /// Where that is said.
    pub span: Span,
}

/// Which keys a rule takes.
#[derive(Debug, Clone, PartialEq)]
pub enum Admits {
    /// Every key.
    All,
    /// Those in whose text the expression is found.
    Pattern(Pattern),
    /// Those for which a function says so.
    Function(Asked<SmolStr>),
}

/// A number of keys that is fine.
#[derive(Debug, Clone, PartialEq)]
pub enum Expected {
    /// Exactly so many.
    Exactly(usize),
    /// So many or more.
    AtLeast(usize),
    /// What a function says.
    Function(Asked<usize>),
}

/// A function of a schema with its answers, as far as it was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked<K: std::hash::Hash + Eq> {
    /// Its place.
    pub span: Span,
    /// What to call; none before evaluation.
    pub function: Option<Callable>,
    /// What is handed over besides: the own key of the schema's item.
    pub own_key: Option<Key>,
    /// Whether it said yes.
    pub answers: FxHashMap<K, bool>,
}

impl Admits {
    /// Whether a key is taken; none: nobody has asked the function.
    pub fn takes(&self, key: &str) -> Option<bool> {
        match self {
            Admits::All => Some(true),
            Admits::Pattern(pattern) => pattern.is_in(key),
            Admits::Function(asked) => asked.answers.get(key).copied(),
        }
    }
}

impl Expected {
    /// Whether a number is fine; none: nobody has asked the function.
    pub fn allows(&self, count: usize) -> Option<bool> {
        match self {
            Expected::Exactly(number) => Some(count == *number),
            Expected::AtLeast(number) => Some(count >= *number),
            Expected::Function(asked) => asked.answers.get(&count).copied(),
        }
    }
}

impl FreeKeys {
    /// Whether a map may have so many of these keys; none: not known.
    pub fn allows(&self, count: usize) -> Option<bool> {
        let said: Vec<Option<bool>> = self.expects.iter().map(|expected| expected.allows(count)).collect();
        match said.is_empty() || said.contains(&Some(true)) {
            true => Some(true),
            false if said.contains(&None) => None,
            false => Some(false),
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
    /// What its value may be.
    pub schema: SchemaId,
    /// It has to be there, see [`MapShape::required`].
    pub required: bool,
}

/// What a map says about keys it does not declare.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rest {
    /// They are errors.
    Closed,
    /// They are fine and unchecked.
    Open,
    /// They are permitted, but nobody reads what stands there.
    Unread,
    /// They are fine if their value fits.
    Schema(SchemaId),
}

/// An array.
#[derive(Debug, Clone, PartialEq)]
pub struct ArrayShape {
    /// Types of the first items (JSON Schema `prefixItems`).
    pub prefix: Vec<SchemaId>,
    /// Type of every other item.
    pub item: SchemaId,
    /// Nothing is said about other items: what `item` accepts, which is anything, nobody has looked at.
    pub open: bool,
}

impl ArrayShape {
    /// An array of such items.
    pub fn of(item: SchemaId) -> Self {
        ArrayShape { prefix: Vec::new(), item, open: false }
    }
}

//! The kinds of semantic tokens, and tokens by their bytes.

use std::ops::{BitOr, Range};

/// The kind of a token. The names are those of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SemanticKind {
    /// `#@name` of an annotation.
    Decorator,
    /// `#@` before code, `${` around it.
    Macro,
    /// `if`, `end`, `None` and the like.
    Keyword,
    /// A name that is called.
    Function,
    /// Any other name in code; an anchor or alias.
    Variable,
    /// A name after a dot; a key that a schema knows or declares.
    Property,
    /// The name of an argument, or of a marker in shorthand.
    Parameter,
    /// A string, or a line of one.
    String,
    /// A number.
    Number,
    /// A comment inside code.
    Comment,
    /// The name of a type.
    Type,
    /// An operator, in languages inside other text.
    Operator,
}

impl SemanticKind {
    /// All kinds, with their names in the protocol.
    pub const ALL: [(SemanticKind, &'static str); 12] = [
        (SemanticKind::Decorator, "decorator"),
        (SemanticKind::Macro, "macro"),
        (SemanticKind::Keyword, "keyword"),
        (SemanticKind::Function, "function"),
        (SemanticKind::Variable, "variable"),
        (SemanticKind::Property, "property"),
        (SemanticKind::Parameter, "parameter"),
        (SemanticKind::String, "string"),
        (SemanticKind::Number, "number"),
        (SemanticKind::Comment, "comment"),
        (SemanticKind::Type, "type"),
        (SemanticKind::Operator, "operator"),
    ];
}

/// A set of modifiers, as the protocol writes it: the first of [`SemanticModifiers::ALL`] is bit 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct SemanticModifiers(pub u32);

impl SemanticModifiers {
    /// None of them.
    pub const NONE: SemanticModifiers = SemanticModifiers(0);
    /// A name is introduced here.
    pub const DECLARATION: SemanticModifiers = SemanticModifiers(1);
    /// It should not be used any more.
    pub const DEPRECATED: SemanticModifiers = SemanticModifiers(1 << 1);
    /// The key has to be given.
    pub const REQUIRED: SemanticModifiers = SemanticModifiers(1 << 2);
    /// The schema does not know the key.
    pub const UNDECLARED: SemanticModifiers = SemanticModifiers(1 << 3);

    /// All modifiers, with their names. The first two are the protocol's own.
    pub const ALL: [(SemanticModifiers, &'static str); 4] = [
        (SemanticModifiers::DECLARATION, "declaration"),
        (SemanticModifiers::DEPRECATED, "deprecated"),
        (SemanticModifiers::REQUIRED, "required"),
        (SemanticModifiers::UNDECLARED, "undeclared"),
    ];

    /// These modifiers if a condition holds, or else none.
    #[must_use]
    pub fn only_if(self, holds: bool) -> SemanticModifiers {
        if holds { self } else { SemanticModifiers::NONE }
    }
}

impl BitOr for SemanticModifiers {
    type Output = SemanticModifiers;

    fn bitor(self, other: Self) -> Self {
        SemanticModifiers(self.0 | other.0)
    }
}

/// A token by its bytes, perhaps of several lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub range: Range<usize>,
    pub kind: SemanticKind,
    pub modifiers: SemanticModifiers,
}

impl Stretch {
    pub fn new(range: Range<usize>, kind: SemanticKind) -> Self {
        Stretch { range, kind, modifiers: SemanticModifiers::NONE }
    }
}

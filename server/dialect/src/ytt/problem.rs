//! The problems of a schema, as data. The rules of this language word the messages.

use lofting_document::Span;
use lofting_schema::Declared;
use smol_str::SmolStr;

/// A problem in a schema document.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// The declaration that is wrong. ytt reports all problems at this place, except those of `@schema/validation`,
    /// which it reports at the annotation.
    pub node: Declared,
    /// The annotation that is wrong, if there is one: from `#` to the line end.
    pub annotation: Option<Span>,
    /// The exact place: an argument, a keyword's name, the value.
    pub span: Span,
    /// What is wrong.
    pub kind: ProblemKind,
}

/// The kinds of problems in a schema (docs/ytt.md 9 and 13.2).
#[derive(Debug, Clone, PartialEq)]
pub enum ProblemKind {
    /// A null value determines no type.
    NullValue {
        /// Whether there is an `@schema/nullable`, which does not help.
        nullable: bool,
    },
    /// An array has to have exactly one item.
    ArrayItems {
        /// The items it has.
        count: usize,
    },
    /// An expression gives a list or dict, which is not allowed in a schema.
    ComputedCollection {
        /// Starlark's name of its type.
        found: SmolStr,
    },
    /// `@schema/type`, `@schema/nullable` or `@schema/default` below `any=True`.
    WithinAny {
        /// The annotations' names with their places, in ytt's order: nullable, type, default.
        annotations: Vec<(SmolStr, Span)>,
        /// The `@schema/type any=True` above.
        any: Span,
    },
    /// `@schema/type` without keyword.
    TypeMissing,
    /// `@schema/type` with a keyword other than `any`.
    TypeKeyword {
        /// The keyword.
        name: String,
    },
    /// The value of `any=` is not a boolean.
    TypeValue {
        /// Starlark's name of its type.
        found: SmolStr,
    },
    /// `@schema/nullable` with a keyword.
    NullableKeyword {
        /// The keyword.
        name: String,
    },
    /// `@schema/title`, `desc` or `deprecated` without exactly one string.
    Text {
        /// The annotation, `schema/title`.
        name: SmolStr,
        /// How it is wrong.
        wrong: TextArgument,
    },
    /// `@schema/deprecated` on a document.
    DeprecatedOnDocument,
    /// An argument of `@schema/examples`.
    Examples {
        /// How it is wrong.
        wrong: ExampleArgument,
    },
    /// `@schema/default` without exactly one value.
    Default {
        /// How it is wrong.
        wrong: DefaultArgument,
        /// The type of the node, in words.
        expected: String,
    },
    /// `@schema/default` on an array item.
    DefaultOnArrayItem,
    /// An argument of `@schema/validation`.
    Validation {
        /// How it is wrong.
        wrong: ValidationArgument,
    },
    /// A later schema document cannot be merged into the earlier ones.
    Overlay {
        /// Why.
        wrong: lofting_overlay::ProblemKind,
    },
}

/// Wrong arguments of an annotation that takes one string.
#[derive(Debug, Clone, PartialEq)]
pub enum TextArgument {
    /// None.
    Missing,
    /// More than one.
    Several(usize),
    /// A value that is not a string; Starlark's name of its type.
    NotText(SmolStr),
    /// A keyword.
    Keyword(String),
}

/// Wrong arguments of `@schema/examples`.
#[derive(Debug, Clone, PartialEq)]
pub enum ExampleArgument {
    /// None.
    Missing,
    /// A keyword.
    Keyword(String),
    /// A value that is not a tuple; Starlark's name of its type.
    NotTuple(SmolStr),
    /// A tuple that does not have two items.
    Length(usize),
    /// A description that is not a string; Starlark's name of its type.
    Description(SmolStr),
    /// What crashes ytt as a value or inside one: a function, an object, a large integer.
    NotData(SmolStr),
}

/// Wrong arguments of `@schema/default`.
#[derive(Debug, Clone, PartialEq)]
pub enum DefaultArgument {
    /// What crashes ytt as a value or inside one: a function, an object, a large integer.
    NotData(SmolStr),
    /// None.
    Missing,
    /// More than one.
    Several(usize),
    /// A keyword.
    Keyword(String),
}

/// Wrong arguments of `@schema/validation`.
#[derive(Debug, Clone, PartialEq)]
pub enum ValidationArgument {
    /// No argument at all.
    Missing,
    /// A rule that is not a tuple; Starlark's name of its type.
    NotTuple(SmolStr),
    /// A rule is a tuple that does not have two items.
    Length(usize),
    /// A description that is not a string; Starlark's name of its type.
    Description(SmolStr),
    /// An assertion that is not a function; Starlark's name of its type.
    Assertion(SmolStr),
    /// A keyword that does not exist.
    UnknownKeyword(String),
    /// A keyword with a value of the wrong kind.
    Kind {
        /// The keyword.
        keyword: &'static str,
        /// What it takes: `number`, `boolean`, `function`, `sequence`, `True or a sequence of keys`.
        expected: &'static str,
        /// What it got; Starlark's name of its type.
        found: SmolStr,
    },
    /// `one_not_null=False`.
    OneNotNullFalse,
}

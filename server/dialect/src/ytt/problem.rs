//! What is wrong with a schema, as data. Rules in `check` put it into words.

use lofting_document::Span;
use lofting_schema::Declared;
use smol_str::SmolStr;

/// Something wrong with a schema document.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// The node whose declaration is wrong. ytt names this place for all but the problems of
    /// `@schema/validation`, where it names the annotation.
    pub node: Declared,
    /// The annotation at fault, if one is: from `#` to the line end.
    pub annotation: Option<Span>,
    /// The exact place: an argument, a keyword's name, the value.
    pub span: Span,
    /// What is wrong.
    pub kind: ProblemKind,
}

/// The ways a schema can be wrong (docs/ytt.md 9 and 13.2).
#[derive(Debug, Clone, PartialEq)]
pub enum ProblemKind {
    /// A null value has no type.
    NullValue {
        /// `@schema/nullable` is there, which does not help.
        nullable: bool,
    },
    /// An array has to have exactly one item.
    ArrayItems {
        /// The items it has.
        count: usize,
    },
    /// An expression gives a list or dict, which is no schema.
    ComputedCollection {
        /// Starlark's name of what it gives.
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
    /// `any=` is no boolean.
    TypeValue {
        /// Starlark's name of what it is.
        found: SmolStr,
    },
    /// `@schema/nullable` with a keyword.
    NullableKeyword {
        /// The keyword.
        name: String,
    },
    /// `@schema/title`, `desc`, `deprecated` without exactly one text.
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
    /// A later schema document can not be laid over the earlier ones.
    Overlay {
        /// Why.
        wrong: lofting_overlay::ProblemKind,
    },
}

/// Wrong arguments of an annotation that takes one text.
#[derive(Debug, Clone, PartialEq)]
pub enum TextArgument {
    /// None.
    Missing,
    /// More than one.
    Several(usize),
    /// Something else, by Starlark's name.
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
    /// No tuple but this.
    NotTuple(SmolStr),
    /// A tuple of another length than two.
    Length(usize),
    /// The description is no text but this.
    Description(SmolStr),
}

/// Wrong arguments of `@schema/default`.
#[derive(Debug, Clone, PartialEq)]
pub enum DefaultArgument {
    /// A function or object instead of a value, which crashes ytt.
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
    /// A rule is no tuple but this.
    NotTuple(SmolStr),
    /// A rule is a tuple of another length than two.
    Length(usize),
    /// The description is no text but this.
    Description(SmolStr),
    /// The assertion is no function but this.
    Assertion(SmolStr),
    /// A keyword that does not exist.
    UnknownKeyword(String),
    /// A keyword with a value of the wrong kind.
    Kind {
        /// The keyword.
        keyword: &'static str,
        /// What it takes: `number`, `boolean`, `function`, `sequence`, `True or a sequence of keys`.
        expected: &'static str,
        /// What it got, by Starlark's name.
        found: SmolStr,
    },
    /// `one_not_null=False`.
    OneNotNullFalse,
}

//! The result of reading: arguments and expressions with their byte ranges.

use crate::data::EvaluationId;
use std::ops::Range;

/// An expression and its range.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Bytes of the expression, enclosing parentheses included; empty for [`ExprKind::Missing`].
    pub range: Range<usize>,
    /// What it is.
    pub kind: ExprKind,
}

/// The forms that have a meaning without running anything, and the rest.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `None`
    None,
    /// `True`, `False`
    Bool(bool),
    /// An integer, also negative.
    Int(i128),
    /// A float, also negative.
    Float(f64),
    /// A string, escapes decoded.
    String(String),
    /// `[a, b]`
    List(Vec<Expr>),
    /// `(a, b)`, `(a,)`, `()`
    Tuple(Vec<Expr>),
    /// `{k: v}`
    Dict(Vec<(Expr, Expr)>),
    /// `lambda a, b: ...`; names as written, with `*` or `**` before those that collect the rest.
    Lambda {
        /// The parameters in order.
        params: Vec<String>,
    },
    /// Names, calls, operators, comprehensions: needs evaluation.
    Code,
    /// Nothing was typed where a value belongs.
    Missing,
    /// A function or object that evaluation returned, which the evaluator can call.
    Callable(Callable),
}

/// A function or object that an evaluation keeps, so that it can be called.
#[derive(Clone, Debug, PartialEq)]
pub struct Callable {
    /// The evaluation that keeps it.
    pub evaluation: EvaluationId,
    /// Its handle within that evaluation.
    pub handle: u32,
    /// What `type()` says.
    pub type_name: String,
    /// How Starlark prints it.
    pub text: String,
    /// It is an object whose attribute `check` is the function to call.
    pub has_check: bool,
    /// How many parameters it has, if the user defined it.
    pub parameters: Option<u32>,
    /// What a built-in function was made with; see [`crate::Function::made_with`].
    pub made_with: Vec<Expr>,
}

impl Expr {
    /// Whether the value is known without evaluation, including everything inside it.
    pub fn is_literal(&self) -> bool {
        match &self.kind {
            ExprKind::None | ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::String(_) => true,
            // The reader caps the nesting, so this recursion is bounded.
            ExprKind::List(items) | ExprKind::Tuple(items) => items.iter().all(Expr::is_literal),
            ExprKind::Dict(entries) => entries.iter().all(|(key, value)| key.is_literal() && value.is_literal()),
            ExprKind::Lambda { .. } | ExprKind::Code | ExprKind::Missing | ExprKind::Callable(_) => false,
        }
    }

    /// Starlark's `type()` of the value, if the text tells it.
    pub fn type_name(&self) -> Option<&str> {
        Some(match &self.kind {
            ExprKind::None => "NoneType",
            ExprKind::Bool(_) => "bool",
            ExprKind::Int(_) => "int",
            ExprKind::Float(_) => "float",
            ExprKind::String(_) => "string",
            ExprKind::List(_) => "list",
            ExprKind::Tuple(_) => "tuple",
            ExprKind::Dict(_) => "dict",
            ExprKind::Lambda { .. } => "function",
            ExprKind::Callable(callable) => &callable.type_name,
            ExprKind::Code | ExprKind::Missing => return None,
        })
    }

    /// The first part of a value that YAML cannot hold, and what it is: a function, an object, an integer of more than
    /// 64 bits. Such a value makes ytt crash.
    pub fn not_data(&self) -> Option<(&Expr, &str)> {
        match &self.kind {
            ExprKind::Lambda { .. } | ExprKind::Callable(_) => Some((self, self.type_name()?)),
            ExprKind::Int(value) if i64::try_from(*value).is_err() && u64::try_from(*value).is_err() => {
                Some((self, "integer of more than 64 bits"))
            }
            // The reader caps the nesting, so this recursion is bounded.
            ExprKind::List(items) | ExprKind::Tuple(items) => items.iter().find_map(Expr::not_data),
            ExprKind::Dict(entries) => {
                entries.iter().find_map(|(key, value)| key.not_data().or_else(|| value.not_data()))
            }
            _ => None,
        }
    }

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            ExprKind::String(text) => Some(text),
            _ => None,
        }
    }
}

/// `name=value` in an argument list.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyword {
    /// The name before `=`.
    pub name: String,
    /// The range of the name.
    pub name_range: Range<usize>,
    /// The value; [`ExprKind::Missing`] right after the `=` when none was typed.
    pub value: Expr,
}

/// One argument in the order written.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// Index into [`Arguments::positional`].
    Positional(usize),
    /// Index into [`Arguments::keywords`].
    Keyword(usize),
    /// `*expr`
    Star(Expr),
    /// `**expr`
    StarStar(Expr),
}

/// The argument list of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arguments {
    /// Positional arguments in order.
    pub positional: Vec<Expr>,
    /// Keyword arguments in order.
    pub keywords: Vec<Keyword>,
    /// All arguments in the order written.
    pub order: Vec<Argument>,
    /// What is wrong, by position.
    pub errors: Vec<ReadError>,
    /// There is a `*list` or `**dict`, so more arguments than these may be passed.
    pub starred: bool,
    /// Names that the code uses and does not bind itself, by position.
    pub names: Vec<NameUse>,
    /// Offsets of the commas between arguments, for [`Arguments::argument_at`].
    pub commas: Vec<usize>,
    /// Bytes read.
    pub range: Range<usize>,
}

impl Arguments {
    /// The keyword argument of that name; the last one if it is repeated.
    pub fn keyword(&self, name: &str) -> Option<&Keyword> {
        self.keywords.iter().rev().find(|keyword| keyword.name == name)
    }

    /// True if there is no argument at all.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// True if every argument is known without evaluation and nothing is wrong.
    pub fn is_literal(&self) -> bool {
        !self.starred
            && self.errors.is_empty()
            && self.positional.iter().all(Expr::is_literal)
            && self.keywords.iter().all(|keyword| keyword.value.is_literal())
    }

    /// The bytes of one argument of [`Arguments::order`], a keyword's name included.
    pub fn argument_range(&self, argument: &Argument) -> Range<usize> {
        match argument {
            Argument::Positional(index) => self.positional.get(*index).map(|expr| expr.range.clone()),
            Argument::Keyword(index) => {
                self.keywords.get(*index).map(|keyword| keyword.name_range.start..keyword.value.range.end)
            }
            Argument::Star(expr) | Argument::StarStar(expr) => Some(expr.range.clone()),
        }
        .unwrap_or_default()
    }
}

/// A single expression, such as the one after `key: #@ `.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// The expression; [`ExprKind::Missing`] for blank text.
    pub expr: Expr,
    /// What is wrong, by position.
    pub errors: Vec<ReadError>,
    /// Names that the code uses and does not bind itself, by position.
    pub names: Vec<NameUse>,
}

/// A name used by code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameUse {
    /// The name.
    pub name: String,
    /// Its range.
    pub range: Range<usize>,
}

/// A part of the text that is not valid Starlark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The bytes with the error; empty only at the end of the text.
    pub range: Range<usize>,
    /// What is wrong, in plain words.
    pub message: String,
}

//! ytt's Starlark dialect as text: tokens, literal arguments, and what an evaluator is asked and answers.
//!
//! Reads the arguments of annotations and the expressions of code comments without running anything, and
//! never fails: half-typed text gives the best partial result plus errors with exact ranges. It knows no YAML
//! and no file; every range is in bytes of the text it was given, moved by the base the caller names.
#![forbid(unsafe_code)]

mod expr;
mod lexer;
mod literal;
mod reader;
mod site;

pub use expr::{Argument, Arguments, Expr, ExprKind, Expression, Keyword, NameUse, ReadError};
pub use lexer::{Token, TokenKind, is_keyword, is_reserved, lex};
pub use literal::{Number, StringLiteral, read_number, read_string};
pub use reader::{
    MAX_DEPTH, read_arguments, read_arguments_at, read_expression, read_expression_at,
};
pub use site::{ArgumentSite, SitePart};

#[cfg(test)]
mod tests;

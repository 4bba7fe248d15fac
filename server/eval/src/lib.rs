//! ytt's Starlark dialect as text: tokens, literal arguments, and the interface to an evaluator.
//!
//! Reads the arguments of annotations and the expressions in code comments without running anything, and never fails:
//! half-typed text gives the best partial result, and errors with exact ranges. It knows neither YAML nor files; every
//! range counts bytes of the given text, moved by the base that the caller passes.
#![forbid(unsafe_code)]

pub mod bytes;
pub mod code;
mod data;
mod evaluator;
mod expr;
mod file_question;
mod flat;
mod integer;
mod lexer;
mod library;
mod literal;
mod moved;
mod nesting;
mod portion;
mod program;
mod reader;
mod site;

pub use data::{AnnotationData, Data, EvaluationId, Fragment, FragmentItem, FragmentKind, Function, Object, Origin};
pub use evaluator::{
    Batch, Call, CodeRange, EvalError, EvalErrorKind, Evaluated, Evaluation, Evaluator, Frame, LOADING, LibraryFile,
    LibraryFiles, NoEvaluator, NoFiles, OVERLAY_ITEM,
};
pub use expr::{Argument, Arguments, Callable, Expr, ExprKind, Expression, Keyword, NameUse, ReadError};
pub use file_question::{FileAnswer, FileQuestion};
pub use integer::Integer;
pub use lexer::{MODULES, Token, TokenKind, is_field_name, is_keyword, is_reserved, lex};
pub use library::{Caller, Given, GivenKind, LibraryAnswer, LibraryOptions, LibraryOutput, LibraryRequest};
pub use literal::{Number, StringLiteral, invalid_escape, read_number, read_string, write_string};
pub use moved::Moved;
pub use nesting::{MAX_NESTING, STACK};
pub use portion::Portion;
pub use program::{
    Body, NameValue, NodeKind, Outcome, ScalarText, Source, Statement, TemplateAnnotation, TemplateKey, TemplateNode,
    TemplateProgram, TextPart, node_bound,
};
pub use reader::{MAX_DEPTH, read_arguments, read_arguments_at, read_expression, read_expression_at};
pub use site::{ArgumentSite, SitePart};

#[cfg(test)]
mod tests;

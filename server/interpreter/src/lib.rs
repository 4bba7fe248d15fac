//! A small interpreter of Starlark, in the dialect of ytt.
//!
//! [`Program::new`] reads code and resolves its names; [`Evaluator::run`] runs it and gives a [`Module`], whose functions
//! [`Evaluator::call`] calls. The host of the code is an [`Environment`]; it adds values of its own as [`Object`]s. Text in,
//! values out: nothing here knows files, YAML or the clock, and no input makes it panic or run without end: steps, memory
//! and depth are limited, and the host can stop it at any step.
#![forbid(unsafe_code)]

mod alive;
mod arguments;
mod attributes;
mod code;
mod collections;
mod comparison;
mod drop;
mod evaluator;
mod failure;
pub mod format;
mod freeze;
mod functions;
pub mod integers;
mod methods;
mod module;
mod object;
mod operators;
mod parser;
mod program;
mod resolve;
mod spelling;
mod strings;
mod tokens;
mod value;

pub use arguments::Arguments;
pub use collections::{Dict, DictKey, List, Set, Tuple};
pub use evaluator::{Environment, Evaluator, Limits, Stop};
pub use failure::{CodePlace, Failure, FailureKind, LeftFunction, Result, fail, limit, too_much_memory};
pub use functions::{Builtin, predeclared, predeclared_names};
pub use lofting_eval::bytes;
pub use module::Module;
pub use object::{HostKind, Object};
pub use parser::MAX_HEIGHT;
pub use program::Program;
pub use resolve::Predeclared;
pub use smol_str::SmolStr;
pub use strings::Elements;
pub use value::{Function, Method, Span, Value};

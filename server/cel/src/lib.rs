//! CEL, the language of expressions in OpenChoreo's templates and in the rules of Kubernetes' custom resources.
//!
//! [`parse`] reads any text, even a half-typed one, with the place of every word. [`Program::new`] finds out what its
//! names mean, [`check`] which types it has, and [`Program::evaluate`] its value, as the API server of Kubernetes does.
//! Depth and cost are limited, so no expression takes a long time, and none overflows the stack.
#![forbid(unsafe_code)]

pub mod admission;
pub mod check;
pub mod compile;
pub mod cost;
pub mod debug;
pub mod devices;
pub mod estimate;
mod eval;
pub mod library;
mod literal;
mod parse;
pub mod plan;
pub mod structural;
pub mod time;
pub mod token;
mod tree;
mod typed;
pub mod types;
pub mod value;
pub mod zone;

pub use check::{Checked, check};
pub use cost::Failure;
pub use eval::{Error, Outcome};
pub use library::names::refusals;
pub use parse::{is_macro, parse};
pub use plan::{Environment, Program};
pub use tree::{Expression, Fault, Id, Member, Node, NodeKind, Operator, Scope};
pub use types::{Object, Signature, Type};
pub use value::{List, ListKind, Map, Value};

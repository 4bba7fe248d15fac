//! The names that are defined without code.

use lofting_interpreter::{Predeclared, Value, predeclared, predeclared_names};

use crate::context::FUNCTIONS;
use crate::object::{ObjectKind, object};

/// The names of the language, and of the functions that generated code calls.
pub(crate) struct Names;

impl Predeclared for Names {
    fn get(&self, name: &str) -> Option<Value> {
        let generated = || FUNCTIONS.iter().find(|function| **function == name);
        predeclared(name).or_else(|| generated().map(|name| object(ObjectKind::Builtin(name), Vec::new())))
    }

    fn names(&self) -> Vec<&str> {
        predeclared_names().collect()
    }
}

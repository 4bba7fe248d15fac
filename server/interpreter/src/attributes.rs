//! Attributes and methods of values.

use std::sync::Arc;

use smol_str::SmolStr;

use crate::failure::{Failure, Result};
use crate::functions::Builtin;
use crate::value::{Method, Value};
use crate::{methods, spelling, strings};

/// The methods of a value of the language, sorted.
fn methods(value: &Value) -> &'static [Builtin] {
    match value {
        Value::String(_) => &strings::METHODS,
        Value::List(_) => &methods::OF_LISTS,
        Value::Dict(_) => &methods::OF_DICTS,
        Value::Set(_) => &methods::OF_SETS,
        _ => &[],
    }
}

/// The method of this name.
pub(crate) fn method(value: &Value, name: &str) -> Option<&'static Builtin> {
    let methods = methods(value);
    let found = methods.binary_search_by(|method| method.short().cmp(name)).ok()?;
    methods.get(found)
}

/// The names of a value's attributes, sorted: what `dir` gives.
pub(crate) fn names(value: &Value) -> Vec<SmolStr> {
    if let Value::Object(object) = value {
        let mut names = object.attributes();
        names.sort();
        return names;
    }
    methods(value).iter().map(|method| SmolStr::new_static(method.short())).collect()
}

/// `value.name`
pub(crate) fn attribute(value: &Value, name: &str) -> Result<Value> {
    if let Value::Object(object) = value {
        return object.attribute(name).ok_or_else(|| missing(value, name));
    }
    match method(value, name) {
        Some(function) => Ok(Value::Method(Arc::new(Method { receiver: value.clone(), function }))),
        None => Err(missing(value, name)),
    }
}

pub(crate) fn missing(value: &Value, name: &str) -> Failure {
    let known = names(value);
    let near = spelling::nearest(name, known.iter().map(SmolStr::as_str));
    let hint = near.map_or(String::new(), |near| format!(" (did you mean .{near}?)"));
    Failure::runtime(format!("{} has no .{name} field or method{hint}", value.type_name()))
}

//! What a file exports cannot be changed by those who load it.

use std::collections::HashSet;

use crate::value::Value;

/// Makes all lists and dicts that can be reached from these values unchangeable.
pub(crate) fn freeze(values: Vec<Value>) {
    let mut seen: HashSet<usize> = HashSet::new();
    let mut left = values;
    while let Some(value) = left.pop() {
        match &value {
            Value::List(list) => left.extend(list.freeze()),
            Value::Dict(dict) => left.extend(dict.freeze()),
            Value::Tuple(tuple) if seen.insert(tuple.address()) => left.extend(tuple.iter().cloned()),
            Value::Object(object) if seen.insert(object.address()) => left.extend(object.values().iter().cloned()),
            Value::Method(method) => left.push(method.receiver.clone()),
            Value::Function(function) if seen.insert(std::sync::Arc::as_ptr(&function.0) as usize) => {
                left.extend(function.0.defaults.iter().cloned());
                left.extend(function.0.captured.iter().filter_map(|cell| cell.get()));
                let globals = &function.0.globals;
                if seen.insert(std::sync::Arc::as_ptr(globals) as usize) {
                    left.extend(globals.all());
                }
            }
            _ => {}
        }
    }
}

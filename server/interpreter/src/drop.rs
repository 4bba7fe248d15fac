//! Values go without recursion, however deeply they nest.

use std::mem::take;
use std::ops::Deref;
use std::sync::Arc;

use crate::value::Value;

/// Values that another value holds.
#[derive(Debug, Default)]
pub(crate) struct Items(pub(crate) Vec<Value>);

impl Deref for Items {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0
    }
}

impl Drop for Items {
    fn drop(&mut self) {
        if self.0.iter().any(Value::holds_values) {
            release(take(&mut self.0));
        }
    }
}

/// Drops values: what the last reference is dropped of gives its values to a list of those still to be dropped.
pub(crate) fn release(values: Vec<Value>) {
    let mut left = values;
    while let Some(value) = left.pop() {
        value.dismantle(&mut left);
    }
}

impl Value {
    /// Whether it can hold other values.
    pub(crate) fn holds_values(&self) -> bool {
        matches!(
            self,
            Value::List(_)
                | Value::Tuple(_)
                | Value::Dict(_)
                | Value::Set(_)
                | Value::Function(_)
                | Value::Method(_)
                | Value::Object(_)
        )
    }

    fn dismantle(self, left: &mut Vec<Value>) {
        match self {
            Value::List(list) => list.dismantle(left),
            Value::Tuple(tuple) => tuple.dismantle(left),
            Value::Dict(dict) => dict.dismantle(left),
            Value::Set(set) => set.dismantle(left),
            Value::Object(object) => object.dismantle(left),
            Value::Method(method) => left.extend(Arc::into_inner(method).map(|method| method.receiver)),
            Value::Function(function) => {
                let Some(mut data) = Arc::into_inner(function.0) else { return };
                left.append(&mut data.defaults.0);
                let cells = data.captured.drain(..).filter_map(Arc::into_inner);
                left.extend(cells.filter_map(|cell| cell.take()));
            }
            _ => {}
        }
    }
}

//! Makes a difference small enough to be understood.

use serde_json::Value;

/// A smaller schema and value that still `differ`.
pub fn shrink(schema: &Value, value: &Value, differ: &dyn Fn(&Value, &Value) -> bool) -> (Value, Value) {
    let (mut schema, mut value) = (schema.clone(), value.clone());
    loop {
        let smaller = smaller(&schema).into_iter().find(|it| differ(it, &value)).map(|it| (it, value.clone()));
        let smaller = smaller.or_else(|| {
            self::smaller(&value).into_iter().find(|it| differ(&schema, it)).map(|it| (schema.clone(), it))
        });
        match smaller {
            Some(found) => (schema, value) = found,
            None => return (schema, value),
        }
    }
}

/// All values with one part less, the largest parts first.
fn smaller(value: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    match value {
        Value::Array(items) => {
            for index in 0..items.len() {
                let mut fewer = items.clone();
                fewer.remove(index);
                found.push(Value::Array(fewer));
            }
            for (index, item) in items.iter().enumerate() {
                for smaller in smaller(item) {
                    let mut others = items.clone();
                    others[index] = smaller;
                    found.push(Value::Array(others));
                }
            }
        }
        Value::Object(map) => {
            for key in map.keys().filter(|key| *key != "$schema") {
                let mut fewer = map.clone();
                fewer.shift_remove(key);
                found.push(Value::Object(fewer));
            }
            for (key, item) in map {
                for smaller in smaller(item) {
                    let mut others = map.clone();
                    others.insert(key.clone(), smaller);
                    found.push(Value::Object(others));
                }
            }
        }
        _ => {}
    }
    found
}

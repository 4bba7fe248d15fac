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

/// All values with one part less.
fn smaller(value: &Value) -> Vec<Value> {
    paths(value).iter().map(|path| without(value, path)).collect()
}

/// The paths of all parts but the one that names the draft, as JSON pointers; a part comes before those in it.
pub fn paths(value: &Value) -> Vec<String> {
    let parts: Vec<(String, &Value)> = match value {
        Value::Array(items) => items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect(),
        Value::Object(map) => {
            let parts = map.iter().filter(|(name, _)| *name != "$schema");
            parts.map(|(name, item)| (name.replace('~', "~0").replace('/', "~1"), item)).collect()
        }
        _ => Vec::new(),
    };
    let mut found: Vec<String> = parts.iter().map(|(name, _)| format!("/{name}")).collect();
    for (name, item) in parts {
        found.extend(paths(item).into_iter().map(|path| format!("/{name}{path}")));
    }
    found
}

/// The value without a part, if it has it.
pub fn without(value: &Value, path: &str) -> Value {
    let mut value = value.clone();
    let Some((above, name)) = path.rsplit_once('/') else { return value };
    let name = name.replace("~1", "/").replace("~0", "~");
    match value.pointer_mut(above) {
        Some(Value::Object(map)) => drop(map.shift_remove(&name)),
        Some(Value::Array(items)) => {
            if let Some(index) = name.parse().ok().filter(|index| *index < items.len()) {
                items.remove(index);
            }
        }
        _ => {}
    }
    value
}

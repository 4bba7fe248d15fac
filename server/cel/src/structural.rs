//! What Kubernetes declares for the rules of a schema: the types of `self` and `oldSelf`, and the values they have.

mod defaults;
mod sizes;
mod values;

use crate::plan::Environment;
use crate::types::{Object, Type};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::sync::Arc;

pub use defaults::defaulted;
pub use sizes::{Occurrence, Size, Unlimited, occurrence, size};
pub use values::value;

/// Schemas that are nested deeper declare nothing.
const DEPTH: usize = 100;

/// Words of the language.
const RESERVED: &[&str] = &[
    "true",
    "false",
    "null",
    "in",
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
];

/// The name that a property has in expressions; None if it cannot be named.
pub fn escaped(name: &str) -> Option<String> {
    if let Some(escaped) = escaped_word(name) {
        return Some(escaped);
    }
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '.' | '-' | '/'));
    if !starts || !name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '/')) {
        return None;
    }
    let name = name.replace("__", "__underscores__").replace('.', "__dot__");
    Some(name.replace('-', "__dash__").replace('/', "__slash__"))
}

/// The name that a property with the name of a word of the language has.
pub(crate) fn escaped_word(name: &str) -> Option<String> {
    RESERVED.contains(&name).then(|| format!("__{name}__"))
}

fn is_set(schema: &Json, keyword: &str) -> bool {
    schema.get(keyword).and_then(Json::as_bool).unwrap_or(false)
}

/// The declared type of a schema. It may be missing, and need not be a string.
pub(crate) fn type_of(schema: &Json) -> &str {
    schema.get("type").and_then(Json::as_str).unwrap_or("")
}

/// Finds out what a schema declares.
#[derive(Debug)]
struct Declarer {
    depth: usize,
}

/// The type that `self` has; None if its values are not visible in expressions. `is_root` is true for the schema of a whole resource.
pub fn declared(schema: &Json, is_root: bool) -> Option<Type> {
    Declarer { depth: 0 }.declared(schema, "self", is_root)
}

impl Declarer {
    fn declared(&mut self, schema: &Json, path: &str, is_root: bool) -> Option<Type> {
        if self.depth >= DEPTH {
            return None;
        }
        self.depth += 1;
        let found = self.found(schema, path, is_root || is_set(schema, "x-kubernetes-embedded-resource"));
        self.depth -= 1;
        found
    }

    fn found(&mut self, schema: &Json, path: &str, is_root: bool) -> Option<Type> {
        if is_set(schema, "x-kubernetes-int-or-string") {
            return Some(Type::Dyn);
        }
        Some(match type_of(schema) {
            "array" => Type::list(self.declared(schema.get("items")?, &format!("{path}.@idx"), false)?),
            "object" => {
                let others = schema.get("additionalProperties").filter(|others| others.is_object() && !is_root);
                if let Some(others) = others {
                    return Some(Type::map(Type::Text, self.declared(others, &format!("{path}.@elem"), false)?));
                }
                let mut fields = BTreeMap::new();
                for (name, property) in schema.get("properties").and_then(Json::as_object).into_iter().flatten() {
                    if let Some(field) = escaped(name)
                        && let Some(found) = self.declared(property, &format!("{path}.{field}"), false)
                    {
                        fields.insert(field, found);
                    }
                }
                if is_root {
                    add_identity(&mut fields, path);
                }
                Type::Object(Arc::new(Object { name: path.to_owned(), fields, is_open: false }))
            }
            "string" => match schema.get("format").and_then(Json::as_str).unwrap_or("") {
                "byte" => Type::Bytes,
                "duration" => Type::Duration,
                "date" | "date-time" => Type::Timestamp,
                _ => Type::Text,
            },
            "boolean" => Type::Bool,
            "number" => Type::Double,
            "integer" => Type::Int,
            _ => return None,
        })
    }
}

/// Every resource has an `apiVersion`, a `kind` and a name, whatever its schema says.
fn add_identity(fields: &mut BTreeMap<String, Type>, path: &str) {
    fields.insert("apiVersion".to_owned(), Type::Text);
    fields.insert("kind".to_owned(), Type::Text);
    let mut metadata = match fields.get("metadata") {
        Some(Type::Object(object)) => object.fields.clone(),
        _ => BTreeMap::new(),
    };
    metadata.insert("name".to_owned(), Type::Text);
    metadata.insert("generateName".to_owned(), Type::Text);
    let object = Object { name: format!("{path}.metadata"), fields: metadata, is_open: false };
    fields.insert("metadata".to_owned(), Type::Object(Arc::new(object)));
}

/// The environment of the rules of a schema.
pub fn environment(schema: &Json, is_root: bool, is_old_optional: bool) -> Environment {
    let mut environment = Environment::default();
    if let Some(found) = declared(schema, is_root) {
        let old = if is_old_optional { Type::optional(found.clone()) } else { found.clone() };
        environment.variables.insert("self".to_owned(), found);
        environment.variables.insert("oldSelf".to_owned(), old);
    }
    environment
}

#[cfg(test)]
mod tests;

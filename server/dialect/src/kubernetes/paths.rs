//! Paths to fields of a resource, as selectable fields and rules name them.

use super::fields::Fields;
use lofting_document::{Key, NodeValue};

/// Whether keys may be written in brackets: `.labels['app']`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Brackets {
    Allowed,
    Refused,
}

/// The schema of the field that a path leads to; None if that is not known. The error says what is wrong with the path,
/// as the end of a sentence.
pub(super) fn field<'n>(schema: Fields<'n>, path: &str, brackets: Brackets) -> Result<Option<Fields<'n>>, String> {
    let mut rest = path;
    let mut at = Some(schema);
    if rest.is_empty() {
        return Err("is empty".to_owned());
    }
    while !rest.is_empty() {
        let key;
        if let Some(after) = rest.strip_prefix("['") {
            let Some((name, after)) = after.split_once("']") else {
                return Err("has a bracket that is not closed".to_owned());
            };
            if brackets == Brackets::Refused {
                return Err("cannot contain brackets".to_owned());
            }
            (key, rest) = (name, after);
        } else if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
            (key, rest) = (&after[..end], &after[end..]);
        } else if rest.starts_with('[') {
            return Err("leads to an item of an array".to_owned());
        } else {
            return Err("does not begin with a period".to_owned());
        }
        if key.is_empty() {
            return Err("has an empty name".to_owned());
        }
        if let Some(schema) = at {
            at = below(schema, key)?;
        }
    }
    Ok(at)
}

fn below<'n>(schema: Fields<'n>, key: &str) -> Result<Option<Fields<'n>>, String> {
    let declared = schema.value("properties").and_then(|properties| properties.get(&Key::from(key)));
    if let Some(declared) = declared {
        return Ok(Some(Fields(declared)));
    }
    if let Some(values) = schema.value("additionalProperties").filter(|values| values.value != NodeValue::Bool(false)) {
        return Ok(Some(Fields(values)));
    }
    if schema.0.partial || schema.value("properties").is_some_and(|node| node.partial) {
        return Ok(None);
    }
    Err(format!("leads to `{key}`, which the schema does not declare"))
}

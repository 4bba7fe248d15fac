//! How large the values of a schema may be, and how often they may occur, as the API server estimates before it accepts
//! a rule about them.

use super::{DEPTH, escaped, is_set, type_of};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The size of the largest request, in bytes.
const REQUEST: u64 = 3 * 1024 * 1024;

/// The size of a text that takes up a whole request: without its quotes.
const LONGEST: u64 = REQUEST - 2;

/// The least size of texts in a request, in bytes.
const TEXT: u64 = 2;
const DURATION: u64 = 3;
const DATE: u64 = 12;
const DATE_TIME: u64 = 21;

/// The size of durations and times of days at most.
const LONGEST_TIME: u64 = 32;

/// A code point of a string takes up to four bytes.
const CODE_POINT: u64 = 4;

/// A place in a schema where no keyword limits the size.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unlimited {
    /// The keyword that would.
    pub keyword: &'static str,
    /// The place, from the schema that is looked at: `.rules[].name`.
    pub place: String,
}

/// The size of values.
#[derive(Debug)]
pub struct Size {
    /// How many characters, items or entries they have at most.
    pub most: u64,
    /// How many bytes of a request they take up at least.
    least: u64,
    /// Nothing in the schema limits the number.
    pub unlimited: Option<Unlimited>,
    /// The size of items, or of the values of a map.
    pub item: Option<Arc<Size>>,
    /// Whether it is that of a map with any keys.
    pub has_keys: bool,
    /// The sizes of fields, by the names they have in expressions.
    pub fields: BTreeMap<String, Arc<Size>>,
}

impl Size {
    fn of(least: u64, most: u64) -> Size {
        Size { most, least, unlimited: None, item: None, has_keys: false, fields: BTreeMap::new() }
    }

    fn limited(self, limit: Option<u64>, keyword: &'static str, place: &str) -> Size {
        let unlimited = || Unlimited { keyword, place: place.to_owned() };
        Size { unlimited: limit.is_none().then(unlimited), ..self }
    }
}

/// The size of the values of a schema; None if they are not visible in expressions. `is_root` is true for the schema of
/// a whole resource.
pub fn size(schema: &Json, is_root: bool) -> Option<Size> {
    found(schema, is_root, String::new(), DEPTH)
}

/// A limit, of which a negative one allows nothing.
fn limit(schema: &Json, keyword: &str) -> Option<u64> {
    let limit = schema.get(keyword)?;
    match limit.as_i64() {
        Some(whole) => Some(u64::try_from(whole).unwrap_or(0)),
        None => limit.as_u64(),
    }
}

fn found(schema: &Json, is_root: bool, place: String, depth: usize) -> Option<Size> {
    let depth = depth.checked_sub(1)?;
    let is_root = is_root || is_set(schema, "x-kubernetes-embedded-resource");
    let longest = limit(schema, "maxLength");
    if is_set(schema, "x-kubernetes-int-or-string") {
        let most = longest.map_or(LONGEST, |longest| longest.saturating_mul(CODE_POINT));
        return Some(Size::of(1, most).limited(longest, "maxLength", &place));
    }
    Some(match type_of(schema) {
        "array" => {
            let item = found(schema.get("items")?, false, format!("{place}[]"), depth)?;
            let limit = limit(schema, "maxItems");
            let most = limit.unwrap_or(LONGEST / (item.least + 1));
            Size { item: Some(Arc::new(item)), ..Size::of(2, most).limited(limit, "maxItems", &place) }
        }
        "object" => {
            let others = schema.get("additionalProperties").filter(|others| others.is_object() && !is_root);
            if let Some(others) = others {
                let item = found(others, false, format!("{place}.*"), depth)?;
                let limit = limit(schema, "maxProperties");
                let most = limit.unwrap_or(LONGEST / (item.least + 6));
                let own = Size::of(2, most).limited(limit, "maxProperties", &place);
                return Some(Size { item: Some(Arc::new(item)), has_keys: true, ..own });
            }
            object(schema, is_root, &place, depth)
        }
        "string" => match schema.get("format").and_then(Json::as_str).unwrap_or("") {
            "byte" => Size::of(TEXT, longest.unwrap_or(LONGEST)).limited(longest, "maxLength", &place),
            "duration" => Size::of(DURATION, LONGEST_TIME),
            "date" => Size::of(DATE, DATE),
            "date-time" => Size::of(DATE_TIME, LONGEST_TIME),
            _ => string(schema, longest, &place),
        },
        "boolean" => Size::of(4, 0),
        "number" | "integer" => Size::of(1, 0),
        _ => return None,
    })
}

fn string(schema: &Json, longest: Option<u64>, place: &str) -> Size {
    if let Some(longest) = longest {
        return Size::of(TEXT, longest.saturating_mul(CODE_POINT));
    }
    let values = schema.get("enum").and_then(Json::as_array).filter(|values| !values.is_empty());
    match values {
        Some(values) => {
            let lengths = values.iter().filter_map(Json::as_str).map(str::len);
            Size::of(TEXT, u64::try_from(lengths.max().unwrap_or(0)).unwrap_or(u64::MAX))
        }
        None => Size::of(TEXT, LONGEST).limited(None, "maxLength", place),
    }
}

fn object(schema: &Json, is_root: bool, place: &str, depth: usize) -> Size {
    let required: Vec<&str> = {
        let names = schema.get("required").and_then(Json::as_array).into_iter().flatten();
        names.filter_map(Json::as_str).collect()
    };
    let is_required: std::collections::HashSet<&str> = required.into_iter().collect();
    let mut own = Size::of(2, 0);
    let properties = schema.get("properties").and_then(Json::as_object);
    let is_replaced = is_root && !states_identity(schema);
    for (name, property) in properties.into_iter().flatten() {
        if is_replaced && IDENTITY.contains(&name.as_str()) {
            continue;
        }
        let Some(of) = found(property, false, format!("{place}.{name}"), depth) else { continue };
        let has_default = property.get("default").is_some_and(|default| !default.is_null());
        if is_required.contains(name.as_str()) && !has_default {
            own.least = own.least.saturating_add(u64::try_from(name.len()).unwrap_or(0) + of.least + 4);
        }
        if let Some(field) = escaped(name) {
            own.fields.insert(field, Arc::new(of));
        }
    }
    if is_replaced {
        add_identity(&mut own, &is_required, place);
    }
    own
}

/// What every resource has.
const IDENTITY: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Whether a schema declares all that rules see of the identity of a resource. Otherwise the server forgets the part
/// that it declares.
fn states_identity(schema: &Json) -> bool {
    let property = |of: &Json, name: &str, expected: &str| {
        let property = of.get("properties").and_then(|properties| properties.get(name));
        property.is_some_and(|property| type_of(property) == expected)
    };
    let metadata = schema.get("properties").and_then(|properties| properties.get("metadata"));
    property(schema, "kind", "string")
        && property(schema, "apiVersion", "string")
        && metadata.is_some_and(|metadata| {
            type_of(metadata) == "object"
                && property(metadata, "name", "string")
                && property(metadata, "generateName", "string")
        })
}

fn add_identity(own: &mut Size, is_required: &std::collections::HashSet<&str>, place: &str) {
    let string = |place: String| Arc::new(Size::of(TEXT, LONGEST).limited(None, "maxLength", &place));
    let mut metadata = Size::of(2, 0);
    for name in ["name", "generateName"] {
        metadata.fields.insert(name.to_owned(), string(format!("{place}.metadata.{name}")));
    }
    for (name, of) in [
        ("apiVersion", string(format!("{place}.apiVersion"))),
        ("kind", string(format!("{place}.kind"))),
        ("metadata", Arc::new(metadata)),
    ] {
        if is_required.contains(name) {
            own.least = own.least.saturating_add(u64::try_from(name.len()).unwrap_or(0) + of.least + 4);
        }
        own.fields.insert(name.to_owned(), of);
    }
}

/// How often the values of a schema may occur in a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// How often at most.
    pub most: u64,
    /// The arrays and maps around them that have no limit.
    pub unlimited: Vec<Unlimited>,
    /// Their place: `.rules[].name`.
    pub place: String,
}

/// How often the values of the schema that keywords lead to may occur: as often as the limits of the arrays and maps
/// around it say, or, if one has none, as often as they fit in a request.
pub fn occurrence<'k>(whole: &Json, path: impl IntoIterator<Item = &'k str>, own: &Size) -> Occurrence {
    let (mut schema, mut most, mut unlimited) = (Some(whole), 1u64, Vec::new());
    let mut place = String::new();
    let mut is_name = false;
    for keyword in path {
        if !is_name {
            match schema.map_or(Times::UpTo(1), times) {
                Times::UpTo(limit) => most = most.saturating_mul(limit),
                Times::Unlimited(keyword) => unlimited.push(Unlimited { keyword, place: place.clone() }),
            }
        }
        match keyword {
            name if is_name => place.extend([".", name]),
            "items" => place.push_str("[]"),
            "additionalProperties" => place.push_str(".*"),
            _ => {}
        }
        is_name = !is_name && keyword == "properties";
        schema = schema.and_then(|schema| schema.get(keyword));
    }
    if !unlimited.is_empty() {
        most = REQUEST / (own.least + 1);
    }
    Occurrence { most, unlimited, place }
}

/// How many values a schema has inside.
enum Times {
    UpTo(u64),
    /// As many as there may be without this keyword.
    Unlimited(&'static str),
}

fn times(schema: &Json) -> Times {
    let keyword = match type_of(schema) {
        "object" if schema.get("additionalProperties").is_some() => "maxProperties",
        "array" => "maxItems",
        _ => return Times::UpTo(1),
    };
    limit(schema, keyword).map_or(Times::Unlimited(keyword), Times::UpTo)
}

#[cfg(test)]
mod tests;

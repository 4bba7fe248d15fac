use super::{Unlimited, occurrence, size};
use serde_json::json;

#[test]
fn occurrences_are_products_of_limits() {
    let own = json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}});
    let limited = json!({"type": "array", "maxItems": 4, "items": own});
    let whole = json!({"type": "object", "properties": {
        "few": {"type": "object", "maxProperties": 5, "additionalProperties": limited},
        "many": {"type": "object", "additionalProperties": limited}
    }});
    let own = size(&own, false).expect("a size");
    let of = |name| occurrence(&whole, ["properties", name, "additionalProperties", "items"], &own);
    assert_eq!((of("few").most, of("few").unlimited.len()), (20, 0));
    // `{"a":""}` and a comma.
    assert_eq!(of("many").most, 3 * 1024 * 1024 / (2 + 1 + 2 + 4 + 1));
    assert_eq!(of("many").unlimited, [Unlimited { keyword: "maxProperties", place: ".many".to_owned() }]);
    // A property may have the name of a keyword.
    let odd = json!({"type": "object", "properties": {"items": {"type": "object", "properties": {"b": {}}}}});
    assert_eq!(occurrence(&odd, ["properties", "items", "properties", "b"], &own).most, 1);
}

#[test]
fn identity_has_the_size_of_any_text() {
    let metadata = json!({"type": "object", "properties": {"name": {"type": "string", "maxLength": 5}}});
    let schema = json!({"type": "object", "properties": {"metadata": metadata}});
    let found = size(&schema, true).expect("a size");
    let name = found.fields["metadata"].fields["name"].most;
    assert_eq!(name, 3 * 1024 * 1024 - 2);
    let found = size(&schema, false).expect("a size");
    assert_eq!(found.fields["metadata"].fields["name"].most, 20);
    assert!(size(&json!({"x-kubernetes-preserve-unknown-fields": true}), false).is_none());
}

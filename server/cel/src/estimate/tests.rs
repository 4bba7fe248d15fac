use super::{Estimate, LIMIT};
use crate::compile::{Allowance, compile_with};
use crate::structural::{environment, size};
use crate::types::Type;
use serde_json::{Value as Json, json};

fn estimate(schema: &Json, rule: &str) -> Estimate {
    let (environment, size) = (environment(schema, false, false), size(schema, false).expect("a size"));
    let allowance = Allowance { size: &size, most: LIMIT };
    let compiled = compile_with(rule, &environment, &[Type::Bool], Some(allowance));
    compiled.unwrap_or_else(|faults| panic!("{rule}: {faults:?}")).estimate.expect("an estimate")
}

fn cost(schema: &Json, rule: &str) -> u64 {
    estimate(schema, rule).most
}

fn array(items: &Json) -> Json {
    json!({"type": "array", "items": items})
}

fn map(values: &Json) -> Json {
    json!({"type": "object", "additionalProperties": values})
}

fn limited(schema: &Json, keyword: &str, limit: u64) -> Json {
    let mut schema = schema.clone();
    schema[keyword] = json!(limit);
    schema
}

/// The estimates of the API server (Kubernetes 1.35).
#[test]
fn estimates_are_those_of_the_server() {
    let (string, number) = (json!({"type": "string"}), json!({"type": "number"}));
    let date_time = json!({"type": "string", "format": "date-time"});
    let either = json!({"x-kubernetes-int-or-string": true});
    let object = json!({
        "type": "object",
        "required": ["required"],
        "properties": {"required": {"type": "string"}, "optional": {"type": "string"}}
    });
    let all = "self.all(x, true)";
    for (schema, rule, expected) in [
        (array(&number), all, 4_718_591),
        (limited(&array(&number), "maxItems", 10), all, 32),
        (array(&string), all, 3_145_727),
        (array(&array(&number)), all, 3_145_727),
        (array(&either), all, 4_718_591),
        (array(&date_time), all, 428_963),
        (map(&number), all, 1_348_169),
        (limited(&map(&number), "maxProperties", 10), all, 32),
        (map(&string), all, 1_179_647),
        (map(&object), all, 428_963),
        (string.clone(), "self.contains('test')", 314_574),
        (limited(&string, "maxLength", 10), "self.contains('test')", 5),
        (string.clone(), "self.startsWith('test')", 2),
        (string.clone(), "size(self + 'hello') > size('hello')", 314_578),
        (string.clone(), "self.matches('x')", 314_574),
        (string.clone(), "''.matches('(((((((((())))))))))[0-9]')", 7),
        (string.clone(), "self.matches('')", 1),
        (string.clone(), "self.find('[0-9]+') == ''", 629_147),
        (limited(&string, "maxLength", 10), "self.find('[0-9]+') == ''", 11),
        (string.clone(), "self.lowerAscii() == 'lower!'", 314_575),
        (array(&number), "self[1] == 0.0", 2),
        (array(&string), "self[1] == self[1]", 314_577),
        (limited(&array(&number), "maxItems", 10), "self.all(x, self.all(y, true))", 352),
        (limited(&array(&number), "maxItems", 10), "self.all(x, self.all(y, self.all(z, true)))", 3_552),
        (array(&number), "self.all(x, x == 0.0)", 6_291_454),
        (map(&string), "self.all(x, x.contains(self[x]))", 2_752_507),
        (map(&array(&number)), "has(self.x)", 1),
        (array(&either), "self[0] == 5", 3),
        (array(&array(&number)), "self[0][0] == -1.0", 3),
        (array(&map(&number)), "self.all(x, x.y == 25.2)", 6_291_452),
        (array(&map(&number)), "self[0].x > 2.0", 4),
        (array(&date_time), "self[2].getMinutes() == 45", 4),
        (map(&date_time), "self['a'] == self['b']", 8),
        (map(&number), "oldSelf.size() == self.size()", 5),
        (array(&string), "self.join(' ') == 'aa bb'", 329_853_068_905),
        (array(&string), "self.isSorted() == true", 329_854_432_052),
        (json!({"type": "string", "enum": ["A", "LongValue"]}), "self.contains('A')", 2),
    ] {
        assert_eq!(cost(&schema, rule), expected, "{rule} of {schema}");
    }
    let texts = limited(&array(&limited(&string, "maxLength", 10)), "maxItems", 10);
    assert_eq!(cost(&texts, "self.join(' ') == 'aa bb'"), 43);
    assert_eq!(cost(&texts, "self.isSorted() == true"), 52);
    let fields = json!({"type": "object", "properties": {
        "text": {"type": "string"},
        "before": {"type": "string", "maxLength": 2},
        "after": {"type": "string", "maxLength": 4}
    }});
    assert_eq!(cost(&fields, "self.text.replace(self.before, self.after) == 'does not matter'"), 629_154);
    assert_eq!(cost(&fields, "self.text.split(self.text) == []"), 629_160);
}

#[test]
fn places_without_limits_are_found() {
    let item = json!({"type": "object", "properties": {"name": {"type": "string"}, "note": {"type": "string"}}});
    let schema = json!({"type": "object", "properties": {"items": array(&item), "more": array(&item)}});
    let rule = "self.items.all(x, self.items.exists(y, x.name == y.name)) && self.more.size() < 3";
    let unlimited = estimate(&schema, rule).unlimited;
    let places: Vec<String> = unlimited.iter().map(|place| format!("{} {}", place.keyword, place.place)).collect();
    assert_eq!(places, ["maxItems .items", "maxLength .items[].name"]);
}

/// Sizes of what macros make are those of what they are made of.
#[test]
fn results_of_macros_have_sizes() {
    let schema = limited(&array(&json!({"type": "string", "maxLength": 5})), "maxItems", 10);
    for (rule, expected) in [
        // 1 + 10 + 1 for the array, 10 * (1 + 12) for its items, 1 for the size, 1 for the comparison.
        ("self.map(x, x).size() > 1", 1 + 10 + 1 + 10 * 13 + 1 + 1),
        ("self.map(x, x != '', x).size() > 1", 1 + 10 + 1 + 10 * (1 + 13) + 1 + 1),
        ("self.filter(x, x != '').size() > 1", 1 + 10 + 1 + 10 * (1 + 13) + 1 + 1),
        ("self.exists(x, x == 'a')", 1 + 1 + 10 * (3 + 1 + 2)),
        ("self.exists_one(x, x == 'a')", 1 + 2 + 10 * (2 + 2)),
        ("self.filter(x, true).all(y, true)", 1 + 10 + 1 + 10 * 13 + 1 + 10 * 3),
        ("self.all(i, x, i < 10 && x != '')", 1 + 1 + 10 * (3 + 2 + 1)),
        ("self.transformMap(i, x, x) == {}", 1 + 30 + 1 + 10 * (1 + 3) + 30),
        ("sets.contains(self, ['a', 'b'])", 1 + 10 + 10 * 2 + 1),
        ("self.distinct().size() == 2", 1 + 10 * 10 * 2 + 11 + 1 + 1),
    ] {
        assert_eq!(cost(&schema, rule), expected, "{rule}");
    }
}

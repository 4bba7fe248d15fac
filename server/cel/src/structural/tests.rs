use super::{declared, environment, escaped, value};
use crate::compile::compile;
use crate::cost::LIMIT;
use crate::types::Type;
use crate::value::Value;
use serde_json::{Value as Json, json};

fn schema() -> Json {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "a-b.c": {"type": "integer"},
            "in": {"type": "boolean"},
            "var": {"type": "string"},
            "port": {"x-kubernetes-int-or-string": true},
            "free": {"x-kubernetes-preserve-unknown-fields": true},
            "since": {"type": "string", "format": "date-time"},
            "share": {"type": "number"},
            "spans": {"type": "array", "items": {"type": "string", "format": "duration"}},
            "labels": {"type": "object", "additionalProperties": {"type": "string"}},
            "set": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
            "map": {
                "type": "array",
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["id"],
                "items": {"type": "object", "properties": {"id": {"type": "string"}, "size": {"type": "integer"}}}
            },
            "template": {"type": "object", "x-kubernetes-embedded-resource": true}
        }
    })
}

#[test]
fn names_are_escaped() {
    for (name, expected) in [
        ("a", Some("a")),
        ("a-b.c/d", Some("a__dash__b__dot__c__slash__d")),
        ("a__b", Some("a__underscores__b")),
        ("in", Some("__in__")),
        ("1a", None),
        ("$a", None),
        ("", None),
        ("ä", None),
    ] {
        assert_eq!(escaped(name).as_deref(), expected, "{name}");
    }
}

#[test]
fn rules_are_compiled() {
    let schema = schema();
    for rule in [
        "self.name.startsWith('a')",
        "self.a__dash__b__dot__c > 1 && self.__in__",
        "type(self.port) == int ? self.port > 1 : self.port == 'a'",
        "self.since > timestamp('2020-01-01T00:00:00Z')",
        "self.labels.all(k, self.labels[k] != '')",
        "self.map.exists(m, m.id == 'a' && m.size < 1.5)",
        "self.template.metadata.name != ''",
        "self == oldSelf && self.map != oldSelf.map",
        "has(self.labels.x)",
        "!has(self.var) || self.var != '' && self.?var == self.?__var__",
        "true",
    ] {
        assert!(compile(rule, &environment(&schema, false, false), &[Type::Bool]).is_ok(), "{rule}");
    }
    for rule in [
        "self.nam == ''",
        "self.free == 1",
        "self.name == 1",
        "self.name",
        "self.port",
        "self.kind == 'a'",
        "has(self.metadata)",
        "self.in",
        "self.since > '2020'",
        "oldSelf.hasValue()",
        "",
        "self.map[0] == self.template",
    ] {
        assert!(compile(rule, &environment(&schema, false, false), &[Type::Bool]).is_err(), "{rule}");
    }
    assert!(compile("self.kind + self.metadata.name", &environment(&schema, true, false), &[Type::Text]).is_ok());
    let old = compile("!oldSelf.hasValue()", &environment(&schema, false, true), &[Type::Bool]);
    assert!(old.is_ok_and(|rule| rule.is_transition));
    assert_eq!(declared(&json!({"x-kubernetes-preserve-unknown-fields": true}), false), None);
}

#[test]
fn rules_hold_for_data() {
    let schema = schema();
    let data = json!({
        "name": "abc", "a-b.c": 2, "in": true, "port": "http", "spans": [], "free": {"x": [1]}, "share": 1,
        "since": "2021-01-01T00:00:00Z", "labels": {"a": "b"}, "var": "v", "set": ["b", "a"],
        "map": [{"id": "x", "size": 1}, {"id": "y", "size": 2}]
    });
    let own = value(&data, &schema).expect("valid data");
    for (rule, expected) in [
        ("self.name == 'abc' && self.a__dash__b__dot__c == 2 && self.__in__", true),
        ("self.share == 1.0 && self.port == 'http'", true),
        ("self.since > timestamp('2020-01-01T00:00:00Z')", true),
        ("self.set == ['a', 'b'] && self.set + ['a', 'c'] == ['c', 'b', 'a']", true),
        ("self.map + [self.map[0]] == self.map", true),
        ("has(self.template)", false),
        ("self.spans.sum() == duration('0s')", true),
        ("self.labels.a == 'b'", true),
        ("self.var == 'v' && has(self.__var__) && !has(self.labels.var)", true),
    ] {
        let compiled = compile(rule, &environment(&schema, false, false), &[Type::Bool]).expect(rule);
        let outcome = compiled.program.evaluate(&|name| (name == "self").then(|| own.clone()), LIMIT);
        assert!(matches!(outcome.value, Ok(Value::Bool(holds)) if holds == expected), "{rule}: {:?}", outcome.value);
    }
    assert!(value(&json!({"name": 1}), &schema).is_none());
    let Some(Value::Map(map)) = value(&json!({"name": null, "set": []}), &schema) else { panic!("an object") };
    assert_eq!(map.entries.len(), 1);
}

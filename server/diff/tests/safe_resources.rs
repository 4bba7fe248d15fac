//! What is called safe breaks no custom resources and no bodies of requests: random schemas of definitions of custom resources
//! and of OpenAPI documents, each with a changed version, and random values. The other way to the same answer is the
//! `jsonschema` crate, with a schema of JSON Schema that means the same.
//!
//! `LOFTING_INVENTIONS` is the number of pairs for each language (2,000 by default), `LOFTING_INVENTIONS_SEED` what they are
//! made from.
#![allow(clippy::print_stdout, reason = "how many were compared is shown")]

#[path = "../../check/tests/inventions/generator.rs"]
#[expect(dead_code, reason = "only a part of it is used")]
mod generator;

use generator::{Dice, Draft, asked, schema, value};
use lofting_diff::{Change, Kind, Language, PathStep, compare};
use serde_json::{Map, Value, json};

/// Values for each pair.
const VALUES: usize = 30;

/// How many pairs are printed.
const SHOWN: usize = 5;

const KEYS: [&str; 4] = ["a", "b", "c", "d"];

/// In which documents the schemas are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Home {
    /// A definition of custom resources.
    Crd,
    /// An OpenAPI document of version 3.0.
    OpenApi30,
    /// One of version 3.1, whose schemas are those of JSON Schema 2020-12.
    OpenApi31,
}

impl Home {
    fn invent(self, dice: &mut Dice) -> Value {
        match self {
            Home::Crd | Home::OpenApi30 => self.structural(dice, 3),
            Home::OpenApi31 => {
                let mut schema = schema(dice, Draft::Draft202012);
                plain(&mut schema);
                schema
            }
        }
    }

    /// A schema that says its type.
    fn structural(self, dice: &mut Dice, depth: usize) -> Value {
        let kinds = ["integer", "string", "boolean", "array", "object", "object"];
        let kind = kinds[dice.below(if depth == 0 { 3 } else { kinds.len() })];
        let mut schema = Map::from_iter([("type".to_owned(), json!(kind))]);
        for _ in 0..dice.below(3) {
            let (name, said) = self.keyword(dice, kind, depth);
            schema.insert(name.to_owned(), said);
        }
        // Whether null is then one of the values is for everyone to say differently.
        if schema.contains_key("enum") {
            schema.remove("nullable");
        }
        // Custom resources have one of the two.
        if self == Home::Crd && schema.contains_key("properties") {
            schema.remove("additionalProperties");
        }
        Value::Object(schema)
    }

    fn keyword(self, dice: &mut Dice, kind: &str, depth: usize) -> (&'static str, Value) {
        let small = json!(dice.below(4));
        let one = dice.below(6);
        if one == 0 && self == Home::OpenApi30 {
            return ("nullable", json!(dice.below(3) > 0));
        }
        match (kind, one) {
            ("integer", 0 | 1) => ("minimum", small),
            ("integer", 2) => ("maximum", small),
            ("integer", 3) => ("exclusiveMinimum", json!(dice.below(2) == 0)),
            ("integer", 4) => ("multipleOf", json!(1 + dice.below(3))),
            ("integer", _) => ("enum", json!([[1, 2], [0, 1], [2, 3]][dice.below(3)])),
            ("string", 0 | 1) => ("minLength", small),
            ("string", 2) => ("maxLength", small),
            ("string", 3 | 4) => ("pattern", json!(["^a", "b$", "^[ab]*$", "."][dice.below(4)])),
            ("string", _) => ("enum", json!([["a", "ab"], ["a", "b"], ["", "abc"]][dice.below(3)])),
            ("boolean", _) => ("enum", json!([[true], [false]][dice.below(2)])),
            ("array", 0) => ("minItems", small),
            ("array", 1) => ("maxItems", small),
            ("array", 2) => ("uniqueItems", json!(self != Home::Crd && dice.below(2) == 0)),
            ("array", _) => ("items", self.structural(dice, depth - 1)),
            (_, 0) => ("additionalProperties", self.structural(dice, depth - 1)),
            (_, 1) => ("required", json!([KEYS[dice.below(4)]])),
            (_, 2) if self == Home::Crd => ("x-kubernetes-preserve-unknown-fields", json!(true)),
            (_, 2) => ("minProperties", json!(dice.below(3))),
            _ => {
                let count = 1 + dice.below(3);
                let property = |_| {
                    let key = KEYS[dice.below(4)].to_owned();
                    let mut inner = self.structural(dice, depth - 1);
                    if self == Home::Crd && dice.below(5) == 0 && inner["type"] == "boolean" {
                        inner = json!({"type": "boolean", "default": true});
                    }
                    (key, inner)
                };
                ("properties", Value::Object((0..count).map(property).collect()))
            }
        }
    }

    /// The schema with a part that differs.
    fn changed(self, dice: &mut Dice, old: &Value) -> Value {
        let mut new = old.clone();
        for _ in 0..=dice.below(2) {
            self.change(dice, &mut new, 3);
        }
        new
    }

    fn change(self, dice: &mut Dice, schema: &mut Value, depth: usize) {
        let Some(map) = schema.as_object_mut() else { return };
        if depth > 0 && dice.below(3) > 0 {
            let inner: Vec<&mut Value> = map
                .iter_mut()
                .flat_map(|(name, said)| match (name.as_str(), said) {
                    ("items" | "additionalProperties" | "not", said) => vec![said],
                    ("properties", Value::Object(all)) => all.values_mut().collect(),
                    _ => Vec::new(),
                })
                .collect();
            let count = inner.len();
            if count > 0 {
                let at = dice.below(count);
                return inner.into_iter().nth(at).into_iter().for_each(|part| self.change(dice, part, depth - 1));
            }
        }
        let other = self.invent(dice);
        match (dice.below(4), map.get("type").cloned()) {
            (0, _) => *schema = other,
            (1, _) => {
                let names: Vec<String> = map.keys().filter(|name| *name != "type").cloned().collect();
                if let Some(name) = (!names.is_empty()).then(|| &names[dice.below(names.len())]) {
                    map.shift_remove(name);
                }
            }
            (_, Some(Value::String(kind))) if self != Home::OpenApi31 => {
                let (name, said) = self.keyword(dice, &kind, depth.max(1));
                let is_odd = match name {
                    "nullable" => map.contains_key("enum"),
                    "enum" => map.contains_key("nullable"),
                    "additionalProperties" => self == Home::Crd && map.contains_key("properties"),
                    "properties" => self == Home::Crd && map.contains_key("additionalProperties"),
                    _ => false,
                };
                if !is_odd {
                    map.insert(name.to_owned(), said);
                }
            }
            _ => other.as_object().into_iter().flatten().take(1).for_each(|(name, said)| {
                map.insert(name.clone(), said.clone());
            }),
        }
    }

    /// The document with a schema.
    fn document(self, schema: &Value) -> String {
        let body = json!({"/things": {"post": {"requestBody": {"content": {"application/json": {"schema": schema}}}}}});
        let info = json!({"title": "Things", "version": "1"});
        let document = match self {
            Home::Crd => json!({
                "apiVersion": "apiextensions.k8s.io/v1",
                "kind": "CustomResourceDefinition",
                "metadata": {"name": "things.example.com"},
                "spec": {
                    "group": "example.com",
                    "scope": "Namespaced",
                    "names": {"plural": "things", "singular": "thing", "kind": "Thing"},
                    "versions": [{"name": "v1", "served": true, "storage": true, "schema": {
                        "openAPIV3Schema": {"type": "object", "properties": {"spec": schema}},
                    }}],
                },
            }),
            Home::OpenApi30 => json!({"openapi": "3.0.3", "info": info, "paths": body}),
            Home::OpenApi31 => json!({"openapi": "3.1.0", "info": info, "paths": body}),
        };
        document.to_string()
    }

    /// A schema of JSON Schema that means the same.
    fn meaning(self, schema: &Value) -> Value {
        let Value::Object(map) = schema else { return schema.clone() };
        if self == Home::OpenApi31 {
            return schema.clone();
        }
        let mut out = Map::new();
        let defaulted: Vec<&String> = match map.get("properties") {
            Some(Value::Object(all)) => {
                all.iter().filter(|(_, it)| it.get("default").is_some()).map(|(name, _)| name).collect()
            }
            _ => Vec::new(),
        };
        for (name, said) in map {
            let said = match (name.as_str(), said) {
                ("items" | "additionalProperties", said) => self.meaning(said),
                ("properties", Value::Object(all)) => {
                    Value::Object(all.iter().map(|(key, inner)| (key.clone(), self.meaning(inner))).collect())
                }
                // Defaults are added before anything is compared.
                ("required", Value::Array(names)) => {
                    let is_missed = |name: &&Value| !defaulted.iter().any(|known| **name == *known.as_str());
                    Value::Array(names.iter().filter(is_missed).cloned().collect())
                }
                ("type", Value::String(kind)) if map.get("nullable") == Some(&json!(true)) => json!([kind, "null"]),
                ("nullable" | "default" | "x-kubernetes-preserve-unknown-fields", _) => continue,
                (_, said) => said.clone(),
            };
            out.insert(name.clone(), said);
        }
        // Without a bound, there is nothing to exclude.
        if !out.contains_key("minimum") {
            out.shift_remove("exclusiveMinimum");
        }
        if out.get("required") == Some(&json!([])) {
            out.shift_remove("required");
        }
        let is_open =
            map.contains_key("x-kubernetes-preserve-unknown-fields") || map.contains_key("additionalProperties");
        if self == Home::Crd && map.get("type") == Some(&json!("object")) && !is_open {
            out.insert("additionalProperties".to_owned(), json!(false));
        }
        Value::Object(out)
    }

    fn language(self) -> Language {
        match self {
            Home::Crd => Language::Crd,
            Home::OpenApi30 | Home::OpenApi31 => Language::OpenApi,
        }
    }

    /// Which values are valid; None if the reference does not take the schema.
    fn valid(self, schema: &Value, values: &[Value]) -> Option<Vec<bool>> {
        let draft = if self == Home::OpenApi31 { jsonschema::Draft::Draft202012 } else { jsonschema::Draft::Draft4 };
        let validator = jsonschema::options().with_draft(draft).build(&self.meaning(schema)).ok()?;
        Some(values.iter().map(|value| validator.is_valid(value)).collect())
    }

    /// Whether the comparison says that no values break; as for JSON Schema, a new key in an open map is not counted.
    fn is_called_safe(self, old: &Value, new: &Value) -> bool {
        let is_new_key = |change: &Change| {
            change.kind == Kind::AddedOptional && matches!(change.path.0.last(), Some(PathStep::Key(_)))
        };
        compare(self.language(), &self.document(old), &self.document(new)).is_ok_and(|compared| {
            compared.unknown == 0
                && !compared.is_cut
                && !compared.changes.iter().any(|change| change.breaks.values || is_new_key(change))
        })
    }
}

/// Leaves out what is not compared, and what leads elsewhere.
fn plain(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            for name in ["format", "$ref", "$defs", "$id", "$schema", "$anchor", "$dynamicRef", "$dynamicAnchor"] {
                map.shift_remove(name);
            }
            map.values_mut().for_each(plain);
        }
        Value::Array(items) => items.iter_mut().for_each(plain),
        _ => {}
    }
}

/// Whether null is anywhere in a value: an API server drops some of them.
fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().any(has_null),
        Value::Object(map) => map.values().any(has_null),
        _ => false,
    }
}

/// A value that a schema may have been made for.
fn near(dice: &mut Dice, schema: &Value, depth: usize) -> Value {
    if depth == 0 || dice.below(8) == 0 {
        return [json!(null), json!(1), json!("a"), json!(true), json!({}), json!([])][dice.below(6)].clone();
    }
    match schema["type"].as_str() {
        Some("integer") => json!(dice.below(5)),
        Some("string") => json!(["", "a", "b", "ab", "abc", "abcd"][dice.below(6)]),
        Some("boolean") => json!(dice.below(2) == 0),
        Some("array") => (0..dice.below(4)).map(|_| near(dice, &schema["items"], depth - 1)).collect(),
        Some("object") => {
            let key = |_| {
                let key = KEYS[dice.below(4)];
                let inner = schema["properties"].get(key).unwrap_or(&schema["additionalProperties"]);
                (key.to_owned(), near(dice, inner, depth - 1))
            };
            Value::Object((0..4).map(key).take(2).collect())
        }
        _ => value(dice, 2),
    }
}

fn safe_is_safe(home: Home) {
    let (pairs, seed) = asked(2_000);
    let mut dice = Dice(seed as u64);
    let (mut breaking, mut safe, mut wrong, mut shown) = (0, 0, 0, Vec::new());
    for _ in 0..pairs {
        let old = home.invent(&mut dice);
        let new = home.changed(&mut dice, &old);
        assert!(home.is_called_safe(&old, &old), "{home:?}, compared with itself: {old}");
        let values: Vec<Value> = (0..VALUES)
            .map(|index| near(&mut dice, if index % 2 == 0 { &old } else { &new }, 4))
            .filter(|value| home != Home::Crd || !has_null(value))
            .collect();
        let is_safe = home.is_called_safe(&old, &new);
        safe += usize::from(is_safe);
        let (Some(before), Some(after)) = (home.valid(&old, &values), home.valid(&new, &values)) else { continue };
        let broken = values.iter().zip(before.iter().zip(&after)).find(|(_, verdicts)| *verdicts == (&true, &false));
        let Some((value, _)) = broken else { continue };
        breaking += 1;
        if is_safe {
            wrong += 1;
            if shown.len() < SHOWN {
                shown.push(format!("{value} was accepted and is refused:\n  {old}\n  {new}"));
            }
        }
    }
    println!("{home:?}, seed {seed}: of {pairs} pairs {breaking} break a value, {safe} are called safe");
    assert_eq!(wrong, 0, "{home:?}\n{}", shown.join("\n"));
    assert!(breaking * 30 > pairs && safe * 20 > pairs, "{breaking} and {safe} of {pairs}: too few to say anything");
}

#[test]
fn safe_changes_of_custom_resources_refuse_nothing_that_was_accepted() {
    safe_is_safe(Home::Crd);
}

#[test]
fn safe_changes_of_openapi_3_0_refuse_nothing_that_was_accepted() {
    safe_is_safe(Home::OpenApi30);
}

#[test]
fn safe_changes_of_openapi_3_1_refuse_nothing_that_was_accepted() {
    safe_is_safe(Home::OpenApi31);
}

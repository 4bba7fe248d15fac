use crate::kubernetes::fields::Fields;
use crate::kubernetes::look::Look;
use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::{Key, NodeValue, Span};
use rustc_hash::FxHashSet;

rule! {
    /// # A type of list or map does not fit its schema
    ///
    /// ## What
    /// `x-kubernetes-list-type` belongs to arrays and `x-kubernetes-map-type` to objects. Items of a list of type `map` are
    /// objects with the keys that `x-kubernetes-list-map-keys` names: scalars that are required or have a default. Items of a
    /// set are scalars, or `atomic`.
    ///
    /// ## Why
    /// The API server refuses the definition, because it could not tell items apart.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: boats.example.com}
    /// spec:
    ///   group: example.com
    ///   names: {kind: Boat, plural: boats}
    ///   scope: Namespaced
    ///   versions:
    ///   - name: v1
    ///     served: true
    ///     storage: true
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec:
    ///             type: object
    ///             properties:
    ///               ports:
    ///                 type: array
    ///                 x-kubernetes-list-type: map
    ///                 items:
    ///                   type: object
    ///                   properties:
    ///                     port: {type: integer}
    /// ```
    ///
    /// ## How to fix
    /// Name the keys in `x-kubernetes-list-map-keys` and declare them, or use `x-kubernetes-list-type: atomic`.
    pub static RULE: Rule = Rule {
        code: "kubernetes/list-type",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(in crate::kubernetes) static LOOK: Look = Look::Schema(look);

const LIST_TYPE: &str = "x-kubernetes-list-type";
const MAP_TYPE: &str = "x-kubernetes-map-type";
const MAP_KEYS: &str = "x-kubernetes-list-map-keys";

/// The keywords of a type that does not fit are reported where they are written.
fn look(schema: Fields<'_>, found: &mut Vec<Diagnostic>) {
    let own = schema.text("type");
    let is_not = |wanted| schema.lacks("type") || own.is_some_and(|own| own.text != wanted);
    if let Some(entry) = schema.entry(MAP_TYPE).filter(|_| is_not("object")) {
        found.push(needs_type(schema, entry.key_span, MAP_TYPE, "object"));
    }
    let list = schema.text(LIST_TYPE);
    if let Some(entry) = schema.entry(LIST_TYPE).filter(|_| is_not("array")) {
        found.push(needs_type(schema, entry.key_span, LIST_TYPE, "array"));
    } else if list.is_some_and(|list| list.text == "set") {
        items_of_set(schema, found);
    }
    if let Some(keys) = schema.entry(MAP_KEYS).filter(|_| !schema.items(MAP_KEYS).is_empty()) {
        match list {
            Some(list) if list.text == "map" => {}
            Some(list) => {
                let message = format!("`{MAP_KEYS}` belongs to arrays of type `map`");
                found.push(finding(list.span, message).related(keys.key_span, "the keys"));
            }
            None if schema.lacks(LIST_TYPE) => {
                let message = format!("`{MAP_KEYS}` needs `{LIST_TYPE}: map` beside it");
                found.push(finding(keys.key_span, message));
            }
            None => {}
        }
    }
    if list.is_some_and(|list| list.text == "map") {
        items_of_map(schema, found);
    }
}

fn needs_type(schema: Fields<'_>, keyword: Span, name: &str, wanted: &str) -> Diagnostic {
    let place = schema.text("type").map_or(keyword, |text| text.span);
    finding(place, format!("`{name}` belongs to a schema with `type: {wanted}`"))
}

/// Items of a set are compared as a whole.
fn items_of_set(schema: Fields<'_>, found: &mut Vec<Diagnostic>) {
    let Some(items) = schema.below("items") else { return };
    cannot_be_null(items, "set", found);
    let Some(of) = items.text("type") else { return };
    let keyword = match of.text {
        "array" => LIST_TYPE,
        "object" => MAP_TYPE,
        _ => return,
    };
    let is_atomic = match items.text(keyword) {
        Some(chosen) => chosen.text == "atomic",
        // Arrays are atomic unless they say otherwise, maps are not.
        None => of.text == "array" || !items.lacks(keyword),
    };
    if !is_atomic {
        let place = items.text(keyword).map_or(of.span, |chosen| chosen.span);
        let message = format!("items of a set are compared as a whole, which needs `{keyword}: atomic`");
        found.push(finding(place, message));
    }
}

/// Items of a map are told apart by some of their keys.
fn items_of_map(schema: Fields<'_>, found: &mut Vec<Diagnostic>) {
    let place = schema.entry(LIST_TYPE).map_or(schema.0.span, |entry| entry.key_span);
    if schema.lacks(MAP_KEYS) || schema.value(MAP_KEYS).is_some_and(|node| node.value == NodeValue::Array(Vec::new())) {
        let message = format!("`{MAP_KEYS}` is missing, which says what tells items apart");
        found.push(finding(place, message));
    }
    let Some(items) = schema.below("items") else {
        // A missing schema of items is reported for all arrays.
        return;
    };
    if matches!(items.0.value, NodeValue::Array(_)) {
        return;
    }
    cannot_be_null(items, "map", found);
    match items.text("type") {
        Some(of) if of.text != "object" => {
            found.push(finding(of.span, "items of an array of type `map` have `type: object`"));
            return;
        }
        None => return,
        Some(_) => {}
    }
    let required: FxHashSet<&str> = items.texts("required").map(|text| text.text).collect();
    let mut known: FxHashSet<&str> = FxHashSet::default();
    for key in schema.texts(MAP_KEYS) {
        if !known.insert(key.text) {
            found.push(finding(key.span, format!("`{}` is there already", key.text)));
            continue;
        }
        let properties = items.below("properties");
        let Some(declared) = properties.and_then(|properties| properties.0.get(&Key::from(key.text))).map(Fields)
        else {
            if !items.0.partial && properties.is_none_or(|properties| !properties.0.partial) {
                let message = format!("items have no property `{}`", key.text);
                found.push(finding(key.span, message));
            }
            continue;
        };
        if let Some(of) = declared.text("type").filter(|of| matches!(of.text, "array" | "object")) {
            let message = format!("`{}` tells items apart, so it should be a scalar", key.text);
            found.push(finding(of.span, message).related(key.span, "named here"));
        }
        if !required.contains(&key.text) && declared.lacks("default") && declared.value("default").is_none() {
            let message = format!("`{}` tells items apart, so it should be required or have a default", key.text);
            found.push(finding(declared.place(), message).related(key.span, "named here"));
        }
        if let Some(flag) = declared.entry("nullable").filter(|_| declared.is_set("nullable")) {
            let message = format!("`{}` tells items apart, so it cannot be nullable", key.text);
            found.push(finding(flag.key_span, message).related(key.span, "named here"));
        }
    }
}

fn cannot_be_null(items: Fields<'_>, list: &str, found: &mut Vec<Diagnostic>) {
    if let Some(flag) = items.entry("nullable").filter(|_| items.is_set("nullable")) {
        found.push(finding(flag.key_span, format!("items of an array of type `{list}` cannot be nullable")));
    }
}

/// A finding at this place.
fn finding(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}

//! Names in `required` that nothing declares.

use super::Authoring;
use crate::json_schema::resources::{ResourceId, address};
use crate::json_schema::rules::required_without_property::{About, finding};
use lofting_diagnostic::suggest::{Searches, is_slip};
use lofting_document::{Key, Node, NodeValue};
use lofting_schema::{Pattern, PatternDialect};
use rustc_hash::FxHashSet;

/// Schemas that look at the same value, at most.
const RELATED: usize = 200;

/// How often a name is compared with a pattern, in all schemas of a document. Beyond that, it counts as declared.
const MATCHED: usize = 100_000;

/// The keys that schemas which look at one value declare.
#[derive(Default)]
struct DeclaredKeys<'n> {
    names: FxHashSet<&'n str>,
    patterns: Vec<Pattern>,
    /// Something declares keys that are not known here.
    is_open: bool,
}

impl<'n> Authoring<'n, '_> {
    /// Looks at `required` in every schema with `properties` of its own.
    pub(super) fn required(&mut self) {
        let (mut searches, mut matched) = (Searches::default(), 0);
        for number in 0..self.all.len() {
            let Some(schema) = self.all.get(number) else { return };
            let (node, resource) = (schema.node, schema.resource);
            let is_alone = self.resources.vocabulary_of(resource).reference_stands_alone();
            if is_alone && node.get(&Key::from("$ref")).is_some() {
                continue;
            }
            let (Some(required), Some(properties)) = (list(node, "required"), map(node, "properties")) else {
                continue;
            };
            let NodeValue::Map(declared) = &properties.value else { continue };
            if declared.is_empty() || properties.partial || node.partial {
                continue;
            }
            let lacks = |name: &&Node| text(name).is_some_and(|name| properties.get(&Key::from(name)).is_none());
            let missing: Vec<&Node> = required.filter(lacks).collect();
            if missing.is_empty() {
                continue;
            }
            let known = self.known(number);
            if known.is_open {
                continue;
            }
            let additional = node.get(&Key::from("additionalProperties")).map(|node| &node.value);
            let is_closed = additional == Some(&NodeValue::Bool(false));
            let required_names: FxHashSet<&str> =
                list(node, "required").into_iter().flatten().filter_map(text).collect();
            for name_node in missing {
                let Some(name) = text(name_node) else { continue };
                matched += known.patterns.len();
                let may_match = || matched > MATCHED || known.patterns.iter().any(|it| it.is_in(name) != Some(false));
                if known.names.contains(name) || may_match() {
                    continue;
                }
                // A name that is required already is not meant.
                let free =
                    declared.iter().filter_map(|item| item.key.as_str()).filter(|it| !required_names.contains(it));
                let near = searches.nearest(name, free);
                let meant = near.filter(|near| is_closed || is_slip(name, near));
                // A schema for all other keys is one for this key.
                if meant.is_none() && matches!(additional, Some(NodeValue::Map(_) | NodeValue::Bool(true))) {
                    continue;
                }
                let meant = meant.map(|meant| (meant, self.written.like(name_node.span, meant)));
                let about = About { is_closed, meant, properties: properties.span };
                self.found.push(finding(name_node.span, name, &about));
            }
        }
    }

    /// What the schemas around a schema and inside it declare for the same value.
    fn known(&mut self, number: usize) -> DeclaredKeys<'n> {
        let mut top = number;
        for _ in 0..RELATED {
            match self.all.get(top).and_then(|schema| schema.outer) {
                Some(outer) => top = outer,
                None => break,
            }
        }
        let mut known = DeclaredKeys::default();
        let Some(first) = self.all.get(top) else { return known };
        let mut todo: Vec<(&'n Node, ResourceId)> = vec![(first.node, first.resource)];
        let mut seen = FxHashSet::default();
        while let Some((node, within)) = todo.pop() {
            if !seen.insert(address(node)) {
                continue;
            }
            if seen.len() > RELATED {
                known.is_open = true;
                return known;
            }
            let resource = self.resources.begins(node).unwrap_or(within);
            known.add(node);
            let NodeValue::Map(items) = &node.value else { continue };
            for item in items {
                match item.key.as_str() {
                    Some("allOf" | "anyOf" | "oneOf") => {
                        if let NodeValue::Array(items) = &item.value.value {
                            todo.extend(items.iter().map(|item| (&item.value, resource)));
                        }
                    }
                    Some("not" | "if" | "then" | "else") => todo.push((&item.value, resource)),
                    Some("dependentSchemas" | "dependencies") => {
                        if let NodeValue::Map(items) = &item.value.value {
                            todo.extend(items.iter().map(|item| (&item.value, resource)));
                        }
                    }
                    Some("$ref") => match text(&item.value).and_then(|to| self.resources.resolve(to, resource)) {
                        Some(target) => todo.push((target.node, target.resource)),
                        None => known.is_open = true,
                    },
                    Some("$dynamicRef" | "$recursiveRef") => known.is_open = true,
                    _ => {}
                }
            }
        }
        known
    }
}

impl<'n> DeclaredKeys<'n> {
    fn add(&mut self, schema: &'n Node) {
        self.is_open |= schema.partial;
        let entries = |keyword: &str| match map(schema, keyword).map(|node| &node.value) {
            Some(NodeValue::Map(items)) => Some(items),
            _ => None,
        };
        for item in entries("properties").into_iter().flatten() {
            self.names.extend(item.key.as_str());
        }
        let patterns = entries("patternProperties").into_iter().flatten();
        self.patterns.extend(patterns.map(|item| Pattern::new(item.key.to_string(), PatternDialect::Ecma)));
    }
}

fn map<'n>(schema: &'n Node, keyword: &str) -> Option<&'n Node> {
    schema.get(&Key::from(keyword)).filter(|node| matches!(node.value, NodeValue::Map(_)))
}

fn list<'n>(schema: &'n Node, keyword: &str) -> Option<impl Iterator<Item = &'n Node> + use<'n>> {
    match schema.get(&Key::from(keyword)).map(|node| &node.value) {
        Some(NodeValue::Array(items)) => Some(items.iter().map(|item| &item.value)),
        _ => None,
    }
}

fn text(node: &Node) -> Option<&str> {
    match &node.value {
        NodeValue::String(text) => Some(text),
        _ => None,
    }
}

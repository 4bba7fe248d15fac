//! What is doubtful in a schema in OpenAPI as its author wrote it: what the platform accepts and cannot be meant. The
//! shorthand has findings of its own for the same.

use super::rules::{
    impossible_range, inert_marker, invalid_enum_literal, invalid_pattern, unknown_keyword, unknown_type, unused_type,
};
use super::shorthand::marker::{MARKERS, MarkedType};
use super::shorthand::typed::impossible;
use crate::json_schema::rules::{RequiredAbout, required_without_property};
use crate::json_schema::{is_type, meant_type};
use crate::texts::Written;
use lofting_diagnostic::suggest::Searches;
use lofting_diagnostic::{Diagnostic, Severity};
use lofting_document::{Key, MapItem, Node, NodeValue, Span};
use lofting_schema::re2;
use lofting_syntax::Tree;
use rustc_hash::FxHashSet;

/// How many schemas of a section are looked at.
const SCHEMAS: usize = 20_000;

/// How many references may follow each other for the same value, as in Kubernetes.
const CHAIN: usize = 64;

/// How many schemas look at the same value, at most.
const RELATED: usize = 200;

/// What is doubtful in a schema.
pub(super) struct Authored {
    pub found: Vec<Diagnostic>,
    /// The places of what values cannot be compared with, because of a mistake: names in `required` for which others
    /// are meant, and values of keywords that no value satisfies.
    pub spoilt: Vec<Span>,
}

/// Looks at a schema and its definitions. `tree` is that of its text.
pub(super) fn look(root: &Node, tree: Option<&Tree>) -> Authored {
    let mut author = Author {
        definitions: root.get(&Key::from("$defs")),
        written: Written(tree),
        looked_at: 0,
        searches: Searches::default(),
        used: FxHashSet::default(),
        is_lost: false,
        is_unread: false,
        done: Authored { found: Vec::new(), spoilt: Vec::new() },
    };
    author.look_at(root);
    author.definitions();
    author.done
}

/// The schema without what is at these places.
pub(super) fn without(schema: &Node, spoilt: &[Span]) -> Node {
    let spoilt: FxHashSet<Span> = spoilt.iter().copied().collect();
    let mut schema = schema.clone();
    let mut todo = vec![&mut schema];
    while let Some(node) = todo.pop() {
        lofting_memo::step();
        match &mut node.value {
            NodeValue::Map(items) => {
                let kept: Vec<bool> = items.iter().map(|item| !spoilt.contains(&item.value.span)).collect();
                if kept.contains(&false) {
                    items.retain(|number| kept.get(number) == Some(&true));
                }
                todo.extend(items.iter_mut().map(|item| &mut item.value));
            }
            NodeValue::Array(items) => {
                items.retain(|item| !spoilt.contains(&item.value.span));
                todo.extend(items.iter_mut().map(|item| &mut item.value));
            }
            _ => {}
        }
    }
    schema
}

struct Author<'n, 't> {
    definitions: Option<&'n Node>,
    written: Written<'t>,
    looked_at: usize,
    searches: Searches,
    /// The definitions that references lead to.
    used: FxHashSet<&'n str>,
    /// A reference leads nowhere, and may be meant for any definition.
    is_lost: bool,
    /// Nothing uses the definition that is looked at.
    is_unread: bool,
    done: Authored,
}

/// A keyword of a schema, and whether it is written in it. Others are in the definition that the schema refers to.
#[derive(Clone, Copy)]
struct Keyword<'n> {
    item: &'n MapItem,
    is_own: bool,
}

fn text(node: &Node) -> Option<&str> {
    match &node.value {
        NodeValue::String(text) => Some(text),
        _ => None,
    }
}

fn entry<'n>(schema: &'n Node, keyword: &str) -> Option<&'n MapItem> {
    match &schema.value {
        NodeValue::Map(items) => items.iter().find(|item| item.key.as_str() == Some(keyword)),
        _ => None,
    }
}

fn entries<'n>(schema: &'n Node, keyword: &str) -> &'n [MapItem] {
    match entry(schema, keyword).map(|item| &item.value.value) {
        Some(NodeValue::Map(items)) => items,
        _ => &[],
    }
}

fn items<'n>(schema: &'n Node, keyword: &str) -> impl Iterator<Item = &'n Node> + use<'n> {
    let found = match entry(schema, keyword).map(|item| &item.value.value) {
        Some(NodeValue::Array(items)) => Some(items),
        _ => None,
    };
    found.into_iter().flatten().map(|item| &item.value)
}

/// The schemas that look at the same value as one that contains them.
fn alternatives(schema: &Node) -> impl Iterator<Item = &Node> {
    ["allOf", "anyOf", "oneOf"].into_iter().flat_map(|keyword| items(schema, keyword))
}

fn marked(name: &str) -> Option<MarkedType> {
    Some(match name {
        "string" => MarkedType::String,
        "integer" => MarkedType::Integer,
        "number" => MarkedType::Number,
        "boolean" => MarkedType::Boolean,
        "array" => MarkedType::Array,
        "object" => MarkedType::Object,
        _ => return None,
    })
}

/// The kind of a value in words, if it is not one of a type.
fn unfit(value: &Node, kind: MarkedType, is_nullable: bool) -> Option<&'static str> {
    let (found, fits) = match &value.value {
        NodeValue::String(_) => ("a string", kind == MarkedType::String),
        NodeValue::Int(_) => ("an integer", matches!(kind, MarkedType::Integer | MarkedType::Number)),
        NodeValue::Float(number) => {
            ("a number", kind == MarkedType::Number || kind == MarkedType::Integer && number.fract() == 0.0)
        }
        NodeValue::Bool(_) => ("a boolean", kind == MarkedType::Boolean),
        NodeValue::Null => ("null", is_nullable || value.missing),
        NodeValue::Array(_) => ("an array", kind == MarkedType::Array),
        NodeValue::Map(_) => ("a map", kind == MarkedType::Object),
        _ => return None,
    };
    (!fits).then_some(found)
}

impl<'n> Author<'n, '_> {
    fn add(&mut self, mut finding: Diagnostic) {
        if self.is_unread && finding.severity == Severity::Error {
            finding.severity = Severity::Warning;
        }
        self.done.found.push(finding);
    }

    /// The definition that a schema refers to.
    fn target(&self, schema: &Node) -> Option<&'n Node> {
        let name = text(&entry(schema, "$ref")?.value)?.strip_prefix("#/$defs/")?;
        self.definitions?.get(&Key::from(name))
    }

    fn keyword(&self, schema: &'n Node, keyword: &str) -> Option<Keyword<'n>> {
        if let Some(item) = entry(schema, keyword) {
            return Some(Keyword { item, is_own: true });
        }
        let mut schema = self.target(schema)?;
        for _ in 0..CHAIN {
            if let Some(item) = entry(schema, keyword) {
                return Some(Keyword { item, is_own: false });
            }
            schema = self.target(schema)?;
        }
        None
    }

    fn is_set(&self, schema: &'n Node, keyword: &str) -> bool {
        self.keyword(schema, keyword).is_some_and(|found| found.item.value.value == NodeValue::Bool(true))
    }

    /// Looks at all schemas from a root on, but not at definitions.
    fn look_at(&mut self, root: &'n Node) {
        let mut todo = vec![(root, root)];
        while let Some((schema, top)) = todo.pop() {
            lofting_memo::step();
            self.looked_at += 1;
            if self.looked_at > SCHEMAS {
                return;
            }
            if !matches!(schema.value, NodeValue::Map(_)) {
                continue;
            }
            if let Some(reference) = entry(schema, "$ref") {
                self.used.extend(text(&reference.value).and_then(|to| to.strip_prefix("#/$defs/")));
                self.is_lost |= self.target(schema).is_none();
            }
            self.schema(schema, top);
            let mut below: Vec<(&'n Node, &'n Node)> = Vec::new();
            let alone = |node: &'n Node| (node, node);
            below.extend(entries(schema, "properties").iter().map(|item| alone(&item.value)));
            let single = ["items", "additionalProperties", "not"].into_iter();
            below.extend(single.filter_map(|keyword| Some(alone(&entry(schema, keyword)?.value))));
            below.extend(alternatives(schema).map(|node| (node, top)));
            todo.extend(below.into_iter().rev());
        }
    }

    /// Looks at the definitions: those that are used first.
    fn definitions(&mut self) {
        let Some(NodeValue::Map(definitions)) = self.definitions.map(|node| &node.value) else { return };
        let mut left: Vec<&'n MapItem> = definitions.iter().collect();
        loop {
            let is_used = |item: &&MapItem| item.key.as_str().is_some_and(|name| self.used.contains(name));
            let (used, unused): (Vec<_>, Vec<_>) = left.into_iter().partition(is_used);
            left = unused;
            if used.is_empty() {
                break;
            }
            used.into_iter().for_each(|item| self.look_at(&item.value));
        }
        self.is_unread = true;
        for item in left {
            if let Some(name) = item.key.as_str().filter(|_| self.looked_at < SCHEMAS) {
                let is_known = !self.is_lost;
                self.done.found.extend(is_known.then(|| unused_type::definition(item.key_span, name)));
                self.look_at(&item.value);
            }
        }
    }

    /// Looks at a schema, which looks at the same value as another one that contains it.
    fn schema(&mut self, schema: &'n Node, top: &'n Node) {
        if let Some(unique) = entry(schema, "uniqueItems").filter(|item| item.value.value == NodeValue::Bool(true)) {
            self.add(unknown_keyword::unique_items(unique.key_span));
        }
        let of = self.keyword(schema, "type");
        let name = of.and_then(|of| text(&of.item.value));
        if let (Some(of), Some(name)) = (of.filter(|of| of.is_own), name)
            && !is_type(name)
            && !name.is_empty()
        {
            let span = of.item.value.span;
            let meant = meant_type(name).filter(|meant| *meant != "null");
            let meant = meant.map(|meant| (meant, self.written.like(span, meant)));
            self.add(unknown_type::keyword(span, name, meant));
            // What follows from that is not another mistake.
            return;
        }
        let is_either = self.is_set(schema, "x-kubernetes-int-or-string");
        let kind = name.and_then(marked).filter(|_| !is_either);
        if let Some(kind) = kind {
            self.inert(schema, kind);
            self.choices(schema, kind);
        }
        self.bounds(schema);
        if let Some(item) = entry(schema, "pattern")
            && let Some(Err(why)) = text(&item.value).map(re2::check)
        {
            self.add(invalid_pattern::finding(item.value.span, &why));
        }
        self.required(schema, top);
    }

    /// Keywords that say nothing about values of the type.
    fn inert(&mut self, schema: &'n Node, kind: MarkedType) {
        let is_number = matches!(kind, MarkedType::Integer | MarkedType::Number);
        for marker in MARKERS.iter().filter(|marker| !marker.may_say_of(kind)) {
            // Formats of numbers are told apart by programs of all kinds.
            let item = entry(schema, marker.name).filter(|_| !(is_number && marker.name == "format"));
            if let Some(item) = item.filter(|item| item.value.value != NodeValue::Null) {
                self.add(inert_marker::finding(item.key_span, marker, kind));
            }
        }
    }

    /// Values of `enum` that are not of the type.
    fn choices(&mut self, schema: &'n Node, kind: MarkedType) {
        let is_nullable = self.is_set(schema, "nullable");
        let mut fits = false;
        for value in items(schema, "enum") {
            match unfit(value, kind, is_nullable) {
                Some(found) => self.add(invalid_enum_literal::value(value.span, found, kind)),
                None => fits = true,
            }
        }
        let spoilt = entry(schema, "enum").filter(|_| !fits && items(schema, "enum").next().is_some());
        self.done.spoilt.extend(spoilt.map(|item| item.value.span));
    }

    /// Bounds that no value satisfies. Those of a definition are reported there.
    fn bounds(&mut self, schema: &'n Node) {
        let is_bound = |name: &str| name.starts_with("m") || name.starts_with("exclusive");
        let bounds = MARKERS.iter().map(|marker| marker.name).filter(|name| is_bound(name));
        let found: Vec<(&'static str, Keyword<'n>)> =
            bounds.filter_map(|name| Some((name, self.keyword(schema, name)?))).collect();
        if !found.iter().any(|(_, keyword)| keyword.is_own) {
            return;
        }
        let given = |found: &[(&'static str, Keyword<'n>)]| -> Vec<(&'static str, Node)> {
            found.iter().map(|(name, keyword)| (*name, keyword.item.value.clone())).collect()
        };
        let of_definition = self.target(schema).map(|target| {
            let known = found.iter().filter_map(|(name, _)| Some((*name, self.keyword(target, name)?)));
            impossible(&given(&known.collect::<Vec<_>>()))
        });
        for (span, why) in impossible(&given(&found)) {
            if of_definition.iter().flatten().any(|(at, _)| *at == span) {
                continue;
            }
            let own = found.iter().filter(|(_, keyword)| keyword.is_own).map(|(_, keyword)| keyword.item.value.span);
            let own: Vec<Span> = own.collect();
            self.done.spoilt.extend(own.iter().copied());
            let at = own.iter().find(|own| **own == span).or(own.first()).copied();
            self.add(impossible_range::finding(at.unwrap_or(span), &why));
        }
    }

    /// Names in `required` that nothing declares.
    fn required(&mut self, schema: &'n Node, top: &'n Node) {
        let Some(properties) = self.keyword(schema, "properties").map(|found| found.item) else { return };
        let NodeValue::Map(declared) = &properties.value.value else { return };
        if declared.is_empty() || properties.value.partial || self.is_set(schema, PRESERVE) {
            return;
        }
        let is_declared = |name: &str| properties.value.get(&Key::from(name)).is_some();
        let missing: Vec<(&'n Node, &'n str)> = items(schema, "required")
            .filter_map(|name| Some((name, text(name)?)))
            .filter(|(_, name)| !name.is_empty() && !is_declared(name))
            .collect();
        if missing.is_empty() {
            return;
        }
        let Some(known) = self.known(top) else { return };
        let additional = entry(schema, "additionalProperties").map(|item| &item.value.value);
        let is_closed = additional == Some(&NodeValue::Bool(false));
        let required: FxHashSet<&str> = items(schema, "required").filter_map(text).collect();
        for (node, name) in missing.into_iter().filter(|(_, name)| !known.contains(name)) {
            let free = || declared.iter().filter_map(|item| item.key.as_str()).filter(|key| !required.contains(key));
            // A name that is being typed is the beginning of one.
            let begun: Vec<&str> = free().filter(|key| key.starts_with(name)).take(2).collect();
            let only = begun.first().copied().filter(|_| begun.len() == 1);
            let meant = self.searches.nearest(name, free()).or(only);
            // A schema for all other keys is one for this key.
            if meant.is_none() && matches!(additional, Some(NodeValue::Map(_) | NodeValue::Bool(true))) {
                continue;
            }
            self.done.spoilt.extend((meant.is_some() || !begun.is_empty()).then_some(node.span));
            let meant = meant.map(|meant| (meant, self.written.like(node.span, meant)));
            let about = RequiredAbout { is_closed, meant, properties: properties.key_span };
            self.add(required_without_property(node.span, name, &about).family(super::SEMANTICS.family));
        }
    }

    /// The keys that schemas of the same value declare; None if not all are known.
    fn known(&self, top: &'n Node) -> Option<FxHashSet<&'n str>> {
        let mut known = FxHashSet::default();
        let mut todo = vec![top];
        let mut seen = 0;
        while let Some(schema) = todo.pop() {
            seen += 1;
            if seen > RELATED || schema.partial || self.is_set(schema, PRESERVE) {
                return None;
            }
            known.extend(entries(schema, "properties").iter().filter_map(|item| item.key.as_str()));
            todo.extend(alternatives(schema));
            todo.extend(entry(schema, "not").map(|item| &item.value));
            if entry(schema, "$ref").is_some() {
                todo.push(self.target(schema)?);
            }
        }
        Some(known)
    }
}

const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";

#[cfg(test)]
mod tests;

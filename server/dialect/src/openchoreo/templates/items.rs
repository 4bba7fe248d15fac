//! Where the strings of a type are templates, and which of them are one expression or plain text.

use super::{Declared, OPENING, SpecView, Variables, is_template, looped};
use crate::FileView;
use crate::claim::below;
use crate::inside::Own;
use crate::openchoreo::SEMANTICS;
use crate::openchoreo::cel::types::TypeKind;
use crate::openchoreo::claims::{GROUP, TYPES};
use crate::openchoreo::shorthand::{PartSpans, Texts};
use crate::resources::{self, API_VERSION};
use lofting_cel::Type as DeclaredType;
use lofting_document::{Key, Node, NodeValue, Span};
use lofting_schema::Step;
use lofting_syntax::Value;
use smol_str::SmolStr;
use std::sync::Arc;

/// Keys beside a template whose value is one expression, with the required type.
const SINGLE: &[(&str, ResultType)] = &[
    (CONDITION, ResultType::Boolean),
    ("forEach", ResultType::Items),
    ("when", ResultType::Boolean),
    ("rule", ResultType::Boolean),
    ("readyWhen", ResultType::Boolean),
];

/// The key of the operations of a patch, and that of the path of one.
pub(super) const OPERATIONS: &str = "operations";
pub(super) const PATH: &str = "path";

/// The key of a condition in a target.
const FILTER: &str = "where";

const CONDITION: &str = "includeWhen";

/// Of these, those that are evaluated before the loop, so that its variable is not defined in them.
const OUTSIDE: &[&str] = &[CONDITION, "forEach", "when"];

/// The key of what a patch or a check is about.
pub(super) const TARGET: &str = "target";

/// The type that an expression needs if it is the whole value of a key of an item.
pub(super) fn wanted(kind: &str, key: &str, text: &str) -> Option<ResultType> {
    // In workflows, an empty condition is the same as none.
    let is_none = key == CONDITION && text.is_empty() && kind.ends_with("Workflow");
    SINGLE.iter().find(|(name, _)| *name == key && !is_none).map(|(_, wanted)| *wanted)
}

/// The type that an expression needs if it is the whole value of a key of a target.
pub(super) fn wanted_in_target(key: &str) -> Option<ResultType> {
    (key == FILTER).then_some(ResultType::Filter)
}

/// Whether the variable of a loop is not defined in the value of a key of its item.
pub(super) fn is_outside(key: &str) -> bool {
    OUTSIDE.contains(&key)
}

/// Whether the value of a key of an item is used as it is written. A key below another one is given after it.
pub(super) fn is_literal(key: &str, below: Option<&str>) -> bool {
    key == "message" && below.is_none() || key == TARGET && matches!(below, Some("kind" | "group" | "version"))
}

/// Whether a path in a document leads to a value of an item that is used as it is written.
pub(super) fn leads_to_literal(path: &[Step]) -> bool {
    let name = |step: Option<&Step>| match step {
        Some(Step::Key(key)) => key.as_str().map(SmolStr::from),
        _ => None,
    };
    let is_item = matches!(path.get(2), Some(Step::Index(_) | Step::Item));
    let key = name(path.get(3)).filter(|_| is_item);
    key.is_some_and(|key| is_literal(&key, name(path.get(4)).as_deref()))
}

/// The required type of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::openchoreo) enum ResultType {
    /// A boolean.
    Boolean,
    /// A boolean; releases before 1.0 take it without `${` and `}`.
    Filter,
    /// An array or a map.
    Items,
    /// A string, if the text is one expression and nothing else.
    Name,
    /// Such a string for the path of an operation, whose expressions are looked at only when they are rendered.
    Path,
}

impl ResultType {
    /// Whether only a text that is one expression is meant by it, and any other text may be there.
    pub fn is_of_text(self) -> bool {
        matches!(self, ResultType::Name | ResultType::Path)
    }

    /// The type in words.
    pub fn words(self) -> &'static str {
        match self {
            ResultType::Boolean | ResultType::Filter => "a boolean",
            ResultType::Items => "an array or a map",
            ResultType::Name | ResultType::Path => "a string",
        }
    }

    /// Whether a value of a kind may be meant.
    pub fn admits(self, kind: TypeKind) -> bool {
        match (self, kind) {
            (_, TypeKind::Unknown)
            | (ResultType::Boolean | ResultType::Filter, TypeKind::Bool)
            | (ResultType::Items, TypeKind::List | TypeKind::Map)
            | (ResultType::Name | ResultType::Path, TypeKind::String) => true,
            (ResultType::Boolean | ResultType::Filter | ResultType::Items | ResultType::Name | ResultType::Path, _) => {
                false
            }
        }
    }

    /// Whether the platform accepts a value of a declared type.
    pub fn admits_declared(self, of: &DeclaredType) -> bool {
        match (self, of) {
            (_, DeclaredType::Dyn)
            | (ResultType::Boolean | ResultType::Filter, DeclaredType::Bool)
            | (ResultType::Items, DeclaredType::List(_) | DeclaredType::Map(_)) => true,
            // Its type is looked at only when it is rendered.
            (ResultType::Name | ResultType::Path, _) => true,
            (ResultType::Boolean | ResultType::Filter | ResultType::Items, _) => false,
        }
    }
}

/// The kind and the spec of a resource whose strings are templates.
pub(super) fn spec(resource: &Node) -> Option<(&str, &Node)> {
    let kind = below(resource, &Step::Key(Key::from("kind")))?;
    let NodeValue::String(kind) = &kind.value else { return None };
    let version = below(resource, &Step::Key(Key::from(API_VERSION)))?;
    let is_own = matches!(&version.value, NodeValue::String(version) if version.starts_with(GROUP));
    let spec = below(resource, &Step::Key(Key::from("spec")))?;
    (is_own && TYPES.contains(&kind.as_str())).then_some((kind.as_str(), spec))
}

/// A spec that was lowered.
pub(super) struct LoweredSpec<'n> {
    pub kind: &'n str,
    pub spec: &'n Node,
}

impl SpecView for LoweredSpec<'_> {
    fn kind(&self) -> &str {
        self.kind
    }

    fn has(&self, path: &[&str]) -> bool {
        path.iter().try_fold(self.spec, |node, key| below(node, &Step::Key(Key::from(*key)))).is_some()
    }

    fn keys(&self, path: &[&str]) -> Vec<SmolStr> {
        let found = path.iter().try_fold(self.spec, |node, key| below(node, &Step::Key(Key::from(*key))));
        found.map(keys_in).unwrap_or_default()
    }

    fn ids(&self, list: &str) -> Option<Arc<[SmolStr]>> {
        let NodeValue::Array(items) = &below(self.spec, &Step::Key(Key::from(list)))?.value else { return None };
        let ids: Option<Arc<[SmolStr]>> = items.iter().map(|item| text_in(&item.value)(ID)).collect();
        ids.filter(|ids| !ids.is_empty())
    }
}

/// The resources of a type, and the key of their ids.
pub(super) const RESOURCES: &str = "resources";
pub(super) const ID: &str = "id";

/// The keys of a map.
pub(super) fn keys_in(node: &Node) -> Vec<SmolStr> {
    let NodeValue::Map(items) = &node.value else { return Vec::new() };
    items.iter().filter_map(|item| Some(item.key.as_str()?.into())).collect()
}

/// The text of a key of an item, if it is a string.
pub(super) fn text_in<'n>(item: &'n Node) -> impl Fn(&str) -> Option<SmolStr> + use<'n> {
    |key| match below(item, &Step::Key(Key::from(key))).map(|node| &node.value) {
        Some(NodeValue::String(text)) => Some(text.as_str().into()),
        _ => None,
    }
}

/// Where a string is.
#[derive(Clone, Copy)]
pub(super) enum TemplateAt<'n> {
    Node(Span),
    Written(Value<'n>),
}

/// A string that may contain expressions.
pub(super) struct Template<'n> {
    pub place: TemplateAt<'n>,
    /// The string, which is a key or a value.
    pub text: &'n str,
    /// If its whole value must be one expression: the required type.
    pub wanted: Option<ResultType>,
}

impl Template<'_> {
    /// The whole string.
    pub fn span(&self, file: &dyn FileView) -> Span {
        match self.place {
            TemplateAt::Node(span) => span,
            TemplateAt::Written(value) => Span::new(file.id(), value.range()),
        }
    }

    /// The places of its parts.
    pub fn parts(&self, file: &dyn FileView) -> PartSpans {
        let texts = Texts { tree: Some(file.tree()), profile: SEMANTICS.profile };
        match self.place {
            TemplateAt::Node(span) => texts.place_at(span, self.text),
            TemplateAt::Written(value) => texts.place_of(self.span(file), value, self.text),
        }
    }
}

/// Calls `take` for every string of a file that may contain expressions, with the index of the document and the
/// variables.
pub(super) fn each(file: &dyn FileView, own: &Own<'_>, take: &mut dyn FnMut(usize, &Template<'_>, &Variables)) {
    let declared = Declared::of(own);
    let documents = file.documents().documents.iter().enumerate();
    let all = documents.flat_map(|(number, document)| {
        resources::contents(document).into_iter().map(move |(way, resource)| (number, way, resource))
    });
    for (number, way, resource) in all {
        let Some((kind, spec)) = spec(resource) else { continue };
        let NodeValue::Map(entries) = &spec.value else { continue };
        let mut variables = declared.variables(&LoweredSpec { kind, spec }, number, &way);
        for entry in entries.iter().filter(|entry| is_template(&entry.key)) {
            variables.place.section = entry.key.as_str().unwrap_or_default().into();
            variables.place.key = SmolStr::default();
            let NodeValue::Array(items) = &entry.value.value else {
                variables.looped = None;
                strings(&entry.value, &mut |template| take(number, template, &variables));
                continue;
            };
            for item in items {
                (variables.looped, variables.place.key) = Default::default();
                let around = looped(&text_in(&item.value), &|| keys_in(&item.value), &variables);
                let NodeValue::Map(entries) = &item.value.value else {
                    variables.looped = around;
                    strings(&item.value, &mut |template| take(number, template, &variables));
                    continue;
                };
                for entry in entries.iter() {
                    let key = entry.key.as_str().unwrap_or_default();
                    let is_text = matches!(entry.value.value, NodeValue::String(_));
                    variables.looped = around.clone().filter(|_| !(is_text && is_outside(key)));
                    variables.place.key = key.into();
                    of_item(kind, key, &entry.value, &mut |template| take(number, template, &variables));
                }
            }
        }
    }
}

/// The templates in the value of a key of an item.
fn of_item<'n>(kind: &str, key: &str, value: &'n Node, take: &mut dyn FnMut(&Template<'n>)) {
    if is_literal(key, None) {
        return;
    }
    match &value.value {
        NodeValue::String(text) => {
            take(&Template { place: TemplateAt::Node(value.span), text, wanted: wanted(kind, key, text) });
        }
        NodeValue::Map(entries) if key == TARGET => {
            for entry in entries.iter().filter(|entry| !is_literal(key, entry.key.as_str())) {
                match (&entry.value.value, entry.key.as_str().and_then(wanted_in_target)) {
                    (NodeValue::String(text), wanted @ Some(_)) => {
                        take(&Template { place: TemplateAt::Node(entry.value.span), text, wanted });
                    }
                    _ => strings(&entry.value, take),
                }
            }
        }
        NodeValue::Array(operations) if key == OPERATIONS => {
            for operation in operations {
                let NodeValue::Map(entries) = &operation.value.value else {
                    strings(&operation.value, take);
                    continue;
                };
                for entry in entries.iter() {
                    match &entry.value.value {
                        NodeValue::String(text) if entry.key.as_str() == Some(PATH) => {
                            let (place, wanted) = (TemplateAt::Node(entry.value.span), Some(ResultType::Path));
                            take(&Template { place, text, wanted });
                        }
                        _ => strings(&entry.value, take),
                    }
                }
            }
        }
        _ => strings(value, take),
    }
}

/// What is left to look at.
enum ToDo<'n> {
    Value(&'n Node),
    Key(&'n str, Span),
}

/// The strings in a value, keys and values, each of which may contain expressions.
fn strings<'n>(value: &'n Node, take: &mut dyn FnMut(&Template<'n>)) {
    let mut open = vec![ToDo::Value(value)];
    while let Some(next) = open.pop() {
        let (text, span, wanted) = match next {
            ToDo::Key(text, span) => (text, span, text.contains(OPENING).then_some(ResultType::Name)),
            ToDo::Value(node) => match &node.value {
                NodeValue::String(text) => (text.as_str(), node.span, None),
                NodeValue::Map(entries) => {
                    for entry in entries.iter().rev() {
                        open.push(ToDo::Value(&entry.value));
                        open.extend(entry.key.as_str().map(|key| ToDo::Key(key, entry.key_span)));
                    }
                    continue;
                }
                NodeValue::Array(items) => {
                    open.extend(items.iter().rev().map(|item| ToDo::Value(&item.value)));
                    continue;
                }
                _ => continue,
            },
        };
        take(&Template { place: TemplateAt::Node(span), text, wanted });
    }
}

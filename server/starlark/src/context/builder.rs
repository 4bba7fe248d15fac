//! Makes fragments of the nodes that a template or function built.

use std::collections::HashMap;

use lofting_eval::{Body, FragmentKind, TemplateKey};
use starlark::values::{Heap, Value};

use super::{Built, Frame};
use crate::failure::{NodeFailure, Result};
use crate::host::Host;
use crate::object::{AnnotationMeta, ItemMeta, Object, ObjectKind};
use crate::{convert, format, plain};

pub(super) struct Builder<'a, 'v, 'h> {
    pub(super) frame: &'a Frame<'v>,
    pub(super) host: &'a Host<'h>,
    pub(super) heap: Heap<'v>,
}

/// An item of a collection under construction.
pub(crate) struct BuiltItem<'v> {
    pub(crate) meta: ItemMeta,
    pub(crate) key: Value<'v>,
    pub(crate) value: Value<'v>,
    /// The arguments of all its annotations, one after the other.
    pub(crate) arguments: Vec<Value<'v>>,
}

impl<'v> Builder<'_, 'v, '_> {
    /// Recursion follows the nesting of the text, which the parser limits.
    pub(super) fn collection(&self, kind: FragmentKind, children: &[usize]) -> Result<Value<'v>> {
        let mut entries: Vec<Option<BuiltItem<'v>>> = Vec::with_capacity(children.len());
        let mut keys: HashMap<String, usize> = HashMap::new();
        for child in children {
            let Some(built) = self.frame.nodes.get(*child) else { continue };
            let value = self.value(built)?;
            if let Some(object) = Object::from_value(value)
                && matches!(object.kind(), ObjectKind::Replace)
            {
                for entry in self.spliced(kind, object.value(0), built)? {
                    // The node itself still has its place when its items are added.
                    if kind == FragmentKind::Map && entry.0.key.equals(self.key(built)?)? {
                        let message = if entry.1 {
                            "template.replace: expected to find placeholder map item in map".to_owned()
                        } else {
                            format!("template.replace: {}", repeated(entry.0.key))
                        };
                        return Err(NodeFailure::error(built.file, built.node, message));
                    }
                    self.add(kind, entry, built, &mut entries, &mut keys)?;
                }
                continue;
            }
            let mut meta = ItemMeta { origin: Some((built.file, built.node)), ..ItemMeta::default() };
            let mut arguments = Vec::new();
            for annotation in &built.annotations {
                meta.annotations.push(annotation.meta.clone());
                arguments.extend(annotation.arguments.iter().copied());
            }
            self.refuse_documents(built, value)?;
            let entry = BuiltItem { meta, key: self.key(built)?, value, arguments };
            self.add(kind, (entry, false), built, &mut entries, &mut keys)?;
        }
        Ok(fragment(kind, entries.into_iter().flatten(), self.heap))
    }

    /// Fails if the value of a node is a document set, which only `template.replace` can put anywhere.
    fn refuse_documents(&self, built: &Built<'v>, value: Value<'v>) -> Result<()> {
        let is_set = Object::from_value(value)
            .is_some_and(|object| matches!(object.kind(), ObjectKind::Fragment(FragmentKind::DocumentSet, _)));
        if !is_set {
            return Ok(());
        }
        let message = "a value can only be a map, an array or a scalar, and these are documents; use the value of one of \
                       them, or template.replace in place of a document";
        Err(NodeFailure::error(built.file, built.node, message.to_owned()))
    }

    /// Adds an item by the rules for repeated keys (docs/ytt.md 4.3).
    fn add(
        &self,
        kind: FragmentKind,
        (entry, overwrites): (BuiltItem<'v>, bool),
        built: &Built<'v>,
        entries: &mut Vec<Option<BuiltItem<'v>>>,
        keys: &mut HashMap<String, usize>,
    ) -> Result<()> {
        if kind == FragmentKind::Map {
            let identity = format!("{}{}", format::type_name(entry.key), format::shown_quoted(entry.key));
            if let Some(earlier) = keys.insert(identity, entries.len()) {
                let allowed = overwrites
                    || self.host.implicit_map_key_overrides
                    || entry.meta.annotations.iter().any(|note| note.name == "yaml/map-key-override");
                if !allowed {
                    return Err(NodeFailure::error(built.file, built.node, repeated(entry.key)));
                }
                if let Some(slot) = entries.get_mut(earlier) {
                    *slot = None;
                }
            }
        }
        entries.push(Some(entry));
        Ok(())
    }

    fn key(&self, built: &Built<'v>) -> Result<Value<'v>> {
        if let Some(key) = built.key {
            return Ok(key);
        }
        let key = self.host.with_node(built.file, built.node, |node| match &node.key {
            Some(TemplateKey::Data(data)) => Some(convert::to_value(data, self.heap)),
            Some(TemplateKey::Collection) => None,
            _ => Some(Value::new_none()),
        });
        match key {
            Some(None) => Err(NodeFailure::error(built.file, built.node, COLLECTION_KEY.to_owned())),
            Some(Some(key)) => Ok(key),
            None => Ok(Value::new_none()),
        }
    }

    fn value(&self, built: &Built<'v>) -> Result<Value<'v>> {
        if let Some(value) = built.value {
            return Ok(value);
        }
        let value = self.host.with_node(built.file, built.node, |node| match &node.body {
            Body::Scalar(data) if built.children.is_empty() => Ok(convert::to_value(data, self.heap)),
            Body::Array => self.collection(FragmentKind::Array, &built.children),
            Body::Map | Body::Scalar(_) => self.collection(FragmentKind::Map, &built.children),
            _ => Ok(Value::new_none()),
        });
        value.unwrap_or_else(|| Ok(Value::new_none()))
    }

    /// The items that `template.replace` puts in place of a node; the flag says whether they overwrite repeated keys.
    fn spliced(&self, kind: FragmentKind, value: Value<'v>, built: &Built<'v>) -> Result<Vec<(BuiltItem<'v>, bool)>> {
        let refuse = |want: &str| {
            let was = Object::from_value(value).filter(|object| matches!(object.kind(), ObjectKind::Fragment(..)));
            let was = match was.map(|object| object.kind()) {
                Some(ObjectKind::Fragment(FragmentKind::Empty, _)) => "nothing: no node was reached",
                Some(ObjectKind::Fragment(FragmentKind::Map, _)) => "map",
                Some(ObjectKind::Fragment(FragmentKind::Array, _)) => "array",
                Some(_) => "docset",
                None => format::type_name(value),
            };
            let message = format!("template.replace: expected value to be {want}, but was {was}");
            Err(NodeFailure::error(built.file, built.node, message))
        };
        let wanted = match kind {
            FragmentKind::Map => "map",
            FragmentKind::Array => "array",
            _ => "docset",
        };
        let plain = |key, value| BuiltItem { meta: ItemMeta::default(), key, value, arguments: Vec::new() };
        if let Some(object) = Object::from_value(value)
            && let ObjectKind::Fragment(given, _) = object.kind()
        {
            if *given != kind {
                return refuse(wanted);
            }
            return Ok(object
                .items()
                .map(|(meta, key, value)| {
                    let count: usize = meta.annotations.iter().map(AnnotationMeta::count).sum();
                    let arguments = (0..count).map(|index| object.value(meta.at + 2 + index)).collect();
                    (BuiltItem { meta: meta.clone(), key, value, arguments }, false)
                })
                .collect());
        }
        if kind == FragmentKind::Map {
            return match plain::mapping(value, self.heap) {
                Some(entries) => Ok(entries.into_iter().map(|(key, value)| (plain(key, value), true)).collect()),
                None => refuse(wanted),
            };
        }
        // Each item of a sequence becomes an item, or a document.
        match plain::sequence(value, self.heap)? {
            Some(items) => Ok(items.into_iter().map(|value| (plain(Value::new_none(), value), true)).collect()),
            None => refuse(wanted),
        }
    }
}

const COLLECTION_KEY: &str = "a key has to be a scalar, not a map or an array";

fn repeated(key: Value<'_>) -> String {
    let key = format::shown(key);
    format!("expected key '{key}' to not be specified again (unless 'yaml/map-key-override' annotation is added)")
}

/// A fragment of these entries.
pub(crate) fn fragment<'v>(
    kind: FragmentKind,
    entries: impl Iterator<Item = BuiltItem<'v>>,
    heap: Heap<'v>,
) -> Value<'v> {
    let mut values = Vec::new();
    let mut items = Vec::new();
    for mut entry in entries {
        entry.meta.at = values.len();
        values.push(entry.key);
        values.push(entry.value);
        values.append(&mut entry.arguments);
        items.push(entry.meta);
    }
    heap.alloc(Object::new(ObjectKind::Fragment(kind, items.into()), values))
}

/// A fragment without places and annotations.
pub(crate) fn plain_fragment<'v>(
    kind: FragmentKind,
    items: impl Iterator<Item = (Option<(u32, u32)>, Value<'v>, Value<'v>)>,
    heap: Heap<'v>,
) -> Value<'v> {
    let entries = items.map(|(origin, key, value)| BuiltItem {
        meta: ItemMeta { origin, ..ItemMeta::default() },
        key,
        value,
        arguments: Vec::new(),
    });
    fragment(kind, entries, heap)
}

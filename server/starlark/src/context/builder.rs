//! Makes fragments of the nodes that a template or function built.

use std::collections::HashMap;

use lofting_eval::{Body, FragmentKind, TemplateKey};
use lofting_interpreter::{SmolStr, Value, format};

use super::Built;
use crate::failure::{NodeFailure, Result};
use crate::host::Host;
use crate::object::{AnnotationMeta, ItemMeta, ObjectKind, Ours, object};
use crate::{convert, plain};

pub(super) struct Builder<'a, 'h> {
    pub(super) host: &'a Host<'h>,
}

/// An item of a collection under construction.
pub(crate) struct BuiltItem {
    pub(crate) meta: ItemMeta,
    pub(crate) key: Value,
    pub(crate) value: Value,
    /// The arguments of all its annotations, one after the other.
    pub(crate) arguments: Vec<Value>,
}

/// What keys of a map are compared by.
#[derive(PartialEq, Eq, Hash)]
enum Identity {
    Text(SmolStr),
    /// The type, and how the key is shown.
    Other(&'static str, String),
}

impl Identity {
    fn of(key: &Value) -> Identity {
        match key {
            Value::String(text) => Identity::Text(text.clone()),
            other => Identity::Other(other.type_name(), format::shown_quoted(other)),
        }
    }
}

impl Builder<'_, '_> {
    /// A fragment of nodes, each given as its tree and its index there. Recursion follows the nesting of the text, which the
    /// parser limits.
    pub(super) fn collection<'t>(
        &self,
        kind: FragmentKind,
        children: impl Iterator<Item = (&'t [Built], usize)>,
    ) -> Result<Value> {
        let mut entries: Vec<Option<BuiltItem>> = Vec::with_capacity(children.size_hint().0);
        let mut keys: HashMap<Identity, usize> = HashMap::new();
        for (tree, child) in children {
            let Some(built) = tree.get(child) else { continue };
            let value = self.value(tree, built)?;
            if let Some(replacement) = Ours::of(&value).filter(|ours| matches!(ours.kind, ObjectKind::Replace)) {
                for entry in self.spliced(kind, replacement.value(0), built)? {
                    // The node itself still has its place when its items are added.
                    if kind == FragmentKind::Map && entry.0.key.equals(&self.key(built)?)? {
                        let message = if entry.1 {
                            "template.replace: expected to find placeholder map item in map".to_owned()
                        } else {
                            format!("template.replace: {}", repeated(&entry.0.key))
                        };
                        return Err(NodeFailure::failure(built.file, built.node, message));
                    }
                    self.add(kind, entry, built, &mut entries, &mut keys)?;
                }
                continue;
            }
            let mut meta = ItemMeta { origin: Some((built.file, built.node)), ..ItemMeta::default() };
            let mut arguments = Vec::new();
            for annotation in &built.annotations {
                meta.annotations.push(annotation.meta.clone());
                arguments.extend(annotation.arguments.iter().cloned());
            }
            self.refuse_documents(built, &value)?;
            let entry = BuiltItem { meta, key: self.key(built)?, value, arguments };
            self.add(kind, (entry, false), built, &mut entries, &mut keys)?;
        }
        Ok(fragment(kind, entries.into_iter().flatten()))
    }

    /// Fails if the value of a node is a document set, which only `template.replace` can put anywhere.
    fn refuse_documents(&self, built: &Built, value: &Value) -> Result<()> {
        let is_set =
            Ours::of(value).is_some_and(|ours| matches!(ours.kind, ObjectKind::Fragment(FragmentKind::DocumentSet, _)));
        if !is_set {
            return Ok(());
        }
        let message = "a value can only be a map, an array or a scalar, and these are documents; use the value of one of \
                       them, or template.replace in place of a document";
        Err(NodeFailure::failure(built.file, built.node, message.to_owned()))
    }

    /// Adds an item by the rules for repeated keys (docs/ytt.md 4.3).
    fn add(
        &self,
        kind: FragmentKind,
        (entry, overwrites): (BuiltItem, bool),
        built: &Built,
        entries: &mut Vec<Option<BuiltItem>>,
        keys: &mut HashMap<Identity, usize>,
    ) -> Result<()> {
        if kind == FragmentKind::Map
            && let Some(earlier) = keys.insert(Identity::of(&entry.key), entries.len())
        {
            let allowed = overwrites
                || self.host.implicit_map_key_overrides
                || entry.meta.annotations.iter().any(|note| note.name == "yaml/map-key-override");
            if !allowed {
                return Err(NodeFailure::failure(built.file, built.node, repeated(&entry.key)));
            }
            if let Some(slot) = entries.get_mut(earlier) {
                *slot = None;
            }
        }
        entries.push(Some(entry));
        Ok(())
    }

    fn key(&self, built: &Built) -> Result<Value> {
        if let Some(key) = &built.key {
            return Ok(key.clone());
        }
        let key = self.host.with_node(built.file, built.node, |node| match &node.key {
            Some(TemplateKey::Data(data)) => Some(convert::to_value(data)),
            Some(TemplateKey::Collection) => None,
            _ => Some(Value::None),
        });
        match key {
            Some(None) => Err(NodeFailure::failure(built.file, built.node, COLLECTION_KEY.to_owned())),
            Some(Some(key)) => Ok(key),
            None => Ok(Value::None),
        }
    }

    fn value(&self, tree: &[Built], built: &Built) -> Result<Value> {
        if let Some(value) = &built.value {
            return Ok(value.clone());
        }
        let value = self.host.with_node(built.file, built.node, |node| match &node.body {
            Body::Scalar(data) if built.children.is_empty() => Ok(convert::to_value(data)),
            Body::Array => self.collection(FragmentKind::Array, built.children.iter().map(|child| (tree, *child))),
            Body::Map | Body::Scalar(_) => {
                self.collection(FragmentKind::Map, built.children.iter().map(|child| (tree, *child)))
            }
            _ => Ok(Value::None),
        });
        value.unwrap_or_else(|| Ok(Value::None))
    }

    /// The items that `template.replace` puts in place of a node; the flag says whether they overwrite repeated keys.
    fn spliced(&self, kind: FragmentKind, value: &Value, built: &Built) -> Result<Vec<(BuiltItem, bool)>> {
        let refuse = |want: &str| {
            let was = Ours::of(value).filter(|ours| matches!(ours.kind, ObjectKind::Fragment(..)));
            let was = match was.map(|ours| ours.kind) {
                Some(ObjectKind::Fragment(FragmentKind::Empty, _)) => "nothing: no node was reached",
                Some(ObjectKind::Fragment(FragmentKind::Map, _)) => "map",
                Some(ObjectKind::Fragment(FragmentKind::Array, _)) => "array",
                Some(_) => "docset",
                None => value.type_name(),
            };
            let message = format!("template.replace: expected value to be {want}, but was {was}");
            Err(NodeFailure::failure(built.file, built.node, message))
        };
        let wanted = match kind {
            FragmentKind::Map => "map",
            FragmentKind::Array => "array",
            _ => "docset",
        };
        let plain = |key, value| BuiltItem { meta: ItemMeta::default(), key, value, arguments: Vec::new() };
        if let Some(ours) = Ours::of(value)
            && let ObjectKind::Fragment(given, _) = ours.kind
        {
            if *given != kind {
                return refuse(wanted);
            }
            return Ok(ours
                .items()
                .map(|(meta, key, value)| {
                    let count: usize = meta.annotations.iter().map(AnnotationMeta::count).sum();
                    let arguments = (0..count).map(|index| ours.value(meta.at + 2 + index).clone()).collect();
                    let (key, value) = (key.clone(), value.clone());
                    (BuiltItem { meta: meta.clone(), key, value, arguments }, false)
                })
                .collect());
        }
        if kind == FragmentKind::Map {
            return match plain::mapping(value) {
                Some(entries) => Ok(entries.into_iter().map(|(key, value)| (plain(key, value), true)).collect()),
                None => refuse(wanted),
            };
        }
        // Each item of a sequence becomes an item, or a document.
        match plain::sequence(value) {
            Some(items) => Ok(items.into_iter().map(|value| (plain(Value::None, value), true)).collect()),
            None => refuse(wanted),
        }
    }
}

const COLLECTION_KEY: &str = "a key has to be a scalar, not a map or an array";

fn repeated(key: &Value) -> String {
    let key = format::shown(key);
    format!("expected key '{key}' to not be specified again (unless 'yaml/map-key-override' annotation is added)")
}

/// A fragment of these entries.
pub(crate) fn fragment(kind: FragmentKind, entries: impl Iterator<Item = BuiltItem>) -> Value {
    let mut values = Vec::new();
    let mut items = Vec::new();
    for mut entry in entries {
        entry.meta.at = values.len();
        values.push(entry.key);
        values.push(entry.value);
        values.append(&mut entry.arguments);
        items.push(entry.meta);
    }
    object(ObjectKind::Fragment(kind, items.into()), values)
}

/// A fragment without places and annotations.
pub(crate) fn plain_fragment(
    kind: FragmentKind,
    items: impl Iterator<Item = (Option<(u32, u32)>, Value, Value)>,
) -> Value {
    let entries = items.map(|(origin, key, value)| BuiltItem {
        meta: ItemMeta { origin, ..ItemMeta::default() },
        key,
        value,
        arguments: Vec::new(),
    });
    fragment(kind, entries)
}

//! Kubernetes' definitions. Versions share most of them, so that the newest version is whole, and each older one is a
//! layer that has only what is different from the next newer one.
//!
//! A layer is a block of lines:
//!
//! ```text
//! definition  NAME BLOCK START LENGTH
//! kind        GROUP/VERSION KIND NAME
//! without     NAME
//! ```

use crate::index::{TextPart, place};
use memchr::memmem;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// A version of Kubernetes whose definitions are in the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// The major and the minor number, such as `(1, 37)`.
    pub number: (u32, u32),
    /// The number of its origin.
    pub(crate) origin: usize,
    /// The block with its layer.
    pub(crate) block: usize,
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.number.0, self.number.1)
    }
}

impl Version {
    /// Where its definitions come from.
    pub fn origin<'c>(&self, catalogue: &'c crate::Catalogue) -> Option<&'c crate::Origin> {
        catalogue.origins().get(self.origin)
    }
}

/// What a version has differently from the next newer one.
#[derive(Default)]
pub(crate) struct Layer {
    definitions: FxHashMap<String, TextPart>,
    /// The definitions of kinds: kinds by group with version.
    kinds: FxHashMap<String, FxHashMap<String, String>>,
    without: FxHashSet<String>,
}

impl Layer {
    pub fn read(text: &str) -> Option<Layer> {
        let mut layer = Layer::default();
        for line in text.lines() {
            let mut fields = line.split('\t');
            match fields.next()? {
                "definition" => {
                    let name = fields.next()?.to_owned();
                    layer.definitions.insert(name, place(&mut fields)?);
                }
                "kind" => {
                    let (version, kind, name) = (fields.next()?, fields.next()?, fields.next()?);
                    layer.kinds.entry(version.to_owned()).or_default().insert(kind.to_owned(), name.to_owned());
                }
                "without" => {
                    layer.without.insert(fields.next()?.to_owned());
                }
                _ => {}
            }
        }
        Some(layer)
    }
}

/// Where a definition is: in the first layer that knows it, unless one before it says that there is none.
fn find(layers: &[&Layer], name: &str) -> Option<TextPart> {
    for layer in layers {
        if let Some(place) = layer.definitions.get(name) {
            return Some(*place);
        }
        if layer.without.contains(name) {
            return None;
        }
    }
    None
}

/// The name of the definition of a kind.
pub(crate) fn definition_of<'l>(layers: &[&'l Layer], group_version: &str, kind: &str) -> Option<&'l str> {
    let mut named = layers.iter().filter_map(|layer| layer.kinds.get(group_version)?.get(kind));
    named.find(|name| find(layers, name).is_some()).map(String::as_str)
}

/// All kinds of a version, sorted.
pub(crate) fn kinds(layers: &[&Layer]) -> Vec<(String, String)> {
    let of_layer = |layer: &&Layer| {
        let pairs = layer.kinds.iter().flat_map(|(version, kinds)| kinds.keys().map(move |kind| (version, kind)));
        pairs.map(|(version, kind)| (version.clone(), kind.clone())).collect::<Vec<_>>()
    };
    let mut found: Vec<(String, String)> = layers.iter().flat_map(of_layer).collect();
    found.sort();
    found.dedup();
    found.retain(|(version, kind)| definition_of(layers, version, kind).is_some());
    found
}

/// What a reference to another definition looks like in the texts.
const REFERENCE: &[u8] = b"\"#/definitions/";

/// A document with a definition as its schema, and with all that it refers to.
pub(crate) fn document<'c>(
    layers: &[&Layer],
    name: &str,
    text_at: impl Fn(TextPart) -> Option<&'c str>,
) -> Option<String> {
    let mut document = format!("{{\"$ref\":\"#/definitions/{name}\",\n\"definitions\":{{");
    let mut known = FxHashSet::from_iter([name.to_owned()]);
    let mut todo = VecDeque::from([name.to_owned()]);
    let mut separator = "\n";
    while let Some(name) = todo.pop_front() {
        // What a text refers to and is not there is a reference that leads nowhere: everything fits there.
        let Some(text) = find(layers, &name).and_then(&text_at) else {
            document += &format!("{separator}\"{name}\":{{}}");
            separator = ",\n";
            continue;
        };
        document += &format!("{separator}\"{name}\":{text}");
        separator = ",\n";
        for at in memmem::find_iter(text.as_bytes(), REFERENCE) {
            let to = text.get(at + REFERENCE.len()..).and_then(|rest| rest.split('"').next()).unwrap_or_default();
            if known.insert(to.to_owned()) {
                todo.push_back(to.to_owned());
            }
        }
    }
    document += "}}\n";
    Some(document)
}

//! `$ref` in languages where the target is copied, and keywords beside the reference override those of the target.

use super::keywords::{Fault, FaultKind};
use lofting_document::{Key, MapItem, Node, NodeValue, Span};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

/// How many references may follow each other for the same value, as in Kubernetes.
const CHAIN: usize = 64;

/// The definitions of a schema, and those that are being copied.
pub(super) struct Definitions<'n> {
    definitions: Option<&'n Node>,
    /// Names of the definitions that are being read, outermost first.
    open: Vec<SmolStr>,
}

/// The keywords of a schema after following its references.
pub(super) struct Resolved<'n> {
    /// Each keyword once.
    pub items: Vec<&'n MapItem>,
    /// How many definitions were entered, to be left with [`Definitions::leave`].
    pub entered: usize,
    /// The schema is unknown because a reference is wrong.
    pub broken: bool,
}

impl<'n> Definitions<'n> {
    /// The definitions in the root of a schema.
    pub fn of(root: &'n Node) -> Self {
        Definitions { definitions: root.get(&Key::from("$defs")), open: Vec::new() }
    }

    /// The keywords of a schema, including those of the schemas it refers to.
    pub fn resolve(&mut self, schema: &'n Node, faults: &mut Vec<Fault>) -> Resolved<'n> {
        let mut resolved = Resolved { items: Vec::new(), entered: 0, broken: false };
        let mut next = Some(schema);
        let mut seen: FxHashSet<&Key> = FxHashSet::default();
        while let Some(NodeValue::Map(items)) = next.take().map(|schema| &schema.value) {
            let mut reference = None;
            for item in items {
                if item.key.as_str() == Some("$ref") {
                    reference = Some(&item.value);
                } else if seen.insert(&item.key) {
                    resolved.items.push(item);
                }
            }
            let Some(reference) = reference else { break };
            match self.target(reference) {
                Ok((name, target)) if resolved.entered < CHAIN => {
                    self.open.push(name);
                    resolved.entered += 1;
                    next = Some(target);
                }
                Ok(_) => resolved.broken = true,
                Err(kind) => {
                    resolved.broken = true;
                    faults.extend(kind.map(|kind| Fault { span: reference.span, kind }));
                }
            }
        }
        resolved
    }

    /// Leaves the definitions that were entered last.
    pub fn leave(&mut self, entered: usize) {
        self.open.truncate(self.open.len().saturating_sub(entered));
    }

    /// The definition that a reference leads to; or what is wrong with it, if that is not reported elsewhere.
    fn target(&self, reference: &Node) -> Result<(SmolStr, &'n Node), Option<FaultKind>> {
        let NodeValue::String(to) = &reference.value else { return Err(Some(FaultKind::ReferenceNotString)) };
        let Some(path) = to.strip_prefix("#/") else {
            return Err(Some(FaultKind::ReferenceNotLocal { to: to.clone() }));
        };
        let name = path.strip_prefix("$defs/").filter(|name| !name.is_empty() && !name.contains('/'));
        let Some(name) = name else {
            return Err(Some(FaultKind::ReferencePath { to: to.clone(), uri: SmolStr::default() }));
        };
        // The name is compared as it is written, without escapes as in other pointers.
        let name = SmolStr::from(name);
        if let Some(first) = self.open.iter().position(|open| *open == name) {
            let mut circle: Vec<SmolStr> = self.open.get(first..).unwrap_or_default().to_vec();
            circle.push(name);
            return Err(Some(FaultKind::ReferenceCircular { circle }));
        }
        match self.definitions.and_then(|definitions| definitions.get(&Key::from(name.as_str()))) {
            Some(target) => Ok((name, target)),
            // What is not a map has no names, which is reported where it is written.
            None if self.definitions.is_some_and(|node| !matches!(node.value, NodeValue::Map(_))) => Err(None),
            None => Err(Some(FaultKind::ReferenceNotFound { name, known: self.names() })),
        }
    }

    fn names(&self) -> Vec<SmolStr> {
        match self.definitions.map(|definitions| &definitions.value) {
            Some(NodeValue::Map(items)) => items.iter().map(|item| item.key.to_string().into()).collect(),
            _ => Vec::new(),
        }
    }
}

/// The place of a keyword among others.
pub(super) fn span_of(items: &[&MapItem], keyword: &str) -> Option<Span> {
    items.iter().find(|item| item.key.as_str() == Some(keyword)).map(|item| item.span)
}

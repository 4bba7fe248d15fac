//! The kinds of the resources that the overlays in an open file change. An overlay seldom says what it is laid over but by its
//! matcher: `#@overlay/match by=overlay.subset({"kind": "Deployment"})`.

use crate::association::bundles;
use crate::association::state::AssociationState;
use crate::files::file::File;
use lofting_dialect::SchemaName;
use lofting_dialect::kubernetes::{API_VERSION, KIND, kind_in_version};
use lofting_document::{Document, Key, Node, NodeValue};
use lofting_overlay::required_parts;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// A kind, and the version of its API if that is written as well.
type WrittenKind = (SmolStr, Option<SmolStr>);

fn may_match(file: &File) -> bool {
    file.facts.overlay && file.facts.only_template()
}

/// The kinds that overlays in an open file name, each once.
pub(crate) fn written(file: &File) -> Vec<WrittenKind> {
    let mut found: Vec<WrittenKind> = Vec::new();
    if !may_match(file) || !file.is_open() {
        return found;
    }
    for kind in file.lowered().documents.iter().filter_map(|document| of(file, document)) {
        if !found.contains(&kind) {
            found.push(kind);
        }
    }
    found
}

/// The names of the schemas of these kinds.
pub(crate) fn names(state: &AssociationState, file: &File) -> Vec<SchemaName> {
    let written = written(file);
    if written.is_empty() {
        return Vec::new();
    }
    let known = VersionsOfKinds::of(state, file);
    written.into_iter().filter_map(|kind| known.named(kind)).collect()
}

/// The name of the schema of what a document changes, for several documents of a file.
pub(crate) struct Matched<'f> {
    file: &'f File,
    known: Option<VersionsOfKinds>,
}

impl<'f> Matched<'f> {
    pub fn new(file: &'f File) -> Matched<'f> {
        Matched { file, known: None }
    }

    /// Whether there may be any.
    pub fn may_match(&self) -> bool {
        may_match(self.file)
    }

    /// That of the document with this number.
    pub fn document(&mut self, state: &AssociationState, number: usize) -> Option<SchemaName> {
        if !may_match(self.file) {
            return None;
        }
        let kind = of(self.file, self.file.lowered().documents.get(number)?)?;
        self.known.get_or_insert_with(|| VersionsOfKinds::of(state, self.file)).named(kind)
    }
}

fn of(file: &File, document: &Document) -> Option<WrittenKind> {
    let by = &document.notes.get("overlay/match")?.arguments.keyword("by")?.value;
    let parts = required_parts(&file.text().slice(by.range.clone()), file.id);
    let text = |key: &str| parts.iter().chain([&document.value]).find_map(|part| text(part, key));
    let own = |key: &str| self::text(&document.value, key);
    // With both, it is a resource like others.
    if own(KIND).is_some() && own(API_VERSION).is_some() {
        return None;
    }
    Some((text(KIND)?, text(API_VERSION)))
}

fn text(node: &Node, key: &str) -> Option<SmolStr> {
    match &node.get(&Key::from(key))?.value {
        NodeValue::String(text) => Some(text.clone()),
        _ => None,
    }
}

/// The kinds that have schemas, with the versions of their APIs.
struct VersionsOfKinds {
    versions: FxHashMap<SmolStr, Vec<SmolStr>>,
}

impl VersionsOfKinds {
    fn of(state: &AssociationState, file: &File) -> VersionsOfKinds {
        let mut versions: FxHashMap<SmolStr, Vec<SmolStr>> = FxHashMap::default();
        let names = state.shared.schema_names(state);
        for (kind, version) in names.known() {
            versions.entry(kind.clone()).or_default().push(version.clone());
        }
        // What the workspace defines comes before kinds of Kubernetes with the same name.
        let own = versions.clone();
        for (version, kind) in bundles::built_in_kinds(state, file) {
            if !own.contains_key(kind.as_str()) {
                versions.entry(kind.into()).or_default().push(version.into());
            }
        }
        VersionsOfKinds { versions }
    }

    fn named(&self, (kind, version): WrittenKind) -> Option<SchemaName> {
        let usual = || self.versions.get(&kind)?.iter().max_by_key(|version| rank(version)).cloned();
        let version = version.or_else(usual)?;
        Some(kind_in_version(kind, version))
    }
}

/// Which version of an API is most likely meant: a stable one, of the core, the newest.
fn rank(version: &str) -> (bool, bool, u32) {
    let number = version.rsplit('/').next().unwrap_or_default().trim_start_matches('v');
    (number.bytes().all(|byte| byte.is_ascii_digit()), !version.contains('/'), number.parse().unwrap_or_default())
}

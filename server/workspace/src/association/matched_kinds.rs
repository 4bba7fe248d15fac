//! The schemas of the kinds that overlays in a template name by what they match.

use crate::association::bundles;
use crate::association::state::AssociationState;
use crate::files::file::File;
use crate::files::overlaid::{OverlaidKind, kind_of};
use lofting_dialect::SchemaName;
use lofting_dialect::kubernetes::kind_in_version;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// The names of the schemas of all kinds that overlays in an open file name.
pub(crate) fn names(state: &AssociationState, file: &File) -> Vec<SchemaName> {
    let kinds = if file.is_open() { file.overlaid_kinds() } else { &[] };
    if kinds.is_empty() {
        return Vec::new();
    }
    let known = VersionsOfKinds::of(state, file);
    kinds.iter().filter_map(|kind| known.named(kind)).collect()
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

    /// That of the document with this number.
    pub fn document(&mut self, state: &AssociationState, number: usize) -> Option<SchemaName> {
        if !self.file.facts.overlays() {
            return None;
        }
        let kind = kind_of(self.file, self.file.lowered().documents.get(number)?)?;
        self.known.get_or_insert_with(|| VersionsOfKinds::of(state, self.file)).named(&kind)
    }
}

/// The kinds that have schemas, with the versions of their APIs.
struct VersionsOfKinds {
    in_workspace: FxHashMap<SmolStr, Vec<SmolStr>>,
    built_in: FxHashMap<SmolStr, Vec<SmolStr>>,
}

impl VersionsOfKinds {
    fn of(state: &AssociationState, file: &File) -> VersionsOfKinds {
        let (mut in_workspace, mut built_in) = (FxHashMap::default(), FxHashMap::default());
        let add = |to: &mut FxHashMap<SmolStr, Vec<SmolStr>>, kind, version| to.entry(kind).or_default().push(version);
        let names = state.shared.schema_names(state);
        names.known().for_each(|(kind, version)| add(&mut in_workspace, kind.clone(), version.clone()));
        for (version, kind) in bundles::built_in_kinds(state, file) {
            add(&mut built_in, kind.into(), version.into());
        }
        VersionsOfKinds { in_workspace, built_in }
    }

    /// What the workspace defines comes before kinds of Kubernetes with the same name.
    fn named(&self, (kind, version): &OverlaidKind) -> Option<SchemaName> {
        let versions = || self.in_workspace.get(kind).or_else(|| self.built_in.get(kind));
        let usual = || versions()?.iter().max_by_key(|version| rank(version)).cloned();
        Some(kind_in_version(kind.clone(), version.clone().or_else(usual)?))
    }
}

/// Which version of an API is most likely meant: a stable one, of the core, the newest.
fn rank(version: &str) -> (bool, bool, u32) {
    let number = version.rsplit('/').next().unwrap_or_default().trim_start_matches('v');
    (number.bytes().all(|byte| byte.is_ascii_digit()), !version.contains('/'), number.parse().unwrap_or_default())
}

//! Bundles of schemas, such as those of Kubernetes' kinds: a `lofting.toml` or a setting names them, and what a document
//! says about itself selects the schema.

use crate::association::configurations;
use crate::association::json_schemas;
use crate::association::matched_kinds;
use crate::association::mirrors::Mirrors;
use crate::association::naming::{NamedBy, Naming, SchemaProblem};
use crate::association::no_data::no_data;
use crate::association::state::AssociationState;
use crate::association::usable;
use crate::disk::{FileType, Reach};
use crate::files::claims::ClaimedSchema;
use crate::files::file::File;
use crate::files::table::Kept;
use lofting_dialect::kubernetes::{self, Cluster, Kubernetes};
use lofting_dialect::{BundledAt, Dialect, Role, SchemaName};
use lofting_memo::{Stamp, Weigh};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The schemas in a document of a bundle: the fragments of its URI by the names of the schemas.
#[derive(Debug, Default)]
pub(crate) struct Definitions(FxHashMap<SchemaName, String>);

impl Weigh for Definitions {
    fn weight(&self) -> usize {
        self.0.values().map(|fragment| size_of::<SchemaName>() + 2 * fragment.len()).sum()
    }
}

/// Whether a `lofting.toml` or a setting names a bundle, or one is part of the program.
pub(crate) fn are_named(state: &AssociationState) -> bool {
    if state.settings.kubernetes.is_some() || state.settings.built_in.is_some() {
        return true;
    }
    are_configured(state)
}

/// Whether a `lofting.toml` names a bundle.
pub(crate) fn are_configured(state: &AssociationState) -> bool {
    let configs = state.index.kept(Kept::Configuration).filter_map(|id| state.file(id));
    configs.into_iter().any(|config| !config.config().bundles.is_empty())
}

/// Like [`are_named`], for those that a user waits for: what a long `lofting.toml` names is not looked up now.
pub(crate) fn may_be_named(state: &AssociationState) -> bool {
    let mut configs = state.index.kept(Kept::Configuration).filter_map(|id| state.file(id));
    configs.any(|config| !config.is_quickly_read()) || are_named(state)
}

/// Where bundles may have the schema of a name, in order of precedence. Of a document with definitions, the fragment is
/// not known yet.
fn places(state: &AssociationState, file: &File, dialect: &dyn Dialect, name: &SchemaName) -> Vec<(Naming, bool)> {
    let mut found = Vec::new();
    let mut add = |bundle: &str, naming: &dyn Fn(String) -> Naming| {
        let places = dialect.bundles().map(|bundles| bundles.bundled(name, bundle)).unwrap_or_default();
        found.extend(places.into_iter().map(|place| match place {
            BundledAt::Schema(schema) => (naming(schema), true),
            BundledAt::Definitions(document) => (naming(document), false),
        }));
    };
    for config in configurations::going_up(state, &file.path) {
        let directory = config.path.parent().unwrap_or(&config.path).to_owned();
        for entry in config.config().bundles_of(&directory, &file.path) {
            add(&entry.schema, &|schema| Naming::bundled(state, &config, entry, schema));
        }
    }
    if let Some(bundle) = &state.settings.kubernetes {
        add(bundle, &|schema| Naming::bundled_by_setting(state, file, bundle, schema));
    }
    found.extend(built_in(state, file, dialect, name).map(|naming| (naming, true)));
    found
}

/// The built-in schema of a kind of Kubernetes, of the version that is set.
fn built_in(state: &AssociationState, file: &File, dialect: &dyn Dialect, name: &SchemaName) -> Option<Naming> {
    // Only languages whose schemas may be in bundles have kinds.
    if dialect.bundles().is_none_or(|bundles| bundles.bundled(name, "").is_empty()) {
        return None;
    }
    let mirrors = Mirrors::of(state, &file.path);
    let built_in = mirrors.built_in()?;
    let version = built_in.catalogue().nearest_version(kubernetes_version(state, &file.path))?;
    let url = built_in.url_of_kind(version, &name.name, &name.kind)?;
    let by = NamedBy::BuiltInKind { version: version.to_string(), kind: format!("{} {}", name.name, name.kind) };
    Some(Naming::of_catalogue(url, by))
}

/// The version of Kubernetes that the nearest `lofting.toml` which names one sets for a file.
fn kubernetes_version(state: &AssociationState, path: &Path) -> Option<(u32, u32)> {
    configurations::going_up(state, path).find_map(|config| config.config().kubernetes)
}

/// The cluster that the resources in a file are meant for: that of `lofting.toml`, else one of the newest version whose
/// definitions are used.
pub(crate) fn cluster(state: &AssociationState, file: &File) -> Option<Cluster> {
    if let Some(version) = kubernetes_version(state, &file.path) {
        return Some(Cluster { version, is_known: true });
    }
    let mirrors = Mirrors::of(state, &file.path);
    let newest = mirrors.built_in()?.catalogue().versions().first()?;
    Some(Cluster { version: newest.number, is_known: false })
}

/// Whether the version of a kind in a file may be worth a finding, so that it is looked at.
pub(crate) fn is_told_of(state: &AssociationState, file: &File, name: &SchemaName) -> bool {
    kubernetes::has_fate(&name.name, &name.kind) && cluster(state, file).is_some()
}

/// The languages and names of the schemas that documents of a file ask for, each name once. Those of a template count as
/// they are written: what is rendered is checked by these schemas.
pub(crate) fn names(file: &File) -> impl Iterator<Item = (&'static dyn Dialect, &SchemaName)> {
    file.claims_as_written().iter().flat_map(|claims| {
        claims.roles().iter().filter_map(|role| match &**role {
            Role::Instance(name) | Role::Patched(name) => Some((claims.dialect, name)),
            _ => None,
        })
    })
}

/// All places where bundles may have schemas for a file.
pub(crate) fn namings(state: &AssociationState, file: &File) -> Vec<Naming> {
    let overlaid = matched_kinds::names(state, file);
    let overlaid = overlaid.iter().map(|name| (&Kubernetes as &'static dyn Dialect, name));
    let mut found: Vec<Naming> = Vec::new();
    for (dialect, name) in names(file).chain(overlaid) {
        for (naming, _) in places(state, file, dialect, name) {
            if !found.iter().any(|known| known.schema == naming.schema) {
                found.push(naming);
            }
        }
    }
    found
}

/// The built-in kinds of Kubernetes for a file, each with the version of its API.
pub(crate) fn built_in_kinds(state: &AssociationState, file: &File) -> Vec<(String, String)> {
    let mirrors = Mirrors::of(state, &file.path);
    let Some(built_in) = mirrors.built_in() else { return Vec::new() };
    let version = built_in.catalogue().nearest_version(kubernetes_version(state, &file.path));
    version.map(|version| built_in.catalogue().kinds(version.number)).unwrap_or_default()
}

/// Schemas of what is in a file that bundles have and that cannot be read, each with why, and a stamp that changes with
/// its file. That a bundle lacks a kind is not a problem: it may be in no bundle at all.
pub(crate) fn lost(state: &AssociationState, file: &File) -> Vec<(Naming, SchemaProblem, Stamp)> {
    if !file.facts.known_parts || !are_named(state) || no_data(state, file).is_some() {
        return Vec::new();
    }
    let mirrors = Mirrors::of(state, &file.path);
    let unread = |naming: Naming| match naming.find(state, file.id, &mirrors) {
        Ok(found) => {
            let problem = usable::problem_of_part(&found)?;
            Some((naming, SchemaProblem::Unreadable(problem), found.revision))
        }
        Err(problem @ (SchemaProblem::Unreadable(_) | SchemaProblem::OutOfReach)) => {
            Some((naming, problem, Stamp::default()))
        }
        Err(SchemaProblem::NotFetched(why)) if !why.is_missing && !why.is_refusal => {
            Some((naming, SchemaProblem::NotFetched(why), state.fetched.stamp))
        }
        Err(SchemaProblem::NotFound) => {
            let is_no_file = |(path, reach): &(PathBuf, Reach)| {
                matches!(reach.look(path), Ok(FileType::Directory | FileType::Other))
            };
            let is_there = naming.candidates(&mirrors).iter().any(is_no_file);
            let problem = SchemaProblem::Unreadable("it is not a regular file".to_owned());
            is_there.then_some((naming, problem, Stamp::default()))
        }
        // Refusals are reported for each host and not for each kind.
        Err(_) => None,
    };
    let mut found: Vec<(Naming, SchemaProblem, Stamp)> = Vec::new();
    for (dialect, name) in names(file) {
        if schema_of(state, file, dialect, name).is_some() {
            continue;
        }
        for (naming, _) in places(state, file, dialect, name) {
            if !found.iter().any(|(known, ..)| known.schema == naming.schema) {
                found.extend(unread(naming));
            }
        }
    }
    found
}

/// The schema that a bundle has for a name, with the naming of it.
pub(crate) fn schema_of(
    state: &AssociationState,
    file: &File,
    dialect: &'static dyn Dialect,
    name: &SchemaName,
) -> Option<(Naming, Arc<ClaimedSchema>)> {
    let mirrors = Mirrors::of(state, &file.path);
    places(state, file, dialect, name).into_iter().find_map(|(naming, is_whole)| {
        let found = naming.find(state, file.id, &mirrors).ok()?;
        let naming = if is_whole {
            naming
        } else {
            let inputs = state.inputs([found.revision]);
            let read = || Definitions(json_schemas::definitions(state, &found, dialect).into_iter().collect());
            let known = state.memos.definitions.get(found.id, &inputs, read);
            let fragment = known.0.get(name)?;
            naming.with_fragment(fragment)
        };
        let schema = json_schemas::bundled_schema(state, &found, &naming, dialect, &mirrors)?;
        Some((naming, schema))
    })
}

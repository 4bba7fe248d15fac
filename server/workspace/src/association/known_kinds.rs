//! Documents of an unknown kind or version that is most likely a misspelling of a known one, that no definition can have, or
//! that the definition in the workspace does not have.

use crate::association::associate::has_claimed_parts;
use crate::association::governed::schema_of;
use crate::association::json_schemas;
use crate::association::no_data::no_data;
use crate::association::state::AssociationState;
use crate::files::claims::{Claims, PlacedClaim, by_structure};
use crate::files::file::File;
use lofting_check::{Diagnostic, lacking_key, misspelt_key, unknown_kind, unknown_version, unreadable_kind};
use lofting_diagnostic::suggest;
use lofting_dialect::kubernetes::{NOT_SERVED, has_fate, kind_in_version};
use lofting_dialect::openchoreo;
use lofting_dialect::{Dialect, Role, SchemaName, WrittenSteps};
use lofting_document::Span;
use lofting_memo::Stamp;
use lofting_syntax::resolve::{Profile, Resolved, resolve};
use lofting_syntax::{Entry, Map, Value, ValueKind};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use std::cell::LazyCell;
use std::collections::BTreeSet;

/// The number of different names in a file for which the known kinds are searched. Documents of one name share the answer.
const SEARCHES: usize = 50;

/// The number of a document's keys that may be meant to say what it is.
const KEYS: usize = 50;

/// In how many documents of a file keys are looked at: it is done again for each change of the file.
const DOCUMENTS: usize = 200;

/// The key whose value is wrong, and what it should be, if that is known.
struct Misspelt {
    key: &'static str,
    meant: Option<String>,
}

/// What was found for a name among all that is known.
enum Searched {
    /// It is most likely another one.
    Misspelt(Misspelt),
    /// No definition can have it; where `v1` is its version, only in what is a resource.
    Impossible(Misspelt),
    /// The definition has it in other versions.
    OtherVersions(OtherVersions),
}

impl Searched {
    fn of(state: &AssociationState, dialect: &dyn Dialect, name: &SchemaName) -> Option<Searched> {
        let is_misspelt = misspelt(state, dialect, name).map(Searched::Misspelt);
        let is_impossible = || impossible(dialect, name).map(Searched::Impossible);
        is_misspelt.or_else(is_impossible).or_else(|| other_versions(state, name).map(Searched::OtherVersions))
    }
}

/// Whether a file may have documents that say a kind, or should.
pub(crate) fn may_find(file: &File) -> bool {
    (file.facts.known_parts || file.facts.unversioned) && !file.facts.ytt
}

/// Findings about the kinds in a file.
pub(crate) fn findings(state: &AssociationState, file: &File) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if json_schemas::named_by(state, file).is_some() || no_data(state, file).is_some() {
        return found;
    }
    for claims in file.claims().iter().filter(|claims| !kinds(claims.dialect).is_empty()) {
        let dialect = claims.dialect;
        let is_unknown = |role: &&Role| {
            let is_foreign = instance(role).is_some_and(|name| !is_known(dialect, name));
            is_foreign && schema_of(state, file, dialect, role).is_none()
        };
        // A stream has few kinds.
        let unknown = claims.roles().iter().map(|role| &**role).filter(is_unknown);
        // Documents are only visited for the names about which something is found.
        let mut wrong: FxHashMap<&Role, Searched> = FxHashMap::default();
        for role in unknown.take(SEARCHES) {
            wrong.extend(instance(role).and_then(|name| Searched::of(state, dialect, name)).map(|found| (role, found)));
        }
        if wrong.is_empty() {
            continue;
        }
        for claim in claims.among(|part| part.roles().iter().any(|role| wrong.contains_key(&**role))) {
            lofting_memo::step();
            let Some((searched, name)) = wrong.get(claim.role).zip(instance(claim.role)) else { continue };
            let is_resource = || value_of(file, dialect, &claim, "metadata").is_some();
            let Misspelt { key, meant } = match searched {
                Searched::OtherVersions(other) => {
                    let span = value_of(file, dialect, &claim, VERSION);
                    let finding = |span| unknown_version(span, &name.kind, &name.name, &other.served, other.is_defined);
                    found.extend(span.map(finding));
                    continue;
                }
                Searched::Impossible(_) if name.name == "v1" && !is_resource() => continue,
                Searched::Misspelt(misspelt) | Searched::Impossible(misspelt) => misspelt,
            };
            let Some(span) = value_of(file, dialect, &claim, key) else { continue };
            let (written, other) = if *key == KIND { (&name.kind, &name.name) } else { (&name.name, &name.kind) };
            found.push(unknown_kind(span, key, written, other, meant.as_deref()));
        }
    }
    if !is_template(file) {
        let claims = has_claims(file);
        // If no other document says that this is a file of resources, its own kind or version has to.
        let is_resource = |root: Value<'_>| claims || says_known_kind(state, root) || says_known_version(root);
        found.extend(wrong_keys(state, file, &is_resource));
    }
    found
}

fn is_template(file: &File) -> bool {
    !has_claims(file) && file.template_at().is_some()
}

/// Whether a document of a file says its kind and version.
fn has_claims(file: &File) -> bool {
    file.claims().iter().any(|claims| !kinds(claims.dialect).is_empty())
}

/// All kinds that Kubernetes itself has.
fn built_in() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    by_structure().flat_map(kinds).copied()
}

/// The kinds that documents can have, each after its version: those that are built in, and those that the workspace defines.
pub(crate) fn to_write(state: &AssociationState) -> Vec<(SmolStr, SmolStr)> {
    let own = built_in().flat_map(|(version, kinds)| kinds.iter().map(move |kind| (version, *kind)));
    let of_platform = openchoreo::kinds().map(|kind| (openchoreo::VERSION, kind));
    let mut found: Vec<(SmolStr, SmolStr)> =
        own.chain(of_platform).map(|(version, kind)| (version.into(), kind.into())).collect();
    let names = state.shared.schema_names(state);
    let is_served = |(kind, version): &(&SmolStr, &SmolStr)| {
        names.all(&kind_in_version((*kind).clone(), (*version).clone())).next().is_some()
    };
    let mut defined: Vec<(SmolStr, SmolStr)> =
        names.known().filter(is_served).map(|(kind, version)| (version.clone(), kind.clone())).collect();
    defined.sort();
    defined.retain(|known| !found.contains(known));
    defined.truncate(DEFINED);
    found.extend(defined);
    found
}

/// How many kinds of the workspace are listed.
const DEFINED: usize = 1_000;

/// Whether the version of a document is one of Kubernetes itself.
fn says_known_version(root: Value<'_>) -> bool {
    let version = WrittenSteps::root(root, Profile::Core12).text_at(VERSION);
    version.is_some_and(|version| built_in().any(|(known, _)| *known == *version))
}

/// Whether the kind of a document is one of Kubernetes itself, whatever its version.
fn says_own_kind(root: Value<'_>) -> bool {
    let kind = WrittenSteps::root(root, Profile::Core12).text_at(KIND);
    kind.is_some_and(|kind| built_in().any(|(_, kinds)| kinds.contains(&kind.as_str())))
}

/// Whether the kind of a document is known, whatever its version.
fn says_known_kind(state: &AssociationState, root: Value<'_>) -> bool {
    let Some(kind) = WrittenSteps::root(root, Profile::Core12).text_at(KIND) else { return false };
    let own = built_in().flat_map(|(_, kinds)| kinds.iter().copied());
    let names = state.shared.schema_names(state);
    openchoreo::has_kind(&kind) || own.chain(names.known().map(|(kind, _)| kind.as_str())).any(|known| known == kind)
}

/// The stamp on which findings about the kinds in a file depend: that of the kinds that the workspace defines, where one
/// of the file's is not Kubernetes' own.
pub(crate) fn stamp(state: &AssociationState, file: &File) -> Option<Stamp> {
    let is_foreign = |claims: &Claims| {
        let mut names = claims.roles().iter().filter_map(|role| instance(role));
        !kinds(claims.dialect).is_empty() && names.any(|name| !is_known(claims.dialect, name))
    };
    let is_asked = !has_claims(file) || file.claims().iter().any(is_foreign);
    is_asked.then(|| state.shared.schema_names(state).stamp)
}

/// Keys that are misspelt so that a document does not say what it is, or that have no text, in those that are resources.
fn wrong_keys(state: &AssociationState, file: &File, is_resource: &dyn Fn(Value<'_>) -> bool) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let governed = LazyCell::new(|| without_kind(state, file));
    let roots = file.tree().documents().enumerate().take(DOCUMENTS);
    let roots = roots.filter_map(|(number, document)| Some((number, document.root()?)));
    for (number, root) in roots.filter(|(_, root)| !says_kind(*root) && is_resource(*root)) {
        let Some(map) = root.map() else { continue };
        let keys: Vec<(String, Span)> = map
            .entries()
            .take(KEYS)
            .filter_map(|entry| {
                let key = entry.key()?;
                Some((key.scalar()?.value().into_owned(), Span::new(file.id, key.content_range())))
            })
            .collect();
        let has = |name: &str| keys.iter().any(|(key, _)| key == name);
        for (lacking, other) in [(KIND, VERSION), (VERSION, KIND)] {
            if !has(other) || !(has("metadata") || has("spec")) {
                continue;
            }
            if has(lacking) {
                let entry = map
                    .entries()
                    .find(|entry| entry.key().and_then(|key| key.scalar()).is_some_and(|key| key.value() == lacking));
                let value = entry.map(|entry| entry.value()).filter(|value| is_no_text(*value));
                if value.is_some() && lacking == KIND && governed.contains(&number) {
                    continue;
                }
                found.extend(value.map(|value| unreadable_kind(Span::new(file.id, value.content_range()), lacking)));
                continue;
            }
            let is_meant = |key: &str| suggest::is_slip(key, lacking) || key.eq_ignore_ascii_case(lacking);
            if let Some((key, span)) = keys.iter().find(|(key, _)| key != other && is_meant(key)) {
                found.push(misspelt_key(*span, key, lacking));
                continue;
            }
            // Other programs have documents with a kind; few call it like one of Kubernetes and have all of this.
            let is_known = if other == KIND { says_own_kind(root) } else { says_known_version(root) };
            let is_whole = has("spec") && is_named(map);
            let at = keys.iter().find(|(key, _)| key == other).filter(|_| is_known && is_whole);
            found.extend(at.map(|(_, span)| lacking_key(*span, lacking)));
        }
    }
    found
}

/// Whether a map has metadata with a name.
fn is_named(map: Map<'_>) -> bool {
    let metadata = value_in(map, "metadata").and_then(|metadata| metadata.map());
    metadata.is_some_and(|metadata| value_in(metadata, "name").is_some())
}

/// The value of a key, if it is among the first ones of a map.
fn value_in<'t>(map: Map<'t>, name: &str) -> Option<Value<'t>> {
    let is_named = |entry: &Entry<'t>| entry.key().and_then(|key| key.scalar()).is_some_and(|key| key.value() == name);
    Some(map.entries().take(KEYS).find(is_named)?.value())
}

/// Whether a document has a kind and a version, both of them texts: then its keys are right.
fn says_kind(root: Value<'_>) -> bool {
    lofting_memo::step();
    let Some(map) = root.map() else { return true };
    let is_text = |value: Value<'_>| value.scalar().is_some() && !is_no_text(value);
    let (mut kind, mut version) = (None, None);
    for entry in map.entries().take(KEYS) {
        let Some(key) = entry.key().and_then(|key| key.scalar()) else { continue };
        match &*key.value() {
            KIND => kind = kind.or(Some(entry.value())),
            VERSION => version = version.or(Some(entry.value())),
            _ => {}
        }
        if let (Some(kind), Some(version)) = (kind, version) {
            return is_text(kind) && is_text(version);
        }
    }
    false
}

/// The documents that have a schema though they do not say their kind: it says what the values of their keys have to be.
fn without_kind(state: &AssociationState, file: &File) -> FxHashSet<usize> {
    if !has_claimed_parts(state, file) {
        return FxHashSet::default();
    }
    let among = |claims: &Claims| -> Vec<usize> {
        let is_one = |role: &Role| {
            let has_no_kind = instance(role).is_some_and(|name| name.kind.is_empty());
            has_no_kind && schema_of(state, file, claims.dialect, role).is_some()
        };
        let found = claims.among(|part| part.roles().iter().any(|role| is_one(role)));
        found.filter(|claim| is_one(claim.role)).map(|claim| claim.document).collect()
    };
    file.claims().iter().filter(|claims| !kinds(claims.dialect).is_empty()).flat_map(among).collect()
}

/// Whether a value is certainly no text, neither now nor when it is complete.
fn is_no_text(value: Value<'_>) -> bool {
    let Some(scalar) = value.scalar() else {
        return value.map().is_some() || matches!(value.kind(), ValueKind::BlockSeq | ValueKind::FlowSeq);
    };
    let resolved = resolve(Profile::Core12, &scalar, None);
    matches!(resolved, Ok(Resolved::Int(_) | Resolved::Float(_) | Resolved::Bool(_)))
}

/// The key of a document's kind, and that of its version.
const KIND: &str = "kind";
const VERSION: &str = "apiVersion";

fn instance(role: &Role) -> Option<&SchemaName> {
    match role {
        Role::Instance(name) => Some(name),
        _ => None,
    }
}

fn is_known(dialect: &dyn Dialect, SchemaName { kind, name, .. }: &SchemaName) -> bool {
    kinds(dialect).iter().any(|(version, kinds)| version == name && kinds.contains(&kind.as_str()))
}

/// The group and the number of a version: of `apps/v1` and `app/v1` only the group differs.
fn parts(version: &str) -> (&str, &str) {
    version.rsplit_once('/').unwrap_or(("", version))
}

fn misspelt(state: &AssociationState, dialect: &dyn Dialect, name: &SchemaName) -> Option<Misspelt> {
    let SchemaName { kind, name: version, .. } = name;
    let names = state.shared.schema_names(state);
    // Where not all definitions are known, one may just not have been found. What Kubernetes itself has is known.
    let of_workspace =
        names.known().filter(|_| *state.seen_all).map(|(kind, version)| (version.as_str(), kind.as_str()));
    let built_in = kinds(dialect).iter().flat_map(|(version, kinds)| kinds.iter().map(move |kind| (*version, *kind)));
    let of_platform = openchoreo::kinds().map(|kind| (openchoreo::VERSION, kind));
    if of_platform.clone().any(|known| known == (version.as_str(), kind.as_str())) {
        return None;
    }
    let (mut best, mut distance): (Option<Misspelt>, usize) = (None, usize::MAX);
    for (known_version, known_kind) in built_in.chain(of_platform).chain(of_workspace) {
        let (key, written, meant) = if known_version == version {
            (KIND, kind.as_str(), known_kind)
        } else if *state.seen_all
            && known_kind == kind
            && parts(known_version).1 == parts(version).1
            && !parts(version).0.is_empty()
        {
            (VERSION, version.as_str(), known_version)
        } else {
            continue;
        };
        // The definition has it, but it is not served.
        let is_itself = written == meant;
        if is_itself || !(suggest::is_slip(written, meant) || written.eq_ignore_ascii_case(meant)) {
            continue;
        }
        let differing = written.len().abs_diff(meant.len());
        if best.is_none() || differing < distance {
            (best, distance) = (Some(Misspelt { key, meant: Some(meant.to_owned()) }), differing);
        }
    }
    best
}

/// The versions in which a kind of the workspace is served, for one in which it is not.
struct OtherVersions {
    served: Vec<SmolStr>,
    /// The definition has the version, too.
    is_defined: bool,
}

fn other_versions(state: &AssociationState, name: &SchemaName) -> Option<OtherVersions> {
    let (group, _) = parts(&name.name);
    let names = state.shared.schema_names(state);
    let has = |name: SchemaName| names.all(&name).next().is_some();
    let in_version = |version: &SmolStr| kind_in_version(name.kind.clone(), version.clone());
    let is_defined = has(SchemaName { slot: NOT_SERVED, ..in_version(&name.name) });
    let all = names.known().filter(|(kind, version)| **kind == name.kind && parts(version).0 == group);
    let served: BTreeSet<SmolStr> = all.map(|(_, version)| version.clone()).collect();
    let served: Vec<SmolStr> = served.into_iter().filter(|version| has(in_version(version))).collect();
    let is_known = *state.seen_all && (is_defined || !served.is_empty());
    is_known.then_some(OtherVersions { served, is_defined })
}

/// What is wrong with a kind or version that no definition can have, because their groups have a period: a kind that
/// Kubernetes does not have in one of its own groups, or one of its kinds in a version that it does not have. The version
/// `v1` alone is that of files for many programs: there, only the kinds of Kubernetes itself are meant for it.
fn impossible(dialect: &dyn Dialect, SchemaName { kind, name: version, .. }: &SchemaName) -> Option<Misspelt> {
    let known = kinds(dialect);
    let has_version = known.iter().any(|(known, _)| version == known);
    let is_of_lists = kind.ends_with("List");
    let (group, _) = parts(version);
    let is_shared = version == "v1";
    if kind.is_empty() || group.contains('.') || is_of_lists || has_fate(version, kind) {
        return None;
    }
    if has_version && !is_shared {
        return Some(Misspelt { key: KIND, meant: None });
    }
    // The newest is last.
    let mut own = known.iter().filter(|(_, kinds)| kinds.contains(&kind.as_str())).map(|(version, _)| *version).rev();
    let meant = own.clone().find(|known| parts(known).0 == group).or_else(|| own.next())?;
    Some(Misspelt { key: VERSION, meant: Some(meant.to_owned()) })
}

/// The kinds of documents that a language knows, by their version.
fn kinds(dialect: &dyn Dialect) -> &'static [(&'static str, &'static [&'static str])] {
    dialect.bundles().map_or(&[], |bundles| bundles.kinds())
}

/// Where the value of a key of a claimed document is written.
fn value_of(file: &File, dialect: &dyn Dialect, claim: &PlacedClaim<'_>, key: &str) -> Option<Span> {
    let document = file.tree().document(claim.document)?;
    let root = WrittenSteps::root(document.root()?, dialect.semantics().profile);
    let place = claim.path().iter().try_fold(root, |place, step| place.step(step))?;
    Some(Span::new(file.id, place.key(key)?.value().content_range()))
}

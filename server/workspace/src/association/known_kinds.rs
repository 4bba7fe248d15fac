//! Documents of an unknown kind or version that is most likely a misspelling of a known one.

use crate::association::governed::schema_of;
use crate::association::json_schemas;
use crate::association::no_data::no_data;
use crate::association::state::AssociationState;
use crate::files::claims::Claims;
use crate::files::file::File;
use lofting_check::{Diagnostic, misspelt_key, unknown_kind};
use lofting_diagnostic::suggest;
use lofting_dialect::{Claim, Dialect, Role, SchemaName, WrittenSteps};
use lofting_document::Span;
use lofting_memo::Stamp;
use lofting_schema::Step;

/// For so many documents of a file the known kinds are searched.
const SEARCHES: usize = 50;

/// What the value of one of the two keys is, and what it should be.
struct Misspelt {
    key: &'static str,
    meant: String,
}

/// Findings about the kinds in a file.
pub(crate) fn findings(state: &AssociationState, file: &File) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if json_schemas::named_by(state, file).is_some() || no_data(state, file).is_some() {
        return found;
    }
    for Claims { dialect, claims } in file.claims().iter().filter(|claims| !kinds(claims.dialect).is_empty()) {
        let mut searches = 0;
        for claim in claims {
            let Role::Instance(name) = &claim.role else { continue };
            if is_known(*dialect, name) || schema_of(state, file, *dialect, &claim.role).is_some() {
                continue;
            }
            searches += 1;
            if searches > SEARCHES {
                break;
            }
            let Some(Misspelt { key, meant }) = misspelt(state, *dialect, name) else { continue };
            let Some(span) = value_of(file, *dialect, claim, key) else { continue };
            let (written, other) = if key == KIND { (&name.kind, &name.name) } else { (&name.name, &name.kind) };
            found.push(unknown_kind(span, key, written, other, &meant));
        }
    }
    if file.claims().iter().any(|claims| !kinds(claims.dialect).is_empty()) {
        found.extend(misspelt_keys(file));
    }
    found
}

/// The stamp on which findings about the kinds in a file depend: that of the kinds that the workspace defines, where one
/// of the file's is not Kubernetes' own.
pub(crate) fn stamp(state: &AssociationState, file: &File) -> Option<Stamp> {
    let is_foreign = |Claims { dialect, claims }: &Claims| {
        let is_foreign = |claim: &Claim| matches!(&claim.role, Role::Instance(name) if !is_known(*dialect, name));
        !kinds(*dialect).is_empty() && claims.iter().any(is_foreign)
    };
    file.claims().iter().any(is_foreign).then(|| state.shared.schema_names(state).stamp)
}

/// Keys that are misspelt so that a document does not say what it is.
fn misspelt_keys(file: &File) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for root in file.tree().documents().take(SEARCHES).filter_map(|document| document.root()) {
        let Some(map) = root.map() else { continue };
        let keys: Vec<(String, Span)> = map
            .entries()
            .take(SEARCHES)
            .filter_map(|entry| {
                let key = entry.key()?;
                Some((key.scalar()?.value().into_owned(), Span::new(file.id, key.content_range())))
            })
            .collect();
        let has = |name: &str| keys.iter().any(|(key, _)| key == name);
        for (lacking, other) in [(KIND, VERSION), (VERSION, KIND)] {
            if has(lacking) || !has(other) || !(has("metadata") || has("spec")) {
                continue;
            }
            let meant = keys.iter().find(|(key, _)| key != other && suggest::is_slip(key, lacking));
            found.extend(meant.map(|(key, span)| misspelt_key(*span, key, lacking)));
        }
    }
    found
}

/// The key of a document's kind, and that of its version.
const KIND: &str = "kind";
const VERSION: &str = "apiVersion";

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
    let (mut best, mut distance): (Option<Misspelt>, usize) = (None, usize::MAX);
    for (known_version, known_kind) in built_in.chain(of_workspace) {
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
        if !(suggest::is_slip(written, meant) || written.eq_ignore_ascii_case(meant)) {
            continue;
        }
        let differing = written.len().abs_diff(meant.len());
        if best.is_none() || differing < distance {
            (best, distance) = (Some(Misspelt { key, meant: meant.to_owned() }), differing);
        }
    }
    best
}

/// The kinds of documents that a language knows, by their version.
fn kinds(dialect: &dyn Dialect) -> &'static [(&'static str, &'static [&'static str])] {
    dialect.bundles().map_or(&[], |bundles| bundles.kinds())
}

/// Where the value of a key of a claimed document is written.
fn value_of(file: &File, dialect: &dyn Dialect, claim: &Claim, key: &str) -> Option<Span> {
    let document = file.tree().documents().nth(claim.document)?;
    let root = WrittenSteps::root(document.root()?, dialect.semantics().profile);
    let place = claim.at.iter().try_fold(root, |place, step| match step {
        Step::Key(key) => place.key(key.as_str()?),
        Step::Index(index) => place.items().into_iter().nth(*index),
        Step::Item | Step::Nowhere => None,
    })?;
    Some(Span::new(file.id, place.key(key)?.value().content_range()))
}

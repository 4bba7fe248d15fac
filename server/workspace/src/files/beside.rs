//! The names of documents that are kept together: in one file, or by one kustomization.

use crate::files::claims::KeptClaims;
use crate::files::file::File;
use lofting_check::{MeantReferent, nearest_name};
use lofting_diagnostic::suggest::is_slip;
use lofting_dialect::{Role, SchemaName};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use std::sync::Arc;

/// The names of documents that are kept together.
#[derive(Debug, Default)]
pub(crate) struct Beside {
    kinds: FxHashSet<SmolStr>,
    names: FxHashSet<(SmolStr, SmolStr)>,
    /// Kinds of documents without a name that can be read: it may be misspelt, or filled in later.
    unnamed: FxHashSet<SmolStr>,
}

impl Beside {
    /// Adds those in a file.
    pub fn add(&mut self, file: &File) {
        for claims in file.claims() {
            self.take(claims.iter().map(|claim| claim.role));
        }
    }

    /// Adds those that a language claims, in the order of the text.
    pub fn take<'c>(&mut self, roles: impl Iterator<Item = &'c Role>) {
        // The name of a document is claimed before the document.
        let mut named = false;
        for role in roles {
            match role {
                Role::Name(name) => {
                    named = true;
                    self.kinds.insert(name.kind.clone());
                    self.names.insert((name.kind.clone(), name.name.clone()));
                }
                Role::Instance(name) => {
                    if !named {
                        self.unnamed.insert(name.kind.clone());
                    }
                    named = false;
                }
                _ => {}
            }
        }
    }

    /// Whether a document has this name.
    pub fn has(&self, name: &SchemaName) -> bool {
        self.names.contains(&(name.kind.clone(), name.name.clone()))
    }

    /// The name that is most likely meant by one that no document has.
    pub fn meant(&self, asked: &SchemaName) -> MeantReferent {
        let owner = |name: &str| name.rsplit_once('/').map(|(owner, _)| owner.to_owned());
        let asked_owner = owner(&asked.name);
        let of_kind = self.names.iter().filter(|(kind, name)| *kind == asked.kind && owner(name) == asked_owner);
        let mut names: Vec<&str> = of_kind.map(|(_, name)| name.as_str()).collect();
        names.sort_unstable();
        match nearest_name(&asked.name, names).filter(|name| asked_owner.is_some() || may_be_slip(&asked.name, name)) {
            Some(name) => MeantReferent::Name(name.into()),
            None => MeantReferent::Unknown,
        }
    }

    /// Whether documents of one of these kinds are here, all of them with names, and none has this name.
    pub fn lacks(&self, name: &SchemaName, kinds: &[&str]) -> bool {
        kinds.iter().any(|kind| self.kinds.contains(*kind))
            && !kinds.iter().any(|kind| self.unnamed.contains(*kind))
            && !self.has(name)
    }
}

/// Whether the name of a document that may be kept elsewhere is most likely a misspelt one. Many names of a system share
/// their beginnings and ends (`shop-mail-secret`, `shop-admin-secret`).
pub(crate) fn may_be_slip(asked: &str, known: &str) -> bool {
    is_slip(asked, known) || asked.eq_ignore_ascii_case(known)
}

/// The names in one file, from one of its states to the next.
pub(crate) struct OwnNames {
    /// What they were found in.
    claims: KeptClaims,
    pub beside: Beside,
    /// References to names that no document of the file has, although all of the kind are named, or to parts of documents in
    /// other files, by the indices of the language and of the claim; of languages that [need neighbours](lofting_dialect::Recognises::needs_neighbours).
    pub lacked: Vec<(usize, usize)>,
}

impl OwnNames {
    /// The names in a file. They are found again only if its claims have changed.
    pub fn of(file: &File) -> Arc<OwnNames> {
        let known = file.claimed_memo().own_names.clone();
        if let Some(known) = known.filter(|known| known.claims.are_alike(file.claims())) {
            return known;
        }
        let mut beside = Beside::default();
        beside.add(file);
        let mut lacked = Vec::new();
        for (language, claims) in file.claims().iter().enumerate().filter(|(_, own)| own.dialect.needs_neighbours()) {
            let references = claims.among(|part| part.counts().references > 0);
            let is_of_other = |name: &SchemaName| claims.dialect.owner(name).is_some_and(|owner| !beside.has(&owner));
            let is_lacked = |role: &Role| match role {
                Role::Reference(name, kinds) => beside.lacks(name, kinds) || is_of_other(name),
                _ => false,
            };
            lacked.extend(references.filter(|claim| is_lacked(claim.role)).map(|claim| (language, claim.number)));
        }
        let names = Arc::new(OwnNames { claims: KeptClaims::of(file.claims()), beside, lacked });
        if file.is_open() {
            file.claimed_memo().own_names = Some(Arc::clone(&names));
        }
        names
    }
}

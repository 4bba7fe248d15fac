//! The names of documents that are kept together: in one file, or by one kustomization.

use crate::files::file::File;
use lofting_check::{MeantReferent, nearest_name};
use lofting_dialect::{Role, SchemaName};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

/// The names of documents that are kept together.
#[derive(Debug, Default)]
pub(crate) struct Beside {
    kinds: FxHashSet<SmolStr>,
    names: FxHashSet<(SmolStr, SmolStr)>,
    /// Kinds of documents without a name that can be read: it may be misspelt, or filled in later.
    unnamed: FxHashSet<SmolStr>,
}

impl Beside {
    /// The names in one file.
    pub fn of(file: &File) -> Beside {
        let mut beside = Beside::default();
        beside.add(file);
        beside
    }

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
        nearest_name(&asked.name, names).map_or(MeantReferent::Unknown, |name| MeantReferent::Name(name.into()))
    }

    /// Whether documents of one of these kinds are here, all of them with names, and none has this name.
    pub fn lacks(&self, name: &SchemaName, kinds: &[&str]) -> bool {
        kinds.iter().any(|kind| self.kinds.contains(*kind))
            && !kinds.iter().any(|kind| self.unnamed.contains(*kind))
            && !self.has(name)
    }
}

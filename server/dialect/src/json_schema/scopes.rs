//! What dynamic references mean, which depends on the way to them: in each schema resource that is entered on the way,
//! its dynamic anchors are added to those of the resources before, unless these have the name already.

use super::resources::{ResourceId, Resources, address};
use lofting_document::Node;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// Identifies a scope: what all dynamic anchors mean.
pub(super) type ScopeId = usize;

/// The scope before any resource is entered.
pub(super) const OUTERMOST: ScopeId = 0;

/// The outermost schema for each name, by name.
type Scope<'n> = Vec<(SmolStr, &'n Node)>;

/// How many names all scopes together may have, and how many more for each dynamic anchor: where resources refer to each
/// other in many ways, there are as many scopes as ways.
const NAMES: usize = 2_000;
const NAMES_FOR_EACH: usize = 4;

/// All scopes that were entered.
pub(super) struct Scopes<'n> {
    list: Vec<Scope<'n>>,
    /// Scopes by their names and the addresses of their schemas.
    known: FxHashMap<Vec<(SmolStr, usize)>, ScopeId>,
    /// The scope inside a resource, by the scope that it was entered from.
    entered: FxHashMap<(ScopeId, ResourceId), Option<ScopeId>>,
    /// How many names there may still be.
    left: usize,
}

impl<'n> Scopes<'n> {
    pub fn of(resources: &Resources<'n>) -> Self {
        let known = [(Vec::new(), OUTERMOST)].into_iter().collect();
        let left = NAMES + NAMES_FOR_EACH * resources.dynamic_anchors();
        Scopes { list: vec![Scope::new()], known, entered: FxHashMap::default(), left }
    }

    /// The scope inside a resource that is entered from another scope. None if there are too many.
    pub fn enter(&mut self, outer: ScopeId, resource: ResourceId, resources: &Resources<'n>) -> Option<ScopeId> {
        let own = resources.dynamic(resource);
        if own.is_empty() {
            return Some(outer);
        }
        if let Some(known) = self.entered.get(&(outer, resource)) {
            return *known;
        }
        let mut inner = self.list.get(outer)?.clone();
        inner.extend(own.iter().map(|(name, node)| (name.clone(), *node)));
        // The sort is stable: the outer one of a name comes first.
        inner.sort_by(|one, other| one.0.cmp(&other.0));
        inner.dedup_by(|one, other| one.0 == other.0);
        let id = self.with(inner);
        self.entered.insert((outer, resource), id);
        id
    }

    fn with(&mut self, scope: Scope<'n>) -> Option<ScopeId> {
        let places: Vec<(SmolStr, usize)> = scope.iter().map(|(name, node)| (name.clone(), address(node))).collect();
        if let Some(known) = self.known.get(&places) {
            return Some(*known);
        }
        self.left = self.left.checked_sub(scope.len())?;
        let id = self.list.len();
        self.list.push(scope);
        self.known.insert(places, id);
        Some(id)
    }

    /// The outermost schema with a dynamic anchor of this name.
    pub fn outermost(&self, scope: ScopeId, name: &str) -> Option<&'n Node> {
        let scope = self.list.get(scope)?;
        let at = scope.binary_search_by(|(known, _)| known.as_str().cmp(name)).ok()?;
        scope.get(at).map(|(_, node)| *node)
    }
}

//! The patches of a kustomization, and the resources that they are for.

use super::parts::{Located, Parts, Resources};
use super::{Lead, is_data, lead, read};
use crate::association::state::AssociationState;
use crate::files::file::File;
use lofting_check::{Diagnostic, Unpatched, nearest_name, unmatched_patch};
use lofting_diagnostic::suggest::SEARCHES;
use lofting_dialect::kubernetes::kustomization::{
    Added, Aspect, Condition, Identified, Kustomization, Patch, Target, identified,
};
use lofting_document::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// How often a resource is compared with a condition of a target.
const COMPARED: usize = 1_000_000;

/// Patches for resources that a kustomization does not have, if all that it has is known.
pub(super) fn findings(state: &AssociationState, file: &File, kustomization: &Kustomization) -> Vec<Diagnostic> {
    if kustomization.patches.is_empty() || kustomization.is_component {
        return Vec::new();
    }
    let parts = Parts::of(state, file);
    let resources = if parts.is_whole { parts.resources() } else { Resources::default() };
    if !resources.is_whole {
        return Vec::new();
    }
    let mut search = Search::among(&resources, added(state, &parts, &resources));
    let mut found = Vec::new();
    for patch in &kustomization.patches {
        let span = |at: &Range<usize>| Span::new(file.id, at.clone());
        match (&patch.target, &patch.path) {
            (Some(target), _) => {
                found.extend(search.failing(target).map(|(at, what, meant)| unmatched_patch(span(&at), &what, meant)));
            }
            (None, Some(path)) => {
                let Lead::File(patch) = lead(state, file, path) else { continue };
                let own = is_data(patch).then(|| identified(patch.tree())).flatten();
                for Identified { kind, name, .. } in own.into_iter().flatten().filter(|own| !search.has(own)) {
                    found.push(unmatched_patch(span(&path.at), &Unpatched::Named { kind: &kind, name: &name }, None));
                }
            }
            (None, None) => {
                for Identified { kind, name, at, .. } in patch.named.iter().filter(|own| !search.has(own)) {
                    found.push(unmatched_patch(span(at), &Unpatched::Named { kind, name }, None));
                }
            }
        }
        patched(state, file, patch, &mut search.added);
    }
    found
}

/// The bytes of what a target selects by at an offset, and where the names of all resources are that it selects.
pub(crate) fn selected(state: &AssociationState, file: &File, offset: usize) -> Option<(Range<usize>, Vec<Span>)> {
    let read = read(state, file);
    let patches = &read.said.as_ref()?.patches;
    let holds = |condition: &&Condition| condition.at.start <= offset && offset <= condition.at.end;
    let (number, (target, condition)) = patches.iter().enumerate().find_map(|(number, patch)| {
        let target = patch.target.as_ref()?;
        Some((number, (target, target.conditions.iter().find(holds)?)))
    })?;
    let parts = Parts::of(state, file);
    let resources = parts.resources();
    let mut added = added(state, &parts, &resources);
    patches.iter().take(number).for_each(|patch| patched(state, file, patch, &mut added));
    let mut left: Vec<&Located> = resources.all.iter().collect();
    for condition in &target.conditions {
        let fit = condition.fit();
        left.retain(|located| fit.is_possible(&located.known, &added));
    }
    let mut places: Vec<Span> =
        left.into_iter().map(|located| Span::new(located.file, located.known.at.clone())).collect();
    // A resource may have several names.
    places.sort_unstable();
    places.dedup();
    Some((condition.at.clone(), places))
}

/// What is added to the resources of a kustomization before its own patches are applied, or may be.
fn added(state: &AssociationState, parts: &Parts<'_>, resources: &Resources) -> Added {
    let mut added = resources.added.clone();
    let below = parts.levels.iter().rev().skip(1);
    for (level, patch) in below.flat_map(|level| level.kustomization.patches.iter().map(move |patch| (level, patch))) {
        patched(state, &level.file, patch, &mut added);
    }
    added
}

/// Adds what a patch may change.
fn patched(state: &AssociationState, file: &File, patch: &Patch, added: &mut Added) {
    if let Some(text) = &patch.text {
        added.patched_with(text);
    }
    if let Some(Lead::File(found)) = patch.path.as_ref().map(|path| lead(state, file, path)) {
        added.patched_with(&found.tree().to_text());
    }
}

/// Resources to search for what targets select.
struct Search<'r> {
    resources: &'r Resources,
    /// What may have been added to them.
    added: Added,
    of_kinds: FxHashMap<&'r str, Vec<&'r Identified>>,
    known: FxHashSet<(&'r str, &'r str)>,
    /// How many comparisons are left.
    left: usize,
    /// How many names were suggested for.
    suggested: usize,
}

/// Where a target fails, how, and the name that was most likely meant.
type Failing<'t> = (Range<usize>, Unpatched<'t>, Option<&'t str>);

impl<'r> Search<'r> {
    fn among(resources: &'r Resources, added: Added) -> Search<'r> {
        let mut of_kinds: FxHashMap<&str, Vec<&Identified>> = FxHashMap::default();
        let mut known = FxHashSet::default();
        for Located { known: resource, .. } in &resources.all {
            of_kinds.entry(&resource.kind).or_default().push(resource);
            known.insert((resource.kind.as_str(), resource.name.as_str()));
        }
        Search { resources, added, of_kinds, known, left: COMPARED, suggested: 0 }
    }

    fn has(&self, resource: &Identified) -> bool {
        self.known.contains(&(resource.kind.as_str(), resource.name.as_str()))
    }

    /// The first of the conditions of a target that leaves no resource.
    fn failing<'t>(&mut self, target: &'t Target) -> Option<Failing<'t>>
    where
        'r: 't,
    {
        let (kind, name) = (target.plain(Aspect::Kind), target.plain(Aspect::Name));
        if let (Some(kind), Some(name)) = (kind, name) {
            if !self.known.contains(&(kind.text.as_str(), name.text.as_str())) {
                let beside = self.of_kinds.get(kind.text.as_str()).cloned().unwrap_or_default();
                let meant = self.meant(name, &beside);
                return Some((name.at.clone(), Unpatched::Named { kind: &kind.text, name: &name.text }, meant));
            }
            if target.conditions.len() == 2 {
                return None;
            }
        }
        let mut fitting: Vec<&'r Identified> = match kind {
            Some(kind) => self.of_kinds.get(kind.text.as_str()).cloned().unwrap_or_default(),
            None => self.resources.all.iter().map(|located| &located.known).collect(),
        };
        for condition in &target.conditions {
            self.left = self.left.checked_sub(fitting.len())?;
            let fit = condition.fit();
            let before = fitting.clone();
            fitting.retain(|resource| fit.is_possible(resource, &self.added));
            if fitting.is_empty() {
                let kind = kind.filter(|_| condition.aspect != Aspect::Kind);
                let is_name = condition.aspect == Aspect::Name && !condition.is_pattern();
                let meant = if is_name { self.meant(condition, &before) } else { None };
                let what = Unpatched::Selected { kind: kind.map(|kind| kind.text.as_str()), condition };
                return Some((condition.at.clone(), what, meant));
            }
        }
        None
    }

    /// The name of one of these resources that is most likely meant.
    fn meant(&mut self, name: &Condition, among: &[&'r Identified]) -> Option<&'r str> {
        self.suggested += 1;
        let names = among.iter().map(|resource| resource.name.as_str()).filter(|_| self.suggested <= SEARCHES);
        nearest_name(&name.text, names)
    }
}

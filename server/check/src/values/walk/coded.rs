//! Code rules met on the walk over a document that is being typed.
//!
//! If this document alone is merged into the defaults, the final value of a place follows from what is written there
//! and what it is merged into. So only the changed path of a tree has to be merged and checked again; earlier answers
//! are remembered with the other findings below a collection.

use super::{Leave, Visit, Walk};
use crate::memo::{CheckMemo, OwnKey};
use crate::values::bounds::BoundedValue;
use crate::values::code::{Asked, Asking, Assertions, Site, ask, wants_not_null};
use crate::values::left::Left;
use crate::values::{Finding, Layers, Style, ValuesCheck};
use crate::view::{Kind, NodeView, View, fingerprint, to_node};
use lofting_document::Node;
use std::borrow::Cow;

/// Sites and collections that wait for answers.
pub(super) struct Coded<'c, 'a> {
    assertions: &'c dyn Assertions,
    sites: Vec<Site<'a>>,
    /// For each site, the key under which it is remembered if its rules find nothing.
    own: Vec<Option<OwnKey>>,
    /// Collections with sites inside.
    pending: Vec<Pending>,
}

/// A collection that is remembered once the sites inside are answered.
struct Pending {
    leave: Leave,
    /// The number of findings after it.
    findings: usize,
    /// The number of sites after it.
    sites: usize,
}

impl<'c> Coded<'c, '_> {
    pub fn new(assertions: &'c dyn Assertions) -> Self {
        Coded { assertions, sites: Vec::new(), own: Vec::new(), pending: Vec::new() }
    }

    /// The number of sites so far.
    pub fn len(&self) -> usize {
        self.sites.len()
    }

    /// Whether a collection has to wait for answers; then it is kept here.
    pub fn keeps(&mut self, leave: Leave, findings: usize) -> Option<Leave> {
        if self.sites.len() == leave.sites {
            return Some(leave);
        }
        self.pending.push(Pending { leave, findings, sites: self.sites.len() });
        None
    }
}

impl<'a, V: View> Walk<'_, 'a, V> {
    /// Adds a site for a value of a fitting kind, if code rules apply to it.
    pub(super) fn site(&mut self, visit: &Visit<'a, V>, kind: Kind) {
        let node = self.schema.node(visit.id);
        if self.coded.is_none() || visit.within_any || !node.has_code() {
            return;
        }
        if kind == Kind::Null && !wants_not_null(node) {
            return;
        }
        let own = self.own(visit);
        if let (Some((_, memo)), Some(own)) = (&self.memo, &own)
            && memo.is_quiet(own)
        {
            return;
        }
        let Some(value) = self.final_value(visit) else { return };
        let path = self.path(visit.place, None);
        let Some(coded) = &mut self.coded else { return };
        let (value, name) = (Cow::Owned(value), visit.place.name);
        coded.sites.push(Site { value, parent: None, id: visit.id, path, name });
        coded.own.push(own);
    }

    /// The key that determines the final value, if there is one.
    fn own(&mut self, visit: &Visit<'a, V>) -> Option<OwnKey> {
        let left = visit.remembered_left()?;
        let (_, memo) = self.memo.as_mut()?;
        Some(OwnKey { given: fingerprint(visit.value, memo)?, schema: visit.id, left })
    }

    /// The final value; None if not all of it is known.
    fn final_value(&self, visit: &Visit<'a, V>) -> Option<Node> {
        let given = to_node(visit.value, &mut { usize::MAX }, 0)?;
        if !visit.value.kind().is_collection() {
            return Some(given);
        }
        let left = match visit.left {
            Left::Fresh => None,
            Left::Default(id) => Some(self.schema.effective_default(id)),
            Left::Value(node) => Some(node.clone()),
            Left::Uncertain => return None,
        };
        let mode = match self.check.style() {
            Some(Style::Plain) => lofting_overlay::Mode::Plain,
            _ => lofting_overlay::Mode::Annotated,
        };
        let value = crate::final_values::laid_over(self.schema, visit.id, left, given, mode);
        value.is_known().then_some(value)
    }

    /// Checks the bounds of a node for the final value.
    pub(super) fn whole(&mut self, visit: &Visit<'a, V>) {
        let Some(value) = self.final_value(visit) else { return };
        let check = ValuesCheck { layers: Layers::Alone, ..*self.check };
        let value = NodeView(&value);
        let given = BoundedValue { value, left: Left::Fresh, check: &check, id: visit.id, conditional: false };
        for broken in given.broken() {
            let suggest = self.suggests(broken.is_choice());
            self.report(visit.place, |at| broken.finding(at, suggest));
        }
    }

    /// Calls the rules of all sites, and remembers the results.
    pub(super) fn ask(&mut self) {
        let Some(coded) = self.coded.take() else { return };
        let Coded { assertions, sites, own, pending } = coded;
        let (source, paths) = (self.check.source, &self.paths);
        let asked = ask(&sites, &Asking { schema: self.schema, root: None, paths, source, assertions });
        let all_said = asked.more == 0 && self.found.findings.len() + asked.findings.len() < self.check.limit;
        if let (true, Some((_, memo))) = (all_said, &mut self.memo) {
            let mut reported = asked.open.clone();
            for (index, _) in &asked.findings {
                reported.iter_mut().skip(*index).take(1).for_each(|reported| *reported = true);
            }
            let quiet = own.into_iter().zip(reported).filter(|(_, reported)| !reported).filter_map(|(own, _)| own);
            quiet.for_each(|own| memo.set_quiet(own));
            for pending in pending {
                remember(memo, pending, &self.found.findings, &asked);
            }
        }
        self.found.more += asked.more;
        self.found.findings.extend(asked.findings.into_iter().map(|(_, finding)| finding));
    }
}

/// Remembers the findings below a collection, if everything below it was answered.
fn remember(memo: &mut CheckMemo, pending: Pending, walked: &[Finding], asked: &Asked) {
    let Pending { leave, findings, sites } = pending;
    if asked.open.get(leave.sites..sites).is_none_or(|open| open.contains(&true)) {
        return;
    }
    let before = |site: usize| asked.findings.partition_point(|(index, _)| *index < site);
    let answered = asked.findings.get(before(leave.sites)..before(sites)).unwrap_or_default();
    let walked = walked.get(leave.before..findings).unwrap_or_default();
    let found: Vec<Finding> = walked.iter().chain(answered.iter().map(|(_, finding)| finding)).cloned().collect();
    leave.put(memo, &found);
}

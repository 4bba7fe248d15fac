//! Code rules met on the walk over a document that is being typed.
//!
//! If this document alone is merged into the defaults, the final value of a place follows from what is written there
//! and what it is merged into. So only the changed path of a tree has to be merged and checked again; earlier answers
//! are remembered with the other findings below a collection.

use super::{Leave, Visit, Walk};
use crate::memo::{CheckMemo, OwnKey};
use crate::values::bounds::BoundedValue;
use crate::values::code::{Asked, Asking, Assertions, LongValue, Site, ask, wants_not_null};
use crate::values::left::Left;
use crate::values::{Finding, Layers, Style, ValuesCheck};
use crate::view::{Destination, Kind, NodeView, Portions, View, fingerprint, to_node};
use lofting_document::Node;
use lofting_schema::semantics::Calls;
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
        let value = if self.may_be_long(visit) {
            self.long_value(visit)
        } else {
            self.final_value(visit).map(|value| (value, None))
        };
        let Some((value, long)) = value else { return };
        let path = self.path(visit.place, None);
        let Some(coded) = &mut self.coded else { return };
        let (value, name) = (Cow::Owned(value), visit.place.name);
        coded.sites.push(Site { value, long, parent: None, id: visit.id, path, name });
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
        let given = to_node(visit.value)?;
        if !visit.value.kind().is_collection() {
            return Some(given);
        }
        let left = self.merged_into(visit)?;
        self.merged(visit, left, given)
    }

    /// What a collection is merged into, if anything; None if that is not known.
    #[allow(clippy::option_option, reason = "nothing is an answer")]
    fn merged_into(&self, visit: &Visit<'a, V>) -> Option<Option<Node>> {
        match visit.left {
            Left::Fresh => Some(None),
            Left::Default(id) => Some(Some(self.schema.effective_default(id))),
            Left::Value(node) => Some(Some(node.clone())),
            Left::Uncertain => None,
        }
    }

    /// The final value of a collection; None if not all of it is known.
    fn merged(&self, visit: &Visit<'a, V>, left: Option<Node>, given: Node) -> Option<Node> {
        let mode = match self.check.style() {
            Some(Style::Plain) => lofting_overlay::Mode::Plain,
            _ => lofting_overlay::Mode::Annotated,
        };
        let value = crate::final_values::laid_over(self.schema, visit.id, left, given, mode);
        value.is_known().then_some(value)
    }

    /// Whether the final value is passed to functions only, and as it is: then it may be in portions.
    fn may_be_long(&self, visit: &Visit<'a, V>) -> bool {
        let mut bounds = self.schema.node(visit.id).constraints.iter();
        visit.value.kind().is_collection()
            && self.schema.semantics().data_values.calls != Calls::Results
            && !bounds.any(|bound| bound.conditional)
    }

    /// The final value like [`Walk::final_value`]; that of a long collection in portions, each in the place of one item.
    fn long_value(&mut self, visit: &Visit<'a, V>) -> Option<(Node, Option<LongValue>)> {
        let left = self.merged_into(visit)?;
        let Some((_, memo)) = &mut self.memo else { return self.final_value(visit).map(|value| (value, None)) };
        let mut portions = Portions::new(self.schema, memo);
        let place = Destination { schema: Some(visit.id), left: left.as_ref() };
        let given = portions.node(visit.value, place, 0)?;
        let made = portions.into_made();
        let value = self.merged(visit, left, given)?;
        let long =
            (!made.is_empty()).then(|| LongValue { data: made.data(&value), fingerprint: made.fingerprint(&value) });
        Some((value, long))
    }

    /// Checks the bounds of a node for the final value.
    pub(super) fn whole(&mut self, visit: &Visit<'a, V>) {
        let Some(value) = self.final_value(visit) else { return };
        let check = ValuesCheck { layers: Layers::Alone, ..*self.check };
        let value = NodeView(&value);
        for broken in BoundedValue::alone(value, &check, visit.id).broken() {
            let suggest = self.suggestions.allow(broken.choices());
            self.report(broken.rule(), visit.place, |at| broken.finding(at, suggest));
        }
    }

    /// Calls the rules of all sites, and remembers the results.
    pub(super) fn ask(&mut self) {
        let Some(coded) = self.coded.take() else { return };
        let Coded { assertions, sites, own, pending } = coded;
        let (source, paths) = (self.check.source, &self.paths);
        let asked = ask(&sites, &Asking { schema: self.schema, root: None, paths, source, assertions });
        let all_said = asked.more == 0 && self.found.more == 0;
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

//! Keys that nothing declares, and values of the wrong kind.

use super::{Last, Place, Visit, Walk, accepts};
use crate::rules;
use crate::rules::renaming::{FitsKey, Meant};
use crate::values::left::Existing;
use crate::values::walk::score::Scorer;
use crate::view::{Entry, Kind, View};
use lofting_diagnostic::{Rule, Stage};
use lofting_document::Key;
use lofting_schema::semantics::Keys;
use lofting_schema::{Kinds, MapShape};

/// The value of a key that nothing declares.
struct OfEntry<'s, 'a, 'm, V> {
    scorer: Scorer<'s, 'a, V>,
    /// The keys that the map may have.
    shape: &'m MapShape,
    value: V,
}

impl<V: View> FitsKey for OfEntry<'_, '_, '_, V> {
    fn is_of_kind(&self, key: &Key) -> bool {
        let declared = self.shape.get(key);
        declared.is_none_or(|declared| accepts(self.scorer.schema, declared.schema, self.value.kind()))
    }

    fn is_open(&self) -> bool {
        self.value.kind() == Kind::Null
    }

    fn is_accepted(&mut self, key: &Key) -> bool {
        let declared = self.shape.get(key);
        declared.is_none_or(|declared| self.scorer.score(self.value, declared.schema, 0).fits)
    }
}

impl<'a, V: View> Walk<'_, 'a, V> {
    pub(super) fn undeclared(
        &mut self,
        visit: &Visit<'a, V>,
        shape: &'a MapShape,
        entry: &Entry<V>,
        (place, merging): (Place, bool),
    ) {
        // Where keys keep their type, a key that is not written has a finding of its own.
        let is_unwritten = entry.key == Key::Null && entry.key_span.start == entry.key_span.end;
        if is_unwritten && self.schema.semantics().keys == Keys::Written {
            return;
        }
        let stage = if merging {
            match self.unmatched(entry, visit.inherited) {
                Some(stage) => stage,
                None => return,
            }
        } else {
            Stage::Type
        };
        if !self.check.checks.types {
            return;
        }
        let rule = &rules::ytt_undeclared_key::RULE;
        let meant = self.meant_by(visit, shape, entry, rule);
        let place = self.settle(place, Last::Key(&entry.key));
        let declared = self.schema.node(visit.id).declared.name;
        let before = self.found.findings.len();
        self.report(rule, place, |at| {
            rules::ytt_undeclared_key::finding(at, &entry.key, shape, declared, meant.as_ref()).stage(stage)
        });
        self.set_kinds(before, entry.value.kind().kinds());
    }

    /// Notes of findings that were made since the kinds of their values.
    pub(super) fn set_kinds(&mut self, before: usize, kinds: Kinds) {
        for finding in self.found.findings.iter_mut().skip(before) {
            finding.kinds = kinds;
        }
    }

    /// What is most likely meant by a key that nothing declares; None as well if the finding of this rule about it is
    /// not kept.
    pub(super) fn meant_by(
        &mut self,
        visit: &Visit<'a, V>,
        shape: &MapShape,
        entry: &Entry<V>,
        rule: &'static Rule,
    ) -> Option<Meant> {
        let name = entry.key.as_str()?;
        if !self.found.has_room(rule, entry.key_span.file, self.check.limit) {
            return None;
        }
        let others = self.other_written(visit, shape);
        let mut given = OfEntry { scorer: self.scorer(), shape, value: entry.value };
        Meant::of(name, shape, others.as_deref(), &mut given)
    }

    pub(super) fn mismatch(&mut self, visit: &Visit<'a, V>, kind: Kind) {
        if !self.check.checks.types {
            return;
        }
        let stage = self.kind_stage(visit, kind);
        let existing = match visit.left.existing(self.schema, self.certain()) {
            Existing::Kind(existing) if stage == Stage::Overlay => Some(existing),
            _ => None,
        };
        let (value, id, schema) = (visit.value, visit.id, self.schema);
        if schema.node(id).kinds == Kinds::NONE {
            let declared = schema.node(id).declared.name;
            return self.report(&rules::schema_forbidden::RULE, visit.place, |at| {
                rules::schema_forbidden::finding(at, value, declared)
            });
        }
        let before = self.found.findings.len();
        self.report(&rules::ytt_type_mismatch::RULE, visit.place, |at| {
            let mut finding = rules::ytt_type_mismatch::finding(at, schema, id, value, existing).stage(stage);
            if let Some(message) = &schema.node(id).message {
                finding.message = format!("{}: {message}", at.subject());
            }
            finding
        });
        if self.found.findings.len() > before {
            self.drop_wrong_fixes(value, id);
        }
    }
}

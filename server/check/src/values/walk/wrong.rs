//! Keys that nothing declares, and values of the wrong kind.

use super::{Last, Place, Visit, Walk, accepts};
use crate::rules;
use crate::values::left::Existing;
use crate::view::{Entry, Kind, View};
use lofting_diagnostic::Stage;
use lofting_document::Key;
use lofting_schema::semantics::Keys;
use lofting_schema::{Kinds, MapShape};

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
        let others = self.other_written(visit, shape);
        let place = self.settle(place, Last::Key(&entry.key));
        let declared = self.schema.node(visit.id).declared.name;
        let fits = self.fits(shape, entry);
        let before = self.found.findings.len();
        self.report(&rules::ytt_undeclared_key::RULE, place, |at| {
            rules::ytt_undeclared_key::finding(at, &entry.key, shape, declared, others.as_deref(), &fits).stage(stage)
        });
        self.set_kinds(before, entry.value.kind().kinds());
    }

    /// Notes of findings that were made since the kinds of their values.
    pub(super) fn set_kinds(&mut self, before: usize, kinds: Kinds) {
        for finding in self.found.findings.iter_mut().skip(before) {
            finding.kinds = kinds;
        }
    }

    /// Whether a declared key may have the value of an entry, as far as its kind says.
    pub(super) fn fits(&self, shape: &'a MapShape, entry: &Entry<V>) -> impl Fn(&Key) -> bool + use<'a, V> {
        let (schema, kind) = (self.schema, entry.value.kind());
        move |key: &Key| shape.get(key).is_none_or(|declared| accepts(schema, declared.schema, kind))
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

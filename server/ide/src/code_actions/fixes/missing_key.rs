//! Adds required keys with the smallest values that they accept.

use super::{FindingFix, Rules};
use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::editing::Editing;
use crate::code_actions::governed::{Governed, governed_at};
use crate::code_actions::least::{LeastEntry, entry};
use crate::code_actions::offers::Offers;
use crate::governing::written_keys;
use lofting_check::Diagnostic;
use lofting_diagnostic::Confidence;
use lofting_document::Key;
use lofting_schema::{Clause, Schema, SchemaId, WrittenPath};
use lofting_syntax::Value;
use rustc_hash::FxHashSet;

pub(super) static FIX: FindingFix = FindingFix { rules: Rules::Lacks, offer };

/// Clauses that are nested more deeply are not followed.
const NESTING: usize = 8;
/// How many nodes are looked at for one value.
const NODES: usize = 500;
/// The family of resources' schemas.
const KUBERNETES: &str = "kubernetes";
/// For more keys, values are only looked for when all are asked for: each key has a finding that offers this.
const MANY: usize = 50;

fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    let Some(key) = &finding.key else { return };
    let editing = Editing::new(context.snapshot, context.file);
    let Some(Governed { value, schema, named, .. }) = governed_at(context, &editing, finding.span) else { return };
    let given = written_keys(&context.tree(), value, context.snapshot.profile(context.file));
    let lack = Lack { schema: &schema, given: WrittenPath::new(|| vec![given]), wanted: key };
    let nodes = lack.nodes(&named);
    // What the rules of a language need besides, the schema does not require.
    let mut missing = lack.missing(&nodes);
    if !missing.contains(&key) {
        missing.push(key);
    }
    let entries = |keys: &[&Key]| keys.iter().map(|key| lack.entry(&nodes, key)).collect::<Vec<_>>();
    // Where no value is found that the schema accepts, its author has to say which is meant. The server of Kubernetes asks
    // for more than its schemas, which take empty values.
    let is_meant =
        |entry: &LeastEntry| entry.fits && !(schema.semantics().family == KUBERNETES && entry.value.is_filler());
    let confidence = |entries: &[LeastEntry]| {
        if entries.iter().all(is_meant) { Confidence::Likely } else { Confidence::Possible }
    };
    let own = entries(&[key]);
    offers.add(format!("Add `{key}`"), confidence(&own), || add(&editing, value, &own));
    let title = "Add all keys that are missing";
    if missing.len() < 2 {
        return;
    }
    if missing.len() > MANY {
        offers.add_later(title, Confidence::Possible, || add(&editing, value, &entries(&missing)));
    } else {
        let all = entries(&missing);
        offers.add(title, confidence(&all), || add(&editing, value, &all));
    }
}

fn add(editing: &Editing, value: Value<'_>, entries: &[LeastEntry]) -> Option<Change> {
    let style = editing.style();
    let write = |column: Option<usize>| {
        let lines = entries.iter().map(|entry| entry.written(column, style));
        let between = column.map_or(", ".to_owned(), |column| format!("{}{}", style.newline, " ".repeat(column)));
        Some(lines.collect::<Vec<_>>().join(&between))
    };
    editing.with_entry(value, &write).map(Change::of)
}

/// What a map lacks.
struct Lack<'a> {
    schema: &'a Schema,
    /// The keys that it has.
    given: WrittenPath,
    /// One that it lacks: of several alternatives, one that asks for this key is meant.
    wanted: &'a Key,
}

impl<'a> Lack<'a> {
    /// The nodes that the map has to fit, with one alternative of each choice.
    fn nodes(&self, named: &[SchemaId]) -> Vec<SchemaId> {
        let mut found = Vec::new();
        named.iter().for_each(|id| self.follow(*id, &mut found, NESTING));
        found
    }

    fn follow(&self, id: SchemaId, found: &mut Vec<SchemaId>, depth: usize) {
        lofting_memo::step();
        let Some(depth) = depth.checked_sub(1).filter(|_| found.len() < NODES && !found.contains(&id)) else { return };
        found.push(id);
        for clause in &self.schema.node(id).clauses {
            match clause {
                Clause::Any(members) | Clause::One(members) => {
                    found.extend(self.alternative(members, depth).into_iter().flatten());
                }
                _ => {
                    let members = self.schema.certain_members(clause, &self.given);
                    members.iter().for_each(|member| self.follow(*member, found, depth));
                }
            }
        }
    }

    /// The nodes of the alternative that fits what is written: one that asks for the wanted key, and for the fewest others.
    fn alternative(&self, members: &[SchemaId], depth: usize) -> Option<Vec<SchemaId>> {
        let is_excluded = |id: &SchemaId| self.given.keys(0).is_some_and(|given| self.schema.excludes(*id, given));
        let fits_none = members.iter().all(is_excluded);
        let possible = members.iter().filter(|id| fits_none || !is_excluded(id)).map(|id| {
            let mut nodes = Vec::new();
            self.follow(*id, &mut nodes, depth);
            nodes
        });
        possible.min_by_key(|nodes| {
            let missing = self.missing(nodes);
            (!missing.contains(&self.wanted), missing.len())
        })
    }

    /// The keys that nodes require and the map does not have, except those that have a default.
    fn missing(&self, nodes: &[SchemaId]) -> Vec<&'a Key> {
        let (mut missing, mut known) = (Vec::new(), FxHashSet::default());
        let has = |key: &Key| self.given.keys(0).is_some_and(|given| given.contains_key(key));
        let has_default = |id: &SchemaId| self.schema.node(*id).default.is_some();
        for key in nodes.iter().filter_map(|id| self.schema.node(*id).map.as_deref()).flat_map(|map| &map.required) {
            if known.insert(key)
                && !has(key)
                && (key == self.wanted || !self.children(nodes, key).iter().any(has_default))
            {
                missing.push(key);
            }
        }
        missing
    }

    /// The nodes for the value of a key.
    fn children(&self, nodes: &[SchemaId], key: &Key) -> Vec<SchemaId> {
        let maps = nodes.iter().filter_map(|id| self.schema.node(*id).map.as_deref());
        let mut found: Vec<SchemaId> = Vec::new();
        for child in maps.flat_map(|map| map.children(key)) {
            if !found.contains(&child.schema) {
                found.push(child.schema);
            }
        }
        found
    }

    fn entry(&self, nodes: &[SchemaId], key: &Key) -> LeastEntry {
        entry(self.schema, &self.children(nodes, key), key)
    }
}

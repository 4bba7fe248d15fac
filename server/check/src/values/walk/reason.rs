//! Which entries of a map make a condition apply: why something else is asked for.

use super::{Visit, Walk};
use crate::at::At;
use crate::view::{Entry, Kind, View};
use lofting_diagnostic::Diagnostic;
use lofting_document::{Key, Span};
use lofting_schema::{Clause, SchemaId};

/// Longer values are not repeated in a message, in characters.
const SHORT: usize = 40;
/// What more keys decide is not explained.
const KEYS: usize = 3;
/// Entries of a map that are looked at.
const ENTRIES: usize = 500;

/// The clause because of which a value is compared with a node.
#[derive(Clone, Copy)]
pub(super) enum Because<'a> {
    /// A key is there.
    Key(&'a Key),
    /// The value fits a node, or does not.
    Condition(SchemaId),
}

/// The entries of a map that a condition reads: the key of each, with its value if that is a scalar.
pub(super) struct Reason(Vec<(Key, Span, Option<Span>)>);

impl<'a, V: View> Walk<'_, 'a, V> {
    /// The entries because of which a map is compared with the node of a visit. Empty if there is no condition.
    pub(super) fn reason(&self, visit: &Visit<'a, V>) -> Reason {
        let read: Vec<&Key> = match visit.because.filter(|_| visit.nesting > 0 && visit.value.kind() == Kind::Map) {
            None => Vec::new(),
            Some(Because::Key(key)) => vec![key],
            Some(Because::Condition(condition)) => self.keys_read(condition, 0),
        };
        if read.is_empty() || read.len() > KEYS {
            return Reason(Vec::new());
        }
        let is_scalar = |kind: Kind| !kind.is_collection() && kind != Kind::Unknown;
        // What is there is enough where a key asks.
        let is_compared = matches!(visit.because, Some(Because::Condition(_)));
        let written = |entry: Entry<V>| {
            let value = Some(entry.value).filter(|value| is_compared && is_scalar(value.kind()));
            (entry.key, entry.key_span, value.map(|value| value.span()))
        };
        let entries = self.check.entries(visit.value).take(ENTRIES);
        Reason(entries.filter(|entry| read.contains(&&entry.key)).map(written).collect())
    }

    /// The keys of a map that a node says something about.
    fn keys_read(&self, id: SchemaId, depth: usize) -> Vec<&'a Key> {
        let node = self.schema.node(id);
        let map = node.map.iter().flat_map(|map| map.required.iter().chain(map.keys.iter().map(|key| &key.key)));
        let mut read: Vec<&Key> = map.collect();
        if depth < KEYS {
            let members = node.clauses.iter().flat_map(|clause| match clause {
                Clause::All(members) | Clause::Any(members) | Clause::One(members) => members.as_slice(),
                Clause::Not(member) => std::slice::from_ref(member),
                _ => &[],
            });
            read.extend(members.take(KEYS).flat_map(|member| self.keys_read(*member, depth + 1)));
        }
        read.sort();
        read.dedup();
        read
    }
}

impl Reason {
    /// Adds to a finding why its schema asks.
    pub(super) fn explain(&self, at: &At<'_>, mut finding: Diagnostic) -> Diagnostic {
        let Reason(entries) = self;
        let shown = |(key, _, value): &(Key, Span, Option<Span>)| {
            let text = value.and_then(|value| at.text(value));
            let text = text.filter(|text| !text.contains(['\n', '`']) && text.chars().count() <= SHORT);
            text.map_or_else(|| format!("`{key}`"), |text| format!("`{key}: {text}`"))
        };
        let shown: Vec<String> = entries.iter().map(shown).collect();
        match shown.as_slice() {
            [] => return finding,
            [one] => finding.message += &format!(": {one} asks for it"),
            several => finding.message += &format!(": {} ask for it", several.join(" and ")),
        }
        entries.iter().fold(finding, |finding, (_, span, _)| finding.related(*span, "because of this"))
    }
}

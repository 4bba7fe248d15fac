//! Dicts, which keep the order of insertion.

use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::mem::take;
use std::sync::{Arc, Weak};

use indexmap::{Equivalent, IndexMap};
use parking_lot::Mutex;
use rustc_hash::FxHasher;

use super::Changes;
use crate::comparison::{Comparison, equal, hash};
use crate::drop::release;
use crate::failure::Result;
use crate::value::{MAX_DEPTH, Value, too_deep, unhashable};

/// A value that can be a key: not a list, dict, or anything that contains one.
#[derive(Clone, Debug)]
pub struct DictKey(Value);

impl DictKey {
    /// The value as a key.
    ///
    /// # Errors
    ///
    /// It cannot be one.
    pub fn new(value: Value) -> Result<DictKey> {
        let mut left = MAX_PARTS;
        check(&value, 0, &mut left)?;
        Ok(DictKey(value))
    }

    /// The value.
    pub fn value(&self) -> &Value {
        &self.0
    }

    pub(crate) fn into_value(self) -> Value {
        self.0
    }
}

/// How many values a key may consist of.
const MAX_PARTS: usize = 1_000_000;

fn check(value: &Value, depth: usize, left: &mut usize) -> Result<()> {
    match value {
        Value::Tuple(items) if depth > MAX_DEPTH || items.len() > *left => too_deep(),
        Value::Tuple(items) => {
            *left -= items.len();
            items.iter().try_for_each(|item| check(item, depth + 1, left))
        }
        Value::List(_) | Value::Dict(_) | Value::Set(_) | Value::Range(_) | Value::Elements(_) | Value::Object(_) => {
            unhashable(value)
        }
        _ => Ok(()),
    }
}

impl Hash for DictKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash(&self.0, state);
    }
}

impl PartialEq for DictKey {
    fn eq(&self, other: &DictKey) -> bool {
        equal(&self.0, &other.0, &mut Comparison::default()).unwrap_or(false)
    }
}

impl Eq for DictKey {}

/// A string that is looked up.
pub(crate) struct TextKey<'a>(pub(crate) &'a str);

impl Hash for TextKey<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl Equivalent<DictKey> for TextKey<'_> {
    fn equivalent(&self, key: &DictKey) -> bool {
        key.0.as_text() == Some(self.0)
    }
}

pub(crate) type Entries = IndexMap<DictKey, Value, BuildHasherDefault<FxHasher>>;

/// A dict.
#[derive(Clone, Debug, Default)]
pub struct Dict(Arc<Mutex<DictData>>);

#[derive(Debug, Default)]
struct DictData {
    entries: Entries,
    changes: Changes,
}

impl Drop for DictData {
    fn drop(&mut self) {
        let holds = |(key, value): (&DictKey, &Value)| key.0.holds_values() || value.holds_values();
        if self.entries.iter().any(holds) {
            release(parts(take(&mut self.entries)));
        }
    }
}

fn parts(entries: Entries) -> Vec<Value> {
    entries.into_iter().flat_map(|(key, value)| [key.0, value]).collect()
}

impl Dict {
    pub(crate) fn from_entries(entries: Entries) -> Self {
        Self(Arc::new(Mutex::new(DictData { entries, changes: Changes::default() })))
    }

    /// A dict of these entries; of equal keys the last one counts.
    ///
    /// # Errors
    ///
    /// A key cannot be one.
    pub fn of(entries: impl IntoIterator<Item = (Value, Value)>) -> Result<Self> {
        let entries = entries.into_iter().map(|(key, value)| Ok((DictKey::new(key)?, value)));
        Ok(Self::from_entries(entries.collect::<Result<_>>()?))
    }

    /// How many entries it has.
    pub fn len(&self) -> usize {
        self.0.lock().entries.len()
    }

    /// Whether it has no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a key.
    pub fn get(&self, key: &DictKey) -> Option<Value> {
        self.0.lock().entries.get(key).cloned()
    }

    /// The value of a key that is a string.
    pub fn get_text(&self, key: &str) -> Option<Value> {
        self.0.lock().entries.get(&TextKey(key)).cloned()
    }

    /// The key at a place in the order.
    pub(crate) fn key_at(&self, index: usize) -> Option<Value> {
        self.0.lock().entries.get_index(index).map(|(key, _)| key.0.clone())
    }

    /// Its keys.
    pub fn keys(&self) -> Vec<Value> {
        self.0.lock().entries.keys().map(|key| key.0.clone()).collect()
    }

    /// Its values.
    pub fn values(&self) -> Vec<Value> {
        self.0.lock().entries.values().cloned().collect()
    }

    /// Its entries.
    pub fn entries(&self) -> Vec<(Value, Value)> {
        self.0.lock().entries.iter().map(|(key, value)| (key.0.clone(), value.clone())).collect()
    }

    /// Changes it.
    ///
    /// # Errors
    ///
    /// It is frozen, or a loop runs over it.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Entries) -> T) -> Result<T> {
        let mut data = self.0.lock();
        data.changes.allowed()?;
        Ok(change(&mut data.entries))
    }

    /// Notes that it may refer to itself from now on; whether that is new.
    pub(crate) fn suspect(&self) -> bool {
        self.0.lock().changes.suspect()
    }

    /// A loop over it begins, or ends.
    pub(crate) fn loops(&self, begins: bool) {
        self.0.lock().changes.loops(begins);
    }

    /// Makes it unchangeable; what it holds, if that is new.
    pub(crate) fn freeze(&self) -> Vec<Value> {
        let mut data = self.0.lock();
        if data.changes.freeze() { data.entries.values().cloned().collect() } else { Vec::new() }
    }

    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    pub(crate) fn is_same(&self, other: &Dict) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub(crate) fn dismantle(self, left: &mut Vec<Value>) {
        if let Some(data) = Arc::into_inner(self.0) {
            left.append(&mut parts(take(&mut data.into_inner().entries)));
        }
    }

    pub(crate) fn downgrade(&self) -> WeakDict {
        WeakDict(Arc::downgrade(&self.0))
    }
}

/// A dict that does not live because of this reference.
#[derive(Debug)]
pub(crate) struct WeakDict(Weak<Mutex<DictData>>);

impl WeakDict {
    /// The dict, if it still exists.
    pub(crate) fn upgrade(&self) -> Option<Dict> {
        self.0.upgrade().map(Dict)
    }

    /// Removes all entries, however the dict is used.
    pub(crate) fn clear(&self) {
        if let Some(data) = self.0.upgrade() {
            let entries = take(&mut data.lock().entries);
            release(parts(entries));
        }
    }
}

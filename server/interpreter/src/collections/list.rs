//! Lists.

use std::mem::take;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use super::Changes;
use crate::drop::{Items, release};
use crate::failure::Result;
use crate::value::Value;

/// A list.
#[derive(Clone, Debug)]
pub struct List(Arc<Mutex<ListData>>);

#[derive(Debug, Default)]
struct ListData {
    items: Items,
    changes: Changes,
}

impl List {
    /// A list of these values.
    pub fn new(items: Vec<Value>) -> Self {
        Self(Arc::new(Mutex::new(ListData { items: Items(items), changes: Changes::default() })))
    }

    /// How many items it has.
    pub fn len(&self) -> usize {
        self.0.lock().items.len()
    }

    /// Whether it has no items.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The item at a place.
    pub fn get(&self, index: usize) -> Option<Value> {
        self.0.lock().items.get(index).cloned()
    }

    /// The first place from this one on at which an item equals a value.
    pub(crate) fn find(&self, value: &Value, from: usize) -> Result<Option<usize>> {
        let mut place = from;
        // Item by item, because comparing one may look at this list again.
        while let Some(item) = self.get(place) {
            if item.equals(value)? {
                return Ok(Some(place));
            }
            place += 1;
        }
        Ok(None)
    }

    /// Its items.
    pub fn to_vec(&self) -> Vec<Value> {
        self.0.lock().items.0.clone()
    }

    /// Changes it.
    ///
    /// # Errors
    ///
    /// It is frozen, or a loop runs over it.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Vec<Value>) -> T) -> Result<T> {
        let mut data = self.0.lock();
        data.changes.allowed()?;
        Ok(change(&mut data.items.0))
    }

    /// Notes that it may refer to itself from now on; whether that is new.
    pub(crate) fn suspect(&self) -> bool {
        self.0.lock().changes.suspect()
    }

    /// A loop over it begins, or ends.
    pub(crate) fn loops(&self, begins: bool) {
        self.0.lock().changes.loops(begins);
    }

    /// Makes it unchangeable; its items, if that is new.
    pub(crate) fn freeze(&self) -> Vec<Value> {
        let mut data = self.0.lock();
        if data.changes.freeze() { data.items.0.clone() } else { Vec::new() }
    }

    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    pub(crate) fn is_same(&self, other: &List) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub(crate) fn dismantle(self, left: &mut Vec<Value>) {
        left.extend(Arc::into_inner(self.0).into_iter().flat_map(|data| take(&mut data.into_inner().items.0)));
    }

    pub(crate) fn downgrade(&self) -> WeakList {
        WeakList(Arc::downgrade(&self.0))
    }
}

/// A list that does not live because of this reference.
#[derive(Debug)]
pub(crate) struct WeakList(Weak<Mutex<ListData>>);

impl WeakList {
    /// The list, if it still exists.
    pub(crate) fn upgrade(&self) -> Option<List> {
        self.0.upgrade().map(List)
    }

    /// Removes all items, however the list is used.
    pub(crate) fn clear(&self) {
        if let Some(data) = self.0.upgrade() {
            let items = take(&mut data.lock().items.0);
            release(items);
        }
    }
}

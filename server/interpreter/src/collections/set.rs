//! Sets, which never change and keep the order of insertion.

use std::hash::BuildHasherDefault;
use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::FxHasher;

use super::DictKey;
use crate::drop::release;
use crate::failure::Result;
use crate::value::Value;

type Members = IndexSet<DictKey, BuildHasherDefault<FxHasher>>;

/// A set.
#[derive(Clone, Debug, Default)]
pub struct Set(Arc<SetData>);

#[derive(Debug, Default)]
struct SetData(Members);

impl Drop for SetData {
    fn drop(&mut self) {
        if self.0.iter().any(|key| key.value().holds_values()) {
            release(std::mem::take(&mut self.0).into_iter().map(DictKey::into_value).collect());
        }
    }
}

impl Set {
    /// A set of these values.
    ///
    /// # Errors
    ///
    /// A value cannot be a key.
    pub fn of(items: impl IntoIterator<Item = Value>) -> Result<Self> {
        let keys = items.into_iter().map(DictKey::new).collect::<Result<Members>>()?;
        Ok(Self(Arc::new(SetData(keys))))
    }

    /// How many members it has.
    pub fn len(&self) -> usize {
        self.0.0.len()
    }

    /// Whether it has no members.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the value is a member.
    pub fn contains(&self, key: &DictKey) -> bool {
        self.0.0.contains(key)
    }

    /// The member at a place in the order.
    pub(crate) fn at(&self, index: usize) -> Option<Value> {
        self.0.0.get_index(index).map(|key| key.value().clone())
    }

    /// Its members.
    pub fn to_vec(&self) -> Vec<Value> {
        self.0.0.iter().map(|key| key.value().clone()).collect()
    }

    /// Whether both have the same members, in any order.
    pub(crate) fn equals(&self, other: &Set) -> bool {
        self.len() == other.len() && self.0.0.iter().all(|key| other.contains(key))
    }

    /// The members of both, of both at once, or of only one of them.
    pub(crate) fn combined(&self, operator: &str, other: &Set) -> Set {
        let (left, right) = (&self.0.0, &other.0.0);
        let members: Members = match operator {
            "|" => left.union(right).cloned().collect(),
            "&" => left.intersection(right).cloned().collect(),
            _ => left.symmetric_difference(right).cloned().collect(),
        };
        Set(Arc::new(SetData(members)))
    }

    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    pub(crate) fn is_same(&self, other: &Set) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub(crate) fn dismantle(self, left: &mut Vec<Value>) {
        if let Some(mut data) = Arc::into_inner(self.0) {
            left.extend(std::mem::take(&mut data.0).into_iter().map(DictKey::into_value));
        }
    }
}

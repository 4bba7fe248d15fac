//! Lists, tuples, dicts and sets.

mod dict;
mod list;
mod set;

use std::ops::Deref;
use std::sync::Arc;

pub use dict::{Dict, DictKey};
pub(crate) use dict::{Entries, WeakDict};
pub use list::List;
pub(crate) use list::WeakList;
pub use set::Set;

use crate::drop::Items;
use crate::failure::{Result, fail};
use crate::value::Value;

/// A tuple.
#[derive(Clone, Debug)]
pub struct Tuple(Arc<Items>);

impl Tuple {
    /// A tuple of these values.
    pub fn new(items: Vec<Value>) -> Self {
        Self(Arc::new(Items(items)))
    }

    pub(crate) fn is_same(&self, other: &Tuple) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    pub(crate) fn dismantle(self, left: &mut Vec<Value>) {
        left.extend(Arc::into_inner(self.0).into_iter().flat_map(|mut items| std::mem::take(&mut items.0)));
    }
}

impl Deref for Tuple {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0
    }
}

/// Whether a list or dict may be changed.
#[derive(Debug, Default)]
struct Changes {
    frozen: bool,
    /// How many loops run over it.
    loops: u32,
    /// A region knows that it may refer to itself.
    suspected: bool,
}

impl Changes {
    /// Notes that the value may refer to itself from now on; whether that is new.
    fn suspect(&mut self) -> bool {
        !std::mem::replace(&mut self.suspected, true)
    }

    /// A loop over the value begins, or ends.
    fn loops(&mut self, begins: bool) {
        self.loops = if begins { self.loops + 1 } else { self.loops.saturating_sub(1) };
    }

    /// Makes the value unchangeable; whether that is new.
    fn freeze(&mut self) -> bool {
        !std::mem::replace(&mut self.frozen, true)
    }

    fn allowed(&self) -> Result<()> {
        if self.frozen {
            return fail(
                "cannot change this value: strings and tuples never change, nor does what a file exports for those who \
                 load it",
            );
        }
        if self.loops > 0 {
            return fail("cannot change a list or dict during iteration");
        }
        Ok(())
    }
}

//! What a feature derives from a whole state: one value of each type, updated from the value of an earlier state.

use parking_lot::{Mutex, MutexGuard};
use rustc_hash::FxHashMap;
use std::any::{Any, TypeId};
use std::sync::Arc;

/// Values by their types. The lock is held to look and to note, never while a value is made.
#[derive(Default)]
pub(crate) struct Derived(Mutex<FxHashMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl Derived {
    fn values(&self) -> MutexGuard<'_, FxHashMap<TypeId, Arc<dyn Any + Send + Sync>>> {
        self.0.lock()
    }

    /// The value of a type.
    pub fn get<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        let found = self.values().get(&TypeId::of::<T>()).cloned()?;
        found.downcast().ok()
    }

    /// Notes a value in the place of the one of its type.
    pub fn note<T: Any + Send + Sync>(&self, value: Arc<T>) {
        self.values().insert(TypeId::of::<T>(), value);
    }
}

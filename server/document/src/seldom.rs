//! What most owners have nothing of.

use std::fmt;
use std::ops::{Deref, DerefMut};

/// A value that is nearly always empty, and takes one word then.
pub struct Seldom<T>(Option<Box<T>>);

/// A type that has one empty value.
pub trait Empty: PartialEq + 'static {
    /// It.
    const EMPTY: &'static Self;
}

impl<T: Empty> From<T> for Seldom<T> {
    fn from(value: T) -> Self {
        Seldom((value != *T::EMPTY).then(|| Box::new(value)))
    }
}

impl<T: Empty> Deref for Seldom<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_deref().unwrap_or(T::EMPTY)
    }
}

impl<T: Empty + Default> DerefMut for Seldom<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.get_or_insert_default()
    }
}

impl<T> Default for Seldom<T> {
    fn default() -> Self {
        Seldom(None)
    }
}

impl<T: Clone> Clone for Seldom<T> {
    fn clone(&self) -> Self {
        Seldom(self.0.clone())
    }
}

impl<T: Empty> PartialEq for Seldom<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Empty + fmt::Debug> fmt::Debug for Seldom<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

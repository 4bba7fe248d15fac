//! What most owners have nothing of.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::slice;

/// A value that is nearly always empty, and takes one word then. To change it through `DerefMut` makes room for it, even if
/// nothing is added.
pub struct Seldom<T>(Option<Box<T>>);

/// A type that has one empty value.
pub trait Empty: PartialEq + 'static {
    /// It.
    const EMPTY: &'static Self;
}

impl<T: PartialEq + 'static> Empty for Vec<T> {
    const EMPTY: &'static Self = &Vec::new();
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

impl<'s, T> IntoIterator for &'s Seldom<Vec<T>> {
    type Item = &'s T;
    type IntoIter = slice::Iter<'s, T>;

    fn into_iter(self) -> slice::Iter<'s, T> {
        self.0.as_deref().map(Vec::as_slice).unwrap_or_default().iter()
    }
}

impl<'s, T> IntoIterator for &'s mut Seldom<Vec<T>> {
    type Item = &'s mut T;
    type IntoIter = slice::IterMut<'s, T>;

    fn into_iter(self) -> slice::IterMut<'s, T> {
        self.0.as_deref_mut().map(Vec::as_mut_slice).unwrap_or_default().iter_mut()
    }
}

/// Nothing is added to nothing.
impl<T> Extend<T> for Seldom<Vec<T>> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, more: I) {
        let mut more = more.into_iter().peekable();
        if more.peek().is_some() {
            self.0.get_or_insert_default().extend(more);
        }
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

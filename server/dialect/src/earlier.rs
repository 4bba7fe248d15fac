//! What a language found in earlier states of a file.

use std::any::Any;

/// What a language found in earlier states of a file, in a form of its own. It is only a help: a language without it finds
/// the same.
#[derive(Default)]
pub struct Earlier(Option<Box<dyn Any + Send>>);

impl Earlier {
    /// Gives it to a function, which changes it. A language has one form.
    pub(crate) fn with<T: Any + Send + Default, A>(&mut self, use_it: impl FnOnce(&mut T) -> A) -> A {
        let own = self.0.get_or_insert_with(|| Box::new(T::default()));
        match own.downcast_mut() {
            Some(own) => use_it(own),
            None => use_it(&mut T::default()),
        }
    }
}

//! What a language found in earlier states of a file.

use crate::quiet::QuietTexts;
use std::any::Any;

/// What a language found in earlier states of a file. It is only a help: a language without it finds the same.
#[derive(Default)]
pub struct Earlier {
    /// The texts in which nothing was found.
    pub(crate) quiet: QuietTexts,
    /// What a language keeps in a form of its own.
    own: Option<Box<dyn Any + Send>>,
}

impl Earlier {
    /// Gives what the language keeps in this form to a function, which changes it.
    pub(crate) fn with<T: Any + Send + Default, A>(&mut self, use_it: impl FnOnce(&mut T) -> A) -> A {
        let own = self.own.get_or_insert_with(|| Box::new(T::default()));
        match own.downcast_mut() {
            Some(own) => use_it(own),
            None => {
                let mut new = T::default();
                let answer = use_it(&mut new);
                self.own = Some(Box::new(new));
                answer
            }
        }
    }
}

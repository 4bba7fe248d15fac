//! What is remembered, and how: across states ([`memos!`]), for one state ([`table`], [`derived`]).

pub(crate) mod coded;
pub(crate) mod derived;
pub(crate) mod table;
pub(crate) mod weight;

use lofting_memo::{Budget, Forgetful, Memo, Weigh};
use std::hash::Hash;

/// How many bytes of answers may be held, approximately. Answers that the newest state needed are always held.
pub(crate) const BUDGET: usize = 256 * 1024 * 1024;

/// Something that remembers answers, within a budget.
pub(crate) trait Remembers {
    /// Remembers nothing yet.
    fn new(budget: &Budget) -> Self;

    /// The memos that it consists of.
    fn memos(&self) -> Vec<&dyn Forgetful>;
}

impl<K: Hash + Eq, V: Weigh> Remembers for Memo<K, V> {
    fn new(budget: &Budget) -> Self {
        Memo::new(budget)
    }

    fn memos(&self) -> Vec<&dyn Forgetful> {
        vec![self]
    }
}

/// Declares what is remembered across states, once: each memo is charged to the budget and swept with all others. After
/// `=>` is a function of a key and a file: whether the key is forgotten when the file is closed.
macro_rules! memos {
    (
        $(#[$about:meta])*
        $vis:vis struct $name:ident {
            $( $(#[$doc:meta])* $field:ident: $kind:ty $(=> $goes:expr)?, )*
        }
    ) => {
        $(#[$about])*
        $vis struct $name {
            $( $(#[$doc])* pub $field: $kind, )*
        }

        impl $name {
            /// Remembers nothing yet.
            pub fn new(budget: &::lofting_memo::Budget) -> Self {
                $name { $( $field: $crate::caches::Remembers::new(budget), )* }
            }

            /// All of them.
            pub fn all(&self) -> Vec<&dyn ::lofting_memo::Forgetful> {
                let mut all = Vec::new();
                $( all.extend($crate::caches::Remembers::memos(&self.$field)); )*
                all
            }

            /// Drops what was made for a file alone: it is no longer open, and what others need of it is made again.
            pub fn close(&self, file: ::lofting_document::FileId) {
                let _ = file;
                $( $( self.$field.forget(|of| ($goes)(of, file)); )? )*
            }
        }
    };
}

pub(crate) use memos;

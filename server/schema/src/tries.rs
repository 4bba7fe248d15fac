//! How much one document may cost: expressions that look around may read a text many times, and those with high counts
//! are compiled for a text.

use std::cell::Cell;

/// How many texts of one document may be tried with all steps; others of them are given up on. So many take a tenth of a
/// second.
const FULL_TRIES: usize = 48;

thread_local! {
    /// How many texts of the document that this thread checks may still be tried with all steps; None between documents.
    static TRIES: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Bounds the work of expressions for one document, whatever the number of its texts.
pub fn within_a_document<T>(check: impl FnOnce() -> T) -> T {
    struct Restored(Option<usize>);
    impl Drop for Restored {
        fn drop(&mut self) {
            TRIES.set(self.0);
        }
    }
    let before = TRIES.get();
    let _restored = Restored(before);
    TRIES.set(before.or(Some(FULL_TRIES)));
    check()
}

/// Whether one more text may be tried with all steps.
pub(crate) fn takes_a_try() -> bool {
    match TRIES.get() {
        None => true,
        Some(left) => {
            TRIES.set(Some(left.saturating_sub(1)));
            left > 0
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{FULL_TRIES, TRIES, within_a_document};

    /// What is left of the tries, where all of them are and where none is.
    pub(crate) const ALL: Option<usize> = Some(FULL_TRIES);
    pub(crate) const NONE: Option<usize> = Some(0);

    /// How many tries are left.
    pub(crate) fn left() -> Option<usize> {
        TRIES.get()
    }

    #[test]
    fn a_check_in_a_check_has_no_tries_of_its_own() {
        let inner = within_a_document(|| {
            super::takes_a_try();
            within_a_document(left)
        });
        assert_eq!(inner, Some(FULL_TRIES - 1));
        assert_eq!(left(), None);
    }
}

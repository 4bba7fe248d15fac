//! Work that is shared among threads.

use std::thread::{Builder, scope};

/// Does `work` on so many threads, this one among them: on fewer where the system gives no more.
pub(crate) fn side_by_side(threads: usize, work: impl Fn() + Sync) {
    with_this(threads, &work, &work);
}

/// The same with other work in this thread, which takes its share with what only it can do.
pub(crate) fn with_this(threads: usize, work: impl Fn() + Sync, here: impl FnOnce()) {
    scope(|scope| {
        for _ in 1..threads {
            // Without it the others have more to do.
            let _ = Builder::new().spawn_scoped(scope, &work);
        }
        here();
    });
}

#[cfg(test)]
mod tests {
    use super::side_by_side;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn one_thread_is_this_one() {
        let here = std::thread::current().id();
        let count = AtomicUsize::new(0);
        for threads in [0, 1] {
            side_by_side(threads, || {
                assert_eq!(std::thread::current().id(), here);
                count.fetch_add(1, Ordering::Relaxed);
            });
        }
        assert_eq!(count.into_inner(), 2);
    }
}

//! Work shared among threads.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{Builder, scope};

/// How many threads a check uses; more would only wait for the disk.
const MAX_THREADS: usize = 8;

/// How many threads a command uses.
pub(crate) fn threads() -> usize {
    // To ask the system costs as much as reading several files.
    static THREADS: OnceLock<usize> = OnceLock::new();
    *THREADS.get_or_init(|| std::thread::available_parallelism().map_or(1, |count| count.get().min(MAX_THREADS)))
}

/// Runs `work` on a number of threads, including this one: on fewer if the system provides no more.
pub(crate) fn side_by_side(threads: usize, work: impl Fn() + Sync) {
    with_this(threads, &work, &work);
}

/// The results of `make` for all items, in their order, computed by a number of threads. `batch`: how many items a
/// thread takes at a time; related neighbours go to the same thread.
pub(crate) fn map<T: Sync, R: Send + Sync>(
    threads: usize,
    items: &[T],
    batch: usize,
    make: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let results: Vec<OnceLock<R>> = items.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    side_by_side(threads.min(items.len().div_ceil(batch)), || {
        loop {
            let start = next.fetch_add(batch, Ordering::Relaxed);
            if start >= items.len() {
                return;
            }
            for (item, result) in items.iter().zip(&results).skip(start).take(batch) {
                let _ = result.set(make(item));
            }
        }
    });
    results.into_iter().filter_map(OnceLock::into_inner).collect()
}

/// Runs the work on several threads. This one first does `here`, which only it can do, and then takes part.
pub(crate) fn with_this(threads: usize, work: impl Fn() + Sync, here: impl FnOnce()) {
    scope(|scope| {
        for _ in 1..threads {
            // Without it the other threads have more to do.
            let _ = Builder::new().stack_size(lofting_eval::STACK).spawn_scoped(scope, &work);
        }
        here();
    });
}

#[cfg(test)]
mod tests {
    use super::{map, side_by_side};
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

    #[test]
    fn results_stand_where_their_items_do() {
        let items: Vec<usize> = (0..50).collect();
        for (threads, batch) in [(0, 1), (1, 7), (3, 1), (3, 16), (8, 100)] {
            assert_eq!(map(threads, &items, batch, |item| item * 2), (0..100).step_by(2).collect::<Vec<_>>());
        }
        assert!(map(2, &[], 1, |item: &usize| *item).is_empty());
    }
}

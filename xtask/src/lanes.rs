//! Does things two at a time, where one alone would leave a processor without work.

use std::thread;

use parking_lot::Mutex;

/// How many things are done at the same time.
pub const LANES: usize = 2;

/// Does `work` with each item, in their order.
pub fn run<T: Send>(items: impl IntoIterator<Item = T, IntoIter: Send>, work: impl Fn(T) + Sync) {
    let next = Mutex::new(items.into_iter());
    let take = || next.lock().next();
    thread::scope(|scope| {
        for _ in 0..LANES {
            scope.spawn(|| {
                while let Some(item) = take() {
                    work(item);
                }
            });
        }
    });
}

#[cfg(test)]
mod tests {
    use parking_lot::Mutex;

    #[test]
    fn each_item_is_taken_once() {
        let taken = Mutex::new(Vec::new());
        super::run(0..100, |item| taken.lock().push(item));
        let mut taken = taken.into_inner();
        taken.sort_unstable();
        assert_eq!(taken, (0..100).collect::<Vec<_>>());
    }
}

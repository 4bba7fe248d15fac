//! Every target bounds the time and memory that a text may cost: 50 ms and 1 µs a byte, 64 MB and 100 bytes a byte.
//!
//! Memory is counted by the allocator, so the same text gives the same figure everywhere. Time is the processor time of
//! this process; a text over the limit is run again, because a busy machine slows a program down, but never speeds it up.

use std::time::Duration;

use cpu_time::ProcessTime;
use peak_alloc::PeakAlloc;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// How much slower the targets are than the program: they count branches, check for overflows and assert, and ask every
/// question at several places.
const SLOWER: u32 = 20;

/// Attempts at staying within the time.
const ATTEMPTS: usize = 3;

/// A fuzz target with a limit of its time and memory. All targets are declared with it (`tests/layout` looks).
#[macro_export]
macro_rules! target {
    (|$input:ident: &$type:ty| $body:block) => {
        libfuzzer_sys::fuzz_target!(|$input: &$type| {
            $crate::measured::within($input.len(), || $body);
        });
    };
}

/// Runs `work`, which must not cost more than a text of this length in bytes may.
pub fn within(bytes: usize, work: impl Fn()) {
    let time = (Duration::from_millis(50) + Duration::from_micros(bytes as u64)) * SLOWER;
    let memory = (64 << 20) + 100 * bytes;
    let mut fastest = Duration::MAX;
    for _ in 0..ATTEMPTS {
        HEAP.reset_peak_usage();
        let (before, start) = (HEAP.current_usage(), ProcessTime::now());
        work();
        fastest = fastest.min(start.elapsed());
        let most = HEAP.peak_usage().saturating_sub(before);
        assert!(most <= memory, "{bytes} bytes of text take {most} bytes of memory, more than {memory}");
        if fastest <= time {
            return;
        }
    }
    panic!("{bytes} bytes of text take {fastest:?}, more than {time:?}");
}

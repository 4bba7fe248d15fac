//! Every target bounds the time and memory that an input may cost: 50 ms and 1 µs a byte, 64 MB and 100 bytes a byte.
//!
//! Memory is counted by the allocator, so the same input gives the same figure everywhere. Time is the processor time of
//! this process; an input over the limit is run again, because a busy machine slows a program down, but never speeds it up.

use std::time::Duration;

use cpu_time::ProcessTime;
use peak_alloc::PeakAlloc;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// How much slower the targets are than the program: they count branches, check for overflows and assert, and ask every
/// question at several places. Short runs are not optimised, which makes them five times slower still.
const SLOWER: u32 = if cfg!(unoptimised) { 100 } else { 20 };

/// Attempts at staying within the time.
const ATTEMPTS: usize = 3;

/// What is done with each input.
#[derive(Clone, Copy)]
pub enum Target {
    Bytes(fn(&[u8])),
    /// Takes the input up to its first byte that is not UTF-8.
    Text(fn(&str)),
}

impl Target {
    /// Runs the target, which must not cost more than an input of this length may.
    pub fn run(self, input: &[u8]) {
        match self {
            Target::Bytes(run) => within(input.len(), || run(input)),
            Target::Text(run) => {
                let text = input.utf8_chunks().next().map_or("", |chunk| chunk.valid());
                within(text.len(), || run(text));
            }
        }
    }
}

fn within(bytes: usize, work: impl Fn()) {
    let time = (Duration::from_millis(50) + Duration::from_micros(bytes as u64)) * SLOWER;
    let memory = (64 << 20) + 100 * bytes;
    let mut fastest = Duration::MAX;
    for _ in 0..ATTEMPTS {
        HEAP.reset_peak_usage();
        let (before, start) = (HEAP.current_usage(), ProcessTime::now());
        work();
        fastest = fastest.min(start.elapsed());
        let most = HEAP.peak_usage().saturating_sub(before);
        assert!(most <= memory, "{bytes} bytes of input take {most} bytes of memory, more than {memory}");
        if fastest <= time {
            return;
        }
    }
    panic!("{bytes} bytes of input take {fastest:?}, more than {time:?}");
}

//! Work grows with the input, not faster: for every shape of input each question is asked at two sizes, and allocations
//! are counted. Time would tell more, but not the same twice; `cargo xtask bench --growth` measures it.
#![forbid(unsafe_code)]

mod ask;
mod beside;
mod called;
mod kept;
mod read_schemas;
mod steps;
mod touched;
mod wanted;

use parking_lot::{Mutex, MutexGuard};
use std::alloc::System;

use lofting_tests::shapes::{self, Case};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

use ask::Work;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The larger size of a shape, unless it has a smaller bound. With `--all` it is `LOFTING_GROWTH_LARGE`.
const LARGE: usize = 480;

/// Between the smaller size and the larger one.
const FACTOR: usize = 4;

/// Work may grow with this power of the size.
const ALLOWED: f64 = 1.15;

/// The larger size of a shape that means as many pairs as its square.
const LARGE_OF_PAIRS: usize = 160;

/// Allocations of other threads count as well, so that tests take turns.
static TURN: Mutex<()> = Mutex::new(());

/// The turn of a test. What only test builds record is not work of users.
fn turn() -> MutexGuard<'static, ()> {
    lofting_workspace::recorder::switch_off();
    TURN.lock()
}

/// Work below this is mostly what every question costs.
const FLOOR: Work = Work { allocations: 20_000, bytes: 4_000_000 };

#[test]
fn work_grows_no_faster_than_the_input() {
    let _turn = turn();
    let only = std::env::var("LOFTING_GROWTH").unwrap_or_default();
    let mut steep = Vec::new();
    for shape in shapes::all().iter().filter(|shape| shape.name.contains(&only)) {
        let (bound, allowed) = match shape.power {
            1 => (large(), ALLOWED),
            power => (LARGE_OF_PAIRS, ALLOWED + f64::from(power - 1)),
        };
        let large = shape.most.min(bound);
        let mut steepest: f64 = 0.0;
        let (small, large) = ((shape.make)(large / FACTOR), (shape.make)(large));
        let text = factor_of_text(&small, &large);
        let (small, large) = (ask::everything(&small), ask::everything(&large));
        for (before, after) in small.iter().zip(&large) {
            assert_eq!(before.form, after.form, "{}", shape.name);
            let exponents = [
                exponent(before.work.allocations, after.work.allocations, FLOOR.allocations, FACTOR as f64),
                exponent(before.work.bytes, after.work.bytes, FLOOR.bytes, text),
            ];
            let worst = exponents.into_iter().fold(0.0, f64::max);
            steepest = steepest.max(worst);
            if worst > allowed {
                steep.push((
                    worst,
                    format!("{worst:.2} {}, {}: {:?} -> {:?}", shape.name, after.form, before.work, after.work),
                ));
            }
        }
        assert!(shape.power == 1 || steepest > ALLOWED, "{} grows with {steepest:.2} only", shape.name);
    }
    steep.sort_by(|a, b| b.0.total_cmp(&a.0));
    let lines: Vec<&str> = steep.iter().map(|(_, line)| line.as_str()).collect();
    assert!(lines.is_empty(), "steeper than {ALLOWED}:\n{}", lines.join("\n"));
}

/// A loop in a loop is found: else the test could not fail.
#[test]
fn a_square_is_steep() {
    let _turn = turn();
    let work = |n: usize| {
        ask::counted(|| {
            for _ in 0..n {
                std::hint::black_box(vec![0_u8; n * 64]);
            }
        })
    };
    let (small, large) = (work(LARGE / FACTOR), work(LARGE));
    assert!(exponent(small.bytes, large.bytes, FLOOR.bytes, FACTOR as f64) > 1.9);
    assert!(exponent(small.allocations, large.allocations, 0, FACTOR as f64) < 1.1);
}

#[test]
fn each_further_document_costs_what_the_first_did() {
    let _turn = turn();
    let (small, large) = (ask::documents(LARGE / FACTOR), ask::documents(LARGE));
    for (before, after) in small.iter().zip(&large) {
        let allocations = exponent(before.work.allocations, after.work.allocations, 0, FACTOR as f64);
        let bytes = exponent(before.work.bytes, after.work.bytes, 0, FACTOR as f64);
        assert!(allocations.max(bytes) <= ALLOWED, "{}: {:?} -> {:?}", after.form, before.work, after.work);
    }
}

/// The larger size, or what the environment says.
fn large() -> usize {
    std::env::var("LOFTING_GROWTH_LARGE").ok().and_then(|text| text.parse().ok()).unwrap_or(LARGE)
}

/// How much more text there is. Usually it grows as the number of things does; what is nested has its indentation, and
/// directories in each other have their paths, which are as long as they are deep: their bytes have to be looked at,
/// though not with more allocations.
fn factor_of_text(small: &Case, large: &Case) -> f64 {
    let factor = large.bytes() as f64 / small.bytes().max(1) as f64;
    if factor > 2.0 * FACTOR as f64 { factor } else { FACTOR as f64 }
}

/// The power of `factor` with which work grows; 0 where there is too little of it to tell.
fn exponent(small: usize, large: usize, floor: usize, factor: f64) -> f64 {
    if large < floor.max(1) {
        return 0.0;
    }
    (large as f64 / small.max(floor / 8).max(1) as f64).ln() / factor.ln()
}

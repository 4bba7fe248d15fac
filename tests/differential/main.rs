//! Two independent ways to the same answer, for made-up programs: where the answers differ, one of them is wrong.
//!
//! Each way is one file and one line of [`WAYS`]. `cargo xtask differential` tries hundreds of thousands of programs in
//! an optimised build; the test here tries a few of each. A program follows from the seed and its number, and one that
//! fails is printed as small as it can be made by leaving lines out.
#![allow(clippy::print_stdout, reason = "what was tried is shown")]
#![forbid(unsafe_code)]

mod answers;
mod code;
mod edits;
#[path = "../../server/check/tests/inventions/generator.rs"]
#[allow(dead_code, reason = "each test uses its part")]
mod generator;
mod once;
mod program;
mod schemas;
mod tree;
#[path = "../soak/worker.rs"]
mod worker;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;

use program::{Program, shrink};

/// Two ways to one answer.
struct Way {
    /// What `--only` names it.
    name: &'static str,
    /// Makes a program of a number.
    make: fn(u64) -> Program,
    /// What differs between the answers.
    differs: fn(&Program) -> Option<String>,
    /// So many programs are tried with all other tests.
    usual: u64,
}

const WAYS: &[Way] = &[
    Way { name: "tree", make: tree::make, differs: tree::differs, usual: 300 },
    Way { name: "edits", make: edits::make, differs: edits::differs, usual: 60 },
    Way { name: "code", make: code::make, differs: code::differs, usual: 60 },
    Way { name: "schemas", make: schemas::make, differs: schemas::differs, usual: 400 },
];

/// So many differences of a run are made small and printed.
const SHOWN: usize = 5;

/// What differs, or how it ended.
fn differs(way: &Way, program: &Program) -> Option<String> {
    let tried = std::panic::catch_unwind(|| (way.differs)(program));
    tried.unwrap_or_else(|why| {
        let why = why.downcast_ref::<String>().map(String::as_str).or(why.downcast_ref::<&str>().copied());
        Some(format!("panic: {}", why.unwrap_or_default()))
    })
}

/// Tries so many programs of a way from a number on, and returns how many differ, and the first of them as text.
fn run(way: &Way, seed: u64, first: u64, count: u64) -> (u64, Vec<String>) {
    let next = AtomicU64::new(first);
    let found: Mutex<Vec<u64>> = Mutex::default();
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= first + count {
                break;
            }
            if differs(way, &(way.make)(program::number(seed, number))).is_some() {
                found.lock().push(number);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(work);
        }
    });
    let mut found = found.into_inner();
    found.sort_unstable();
    let shown = found.iter().take(SHOWN).map(|number| shown(way, seed, *number)).collect();
    (found.len() as u64, shown)
}

/// The rules that a difference names: a smaller program is to have the same one.
fn rules(why: &str) -> BTreeSet<String> {
    let of_rule = |word: &&str| word.contains('/') && word.chars().all(|c| c.is_ascii_lowercase() || "/-".contains(c));
    why.split_whitespace().filter(of_rule).map(str::to_owned).collect()
}

/// A difference with the smallest program that has it.
fn shown(way: &Way, seed: u64, number: u64) -> String {
    let program = (way.make)(program::number(seed, number));
    let rules = differs(way, &program).map(|why| rules(&why));
    let program = shrink(program, |program| differs(way, program).map(|why| self::rules(&why)) == rules);
    let why = differs(way, &program).unwrap_or_default();
    format!("{}, seed {seed}, program {number}:\n{program}{why}\n", way.name)
}

/// `LOFTING_DIFFERENTIAL` says what is tried: a way, a seed, the number of the first program, and how many.
#[test]
fn both_ways_lead_to_the_same_answer() {
    if let Ok(asked) = std::env::var("LOFTING_DIFFERENTIAL") {
        let mut words = asked.split_whitespace();
        let name = words.next().unwrap_or_default();
        let numbers: Vec<u64> = words.map(|word| word.parse().expect("a number")).collect();
        let [seed, first, count] = numbers[..] else { panic!("a way and three numbers: {asked}") };
        let way = WAYS.iter().find(|way| way.name == name).expect("a way");
        let (differences, shown) = run(way, seed, first, count);
        shown.iter().for_each(|shown| println!("{shown}"));
        println!("{differences} differences");
        return;
    }
    let ways = WAYS.iter().map(|way| run(way, 0, 0, way.usual).1);
    let wrong: Vec<String> = ways.flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! Speed of a full parse and of one keystroke, on generated texts.
//! Run with `cargo bench -p lofting-syntax`.
#![allow(clippy::print_stdout)]

use lofting_syntax::{Tree, parse};
use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Values-like text: annotated comments, nested maps, flow maps, block scalars.
fn values(bytes: usize) -> String {
    let mut out = String::with_capacity(bytes + 2000);
    out.push_str("#@data/values\n---\n");
    let mut number = 0u64;
    while out.len() < bytes {
        number += 1;
        let _ = write!(
            out,
            "#@schema/desc \"Service number {number}, which does something\"\nservice_{number}:\n  name: service-{number}\n  \
             #! how many of them\n  replicas: {}\n  image:\n    repository: registry.example.com/team/service-{number}\n    tag: \"1.{}.0\"\n    \
             pullPolicy: IfNotPresent\n  enabled: true\n  resources: {{limits: {{cpu: 500m, memory: 128Mi}}, requests: {{cpu: 250m}}}}\n  \
             env:\n  - name: LOG_LEVEL\n    value: info\n  - name: 'OTHER'\n    value: 'some text'\n  args: [serve, --port, \"8080\"]\n  \
             script: |\n    #!/bin/sh\n    echo \"hello\"\n    exit 0\n  ports:\n  - 80\n  - 443\n\n",
            number % 9,
            number % 50,
        );
    }
    out
}

fn flat(lines: usize) -> String {
    (0..lines).fold(String::new(), |mut out, line| {
        let _ = writeln!(out, "key_number_{line}: value {line}");
        out
    })
}

fn below_one_key(lines: usize) -> String {
    let mut out = "root:\n".to_owned();
    for line in 0..lines / 4 {
        let _ = write!(out, "  entry_{line}:\n    a: {line}\n    b: text\n    c: [1, 2]\n");
    }
    out
}

fn small_maps(lines: usize) -> String {
    let mut out = String::new();
    for line in 0..lines / 3 {
        let _ = write!(out, "- name: item-{line}\n  value: {line}\n  flag: true\n");
    }
    out
}

fn json_like(lines: usize) -> String {
    let mut out = "{\n".to_owned();
    for line in 0..lines {
        let _ = writeln!(out, "  \"key{line}\": {{\"a\": {line}, \"b\": [1, 2]}},");
    }
    out.push_str("}\n");
    out
}

fn comments(lines: usize) -> String {
    let mut out = String::new();
    for line in 0..lines / 10 {
        for _ in 0..9 {
            out.push_str("# a comment line of some length\n");
        }
        let _ = writeln!(out, "key{line}: 1");
    }
    out
}

/// Time this thread has spent on a processor: other work on the machine counts less than with a
/// clock. Linux only; elsewhere the clock.
fn now(since: Instant) -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = stat.and_then(|text| text.split(' ').next()?.parse().ok());
    spent.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

fn best(mut run: impl FnMut(), times: usize) -> Duration {
    let since = Instant::now();
    let mut best = Duration::MAX;
    for _ in 0..times {
        let start = now(since);
        run();
        best = best.min(now(since) - start);
    }
    best
}

/// Types and deletes a character at places all over the text; the mean and the worst of them.
fn keystrokes(name: &str, text: &str) {
    let tree = parse(text);
    let mut times = Vec::new();
    let mut current: Tree = tree.clone();
    for step in 0..200usize {
        let mut at = (step * 7919 * 31) % text.len();
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let start = Instant::now();
        let typed = current.edit(at..at, "x");
        times.push(start.elapsed());
        let start = Instant::now();
        current = typed.edit(at..at + 1, "");
        times.push(start.elapsed());
        let start = Instant::now();
        drop(black_box(typed));
        times.push(start.elapsed());
    }
    times.sort();
    let median = times[times.len() / 2].as_secs_f64() * 1e6;
    let high = times[times.len() * 99 / 100].as_secs_f64() * 1e6;
    let worst = times[times.len() - 1].as_secs_f64() * 1e6;
    println!("{name:<32} median {median:8.1} µs   99 % {high:8.1} µs   worst {worst:8.1} µs");
}

fn main() {
    for megabytes in [1usize, 10] {
        let text = values(megabytes * 1_000_000);
        assert!(parse(&text).errors().is_empty());
        let (mut time, mut freed) = (Duration::MAX, Duration::MAX);
        for _ in 0..20 {
            let mut tree = None;
            time = time.min(best(|| tree = Some(parse(black_box(&text))), 1));
            freed = freed.min(best(|| tree = None, 1));
        }
        // A yardstick: how fast this machine is now.
        let judge = best(|| assert!(saphyr_parser::Parser::new_from_str(&text).count() > 0), 2);
        let judge = text.len() as f64 / 1e6 / judge.as_secs_f64();
        let speed = text.len() as f64 / 1e6 / time.as_secs_f64();
        println!(
            "parse {megabytes:>2} MB values: {:7.2} ms, {speed:6.1} MB/s; freeing {:6.2} ms; saphyr-parser {judge:.1} MB/s",
            time.as_secs_f64() * 1e3,
            freed.as_secs_f64() * 1e3
        );
    }
    for (name, text) in [
        ("values, 100,000 lines", values(2_900_000)),
        ("one flat map, 100,000 lines", flat(100_000)),
        ("all below one key, 100,000", below_one_key(100_000)),
        ("small maps, 100,000 lines", small_maps(100_000)),
        ("flow map, 100,000 lines", json_like(100_000)),
        ("comments, 100,000 lines", comments(100_000)),
    ] {
        let time = best(|| drop(black_box(parse(black_box(&text)))), 3);
        print!("{:6.1} MB/s  {:>7} lines  ", text.len() as f64 / 1e6 / time.as_secs_f64(), text.lines().count());
        keystrokes(name, &text);
    }
}

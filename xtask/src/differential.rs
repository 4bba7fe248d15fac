//! `cargo xtask differential --programs N`: made-up programs, to whose answers two independent ways lead.
//!
//! `tests/differential` makes and compares them. Ways take turns, and each turn is in the ledger when it has ended: a run
//! that is stopped loses a turn.

mod ledger;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use serde_json::Value;

use crate::dist::time::today;
use crate::shell;
use ledger::Turn;

/// Programs of a turn.
const TURN: u64 = 2_000;

/// `cargo xtask differential --programs N [--seed S] [--only WAY]`
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    let number = |name: &str, usual: Option<u64>| match (shell::flag(arguments, name), usual) {
        (Some(text), _) => text.parse().map_err(|_| anyhow!("`{text}` is not a number")),
        (None, usual) => usual.with_context(|| format!("`{name} N` is missing")),
    };
    let (programs, seed) = (number("--programs", None)?, number("--seed", Some(1))?);
    let mut ways = ways()?;
    if let Some(only) = shell::flag(arguments, "--only") {
        let all = ways.join(", ");
        ways.retain(|way| way == only);
        if ways.is_empty() {
            bail!("there is no way `{only}`; there are: {all}");
        }
    }
    let test = build()?;
    let mut differences = 0;
    let mut done = 0;
    while done < programs {
        let count = TURN.min(programs - done);
        for way in &ways {
            differences += turn(&test, way, seed, count)?;
        }
        done += count;
    }
    Ok(differences == 0)
}

/// One turn of a way; returns how many differences it found.
fn turn(test: &PathBuf, way: &str, seed: u64, count: u64) -> anyhow::Result<u64> {
    let first = ledger::tried(way, seed)?;
    let mut command = shell::program("nice", &["-n", "19"], ".");
    command.arg(test).args(["both_ways", "--nocapture", "--test-threads", "1"]);
    // Deep values need the stack that threads of the program have; Cargo would set it.
    command.env("RUST_MIN_STACK", "134217728").env("LOFTING_DIFFERENTIAL", format!("{way} {seed} {first} {count}"));
    let said = shell::quiet(&mut command)?;
    let shown: Vec<&str> = said.lines().filter(|line| !line.starts_with("running ") && !line.is_empty()).collect();
    // The name of the test may be before it on the line.
    let number = |line: &&str| line.strip_suffix(" differences")?.rsplit(' ').next()?.parse().ok();
    let differences = shown.iter().find_map(number);
    let differences = differences.with_context(|| format!("{way} has not ended: {said}"))?;
    if differences > 0 {
        println!("{said}");
    }
    println!("{way}: programs {first} to {} of seed {seed}, {differences} differences", first + count - 1);
    ledger::add(&Turn { date: today(), way: way.to_owned(), seed, programs: count, differences })?;
    Ok(differences)
}

/// The names of the ways, as the test registers them.
fn ways() -> anyhow::Result<Vec<String>> {
    let path = shell::root().join("tests/differential/main.rs");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let name = |line: &str| Some(line.trim_start().strip_prefix("Way { name: \"")?.split_once('"')?.0.to_owned());
    Ok(text.lines().filter_map(name).collect())
}

/// Builds the test, and returns the program that it is; `LOFTING_DIFFERENTIAL_TEST` names one that is already built.
fn build() -> anyhow::Result<PathBuf> {
    if let Some(path) = std::env::var_os("LOFTING_DIFFERENTIAL_TEST") {
        return Ok(path.into());
    }
    let mut command = shell::cargo(&["test", "--quiet", "--release", "--no-run", "--message-format", "json"]);
    let said = shell::quiet(command.args(["--package", "lofting-lsp", "--test", "differential"]))?;
    let messages = said.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let built = messages.filter(|message| message["target"]["name"] == "differential");
    let program = built.filter_map(|message| message["executable"].as_str().map(PathBuf::from)).next_back();
    program.context("cargo names no program")
}

//! `cargo xtask test`: everything that must hold before a change lands.

use anyhow::{Context, bail};

use crate::report::Report;
use crate::shell::{self, cargo};
use crate::{
    bench, casts, catalogue, dependencies, docs, documentation, emacs, format, fuzz, lints, neovim, packages, pages,
    playground, test_programs, vscode,
};

/// Seconds for each fuzz target, enough to see that it runs; `cargo xtask fuzz --hours 2` searches.
const FUZZ_SECONDS: u32 = 3;

/// Seconds for each fuzz target with `--all`.
const LONG_FUZZ_SECONDS: u32 = 60;

/// Seconds of editing with `--all`; without it, the test has its own default.
const LONG_SOAK_SECONDS: u32 = 600;

/// How often branches are checked out in turns with `--all`.
const MANY_CHECKOUTS: u32 = 10_000;

/// What random inputs are made from, so that the same tree gives the same verdict twice. With `--all`, each run tries
/// others.
const SEED: &str = "1";

/// The size of inputs in the test of counted work with `--all`.
const LARGE_GROWTH: u32 = 3200;

/// Tests that compare two ways to the same answer over made-up schemas: what they are called, their package and name.
const INVENTIONS: [(&str, &str, &str); 3] = [
    ("invented JSON Schemas", "lofting-check", "inventions"),
    ("invented changes of JSON Schemas", "lofting-diff", "safe"),
    ("invented changes of data values schemas", "lofting-diff", "safe_ytt"),
];

/// How many JSON Schemas are invented with `--all`.
const MANY_INVENTIONS: u32 = 200_000;

/// `cargo xtask test [--all] [--newcomer]`: runs all steps, even those after a failed one, and prints the total. With
/// `--all`, random searches run longer. `--newcomer` alone runs only the test of what the chores `new-…` write, which
/// builds the program once more and is therefore a part of `--all` only.
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    if let [first, rest @ ..] = arguments
        && first == "--packages"
    {
        return test_packages(rest);
    }
    if let Some(argument) = arguments.iter().find(|argument| !["--all", "--newcomer"].contains(&argument.as_str())) {
        bail!("`cargo xtask test` knows the arguments `--all`, `--newcomer` and `--packages`, not `{argument}`");
    }
    let all = arguments.iter().any(|argument| argument == "--all");
    let mut report = Report::default();
    if !arguments.is_empty() {
        let test = ["test", "--quiet", "-p", "lofting-lsp", "--test", "e2e", "newcomer", "--", "--ignored"];
        report.command("what a newcomer writes", &mut lints::with_lints(&test));
    }
    if !arguments.is_empty() && !all {
        return Ok(report.close());
    }
    // First, because the build takes it in.
    catalogue::test(&mut report);
    report.check("formatting", format::check());
    report.check("lints", lints::build());
    test_programs::run(&mut report, (!all).then_some(SEED));
    if all {
        let mut soak = cargo(&["test", "--quiet", "--release", "-p", "lofting-lsp", "--test", "soak"]);
        report.command("long soak", soak.env("LOFTING_SOAK_SECONDS", LONG_SOAK_SECONDS.to_string()));
    }
    if all {
        let mut checkouts = cargo(&["test", "--quiet", "--release", "-p", "lofting-lsp", "--test", "e2e", "checkouts"]);
        report.command("many checkouts", checkouts.env("LOFTING_CHECKOUTS", MANY_CHECKOUTS.to_string()));
    }
    if all {
        for (name, package, test) in INVENTIONS {
            let mut inventions = cargo(&["test", "--quiet", "--release", "-p", package, "--test", test]);
            inventions.env("LOFTING_INVENTIONS", MANY_INVENTIONS.to_string());
            report.command(name, inventions.env("LOFTING_INVENTIONS_SEED", std::process::id().to_string()));
        }
    }
    if all {
        let mut growth = cargo(&["test", "--quiet", "--release", "-p", "lofting-lsp", "--test", "growth"]);
        report.command("growth of large inputs", growth.env("LOFTING_GROWTH_LARGE", LARGE_GROWTH.to_string()));
        // Work that allocates nothing is not counted; the clock tells a square from noise.
        let clock = ["--growth", "--form", "open", "--allowed", "1.5"].map(str::to_owned);
        let outcome = bench::run(&clock).and_then(|is_well| is_well.then_some(()).context("see above"));
        report.check("growth by the clock", outcome);
    }
    report.heading("generated pages");
    report.check("docs are up to date", docs::check());
    report.check("casts are up to date", casts::check());
    dependencies::test(&mut report);
    fuzz::all(&mut report, if all { LONG_FUZZ_SECONDS } else { FUZZ_SECONDS }, None);
    neovim::test(&mut report);
    emacs::test(&mut report);
    pages::test(&mut report, neovim::neovim().ok());
    vscode::test(&mut report);
    playground::test(&mut report);
    documentation::test(&mut report);
    packages::test(&mut report, None, false, None);
    if let Some(note) = missing_shared() {
        report.skip("measurements on outside material", &note);
    }
    Ok(report.close())
}

/// `cargo xtask test --packages [--binary PATH] [--only TEXT]`
fn test_packages(arguments: &[String]) -> anyhow::Result<bool> {
    if let Some(pair) = arguments.chunks(2).find(|pair| pair.len() != 2 || !["--binary", "--only"].contains(&&*pair[0]))
    {
        bail!("`cargo xtask test --packages` knows `--binary PATH` and `--only TEXT`, not `{}`", pair[0]);
    }
    let binary = shell::flag(arguments, "--binary").map(|path| shell::root().join(path));
    let mut report = Report::default();
    packages::test(&mut report, binary.as_deref(), true, shell::flag(arguments, "--only"));
    Ok(report.close())
}

/// Some tests read material next to the repository if it is there; this reports when it is not.
fn missing_shared() -> Option<String> {
    let path = shell::root().join("../shared/conformance");
    (!path.is_dir()).then(|| "../shared: not present".to_owned())
}

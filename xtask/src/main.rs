//! Chores of the repository, run as `cargo xtask CHORE`.
//!
//! Everything a contributor or the continuous integration does is one of these chores, so that both do the same.
//! The chores use few libraries (JSON, archives, checksums): they must build in seconds on a fresh clone.
#![allow(clippy::print_stdout, reason = "a chore talks to a terminal")]

mod bench;
mod casts;
mod catalogue;
mod dependencies;
mod differential;
mod dist;
mod docs;
mod documentation;
mod emacs;
mod format;
mod fuzz;
mod lanes;
mod ledger;
mod library;
mod lints;
mod manual;
mod mutants;
mod neovim;
mod new;
mod packages;
mod pages;
mod picture;
mod playground;
mod report;
mod shell;
mod soak;
mod terminal;
mod test;
mod test_programs;
mod version;
mod vscode;
mod vscode_web;
mod wasm;
mod zed;

use std::process::ExitCode;

use anyhow::{anyhow, bail};

const HELP: &str = "\
Usage: cargo xtask CHORE

  test [--all] [--newcomer]
                       everything: formatting, lints, all tests, bounded fuzzing, editors; fetches what it needs;
                       with --all the search for mistakes goes on for longer; --newcomer runs only what uses the
                       chores new-… in a copy, which --all does as well
  test --packages [--binary PATH] [--only TEXT]
                       packages only: makes them twice, installs each that can be installed here, and runs the examples
                       for CI and the steps of the release with them
  docs [--check]       writes docs/rules.md, the pages below docs/rules, docs/settings.md and the list in docs/SUMMARY.md
  format [--check]     rustfmt for every file of the repository, including those that `cargo fmt` does not find
  new-rule CODE        writes what a rule begins with: its file, its line in the list, a fixture
  new-action NAME      writes what a refactoring begins with: its file with tests, its line in the list
  new-dialect NAME     writes what a language begins with: its folder, its entries in the list
  fuzz [--seconds N] [--target NAME]
                       coverage-guided fuzzing (libFuzzer on the stable toolchain), each target for so long
  fuzz --hours N [--target NAME] [--corpus DIR]
                       the same at low priority, in turns, for so many hours of processor time together; goes on where
                       the last run ended, and writes docs/fuzzing.md after each turn
  differential --programs N [--seed S] [--only WAY]
                       makes up so many programs for each pair of ways to one answer, and compares what they say; at low
                       priority, goes on where the last run with that seed ended, and writes docs/differential.md
  mutants --crate NAME [--sample N] [--seed S] [--tests CRATE,CRATE]
                       changes the code of a crate, so many times, and lists the changes that its tests let pass, and those
                       of the crates that use it; at low priority, in a clone of what is committed
  soak --hours N [--keys-a-second N]
                       types into one server for so long, at low priority: it must find what a fresh one finds, and its memory
                       must not grow; LOFTING_BINARY names another program than the one that packages hold
  catalogue            fetches the packages of the built-in schemas (once) and makes the data file that the build takes in
  dist [--target TRIPLE] [--binary PATH] [--only KIND,KIND] [--out DIR] [--glibc VERSION]
                       all packages of one platform below target/packages: archive, checksums, SBOM, wheel, npm packages,
                       Debian package, VSIX, playground and extension for browsers, Zed component; builds the program unless --binary names one,
                       for Linux with cargo-zigbuild, if it is there: statically, or for that C library and newer ones
  dist --manifests DIR writes the files for package managers (packaging/) with the checksums of the archives in DIR
  version [--check] [NEW]
                       writes the version of Cargo.toml, or a new one, wherever else it is written
  dependencies         licences of what is built in; advisories where cargo-deny is installed
  bench [ARGUMENT...]  measures the real binary over the protocol; see docs/performance.md
  editors [--neovim] [--vscode] [--zed] [--emacs] [--pages] [--package]
                       editor tests on their own; --pages follows the manual's pages, --vscode also drives a real VS Code, --package writes a VSIX
  manual               builds docs as a book into target/manual, and follows its links
  wasm                 builds the checks for browsers into target/wasm, and says how large they are; needs a standard
                       library for wasm32-unknown-unknown, or its source
  playground [--test]  builds the page on which one tries Lofting into target/playground; with --test in a browser
  picture [--vscode]   draws docs/check.svg from a real run on a file of the manual; with --vscode docs/vscode.png, which
                       shows the same file in a real VS Code
  casts [--check]      records docs/casts: short runs of the program on shipped examples, as pictures that move
";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let chore = arguments.next().unwrap_or_default();
    let rest: Vec<String> = arguments.collect();
    let outcome = match chore.as_str() {
        "test" => test::run(&rest),
        "docs" => docs::run(&rest),
        "format" => format::run(&rest),
        "new-rule" => new::rule(&rest),
        "new-action" => new::action(&rest),
        "new-dialect" => new::dialect(&rest),
        "fuzz" => fuzz::run(&rest),
        "differential" => differential::run(&rest),
        "mutants" => mutants::run(&rest),
        "soak" => soak::run(&rest),
        "dist" => dist::run(&rest),
        "version" => version::run(&rest),
        "dependencies" => Ok(dependencies::run()),
        "bench" => bench::run(&rest),
        "editors" => editors(&rest),
        "catalogue" => catalogue::run(),
        "manual" => manual::run(&rest),
        "picture" => picture::run(&rest),
        "casts" => casts::run(&rest),
        "wasm" => wasm::run(),
        "playground" => playground::run(&rest),
        "" | "help" | "-h" | "--help" => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        other => Err(anyhow!("there is no chore `{other}`\n\n{HELP}")),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("xtask: {message:#}");
            ExitCode::from(2)
        }
    }
}

fn editors(arguments: &[String]) -> anyhow::Result<bool> {
    let mut report = report::Report::default();
    let all = arguments.is_empty();
    for argument in arguments {
        if !["--neovim", "--vscode", "--zed", "--emacs", "--pages", "--package"].contains(&argument.as_str()) {
            bail!("`cargo xtask editors` does not know `{argument}`");
        }
    }
    let asked = |name: &str| all || arguments.iter().any(|argument| argument == name);
    if asked("--neovim") {
        neovim::test(&mut report);
    }
    if asked("--vscode") {
        vscode::test(&mut report);
        // The real editor takes 850 MB, so it is used only when requested by name.
        if !all {
            vscode::drive(&mut report);
        }
    }
    if asked("--zed") {
        zed::test(&mut report);
    }
    if asked("--emacs") {
        emacs::test(&mut report);
    }
    if asked("--pages") {
        pages::test(&mut report, neovim::neovim().ok());
    }
    if asked("--package") && !all {
        catalogue::make()?;
        vscode::package(&mut report, shell::Profile::Dist);
    }
    Ok(report.close())
}

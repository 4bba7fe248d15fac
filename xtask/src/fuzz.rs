//! Coverage-guided fuzzing with the stable toolchain.
//!
//! `cargo fuzz` requires nightly only because of the address sanitizer. Safe Rust does not need it, and the flags for
//! coverage instrumentation are stable, so libFuzzer works without it.

mod hours;
mod ledger;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, anyhow};
use parking_lot::Mutex;

use crate::lanes;
use crate::report::Report;
use crate::shell;

const FOLDER: &str = "tests/fuzz";
const TARGETS: &str = "tests/fuzz/src/targets";

/// The variable of the environment that tells the program which target it is.
const CHOICE: &str = "LOFTING_FUZZ_TARGET";

/// When a target counts as hanging, in seconds by the clock, which goes on while others have the processor. What an input may
/// cost is bounded in the targets, by processor time.
const HANGS: &str = "-timeout=120";

/// What `cargo fuzz` passes, without the sanitizer. Overflows and debug assertions count as findings.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Cdebug-assertions -Coverflow-checks";

/// `cargo xtask fuzz [--seconds N | --hours N] [--target NAME] [--corpus DIR]`
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    if let Some(text) = shell::flag(arguments, "--hours") {
        let hours = text.parse().map_err(|_| anyhow!("`{text}` is not a number of hours"))?;
        let corpus = shell::flag(arguments, "--corpus").map(PathBuf::from);
        return hours::run(hours, shell::flag(arguments, "--target"), corpus.as_deref());
    }
    let seconds = match shell::flag(arguments, "--seconds") {
        Some(text) => text.parse().map_err(|_| anyhow!("`{text}` is not a number of seconds"))?,
        None => 30,
    };
    let mut report = Report::default();
    all(&mut report, seconds, shell::flag(arguments, "--target"));
    Ok(report.close())
}

/// Runs every target (or the one named), each for a number of seconds.
pub fn all(report: &mut Report, seconds: u32, only: Option<&str>) {
    if cfg!(windows) {
        return report.skip("fuzzing", "libFuzzer is driven on Linux and macOS only");
    }
    let targets = match chosen(only) {
        Ok(targets) => targets,
        Err(why) => return report.fail("fuzzing", why),
    };
    report.heading("building the fuzz targets");
    // From half a minute for each target on, fast inputs are worth the time of the compiler.
    let built = build(if seconds < 30 { Build::Quick } else { Build::Optimised });
    let program = match built {
        Ok(program) => program,
        Err(why) => return report.fail("fuzz targets build", why),
    };
    report.check("fuzz targets build", Ok(()));
    report.heading(&format!("fuzzing each target for {seconds} s"));
    let shared = Mutex::new(report);
    lanes::run(&targets, |target| {
        let ran = fuzzing(&program, target, seconds, &corpora()).and_then(|mut command| shell::quiet(&mut command));
        shared.lock().check(target, ran.map(|_| ()));
    });
}

/// The targets to run: all, or the one that is named.
fn chosen(only: Option<&str>) -> anyhow::Result<Vec<String>> {
    let mut targets = targets()?;
    if targets.is_empty() {
        return Err(anyhow!("{TARGETS} has no targets"));
    }
    if let Some(name) = only {
        let all = targets.join(", ");
        targets.retain(|target| target == name);
        if targets.is_empty() {
            return Err(anyhow!("there is no target `{name}`; there are: {all}"));
        }
    }
    if !["c++", "g++", "clang++"].into_iter().any(shell::is_there) {
        return Err(anyhow!("libFuzzer is C++: a compiler is needed (Debian: apt-get install g++)"));
    }
    Ok(targets)
}

/// Where inputs are kept that reach new code, unless another folder is named.
fn corpora() -> PathBuf {
    shell::target_dir().join("fuzz").join("corpus")
}

/// Where inputs are kept that failed.
fn artifacts(target: &str) -> PathBuf {
    shell::target_dir().join("fuzz").join("artifacts").join(target)
}

/// The names of the targets: one file has each.
fn targets() -> anyhow::Result<Vec<String>> {
    let path = shell::root().join(TARGETS);
    let mut names = Vec::new();
    for entry in fs::read_dir(&path).with_context(|| path.display().to_string())? {
        names.extend(entry?.path().file_stem().map(|name| name.to_string_lossy().into_owned()));
    }
    names.sort();
    Ok(names)
}

/// For what the targets are built.
enum Build {
    /// To run soon.
    Quick,
    /// To run for long.
    Optimised,
}

impl Build {
    /// The profile of the fuzz workspace, and flags besides [`FLAGS`].
    fn profile(self) -> (&'static str, &'static str) {
        match self {
            Build::Quick => ("quick", "--cfg unoptimised"),
            Build::Optimised => ("release", ""),
        }
    }
}

/// Builds all targets; returns the program that has them.
fn build(build: Build) -> anyhow::Result<PathBuf> {
    let (profile, flags) = build.profile();
    let host = shell::host()?;
    let target_dir = shell::target_dir().join("fuzz");
    // With `--target` the flags do not apply to build scripts and procedural macros, which must not be instrumented.
    let mut command = shell::cargo(&["build", "--quiet", "--profile", profile, "--target", &host]);
    command
        .current_dir(shell::root().join(FOLDER))
        .env("CARGO_TARGET_DIR", &target_dir)
        .env("RUSTFLAGS", format!("{FLAGS} {flags}"));
    shell::quiet(&mut command)?;
    Ok(target_dir.join(host).join(profile).join(shell::program_name("lofting-fuzz")))
}

/// The program, as one of its targets.
fn command(program: &Path, target: &str) -> Command {
    let mut command = Command::new(program);
    command.env(CHOICE, target).current_dir(shell::root());
    command
}

/// A run of a target that keeps what reaches new code in a folder below `corpora`.
fn fuzzing(program: &Path, target: &str, seconds: u32, corpora: &Path) -> anyhow::Result<Command> {
    let corpus = corpora.join(target);
    let artifacts = artifacts(target);
    for dir in [&corpus, &artifacts] {
        fs::create_dir_all(dir).with_context(|| dir.display().to_string())?;
    }
    let mut command = command(program, target);
    command
        .arg(format!("-max_total_time={seconds}"))
        .args([HANGS, "-rss_limit_mb=2048", "-max_len=4096", "-verbosity=1"])
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .arg(&corpus);
    // Good texts to start from: those that once failed, and the shipped examples.
    for seeds in [shell::root().join(FOLDER).join("seeds").join(target), shell::root().join("examples/webshop/config")]
    {
        if seeds.is_dir() {
            command.arg(seeds);
        }
    }
    Ok(command)
}

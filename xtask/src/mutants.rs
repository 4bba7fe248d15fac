//! `cargo xtask mutants --crate NAME`: which changes of a crate's code its tests, and those of the crates above, let
//! pass.
//!
//! `cargo-mutants` makes the changes, one at a time, in a clone below the target folder, which keeps what was built.
//! What the tests of one crate let pass is tried with those of the next, because much of what a crate promises is
//! tested where it is used.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::shell;

/// Tests that take longer than this many times what they take without a change have noticed something.
const PATIENCE: u32 = 5;

/// Names of changes, as `cargo mutants --list` writes them.
type Names = Vec<String>;

/// `cargo xtask mutants --crate NAME [--sample N] [--seed S] [--tests CRATE,CRATE]`
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    let krate = package(shell::flag(arguments, "--crate").context("`--crate NAME` is missing")?);
    let sample = match shell::flag(arguments, "--sample") {
        Some(text) => text.parse().map_err(|_| anyhow!("`{text}` is not a number of changes"))?,
        None => usize::MAX,
    };
    let seed = shell::flag(arguments, "--seed").unwrap_or("0");
    if shell::quiet(&mut shell::cargo(&["mutants", "--version"])).is_err() {
        bail!("cargo-mutants is not installed: `cargo install --locked cargo-mutants` installs it");
    }
    let stages: Names = match shell::flag(arguments, "--tests") {
        Some(names) => names.split(',').map(package).collect(),
        None => [krate.clone()].into_iter().chain(users(&krate)?).collect(),
    };
    let clone = Clone::of_what_is_committed()?;
    let all = clone.list(&krate)?;
    let chosen = sampled(&all, sample, seed);
    println!("{} of {} changes of {krate}, seed {seed}", chosen.len(), all.len());
    let (mut left, mut possible) = (chosen, None);
    for tests in &stages {
        if left.is_empty() {
            break;
        }
        let outcome = clone.try_changes(&krate, &all, &left, tests)?;
        // Changes that do not compile are known after the first tests.
        let possible = *possible.get_or_insert(left.len() - outcome.impossible);
        left = outcome.missed;
        let caught = possible - left.len();
        println!("with the tests of {tests}: {caught} of {possible} noticed ({} %)", caught * 100 / possible.max(1));
    }
    left.iter().for_each(|name| println!("  {name}"));
    Ok(true)
}

/// The name of the package of a crate that may be given without the prefix that all have.
fn package(name: &str) -> String {
    if name.starts_with("lofting") || name == "xtask" { name.to_owned() } else { format!("lofting-{name}") }
}

/// The packages that use one directly, those with the fewest dependencies first: they are built soonest. The program
/// itself is left out, because its tests take minutes; `--tests` can name it.
fn users(krate: &str) -> anyhow::Result<Names> {
    let text = shell::quiet(&mut shell::cargo(&["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&text).context("cargo metadata")?;
    let dependencies = |package: &Value| package["dependencies"].as_array().cloned().unwrap_or_default();
    let mut found: Vec<(usize, String)> = Vec::new();
    for package in metadata["packages"].as_array().context("cargo metadata names no packages")? {
        let dependencies = dependencies(package);
        let name = package["name"].as_str().unwrap_or_default();
        if name != "lofting-lsp" && dependencies.iter().any(|dependency| dependency["name"] == krate) {
            found.push((dependencies.len(), name.to_owned()));
        }
    }
    found.sort();
    Ok(found.into_iter().map(|(_, name)| name).collect())
}

/// So many of the changes. Which ones depends on the seed and on the changes, not on lines above them.
fn sampled(all: &[String], count: usize, seed: &str) -> Names {
    let place = |name: &&String| {
        let mut parts = name.splitn(4, ':');
        let (file, what) = (parts.next().unwrap_or_default(), parts.nth(2).unwrap_or_default());
        Sha256::digest(format!("{seed} {file} {what}"))
    };
    let mut names: Vec<&String> = all.iter().collect();
    names.sort_by_cached_key(place);
    names.into_iter().take(count).cloned().collect()
}

/// What became of changes.
struct Outcome {
    missed: Names,
    impossible: usize,
}

/// The repository as it is committed, in a folder of its own: a change that is tried is never in the files of the user.
struct Clone {
    tree: PathBuf,
    output: PathBuf,
}

impl Clone {
    fn of_what_is_committed() -> anyhow::Result<Clone> {
        let folder = shell::target_dir().join("mutants");
        let (tree, output) = (folder.join("tree"), folder.join("output"));
        fs::create_dir_all(&tree).with_context(|| tree.display().to_string())?;
        let root = shell::root();
        let root = root.to_str().context("the path of the repository is not text")?;
        for arguments in [
            &["init", "--quiet"][..],
            &["fetch", "--quiet", root, "HEAD"],
            // Also takes back a change that an interrupted run left.
            &["checkout", "--quiet", "--force", "--detach", "FETCH_HEAD"],
        ] {
            shell::quiet(Command::new("git").args(arguments).current_dir(&tree))?;
        }
        Ok(Clone { tree, output })
    }

    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = shell::program("nice", &["-n", "19", "cargo"], ".");
        // What the clone builds stays in it, wherever the user builds.
        command.args(arguments).current_dir(&self.tree).env("CARGO_TARGET_DIR", self.tree.join("target"));
        command
    }

    fn list(&self, krate: &str) -> anyhow::Result<Names> {
        let text = shell::quiet(&mut self.cargo(&["mutants", "--list", "--package", krate]))?;
        Ok(text.lines().map(str::to_owned).collect())
    }

    /// Makes each of the `open` changes and runs the tests of a package with it.
    fn try_changes(&self, krate: &str, all: &[String], open: &[String], tests: &str) -> anyhow::Result<Outcome> {
        // Without a change they have to pass, or every change would count as noticed.
        shell::quiet(&mut self.cargo(&["test", "--quiet", "--no-run", "--package", tests]))?;
        let begin = Instant::now();
        shell::quiet(&mut self.cargo(&["test", "--quiet", "--package", tests]))?;
        let seconds = (begin.elapsed() * PATIENCE).max(Duration::from_secs(60)).as_secs().to_string();
        // A run goes on with what earlier ones let pass: all others count as noticed already.
        let results = self.output.join("mutants.out");
        if results.exists() {
            fs::remove_dir_all(&results).with_context(|| results.display().to_string())?;
        }
        fs::create_dir_all(&results).with_context(|| results.display().to_string())?;
        let others = all.iter().filter(|name| !open.contains(name)).map(|name| format!("{name}\n")).collect::<String>();
        let known = results.join("previously_caught.txt");
        fs::write(&known, others).with_context(|| known.display().to_string())?;
        let mut command = self.cargo(&["mutants", "--in-place", "--iterate", "--baseline", "skip", "--no-times"]);
        command.args(["--package", krate, "--test-package", tests, "--timeout", &seconds]);
        // It also fails where a change was let pass.
        shell::watched(command.arg("--output").arg(&self.output), |_| {})?;
        let (missed, impossible) = (lines(&results.join("missed.txt"))?, lines(&results.join("unviable.txt"))?.len());
        let tried = [&missed, &lines(&results.join("caught.txt"))?, &lines(&results.join("timeout.txt"))?];
        if tried.iter().map(|names| names.len()).sum::<usize>() + impossible != open.len() {
            bail!("not all changes were tried; {} says why", results.join("debug.log").display());
        }
        Ok(Outcome { missed, impossible })
    }
}

fn lines(path: &Path) -> anyhow::Result<Names> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Ok(text.lines().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::{package, sampled};

    #[test]
    fn a_sample_stays_the_same_when_lines_move() {
        let at = |line: usize| -> Vec<String> {
            (0..50).map(|number| format!("a.rs:{}:5: replace f{number} with ()", line + number)).collect()
        };
        let names = |line: usize, count: usize, seed: &str| -> Vec<String> {
            let name = |name: &String| name.rsplit(": ").next().unwrap_or_default().to_owned();
            sampled(&at(line), count, seed).iter().map(name).collect()
        };
        assert_eq!(names(1, 10, "7").len(), 10);
        assert_eq!(names(1, 10, "7"), names(100, 10, "7"));
        assert_eq!(names(1, 10, "7"), names(1, 20, "7")[..10]);
        assert_ne!(names(1, 10, "7"), names(1, 10, "8"));
        assert_eq!(names(1, usize::MAX, "7").len(), 50);
    }

    #[test]
    fn crates_are_named_with_and_without_their_prefix() {
        for (given, name) in [("schema", "lofting-schema"), ("lofting-schema", "lofting-schema"), ("xtask", "xtask")] {
            assert_eq!(package(given), name);
        }
    }
}

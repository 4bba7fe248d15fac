//! Fuzzing for hours, beside other work: targets take turns at the lowest priority, and what is known survives the end
//! of the run at any moment.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, anyhow};

use super::ledger::{self, Turn};
use super::{Build, CHOICE, HANGS, artifacts, build, chosen, corpora, fuzzing};
use crate::dist::time::today;
use crate::shell;

/// The shortest and the longest turn of a target by the clock, in seconds: all are to get theirs.
const SHORTEST: f64 = 30.0;
const LONGEST: f64 = 300.0;

/// Runs the targets in turns until they have used so many hours of processor time together. False if any found
/// something.
pub fn run(hours: f64, only: Option<&str>, named: Option<&Path>) -> anyhow::Result<bool> {
    let targets = chosen(only)?;
    let corpora = named.map_or_else(corpora, Path::to_owned);
    let program = build(Build::Optimised)?;
    let mut left = hours * 3600.0;
    let seconds = (left / targets.len() as f64).clamp(SHORTEST, LONGEST);
    let mut findings = 0;
    for target in targets.iter().cycle() {
        if left <= 0.0 {
            break;
        }
        let turn = turn(&program, target, seconds as u32, &corpora)?;
        println!(
            "{target}: {} executions in {:.0} s, {} places reached, {} findings",
            turn.executions, turn.seconds, turn.places, turn.findings
        );
        left -= turn.seconds.max(1.0);
        findings += turn.findings;
        ledger::add(&turn)?;
    }
    if findings > 0 {
        println!("{findings} findings are in {}", artifacts("").display());
    }
    Ok(findings == 0)
}

/// One turn of a target, after which its corpus holds no input that reaches nothing of its own.
fn turn(program: &Path, target: &str, seconds: u32, corpora: &Path) -> anyhow::Result<Turn> {
    let before = count(&artifacts(target));
    let fuzzing = fuzzing(program, target, seconds, corpora)?;
    // The shell tells how much processor time the target used, as much of it as other programs left.
    let mut shell = shell::program("nice", &["-n", "19", "sh", "-c", "\"$@\"; times", "sh"], ".");
    shell.arg(fuzzing.get_program()).args(fuzzing.get_args()).arg("-print_final_stats=1");
    let output = shell.env(CHOICE, target).stdin(Stdio::null()).output().context("cannot start `nice sh`")?;
    let (said, times) = (String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
    let executions = number_after(&said, "stat::number_of_executed_units:");
    let places = number_after(&said, " cov: ");
    let kept = minimise(program, target, &corpora.join(target))?;
    Ok(Turn {
        date: today(),
        target: target.to_owned(),
        seconds: seconds_of_children(&times).ok_or_else(|| anyhow!("`times` of the shell said: {times}"))?,
        executions,
        places,
        kept,
        findings: count(&artifacts(target)).saturating_sub(before),
    })
}

/// Replaces a corpus with the smallest part of it that reaches as much; returns how many inputs that is.
fn minimise(program: &Path, target: &str, corpus: &Path) -> anyhow::Result<u64> {
    let smaller = corpus.with_extension("smaller");
    if smaller.exists() {
        fs::remove_dir_all(&smaller).with_context(|| smaller.display().to_string())?;
    }
    fs::create_dir_all(&smaller).with_context(|| smaller.display().to_string())?;
    let mut merge = shell::program("nice", &["-n", "19"], ".");
    merge.env(CHOICE, target).arg(program).args(["-merge=1", HANGS, "-rss_limit_mb=2048"]);
    shell::quiet(merge.arg(&smaller).arg(corpus))?;
    // A run that is ended between these two has lost the smaller corpus only.
    let kept = count(&smaller);
    if kept > 0 {
        fs::remove_dir_all(corpus).with_context(|| corpus.display().to_string())?;
        fs::rename(&smaller, corpus).with_context(|| corpus.display().to_string())?;
    }
    Ok(kept)
}

/// How many files a folder has.
fn count(folder: &Path) -> u64 {
    fs::read_dir(folder).map_or(0, |entries| entries.count() as u64)
}

/// The number after the last occurrence of some words; 0 if they do not occur.
fn number_after(said: &str, words: &str) -> u64 {
    let after = said.rsplit_once(words).map_or("", |(_, after)| after).trim_start();
    let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
    after[..end].parse().unwrap_or(0)
}

/// The seconds of user and system time in the second line of `times`, such as `0m1.23s 0m0.04s`.
fn seconds_of_children(times: &str) -> Option<f64> {
    let line = times.lines().nth(1)?;
    line.split_whitespace().map(seconds).sum()
}

fn seconds(time: &str) -> Option<f64> {
    let (minutes, seconds) = time.strip_suffix('s')?.split_once('m')?;
    Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::{number_after, seconds_of_children};

    #[test]
    fn figures_of_a_run_are_read() {
        let said =
            "#2\tINITED cov: 12 ft: 13\n#9\tNEW    cov: 345 ft: 346 corp: 3/9b\nstat::number_of_executed_units: 81\n";
        assert_eq!(number_after(said, " cov: "), 345);
        assert_eq!(number_after(said, "stat::number_of_executed_units:"), 81);
        assert_eq!(number_after(said, "nothing"), 0);
    }

    #[test]
    fn times_of_a_shell_are_read() {
        assert_eq!(seconds_of_children("0m0.00s 0m0.00s\n1m2.50s 0m0.50s\n"), Some(63.0));
        assert_eq!(seconds_of_children("nonsense"), None);
    }
}

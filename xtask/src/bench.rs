//! `cargo xtask bench`: measures the real binary, built as for packages, over the protocol.

use std::fs;

use anyhow::{Context, ensure};

use crate::shell;

const PAGE: &str = "docs/performance.md";
const BEGIN: &str = "<!-- figures: written by `cargo xtask bench --page --write` -->\n";
const END: &str = "<!-- end of figures -->\n";

/// Builds server and bench, then passes the arguments on. With `--page` all tables of the manual's page are made, and
/// with `--write` as well, they are written there.
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    let wants = |flag: &str| arguments.iter().any(|argument| argument == flag);
    ensure!(wants("--page") || !wants("--write"), "`--write` needs `--page`: the page has the figures of one run");
    let server = shell::build_lofting(shell::Profile::Dist)?;
    let mut command =
        shell::cargo(&["run", "--quiet", "--profile", "dist", "--package", "lofting-tests", "--bin", "bench", "--"]);
    command.arg("--server").arg(server).args(arguments.iter().filter(|argument| *argument != "--write"));
    let mut tables = String::new();
    let ended_well = shell::watched(&mut command, |line| {
        tables.push_str(line);
        tables.push('\n');
    })?;
    if ended_well && wants("--write") {
        write(tables.trim_end())?;
    }
    Ok(ended_well)
}

fn write(tables: &str) -> anyhow::Result<()> {
    let path = shell::root().join(PAGE);
    let old = fs::read_to_string(&path).with_context(|| PAGE.to_string())?;
    let parts = old.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) =
        parts.with_context(|| format!("{PAGE} has no lines `{}` and `{}`", BEGIN.trim(), END.trim()))?;
    let text = format!("{before}{BEGIN}\nMeasured on {}.\n\n{tables}\n\n{END}{after}", machine());
    fs::write(&path, text).with_context(|| PAGE.to_string())?;
    println!("wrote {PAGE}");
    Ok(())
}

/// The machine in a few words, with what else it was doing.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let information = read("/proc/cpuinfo");
    let model = information.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or(std::env::consts::ARCH, |(_, name)| name);
    let load = read("/proc/loadavg");
    let load = load.split(' ').next().filter(|load| !load.is_empty()).unwrap_or("unknown");
    let system = std::env::consts::OS;
    format!("{cores} cores of {model}, {system}, load average {load} at the end of the run")
}

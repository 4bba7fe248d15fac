//! `lofting self-check`: what a bug report needs to contain about the program and its environment, and whether both
//! work.
//!
//! The text is meant to be published, so it has no content of files, no values of variables that may hold secrets, and
//! `~` in place of the home directory.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use lofting_workspace::config::FILE_NAME;
use lofting_workspace::read_text;

use crate::{build_info, built_in, evaluator, terminal};

/// Variables whose values help and tell nothing about the user.
const SHOWN: &[&str] = &["LANG", "LC_ALL", "LOFTING_LOG", "NO_COLOR", "TERM"];

/// Variables that matter whatever they hold; the report says only that they are set.
const NAMED: &[&str] = &[
    built_in::VARIABLE,
    crate::trust::VARIABLE,
    crate::fetching::VARIABLE,
    "HTTPS_PROXY",
    "https_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "CI",
];

/// Prints the environment. The exit code is 1 if something does not work.
pub(crate) fn run() -> ExitCode {
    let mut problems = Vec::new();
    let text = environment(&mut problems);
    let code = if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(super::ERRORS_FOUND) };
    terminal::print(&terminal::lines(&text)).map_or_else(super::could_not_run, |()| code)
}

fn environment(problems: &mut Vec<String>) -> String {
    let mut text = build_info::text();
    let mut say = |what: &str, value: &str| {
        let _ = writeln!(text, "{what}: {value}");
    };
    say("system", &system());
    say("program", &place(std::env::current_exe(), problems));
    let here = std::env::current_dir();
    let config = here.as_deref().map_or("none", |here| match lofting_workspace::last_change(&here.join(FILE_NAME)) {
        Some(_) => FILE_NAME,
        None => "none",
    });
    say("settings in this directory", config);
    say("directory", &place(here, problems));
    match built_in::chosen() {
        Err(error) => problems.push(format!("{error:#}")),
        Ok(None) => say("schemas in use", "those of the workspace only"),
        Ok(Some(_)) if std::env::var_os(built_in::VARIABLE).is_some() => say("schemas in use", "another data file"),
        Ok(Some(_)) => say("schemas in use", "those built in"),
    }
    match lofting_fetch::default_folder() {
        Some(folder) => say("copies of schemas", &below_home(&folder)),
        None => problems.push("there is no place for copies of schemas: this user has no home directory".to_owned()),
    }
    match evaluator::probe() {
        Ok(confinement) => {
            let gaps = confinement.gaps().map_or_else(String::new, |gaps| format!("; not held: {gaps}"));
            say("code is evaluated in a sandbox", &format!("{}{gaps}", confinement.holds.join(", ")));
        }
        Err(error) => problems.push(format!("code cannot be evaluated: {}", error.message)),
    }
    say("variables", &variables());
    for problem in &*problems {
        say("problem", problem);
    }
    text
}

fn system() -> String {
    let line = |path: &str, begin: &str| {
        let text = read_text(Path::new(path)).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix(begin))?;
        Some(format!(", {}", line.trim_matches('"')))
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "{} {}{}{}, {threads} processors",
        std::env::consts::OS,
        std::env::consts::ARCH,
        line("/etc/os-release", "PRETTY_NAME=").unwrap_or_default(),
        line("/proc/sys/kernel/osrelease", "").unwrap_or_default(),
    )
}

fn place(path: std::io::Result<std::path::PathBuf>, problems: &mut Vec<String>) -> String {
    match path {
        Ok(path) => below_home(&path),
        Err(error) => {
            problems.push(format!("a place cannot be found: {error}"));
            "unknown".to_owned()
        }
    }
}

/// A path with `~` for the home directory, whose name often is the user's.
fn below_home(path: &Path) -> String {
    let below = std::env::home_dir().filter(|home| home.parent().is_some());
    match below.and_then(|home| path.strip_prefix(home).ok().map(Path::to_owned)) {
        Some(below) => Path::new("~").join(below).display().to_string(),
        None => path.display().to_string(),
    }
}

fn variables() -> String {
    let shown = SHOWN.iter().filter_map(|name| Some(format!("{name}={}", std::env::var(name).ok()?)));
    let named = NAMED.iter().filter(|name| std::env::var_os(name).is_some()).map(|name| format!("{name} is set"));
    let all: Vec<String> = shown.chain(named).collect();
    if all.is_empty() { "none that matter".to_owned() } else { all.join(", ") }
}

//! The licences and known vulnerabilities of what is built into the program besides our own code.
//!
//! Licences are checked without a network. Advisories need `cargo-deny` and its database: if it is not installed, this
//! is reported.

use std::fs;
use std::process::Stdio;

use anyhow::{Context, anyhow};
use serde_json::Value;

use crate::report::Report;
use crate::shell::{self, cargo};

/// The file that says what is allowed.
const ALLOWED: &str = "deny.toml";

/// `cargo xtask dependencies`
pub fn run() -> bool {
    let mut report = Report::default();
    test(&mut report);
    report.close()
}

/// Runs both steps.
pub fn test(report: &mut Report) {
    report.heading("dependencies");
    report.check("licences", licences());
    let installed =
        cargo(&["deny", "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|it| it.success());
    let all = ["bans, licences and sources of all systems", "advisories"];
    if !installed {
        return all.iter().for_each(|title| report.skip(title, "cargo-deny is not installed"));
    }
    report.command(all[0], &mut cargo(&["deny", "check", "bans", "licenses", "sources"]));
    if shell::quiet(&mut cargo(&["deny", "fetch", "db"])).is_ok() {
        report.command(all[1], &mut cargo(&["deny", "check", "advisories"]));
    } else {
        report.skip(all[1], "their database cannot be fetched");
    }
}

/// Every package that is built for this system is under a licence of [`ALLOWED`].
fn licences() -> anyhow::Result<()> {
    let text = fs::read_to_string(shell::root().join(ALLOWED)).with_context(|| ALLOWED.to_string())?;
    let allowed = allowed(&text);
    let host = shell::host()?;
    let output = cargo(&["metadata", "--locked", "--format-version", "1", "--filter-platform", &host])
        .output()
        .context("cargo metadata")?;
    let metadata: Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| anyhow!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr)))?;
    let packages = metadata["packages"].as_array().context("cargo metadata names no packages")?;
    let mut wrong: Vec<String> = Vec::new();
    for package in packages {
        let licence = package["license"].as_str().unwrap_or("");
        if !is_allowed(licence, &allowed) {
            wrong.push(format!("{} {}: `{licence}`", package["name"], package["version"]));
        }
    }
    match wrong.as_slice() {
        [] if packages.is_empty() => Err(anyhow!("cargo metadata names no packages")),
        [] => Ok(()),
        wrong => Err(anyhow!("not allowed by {ALLOWED}:\n{}", wrong.join("\n"))),
    }
}

/// The licences that the file allows: one per line.
fn allowed(text: &str) -> Vec<&str> {
    let list = text.split_once("[licenses]").and_then(|(_, rest)| rest.split_once("allow = ["));
    let list = list.and_then(|(_, rest)| rest.split_once(']')).map_or("", |(list, _)| list);
    list.lines()
        .map(|line| line.trim().trim_end_matches(',').trim_matches('"'))
        .filter(|line| !line.is_empty())
        .collect()
}

/// Whether an expression is satisfied: one of the alternatives, all of what is joined. Old ones write `/` for `OR`.
fn is_allowed(expression: &str, allowed: &[&str]) -> bool {
    let one = |part: &str| allowed.contains(&part.trim().trim_matches(['(', ')']));
    let alternatives = |part: &str| part.replace('/', " OR ").split(" OR ").any(one);
    // No expression nests deeper than alternatives within what is joined.
    expression.split(" AND ").all(alternatives)
}

#[cfg(test)]
mod tests {
    use super::{allowed, is_allowed};

    #[test]
    fn expressions() {
        let list = allowed("[licenses]\nallow = [\n  \"MIT\",\n  \"Zlib\",\n]\n[bans]\n");
        assert_eq!(list, ["MIT", "Zlib"]);
        for (expression, want) in [
            ("MIT", true),
            ("MIT OR GPL-3.0", true),
            ("GPL-3.0/MIT", true),
            ("(MIT OR GPL-3.0) AND Zlib", true),
            ("(MIT OR Zlib) AND GPL-3.0", false),
            ("GPL-3.0", false),
            ("", false),
        ] {
            assert_eq!(is_allowed(expression, &list), want, "{expression}");
        }
    }
}

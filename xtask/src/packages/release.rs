//! The steps of `.github/workflows/release.yml`. Programs that publish or install are replaced by one that writes down how
//! it was called; everything else runs as in a release.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};
use serde_json::Value;

use super::steps::{Runner, yaml};
use super::{Bench, Outcome, QUICK_KINDS};
use crate::dist::{TARGETS, version};
use crate::shell;

/// Programs that must not run here.
const REPLACED: &[&str] = &["docker", "gh", "npm", "npx", "pipx", "rustup"];

pub fn test(bench: &Bench) -> anyhow::Result<Outcome> {
    if cfg!(windows) {
        return Ok(Outcome::Skipped("steps are run as on Unix".to_owned()));
    }
    let workflow = yaml(&bench.program, &shell::root().join(".github/workflows/release.yml"))?;
    let jobs = &workflow["jobs"];
    let rows = jobs["package"]["strategy"]["matrix"]["include"].as_array().cloned().unwrap_or_default();
    let mut targets: Vec<&str> = rows.iter().filter_map(|row| row["target"].as_str()).collect();
    let mut known: Vec<&str> = TARGETS.iter().map(|target| target.triple).collect();
    targets.sort_unstable();
    known.sort_unstable();
    if targets != known {
        bail!("the release is made for {targets:?}, and packages are known for {known:?}");
    }
    let folder = bench.folder("release")?;
    let programs = bench.folder("release/programs")?;
    let calls = folder.join("calls");
    for name in REPLACED {
        replace(&programs.join(name), name, &calls)?;
    }
    // The steps write into one folder, which the workflow names and which is elsewhere here.
    let mut runner = Runner::new(&bench.program, &shell::root(), &folder.join("temp"))?;
    runner.prefer(&programs);
    let packages = folder.join("packages");
    fs::create_dir_all(&packages)?;
    let tag = format!("v{}", version()?);
    for (name, value) in [
        ("GITHUB_REF_NAME", tag.as_str()),
        ("GITHUB_ACTOR", "actor"),
        ("PACKAGES", &packages.to_string_lossy()),
        ("LOFTING_BINARY", &bench.program.to_string_lossy()),
    ] {
        runner.env.insert(name.to_owned(), value.to_owned());
    }
    for (name, value) in [("github.token", "token"), ("secrets.VSCE_PAT", "token"), ("secrets.OVSX_PAT", "token")] {
        runner.values.insert(name.to_owned(), value.to_owned());
    }
    let row = rows.iter().find(|row| row["target"] == bench.target.triple).context("this platform is not released")?;
    for (name, value) in row.as_object().into_iter().flatten() {
        runner.values.insert(format!("matrix.{name}"), value.as_str().unwrap_or_default().to_owned());
    }
    runner.steps(&with_kinds(&jobs["package"]["steps"], &QUICK_KINDS.join(",")))?;
    // Those of the other platforms, which this machine cannot build.
    for target in TARGETS {
        let path = packages.join(target.archive());
        if !path.exists() {
            fs::write(&path, target.triple)?;
        }
    }
    runner.steps(&jobs["publish"]["steps"])?;
    let calls = fs::read_to_string(&calls).context("nothing was published")?;
    let mut shim = 0;
    let mut platforms = 0;
    for (number, line) in calls.lines().enumerate().filter(|(_, line)| line.starts_with("npm publish")) {
        let is_shim = line.ends_with(&format!("/lofting-{}.tgz", version()?));
        *(if is_shim { &mut shim } else { &mut platforms }) = number;
    }
    if shim <= platforms {
        bail!("the package `lofting` has to be published after those of platforms:\n{calls}");
    }
    for part in [
        format!("gh release create {tag} --verify-tag"),
        "npx --yes ovsx publish".to_owned(),
        format!("lofting:{}", version()?),
    ] {
        if !calls.contains(&part) {
            bail!("`{part}` was not called:\n{calls}");
        }
    }
    shell::quiet(Command::new("bash").arg("-n").arg(packages.join("manifests/aur/PKGBUILD")))?;
    let notes = fs::read_to_string(packages.join("manifests/NOTES.md")).context("NOTES.md")?;
    if notes.trim().is_empty() || notes.contains("## ") {
        bail!("the notes of the release are not its section of CHANGELOG.md:\n{notes}");
    }
    Ok(Outcome::Done)
}

/// The workflows and files for CI have no mistakes that their schemas know of.
pub fn workflows(bench: &Bench) -> anyhow::Result<Outcome> {
    let said = shell::quiet(Command::new(&bench.program).arg("--version"))?;
    if said.contains("schemas built in: none") {
        return Ok(Outcome::Skipped("the program was built without schemas".to_owned()));
    }
    let files = [".github", "action.yml", "packaging/pre-commit/.pre-commit-hooks.yaml", "packaging/mason"];
    let mut check = Command::new(&bench.program);
    let said = shell::quiet(check.arg("check").args(files).current_dir(shell::root()))?;
    for schema in ["github-workflow.json", "github-action.json", "pre-commit-hooks.json"] {
        if !said.contains(schema) {
            bail!("nothing was checked with {schema}:\n{said}");
        }
    }
    Ok(Outcome::Done)
}

/// The steps, but only with kinds of packages that need no third-party programs.
fn with_kinds(steps: &Value, kinds: &str) -> Value {
    let mut steps = steps.clone();
    for step in steps.as_array_mut().into_iter().flatten() {
        if let Some(run) = step["run"].as_str().filter(|run| run.contains("xtask dist ")) {
            step["run"] = format!("{} --only {kinds}", run.trim_end()).into();
        }
    }
    steps
}

/// A program that writes down how it was called.
fn replace(path: &Path, name: &str, calls: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let script = format!("#!/bin/sh\necho \"{name} $*\" >> '{}'\n", calls.display());
    fs::write(path, script).with_context(|| path.display().to_string())?;
    Ok(fs::set_permissions(path, fs::Permissions::from_mode(0o755))?)
}

//! The hooks of pre-commit, from a repository on this machine, with the packages of both registries.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, anyhow};

use super::python::{environment, program};
use super::{Bench, MISTAKE, Outcome, npm};
use crate::dist::version;
use crate::shell;

pub fn test(bench: &Bench) -> anyhow::Result<Outcome> {
    let folder = bench.folder("pre-commit")?;
    let home = environment(&folder)?;
    let fetch = |arguments: &[&str]| shell::quiet(Command::new(program(&home, "pip")).args(arguments));
    let packages = bench.packages.display().to_string();
    // Hooks of Python are installed with setuptools, which the index on this machine serves as well.
    let fetched = fetch(&["install", "--quiet", "pre-commit"])
        .and_then(|_| fetch(&["download", "--quiet", "--dest", &packages, "setuptools>=61"]));
    if let Err(why) = fetched {
        return Ok(Outcome::without("pre-commit", &why));
    }
    let hooks = folder.join("hooks");
    shell::copy(&shell::root().join("packaging/pre-commit"), &hooks)?;
    commit(&hooks)?;
    let tag = format!("v{}", version()?);
    shell::quiet(git(&hooks).args(["tag", &tag]))?;

    let project = bench.example("pre-commit", "pre-commit/project")?;
    let config = project.join(".pre-commit-config.yaml");
    let text = fs::read_to_string(&config)?;
    let local = text.replace("https://github.com/lofting-yaml/lofting-pre-commit", &hooks.display().to_string());
    fs::write(&config, &local)?;
    commit(&project)?;
    run(bench, &home, &project)?;
    if shell::is_there("npm") {
        fs::write(&config, local.replace("id: lofting", "id: lofting-node"))?;
        run(bench, &home, &project)?;
    }
    Ok(Outcome::Done)
}

/// Runs the hooks on all files, and checks that they find the mistake.
fn run(bench: &Bench, home: &Path, project: &Path) -> anyhow::Result<()> {
    let mut command = Command::new(program(home, "pre-commit"));
    command.args(["run", "--all-files", "--color", "never"]).current_dir(project);
    command.env("PRE_COMMIT_HOME", bench.work.join("pre-commit/cache")).envs(npm::settings(bench));
    command.env("PIP_INDEX_URL", bench.registry.pip()).env("PIP_CONFIG_FILE", "/dev/null");
    let output = command.output().context("pre-commit")?;
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let is_found = output.status.code() == Some(1) && said.contains("Failed") && said.contains(MISTAKE);
    if is_found { Ok(()) } else { Err(anyhow!("pre-commit: {}\n{said}", output.status)) }
}

fn commit(folder: &Path) -> anyhow::Result<()> {
    shell::quiet(git(folder).args(["init", "--quiet"]))?;
    shell::quiet(git(folder).args(["add", "--all"]))?;
    shell::quiet(git(folder).args(["commit", "--quiet", "--message", "All"])).map(drop)
}

/// `git` in a folder, without the user's settings.
fn git(folder: &Path) -> Command {
    let mut git = Command::new("git");
    git.current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    for name in ["AUTHOR", "COMMITTER"] {
        git.env(format!("GIT_{name}_NAME"), "Test").env(format!("GIT_{name}_EMAIL"), "test@localhost");
    }
    git
}

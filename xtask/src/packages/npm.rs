//! The npm packages, installed by `npm`.

use std::fs;
use std::process::Command;

use anyhow::{Context, bail};

use super::{Bench, Outcome};
use crate::dist::version;
use crate::shell;

/// Installs from the registry on this machine into a fresh folder.
pub fn test(bench: &Bench) -> anyhow::Result<Outcome> {
    if !shell::is_there("npm") {
        return Ok(Outcome::Skipped("npm is not installed".to_owned()));
    }
    let folder = bench.folder("npm")?;
    fs::write(folder.join("package.json"), "{}\n")?;
    let wanted = format!("lofting@{}", version()?);
    let mut install = shell::program(if cfg!(windows) { "npm.cmd" } else { "npm" }, &["install", &wanted], ".");
    shell::quiet(
        install.args(["--no-audit", "--no-fund", "--ignore-scripts"]).current_dir(&folder).envs(settings(bench)),
    )?;
    let scope = folder.join("node_modules/@lofting");
    let installed: Vec<String> = fs::read_dir(&scope)
        .with_context(|| scope.display().to_string())?
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let platform = bench.target.npm.map(|npm| format!("cli-{}", npm.name));
    if installed.len() != 1 || installed.first() != platform.as_ref() {
        bail!("npm installed {installed:?}");
    }
    bench.finds_the_mistake(&folder.join("node_modules/.bin/lofting"))?;
    // Without the package of the platform, the error says why.
    fs::remove_dir_all(&scope)?;
    let mut shim = Command::new("node");
    let shim = shim.arg(folder.join("node_modules/lofting/bin/lofting.js")).env_remove("LOFTING_BINARY");
    let output = shim.output().context("node")?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.code() != Some(2) || !said.contains("--omit=optional") {
        bail!("without its package: {}\n{said}", output.status);
    }
    Ok(Outcome::Done)
}

/// The environment in which npm knows only the registry on this machine.
pub fn settings(bench: &Bench) -> [(&'static str, String); 4] {
    let below = |name: &str| bench.work.join(name).display().to_string();
    [
        ("npm_config_registry", bench.registry.npm()),
        ("npm_config_cache", below("npm-cache")),
        ("npm_config_userconfig", below("npmrc")),
        ("npm_config_update_notifier", "false".to_owned()),
    ]
}

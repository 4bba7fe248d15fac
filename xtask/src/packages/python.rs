//! The wheel, installed by `pip`.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Bench, Outcome};
use crate::dist::version;
use crate::shell;

/// Installs from the index on this machine into a fresh environment.
pub fn test(bench: &Bench) -> anyhow::Result<Outcome> {
    let home = environment(&bench.folder("pip")?)?;
    let wanted = format!("lofting=={}", version()?);
    shell::quiet(pip(&home).args(["install", "--index-url", &bench.registry.pip(), &wanted]))?;
    // Says what is wrong with files and requirements of what is installed.
    shell::quiet(pip(&home).arg("check"))?;
    bench.finds_the_mistake(&program(&home, bench.target.program()))?;
    Ok(Outcome::Done)
}

/// A fresh virtual environment.
pub fn environment(folder: &Path) -> anyhow::Result<PathBuf> {
    let home = folder.join("environment");
    let python = if shell::is_there("python3") { "python3" } else { "python" };
    shell::quiet(Command::new(python).args(["-m", "venv"]).arg(&home))?;
    Ok(home)
}

/// `pip` of an environment, without the user's settings.
pub fn pip(home: &Path) -> Command {
    let mut pip = Command::new(program(home, "pip"));
    pip.env("PIP_CONFIG_FILE", if cfg!(windows) { "nul" } else { "/dev/null" });
    pip.env("PIP_DISABLE_PIP_VERSION_CHECK", "1").env_remove("PIP_INDEX_URL").env_remove("PIP_EXTRA_INDEX_URL");
    pip
}

/// A program of an environment.
pub fn program(home: &Path, name: &str) -> PathBuf {
    home.join(if cfg!(windows) { "Scripts" } else { "bin" }).join(name)
}

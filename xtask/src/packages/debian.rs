//! The Debian package, installed by `dpkg` below a folder.

use std::fs;
use std::process::Command;

use anyhow::{Context, bail};

use super::{Bench, Outcome};
use crate::shell;

pub fn test(bench: &Bench) -> anyhow::Result<Outcome> {
    let Some(architecture) = bench.target.debian else { return Ok(Outcome::Skipped("no such platform".to_owned())) };
    if !shell::is_there("dpkg") {
        return Ok(Outcome::Skipped("dpkg is not installed".to_owned()));
    }
    let package = bench.package("lofting_", &format!("_{architecture}.deb"))?;
    let root = bench.folder("debian")?;
    let database = root.join("var/lib/dpkg");
    for folder in ["info", "updates", "triggers"] {
        fs::create_dir_all(database.join(folder)).with_context(|| database.display().to_string())?;
    }
    fs::write(database.join("status"), "")?;
    let mut install = Command::new("dpkg");
    // Nothing that it depends on is in the database of that folder, and no script of the package runs.
    install.args(["--force-depends", "--force-not-root", "--force-script-chrootless"]);
    install.arg(format!("--root={}", root.display())).arg(format!("--log={}", root.join("log").display()));
    shell::quiet(install.arg("--install").arg(&package))?;
    let listed =
        shell::quiet(Command::new("dpkg").arg(format!("--root={}", root.display())).args(["--listfiles", "lofting"]))?;
    for path in [
        "/usr/bin/lofting",
        "/usr/share/bash-completion/completions/lofting",
        "/usr/share/man/man1/lofting-check.1.gz",
        "/usr/share/doc/lofting/copyright",
    ] {
        if !listed.lines().any(|line| line == path) || !root.join(&path[1..]).is_file() {
            bail!("{path} is not installed:\n{listed}");
        }
    }
    bench.finds_the_mistake(&root.join("usr/bin/lofting"))?;
    Ok(Outcome::Done)
}

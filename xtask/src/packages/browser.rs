//! The page on which Lofting is tried, from its archive, in a browser.

use std::process::Command;

use super::{Bench, Outcome};
use crate::{playground, shell};

pub fn test(bench: &Bench) -> anyhow::Result<Outcome> {
    let archive = bench.packages.join("lofting-playground.tar.gz");
    if !archive.is_file() {
        return Ok(Outcome::Skipped("it was not built".to_owned()));
    }
    if !shell::is_there(playground::BROWSER) {
        return Ok(Outcome::Skipped(format!("`{}` is not installed", playground::BROWSER)));
    }
    let folder = bench.folder("playground")?;
    shell::quiet(Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(&folder))?;
    let mut drive = shell::program("node", &["e2e/drive.mjs"], playground::FOLDER);
    drive.arg(folder.join("lofting-playground")).arg(folder.join("pictures"));
    shell::quiet(&mut drive).map(|_| Outcome::Done)
}

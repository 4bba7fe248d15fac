//! `cargo xtask catalogue`: the data file of the built-in catalogue, from the packages that are pinned in
//! `server/catalogue/packages.txt`. Each is fetched once, by the client of its registry.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};

use crate::report::Report;
use crate::shell;

/// The pinned packages.
const PACKAGES: &str = include_str!("../../server/catalogue/packages.txt");

/// Where the packages and the data file are.
fn folder() -> PathBuf {
    shell::target_dir().join("catalogue")
}

/// The data file, where the build looks for it.
fn data() -> PathBuf {
    folder().join("catalogue.bin")
}

/// `cargo xtask catalogue`
pub fn run() -> anyhow::Result<bool> {
    make()?;
    Ok(true)
}

/// Makes the data file for tests. Without a network they run with an empty catalogue, and report that.
pub fn test(report: &mut Report) {
    report.heading("built-in catalogue");
    match make() {
        Ok(()) => {
            report.check("catalogue", Ok(()));
        }
        Err(why) if data().is_file() => report.fail("catalogue", why),
        Err(why) => report.skip("catalogue", &format!("its packages could not be fetched: {why:#}")),
    }
}

/// Fetches what is missing and packs it, unless the data file is newer than all that it is made from.
pub fn make() -> anyhow::Result<()> {
    let packages = folder().join("packages");
    fs::create_dir_all(&packages).with_context(|| packages.display().to_string())?;
    for line in PACKAGES.lines().filter(|line| !line.starts_with('#')) {
        let [registry, name, version, file, ..] = line.split(' ').collect::<Vec<_>>()[..] else {
            bail!("packages.txt: `{line}` has too few fields");
        };
        if !packages.join(file).is_file() {
            println!("   fetching {name} {version}");
            fetch(registry, name, version, &packages)?;
        }
    }
    if is_made() {
        return Ok(());
    }
    println!("   packing {}", data().display());
    let next = folder().join("catalogue.next");
    let mut pack = shell::cargo(&["run", "--quiet", "-p", "lofting-catalogue", "--features", "pack"]);
    pack.args(["--bin", "lofting-catalogue-pack", "--"]).arg(&packages).arg(&next);
    let said = shell::quiet(&mut pack)?;
    print!("   {said}");
    fs::rename(&next, data()).with_context(|| data().display().to_string())
}

fn fetch(registry: &str, name: &str, version: &str, into: &Path) -> anyhow::Result<()> {
    let into = into.to_string_lossy();
    match registry {
        "npm" => {
            let wanted = format!("{name}@{version}");
            let arguments = ["pack", &wanted, "--silent", "--pack-destination", &into];
            shell::quiet(&mut shell::program("npm", &arguments, ".")).map(drop)
        }
        "pypi" => {
            let wanted = format!("{name}=={version}");
            let arguments = ["download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest", &into, &wanted];
            shell::quiet(&mut shell::program(pip()?, &arguments, ".")).map(drop)
        }
        other => Err(anyhow!("packages.txt: there is no registry `{other}`")),
    }
}

/// A `pip` of its own, so that nothing depends on how the system's Python is set up.
fn pip() -> anyhow::Result<PathBuf> {
    let home = shell::tools_dir().join("pip");
    let pip = home.join("bin").join("pip");
    if !pip.exists() {
        let python = if shell::is_there("python3") { "python3" } else { "python" };
        shell::quiet(&mut shell::program(python, &["-m", "venv", &home.to_string_lossy()], "."))?;
    }
    Ok(pip)
}

/// Whether the data file is newer than what it is made from.
fn is_made() -> bool {
    let changed = |path: &Path| fs::metadata(path).and_then(|meta| meta.modified()).ok();
    let Some(made) = changed(&data()) else { return false };
    let sources = shell::root().join("server/catalogue");
    let pack = fs::read_dir(sources.join("pack")).into_iter().flatten().flatten().map(|entry| entry.path());
    let texts = ["packages.txt", "corrections.txt", "patterns.txt", "src/data.rs", "src/index.rs"];
    let inputs = pack.chain(texts.map(|text| sources.join(text)));
    inputs.filter_map(|path| changed(&path)).all(|changed| changed <= made)
}

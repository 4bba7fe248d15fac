//! Packages that are unpacked and run as they are.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

use super::{Bench, Outcome};
use crate::dist::{unzip, version};
use crate::shell;

/// The archive has everything in one folder, and its checksum is in the list.
pub fn archive(bench: &Bench) -> anyhow::Result<Outcome> {
    let folder = bench.folder("archive")?;
    let archive = bench.packages.join(bench.target.archive());
    shell::quiet(Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(&folder))?;
    let inside = folder.join(format!("lofting-{}", bench.target.triple));
    for name in ["README.md", "LICENSE-MIT", "THIRD_PARTY_LICENSES.txt", "man/lofting-check.1", "completions/_lofting"]
    {
        if !inside.join(name).is_file() {
            bail!("the archive has no {name}");
        }
    }
    if shell::is_there("sha256sum") {
        shell::quiet(
            Command::new("sha256sum").args(["--check", "--quiet", "SHA256SUMS"]).current_dir(&bench.packages),
        )?;
    }
    bench.finds_the_mistake(&inside.join(bench.target.program()))?;
    Ok(Outcome::Done)
}

/// The wheel and the Debian package say which C library the program needs, as another program reads it from there.
pub fn c_library(bench: &Bench) -> anyhow::Result<Outcome> {
    if !bench.target.triple.ends_with("-linux-gnu") {
        return Ok(Outcome::Skipped("it is for Linux with glibc".to_owned()));
    }
    if !shell::is_there("objdump") || !shell::is_there("dpkg-deb") {
        return Ok(Outcome::Skipped("there is no `objdump`, or no `dpkg-deb`".to_owned()));
    }
    let symbols = shell::quiet(Command::new("objdump").arg("-T").arg(&bench.program))?;
    let versions = symbols.split("GLIBC_").skip(1).filter_map(|rest| {
        let text = rest.split([')', ' ', '\n']).next()?;
        let mut numbers = text.split('.').map(|number| number.parse::<u32>().ok());
        Some((numbers.next()??, numbers.next()??))
    });
    let newest = versions.max();
    let headers = shell::quiet(Command::new("objdump").arg("-p").arg(&bench.program))?;
    if newest.is_none() && headers.contains("INTERP") {
        bail!("the program names no C library");
    }
    // What is linked statically starts with any, and installers know no older tag.
    let (major, minor) = newest.unwrap_or((2, 17));
    let wheel = bench.package("lofting-", ".whl")?;
    let tag = format!("-manylinux_{major}_{}_", minor.max(17));
    if !wheel.to_string_lossy().contains(&tag) {
        bail!("{} is not {tag}", wheel.display());
    }
    let package = bench.package("lofting_", ".deb")?;
    let depends = shell::quiet(Command::new("dpkg-deb").arg("--field").arg(&package).arg("Depends"))?;
    let needed = newest.map(|(major, minor)| format!("libc6 (>= {major}.{minor})"));
    if needed.as_ref().map_or(!depends.trim().is_empty(), |needed| !depends.contains(needed)) {
        bail!("the Debian package depends on {depends}, and should on {needed:?}");
    }
    Ok(Outcome::Done)
}

/// The extension has its files, one version, and a server that runs.
pub fn vsix(bench: &Bench) -> anyhow::Result<Outcome> {
    let Some(platform) = bench.target.vscode else { return Ok(Outcome::Skipped("no such platform".to_owned())) };
    let bytes = fs::read(bench.packages.join(format!("lofting-{platform}.vsix")))?;
    let entries = unzip(&bytes)?;
    let find =
        |path: &str| entries.iter().find(|entry| entry.path == path).with_context(|| format!("the VSIX has no {path}"));
    for path in [
        "extension/dist/extension.js",
        "extension/readme.md",
        "extension/changelog.md",
        "extension/THIRD_PARTY_LICENSES.txt",
    ] {
        find(path)?;
    }
    let manifest = String::from_utf8_lossy(&find("extension.vsixmanifest")?.bytes).into_owned();
    for part in [format!("Version=\"{}\"", version()?), format!("TargetPlatform=\"{platform}\"")] {
        if !manifest.contains(&part) {
            bail!("the VSIX does not say {part}:\n{manifest}");
        }
    }
    let program = find(&format!("extension/server/{}", bench.target.program()))?;
    if !program.is_program {
        bail!("the server in the VSIX is not marked as a program");
    }
    let path = bench.folder("vsix")?.join(bench.target.program());
    fs::write(&path, &program.bytes)?;
    executable(&path)?;
    bench.finds_the_mistake(&path)?;
    Ok(Outcome::Done)
}

#[cfg(unix)]
fn executable(path: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    Ok(fs::set_permissions(path, fs::Permissions::from_mode(0o755))?)
}

#[cfg(not(unix))]
fn executable(_path: &Path) -> anyhow::Result<()> {
    Ok(())
}

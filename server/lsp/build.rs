//! Says for which target the program is built, with which compiler and from which commit.
//!
//! `LOFTING_COMMIT` names the commit (packages set it). Without it only optimised builds ask git: a build while editing
//! would otherwise be made again after each commit.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=LOFTING_COMMIT");
    println!("cargo::rustc-env=LOFTING_TARGET={}", variable("TARGET"));
    println!("cargo::rustc-env=LOFTING_RUSTC={}", said(&variable("RUSTC"), &["--version"]).unwrap_or_default());
    let named = variable("LOFTING_COMMIT");
    let commit = match named.as_str() {
        "" if variable("PROFILE") == "release" => of_repository().unwrap_or_default(),
        _ => named,
    };
    println!("cargo::rustc-env=LOFTING_COMMIT={commit}");
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

/// The commit that is checked out and its day, if this is Lofting's repository and not a package in another one.
fn of_repository() -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().ok()?;
    let folder = root.to_str()?;
    let git = |arguments: &[&str]| said("git", &[&["-C", folder][..], arguments].concat());
    if Path::new(&git(&["rev-parse", "--show-toplevel"])?).canonicalize().ok()? != root {
        return None;
    }
    let log = root.join(git(&["rev-parse", "--git-path", "logs/HEAD"])?);
    println!("cargo::rerun-if-changed={}", log.display());
    git(&["log", "-1", "--abbrev=12", "--format=%h %cs"])
}

/// What a program prints, if it can be run.
fn said(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned()).filter(|said| !said.is_empty())
}

//! Builds the program that is packed.

use std::path::{Path, PathBuf};

use super::entries::read;
use super::system::{self, Version};
use super::target::Target;
use crate::shell::{self, Profile, cargo, is_there, quiet, target_dir};
use crate::{catalogue, library};

/// Builds the program of packages and returns its path. With `cargo-zigbuild`, programs for Linux do not depend on the C
/// library of this machine, but on the oldest that is asked for. Without it, they start on systems such as this one.
pub fn program(target: &Target, glibc: Option<Version>) -> anyhow::Result<PathBuf> {
    let triple = target.triple;
    let with_zig = triple.contains("-linux-") && is_there("cargo-zigbuild");
    let glibc = glibc.or_else(|| with_zig.then_some(system::OLDEST));
    let program = if with_zig || triple != shell::host()? {
        for_target(target, glibc.filter(|_| with_zig))?
    } else {
        shell::build_lofting(Profile::Dist)?
    };
    system::check(target, &read(&program)?, glibc)?;
    Ok(program)
}

/// Builds the program for another system, or with zig for this one.
fn for_target(target: &Target, with_zig: Option<Version>) -> anyhow::Result<PathBuf> {
    if let Err(why) = catalogue::make() {
        println!("   built without a catalogue of schemas: {why:#}");
    }
    let triple = target.triple;
    let (verb, suffix) = match with_zig {
        Some((major, minor)) if triple.ends_with("-gnu") => ("zigbuild", format!(".{major}.{minor}")),
        Some(_) => ("zigbuild", String::new()),
        None => ("build", String::new()),
    };
    let mut command = cargo(&[verb, "--quiet", "--package", "lofting-lsp", "--bin", "lofting", "--profile", "dist"]);
    command.args(["--target", &format!("{triple}{suffix}")]).env("RUSTFLAGS", shell::remapped());
    library::provide(&mut command, triple, "std,panic_unwind");
    if with_zig.is_some() && triple.ends_with("-musl") {
        // What begins and ends a program comes from zig, with functions for memory that are faster than those of musl. It
        // does not know `-static-pie`, with which the compiler asks for a program at a random address.
        let flags = format!("{} -C link-self-contained=no -C link-arg=-pie", shell::remapped());
        command.env("RUSTFLAGS", flags);
    }
    quiet(&mut command)?;
    Ok(binary(triple, target.program()))
}

/// Where cargo puts it.
fn binary(triple: &str, name: &str) -> PathBuf {
    target_dir().join(Path::new(triple)).join("dist").join(name)
}

//! Builds the program that is packed.

use std::path::{Path, PathBuf};

use super::entries::read;
use super::system::{self, Version};
use super::target::Target;
use crate::shell::{self, Profile, cargo, is_there, quiet, target_dir};
use crate::{catalogue, library};

/// Builds the program of packages and returns its path. With `cargo-zigbuild`, that for Linux is linked statically, also for
/// systems with glibc: it starts on all of them, in half of the time. With `glibc`, it is linked for that C library and newer
/// ones instead. Without `cargo-zigbuild`, it starts on systems such as this one.
pub fn program(target: &Target, glibc: Option<Version>) -> anyhow::Result<PathBuf> {
    let with_zig = target.triple.contains("-linux-") && is_there("cargo-zigbuild");
    let triple = if with_zig && glibc.is_none() { target.linked_statically() } else { target.triple.to_owned() };
    let program = if with_zig || triple != shell::host()? {
        let program = for_triple(&triple, with_zig, glibc)?;
        program.join(target.program())
    } else {
        shell::build_lofting(Profile::Dist)?
    };
    system::check(&triple, &read(&program)?, glibc)?;
    Ok(program)
}

/// Builds the program for another system, or with zig for this one. Returns the folder that it is in.
fn for_triple(triple: &str, with_zig: bool, glibc: Option<Version>) -> anyhow::Result<PathBuf> {
    if let Err(why) = catalogue::make() {
        println!("   built without a catalogue of schemas: {why:#}");
    }
    let suffix = match glibc {
        Some((major, minor)) if with_zig && triple.ends_with("-gnu") => format!(".{major}.{minor}"),
        _ => String::new(),
    };
    let verb = if with_zig { "zigbuild" } else { "build" };
    let mut command = cargo(&[verb, "--quiet", "--package", "lofting-lsp", "--bin", "lofting", "--profile", "dist"]);
    command.args(["--target", &format!("{triple}{suffix}")]).env("RUSTFLAGS", shell::remapped());
    library::provide(&mut command, triple, "std,panic_unwind");
    if with_zig && triple.ends_with("-musl") {
        // What begins and ends a program comes from zig, with functions for memory that are faster than those of musl. It
        // does not know `-static-pie`, with which the compiler asks for a program at a random address.
        let flags = format!("{} -C link-self-contained=no -C link-arg=-pie", shell::remapped());
        command.env("RUSTFLAGS", flags);
    }
    quiet(&mut command)?;
    Ok(target_dir().join(Path::new(triple)).join("dist"))
}

//! The standard library for a target: the one that came with the compiler, or built from its source with the program.

use std::path::Path;
use std::process::Command;

use crate::shell;

/// Where the standard library for a target comes from.
pub enum Library {
    /// It came with the compiler.
    Built,
    /// Its source is there, and it is built with the program.
    Source,
}

/// None if programs for the target cannot be built here.
pub fn of(target: &str) -> Option<Library> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let asked = |what: &[&str]| shell::quiet(&mut shell::program(&rustc, what, ".")).unwrap_or_default();
    let built = asked(&["--print", "target-libdir", "--target", target]);
    if Path::new(built.trim()).is_dir() {
        return Some(Library::Built);
    }
    let source = Path::new(asked(&["--print", "sysroot"]).trim()).join("lib/rustlib/src/rust/library/std");
    source.is_dir().then_some(Library::Source)
}

/// Why programs for the target cannot be built here.
pub fn missing(target: &str) -> Option<String> {
    of(target).is_none().then(|| {
        format!("the compiler has no standard library for {target}, and not its source (`rustup target add {target}`)")
    })
}

/// Lets a command of cargo build these crates of the standard library where only their source is there. True if it does.
pub fn provide(build: &mut Command, target: &str, crates: &str) -> bool {
    let is_source = matches!(of(target), Some(Library::Source));
    if is_source {
        // The stable compiler refuses to build its own library.
        build.env("RUSTC_BOOTSTRAP", "1").args(["-Z", &format!("build-std={crates}")]);
    }
    is_source
}

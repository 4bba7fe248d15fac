//! Embeds the data file of the catalogue in the program, if there is one. Nothing is fetched here: `cargo xtask
//! catalogue` makes the file. Without it the catalogue is empty, so that a plain `cargo install` works.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// Names another data file than the one that `cargo xtask catalogue` makes.
const VARIABLE: &str = "LOFTING_CATALOGUE_DATA";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let made = || target(&here, &out).join("catalogue").join("catalogue.bin");
    let file = env::var_os(VARIABLE).map_or_else(made, PathBuf::from);
    // A file that does not exist yet counts as changed as soon as it does.
    println!("cargo::rerun-if-changed={}", file.display());
    let data = fs::read(&file).unwrap_or_default();
    fs::write(out.join("catalogue.bin"), data).expect("cargo's own folder can be written");
}

/// The folder that cargo builds into: the nearest one around the output with cargo's mark, else that of the repository.
fn target(here: &Path, out: &Path) -> PathBuf {
    let marked = out.ancestors().filter(|above| above.join("CACHEDIR.TAG").is_file()).last();
    marked.map_or_else(|| here.join("../../target"), Path::to_path_buf)
}

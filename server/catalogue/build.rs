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
    let places = env::var_os(VARIABLE).map_or_else(|| places(&here, &out), |file| vec![file.into()]);
    let found = places.iter().find(|file| file.is_file());
    // A file that does not exist yet counts as changed as soon as it does.
    for file in found.map_or(places.as_slice(), std::slice::from_ref) {
        println!("cargo::rerun-if-changed={}", file.display());
    }
    let data = found.and_then(|file| fs::read(file).ok()).unwrap_or_default();
    fs::write(out.join("catalogue.bin"), data).expect("cargo's own folder can be written");
}

/// Where the file that the chore makes can be: in the folder that cargo builds into. The output is `PROFILE/build/NAME/out`
/// below it, or below a folder in it for another system or another compiler.
fn places(here: &Path, out: &Path) -> Vec<PathBuf> {
    let folders = out.ancestors().skip(4).take(3).map(Path::to_path_buf);
    folders.chain([here.join("../../target")]).map(|folder| folder.join("catalogue").join("catalogue.bin")).collect()
}

//! Makes the data file of the catalogue from packages that were fetched: `lofting-catalogue-pack PACKAGES OUTPUT`, where
//! PACKAGES is the folder with the files that `packages.txt` names.
#![allow(clippy::print_stdout, reason = "a chore talks to a terminal")]

mod archive;
mod corrections;
mod known;
mod kubernetes;
mod packed;
mod patterns;
mod stores;

use anyhow::Context;
use archive::Package;
use packed::Packed;
use std::path::Path;
use std::process::ExitCode;

/// The versions of Kubernetes that are taken, the newest first.
const VERSIONS: std::ops::RangeInclusive<u32> = 30..=37;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [packages, output] = arguments.as_slice() else {
        eprintln!("usage: lofting-catalogue-pack PACKAGES OUTPUT");
        return ExitCode::from(2);
    };
    match pack(Path::new(packages), Path::new(output)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("lofting-catalogue-pack: {why:#}");
            ExitCode::FAILURE
        }
    }
}

fn pack(packages: &Path, output: &Path) -> anyhow::Result<()> {
    let mut packed = Packed::default();
    let newer: anyhow::Result<Vec<Package>> = stores::newer().map(|name| Package::read(packages, name)).collect();
    let store = Package::read(packages, "schemastore")?;
    stores::pack(&mut packed, &newer?, &store)?;
    let definitions = Package::read(packages, "kubernetes-validate")?;
    kubernetes::pack(&mut packed, &definitions, VERSIONS)?;
    let bytes = packed.bytes();
    // Read as the program reads it, before it replaces the previous one.
    lofting_catalogue::Catalogue::read(bytes.clone())?;
    std::fs::write(output, &bytes).with_context(|| output.display().to_string())?;
    println!("{}: {} KiB, of which {}", output.display(), bytes.len() / 1024, packed.sizes());
    Ok(())
}

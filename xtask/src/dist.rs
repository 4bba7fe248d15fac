//! `cargo xtask dist`: all packages of one platform. Each kind of package is one file, and one line of [`KINDS`].
//!
//! Packages are made from one program and the time of its commit; two runs give equal files.

mod archive;
mod browser;
mod build;
mod checksums;
mod debian;
mod dependencies;
mod entries;
mod manifests;
mod npm;
mod product;
mod sbom;
mod system;
mod target;
pub mod time;
mod vsix;
mod wheel;
mod zed;

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use crate::shell::{self, Profile};
pub use checksums::of_folder as sums;
pub use entries::{base64, unzip};
use product::Product;
pub use product::version;
pub use target::{TARGETS, Target};

/// A kind of package.
struct Kind {
    name: &'static str,
    /// Makes the files of this kind; none where the platform has no such package.
    make: fn(&Product) -> anyhow::Result<Vec<PathBuf>>,
    /// What is missing on this machine, so that this kind cannot be made.
    missing: fn() -> Option<String>,
}

const fn kind(name: &'static str, make: fn(&Product) -> anyhow::Result<Vec<PathBuf>>) -> Kind {
    Kind { name, make, missing: || None }
}

const KINDS: &[Kind] = &[
    kind("archive", archive::make),
    kind("sbom", sbom::make),
    kind("wheel", wheel::make),
    kind("npm", npm::make),
    kind("debian", debian::make),
    Kind {
        name: "vsix",
        make: vsix::make,
        missing: || (!shell::is_there("npm")).then(|| "npm is not installed".to_owned()),
    },
    Kind { name: "browser", make: browser::make, missing: browser::missing },
    Kind { name: "zed", make: zed::make, missing: zed::missing },
];

/// What to pack.
pub struct Order {
    pub target: &'static Target,
    /// The program.
    pub binary: PathBuf,
    /// The program that says its completions and man pages.
    pub texts_from: PathBuf,
    /// Names of kinds; all if there are none.
    pub only: Vec<String>,
    pub out: PathBuf,
}

/// What was packed, and what could not be, with the reason.
#[derive(Debug, Default)]
pub struct Packed {
    pub made: Vec<PathBuf>,
    pub skipped: Vec<(String, String)>,
}

/// Where packages are by default.
pub fn folder() -> PathBuf {
    shell::target_dir().join("packages")
}

/// `cargo xtask dist [--target TRIPLE] [--binary PATH] [--texts-from PATH] [--only KIND,KIND] [--out DIR]
/// [--glibc VERSION]`, or `cargo xtask dist --manifests DIR`
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    let flags = ["--target", "--binary", "--texts-from", "--only", "--out", "--glibc", "--manifests"];
    for pair in arguments.chunks(2) {
        if !flags.contains(&pair[0].as_str()) || pair.len() != 2 {
            return Err(anyhow!("`cargo xtask dist` knows {}, each with a value; not `{}`", flags.join(", "), pair[0]));
        }
    }
    let path = |name: &str| shell::flag(arguments, name).map(|value| shell::root().join(value));
    if let Some(packages) = path("--manifests") {
        for path in manifests::make(&packages, &packages.join("manifests"))? {
            println!("   {}", path.display());
        }
        return Ok(true);
    }
    let host = shell::host()?;
    let target = Target::of(shell::flag(arguments, "--target").unwrap_or(&host))?;
    let glibc = shell::flag(arguments, "--glibc").map(system::version).transpose()?;
    let given = path("--binary").or_else(|| std::env::var_os("LOFTING_BINARY").map(PathBuf::from));
    let binary = match given {
        Some(binary) => binary,
        None => build::program(target, glibc)?,
    };
    let texts_from = match path("--texts-from") {
        Some(program) => program,
        None if target.triple == host || runs_here(&binary) => binary.clone(),
        None => shell::build_lofting(Profile::Dev)?,
    };
    let only =
        shell::flag(arguments, "--only").map_or_else(Vec::new, |kinds| kinds.split(',').map(str::to_owned).collect());
    let order = Order { target, binary, texts_from, only, out: path("--out").unwrap_or_else(folder) };
    let packed = pack(&order)?;
    for path in &packed.made {
        let size = path.metadata().map_or(0, |metadata| metadata.len());
        println!("   {} ({:.1} MB)", path.display(), size as f64 / 1_000_000.0);
    }
    for (kind, why) in &packed.skipped {
        println!("skipped: {kind}: {why}");
    }
    Ok(true)
}

fn runs_here(binary: &Path) -> bool {
    shell::is_there(&binary.to_string_lossy())
}

/// Makes the packages, and then the checksums of all files in the folder.
pub fn pack(order: &Order) -> anyhow::Result<Packed> {
    if let Some(unknown) = order.only.iter().find(|name| KINDS.iter().all(|kind| kind.name != **name)) {
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        return Err(anyhow!("there is no kind of package `{unknown}`; there are {}", names.join(", ")));
    }
    let product = Product::read(order.target, &order.binary, &order.texts_from, &order.out)?;
    let mut packed = Packed::default();
    for kind in KINDS.iter().filter(|kind| order.only.is_empty() || order.only.iter().any(|name| name == kind.name)) {
        match (kind.missing)() {
            None => packed.made.extend((kind.make)(&product).with_context(|| kind.name.to_string())?),
            Some(why) => packed.skipped.push((kind.name.to_owned(), why)),
        }
    }
    packed.made.push(checksums::make(&order.out)?);
    Ok(packed)
}

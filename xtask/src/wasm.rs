//! `cargo xtask wasm`: the checks for browsers, as WebAssembly with the JavaScript around it, in `target/wasm`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

use crate::{library, shell};

pub const TARGET: &str = "wasm32-unknown-unknown";

/// The stack of the module, in bytes: the usual one is for smaller programs.
const STACK: u32 = 8 << 20;

/// What the compiler uses of newer WebAssembly. With all that it knows, `wasm-opt` writes what no browser reads yet.
const FEATURES: [&str; 6] =
    ["bulk-memory", "multivalue", "mutable-globals", "nontrapping-float-to-int", "reference-types", "sign-ext"];

/// Where the module and its JavaScript are.
pub fn folder() -> PathBuf {
    shell::target_dir().join("wasm")
}

/// The module.
pub fn module() -> PathBuf {
    folder().join("lofting.wasm")
}

/// `cargo xtask wasm`
pub fn run() -> anyhow::Result<bool> {
    if let Some(why) = missing() {
        println!("skipped: wasm: {why:#}");
        return Ok(true);
    }
    make()?;
    println!("   {}: {}", module().display(), sizes(&module())?);
    Ok(true)
}

/// Why the module cannot be built here.
pub fn missing() -> Option<String> {
    library::missing(TARGET)
}

/// Builds the module.
pub fn make() -> anyhow::Result<()> {
    if let Err(why) = crate::catalogue::make() {
        println!("   built without a catalogue of schemas: {why:#}");
    }
    let built = shell::target_dir().join("wasm-build");
    let mut build = shell::cargo(&["rustc", "--quiet", "--locked", "--package", "lofting-wasm", "--lib"]);
    build.args(["--crate-type", "cdylib", "--profile", "wasm", "--target", TARGET]).env("CARGO_TARGET_DIR", &built);
    build.env("RUSTFLAGS", format!("{} -C link-arg=-zstack-size={STACK}", shell::remapped()));
    build.env_remove("RUSTC_WORKSPACE_WRAPPER");
    library::provide(&mut build, TARGET, "std,panic_abort");
    shell::quiet(&mut build)?;
    let raw = built.join(TARGET).join("wasm/lofting_wasm.wasm");
    let folder = folder();
    let mut bind = Command::new(bindgen()?);
    bind.args(["--target", "web", "--remove-name-section", "--remove-producers-section", "--out-name", "lofting"]);
    bind.arg("--out-dir").arg(&folder).arg(&raw);
    shell::quiet(&mut bind)?;
    let (bound, module) = (folder.join("lofting_bg.wasm"), module());
    // A few percent; the program comes from a package of npm or of the system.
    if shell::is_there("wasm-opt") {
        let features = FEATURES.map(|feature| format!("--enable-{feature}"));
        shell::quiet(Command::new("wasm-opt").arg("-Os").args(features).arg("-o").arg(&module).arg(&bound))?;
        fs::remove_file(&bound).with_context(|| bound.display().to_string())?;
    } else {
        fs::rename(&bound, &module).with_context(|| bound.display().to_string())?;
    }
    can_be_read(&module)
}

/// Node's engine is that of a browser.
fn can_be_read(module: &Path) -> anyhow::Result<()> {
    if !shell::is_there("node") {
        return Ok(());
    }
    let script = "WebAssembly.compile(require('fs').readFileSync(process.argv[1])).catch((error) => { \
                  console.error(String(error)); process.exit(1); });";
    shell::quiet(Command::new("node").args(["-e", script]).arg(module)).map(drop)
}

/// The program that writes the JavaScript, of the version that the module is built with; built once.
fn bindgen() -> anyhow::Result<PathBuf> {
    let version = bindgen_version()?;
    let home = shell::tools_dir().join(format!("wasm-bindgen-{version}"));
    let program = home.join("bin").join(shell::program_name("wasm-bindgen"));
    if !program.exists() {
        println!("   building wasm-bindgen {version}");
        let mut install = shell::cargo(&["install", "--quiet", "wasm-bindgen-cli", "--version", &version, "--root"]);
        install.arg(&home).env("CARGO_TARGET_DIR", shell::target_dir().join("wasm-bindgen"));
        // It runs on this machine, whatever the compiler of the module is.
        install.env_remove("RUSTC").env_remove("RUSTC_WORKSPACE_WRAPPER");
        shell::quiet(&mut install)?;
        let _ = fs::remove_dir_all(shell::target_dir().join("wasm-bindgen"));
    }
    Ok(program)
}

fn bindgen_version() -> anyhow::Result<String> {
    let path = shell::root().join("Cargo.lock");
    let lock = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let package = lock.split("[[package]]").find(|package| package.contains("\nname = \"wasm-bindgen\"\n"));
    let version = package.and_then(|package| package.split("\nversion = \"").nth(1)?.split('"').next());
    version.map(str::to_owned).context("Cargo.lock has no wasm-bindgen")
}

/// The size of a file in megabytes: as it is, and as servers send it. Node has the compressors.
pub fn sizes(file: &Path) -> anyhow::Result<String> {
    let size = file.metadata().with_context(|| file.display().to_string())?.len();
    let raw = format!("{:.2} MB", size as f64 / 1_000_000.0);
    let script = "const z = require('zlib'), b = require('fs').readFileSync(process.argv[1]); \
                  const mb = (x) => (x.length / 1e6).toFixed(2) + ' MB'; \
                  console.log(`gzip ${mb(z.gzipSync(b, { level: 9 }))}, brotli ${mb(z.brotliCompressSync(b))}`);";
    let compressed = shell::quiet(Command::new("node").args(["-e", script]).arg(file));
    Ok(compressed.map_or(raw.clone(), |compressed| format!("{raw}, {}", compressed.trim())))
}

#[cfg(test)]
mod tests {
    /// The JavaScript is made by the version that the lock file has.
    #[test]
    fn the_version_of_the_lock_file_is_the_one_of_the_manifest() {
        let manifest = std::fs::read_to_string(crate::shell::root().join("Cargo.toml")).expect("the manifest");
        let version = super::bindgen_version().expect("a version");
        assert!(manifest.contains(&format!("wasm-bindgen = \"={version}\"")), "{version}");
    }
}

//! The extension of Zed as a WebAssembly component, where the compiler has the standard library for it.

use std::path::PathBuf;

use super::entries::{Entry, tar_gz, write};
use super::product::{Product, text};
use crate::shell;

const TARGET: &str = "wasm32-wasip2";

pub fn make(product: &Product) -> anyhow::Result<Vec<PathBuf>> {
    let folder = shell::target_dir().join("zed");
    let mut build = shell::cargo(&["build", "--quiet", "--release", "--locked", "--target", TARGET]);
    build.current_dir(shell::root().join("editors/zed")).env("CARGO_TARGET_DIR", &folder);
    build.env("RUSTFLAGS", shell::remapped());
    shell::quiet(&mut build)?;
    let component = super::entries::read(&folder.join(TARGET).join("release/lofting_zed.wasm"))?;
    let mut entries = vec![
        Entry::new("extension.wasm", component),
        Entry::new("extension.toml", text("editors/zed/extension.toml")?),
        Entry::new("README.md", text("editors/zed/README.md")?),
    ];
    entries.extend(product.licences.iter().filter(|licence| licence.path.starts_with("LICENSE")).cloned());
    let path = product.out.join("lofting-zed.tar.gz");
    write(&path, &tar_gz(&entries, product.style)?)?;
    Ok(vec![path])
}

/// Whether the component can be built here.
pub fn missing() -> Option<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let arguments = ["--print", "target-libdir", "--target", TARGET];
    let folder = shell::quiet(&mut shell::program(rustc, &arguments, ".")).unwrap_or_default();
    let is_there = std::path::Path::new(folder.trim()).is_dir();
    (!is_there).then(|| format!("the compiler has no standard library for {TARGET} (`rustup target add {TARGET}`)"))
}

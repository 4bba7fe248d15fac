//! What runs in a browser: the page on which Lofting is tried, and the extension of VS Code for the Web. Both are the same for
//! all platforms, so one platform's packages have them.

use std::path::PathBuf;

use anyhow::Context;

use super::entries::{Entry, read, tar_gz, unzip, write, zip};
use super::product::Product;
use crate::{playground, shell, vscode, vscode_web, wasm};

/// The platform whose packages have them.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

pub fn make(product: &Product) -> anyhow::Result<Vec<PathBuf>> {
    if product.target.triple != PLATFORM {
        return Ok(Vec::new());
    }
    wasm::make()?;
    Ok(vec![page(product)?, extension(product)?])
}

/// Why they cannot be made here.
pub fn missing() -> Option<String> {
    let no_npm = (!shell::is_there("npm")).then(|| "npm is not installed".to_owned());
    no_npm.or_else(wasm::missing)
}

fn page(product: &Product) -> anyhow::Result<PathBuf> {
    vscode::install_in(playground::FOLDER)?;
    let folder = playground::folder();
    let _ = std::fs::remove_dir_all(&folder);
    playground::build(&folder)?;
    let list = std::fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
    let mut names: Vec<String> = list.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    let mut entries = Vec::new();
    for name in names {
        entries.push(Entry::new(format!("lofting-playground/{name}"), read(&folder.join(&name))?));
    }
    entries.extend(product.licences.iter().map(|licence| licence.below("lofting-playground")));
    let path = product.out.join("lofting-playground.tar.gz");
    write(&path, &tar_gz(&entries, product.style)?)?;
    Ok(path)
}

fn extension(product: &Product) -> anyhow::Result<PathBuf> {
    let path = product.out.join("lofting-web.vsix");
    std::fs::create_dir_all(&product.out).with_context(|| product.out.display().to_string())?;
    vscode::install()?;
    vscode_web::pack(&path)?;
    // Again, with sorted files and one time.
    let mut entries = unzip(&read(&path)?)?;
    let is_third_party = |licence: &&Entry| licence.path.starts_with("THIRD");
    entries.extend(product.licences.iter().filter(is_third_party).map(|licence| licence.below("extension")));
    write(&path, &zip(&entries, product.style)?)?;
    Ok(path)
}

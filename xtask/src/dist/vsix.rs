//! The extension of VS Code with the server of one platform, for both marketplaces.

use std::path::PathBuf;

use anyhow::Context;

use super::entries::{read, unzip, write, zip};
use super::product::Product;
use crate::vscode;

pub fn make(product: &Product) -> anyhow::Result<Vec<PathBuf>> {
    let Some(platform) = product.target.vscode else { return Ok(Vec::new()) };
    vscode::install()?;
    let path = product.out.join(format!("lofting-{platform}.vsix"));
    std::fs::create_dir_all(&product.out).with_context(|| product.out.display().to_string())?;
    vscode::pack_with_server(&product.program, product.target.program(), platform, &path)?;
    // Again, with sorted files and one time. The tool marks no file as a program.
    let mut entries = unzip(&read(&path)?)?;
    for entry in &mut entries {
        entry.is_program = entry.path == format!("extension/server/{}", product.target.program());
    }
    entries.extend(
        product
            .licences
            .iter()
            .filter(|licence| licence.path.starts_with("THIRD"))
            .map(|licence| licence.below("extension")),
    );
    write(&path, &zip(&entries, product.style)?)?;
    Ok(vec![path])
}

//! The extension of VS Code with the server of one platform, for both marketplaces.

use std::path::PathBuf;

use super::entries::{read, unzip, write, zip};
use super::product::Product;
use crate::vscode;

pub fn make(product: &Product) -> Result<Vec<PathBuf>, String> {
    let Some(platform) = product.target.vscode else { return Ok(Vec::new()) };
    vscode::install()?;
    let path = product.out.join(format!("lofting-{platform}.vsix"));
    std::fs::create_dir_all(&product.out).map_err(|why| format!("{}: {why}", product.out.display()))?;
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

//! The archive for everyone else: program, licences, completions and man pages in one folder.

use std::path::PathBuf;

use super::entries::{Entry, tar_gz, write, zip};
use super::product::Product;

pub fn make(product: &Product) -> anyhow::Result<Vec<PathBuf>> {
    let name = product.target.archive();
    let path = product.out.join(&name);
    let entries = entries(product);
    let bytes = if name.ends_with(".zip") { zip(&entries, product.style) } else { tar_gz(&entries, product.style) }?;
    write(&path, &bytes)?;
    Ok(vec![path])
}

/// One folder, named as the archive, so that unpacking leaves nothing lying about.
fn entries(product: &Product) -> Vec<Entry> {
    let folder = format!("lofting-{}", product.target.triple);
    let mut entries = vec![product.program_at(&folder), Entry::new("README.md", product.page.clone()).below(&folder)];
    entries.push(Entry::new("CHANGELOG.md", product.changelog.clone()).below(&folder));
    entries.extend(product.licences.iter().map(|licence| licence.below(&folder)));
    for script in &product.completions {
        let name = match script.path.as_str() {
            "zsh" => "_lofting".to_owned(),
            "powershell" => "lofting.ps1".to_owned(),
            "elvish" => "lofting.elv".to_owned(),
            shell => format!("lofting.{shell}"),
        };
        entries.push(Entry::new(name, script.bytes.clone()).below("completions").below(&folder));
    }
    entries.extend(product.man_pages.iter().map(|page| page.below("man").below(&folder)));
    entries
}

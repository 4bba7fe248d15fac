//! The Python wheel: the program as a script of the package. `pip install lofting` puts it into the environment's `bin`.

use std::fmt::Write as _;
use std::path::PathBuf;

use sha2::{Digest, Sha256};

use super::entries::{Entry, base64, write, zip};
use super::product::Product;
use super::system::oldest_named;

pub fn make(product: &Product) -> anyhow::Result<Vec<PathBuf>> {
    let tag = tag(product)?;
    let path = product.out.join(format!("lofting-{}-{tag}.whl", product.version));
    write(&path, &zip(&entries(product, &tag), product.style)?)?;
    Ok(vec![path])
}

/// `py3-none-manylinux_2_28_x86_64`: any Python 3, and systems whose C library is at least that old.
fn tag(product: &Product) -> anyhow::Result<String> {
    let mut tag = format!("py3-none-{}", product.target.wheel);
    if tag.contains("{glibc}") {
        let (major, minor) = oldest_named(&product.program)?;
        tag = tag.replace("{glibc}", &format!("{major}_{minor}"));
    }
    Ok(tag)
}

fn entries(product: &Product, tag: &str) -> Vec<Entry> {
    let version = &product.version;
    let (data, info) = (format!("lofting-{version}.data"), format!("lofting-{version}.dist-info"));
    let mut entries = vec![
        product.program_at(&format!("{data}/scripts")),
        Entry::new(format!("{info}/METADATA"), metadata(product)),
        Entry::new(
            format!("{info}/WHEEL"),
            format!("Wheel-Version: 1.0\nGenerator: lofting\nRoot-Is-Purelib: false\nTag: {tag}\n"),
        ),
    ];
    entries.extend(product.licences.iter().map(|licence| licence.below("licenses").below(&info)));
    if let Some(page) = product.man_pages.iter().find(|page| page.path == "lofting.1") {
        entries.push(page.below(&format!("{data}/data/share/man/man1")));
    }
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    let mut record = String::new();
    for entry in &entries {
        let hash = base64(&Sha256::digest(&entry.bytes), true);
        let _ = writeln!(record, "{},sha256={hash},{}", entry.path, entry.bytes.len());
    }
    let _ = writeln!(record, "{info}/RECORD,,");
    entries.push(Entry::new(format!("{info}/RECORD"), record));
    entries
}

fn metadata(product: &Product) -> String {
    let mut text = format!("Metadata-Version: 2.4\nName: lofting\nVersion: {}\n", product.version);
    text += "Summary: Checks, explains and completes YAML against its schema: language server and command line.\n";
    text += "Project-URL: Homepage, https://github.com/lofting-yaml/lofting\n";
    text += "Keywords: yaml,schema,language server,linter,kubernetes,json schema,ytt\n";
    text += "License-Expression: MIT OR Apache-2.0\n";
    for licence in &product.licences {
        let _ = writeln!(text, "License-File: {}", licence.path);
    }
    for classifier in [
        "Environment :: Console",
        "Intended Audience :: Developers",
        "Intended Audience :: System Administrators",
        "Programming Language :: Rust",
        "Topic :: Software Development :: Quality Assurance",
        "Topic :: Text Editors :: Integrated Development Environments (IDE)",
    ] {
        let _ = writeln!(text, "Classifier: {classifier}");
    }
    text += "Requires-Python: >=3.7\nDescription-Content-Type: text/markdown\n\n";
    text + &product.page
}

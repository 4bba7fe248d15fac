//! The Debian package, with completions and man pages where Debian has them.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::entries::{Entry, Style, gz, tar, write};
use super::product::Product;
use super::system::{glibc, needs};
use super::time::Moment;

pub fn make(product: &Product) -> anyhow::Result<Vec<PathBuf>> {
    let Some(architecture) = product.target.debian else { return Ok(Vec::new()) };
    let path = product.out.join(format!("lofting_{}_{architecture}.deb", product.version));
    let data = files(product)?;
    let control = [Entry::new("./control", control(product, architecture, &data))];
    let members = [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", gz(&tar(&control, product.style, false)?, product.style)?),
        ("data.tar.gz", gz(&tar(&data, product.style, true)?, product.style)?),
    ];
    write(&path, &ar(&members, product.style))?;
    Ok(vec![path])
}

fn files(product: &Product) -> anyhow::Result<Vec<Entry>> {
    let mut files = vec![
        product.program_at("./usr/bin"),
        Entry::new("./usr/share/bash-completion/completions/lofting", product.completion("bash")),
        Entry::new("./usr/share/zsh/vendor-completions/_lofting", product.completion("zsh")),
        Entry::new("./usr/share/fish/vendor_completions.d/lofting.fish", product.completion("fish")),
        Entry::new("./usr/share/doc/lofting/changelog.gz", gz(changelog(product).as_bytes(), product.style)?),
        Entry::new("./usr/share/doc/lofting/copyright", copyright(product)),
    ];
    for page in &product.man_pages {
        files.push(Entry::new(format!("./usr/share/man/man1/{}.gz", page.path), gz(&page.bytes, product.style)?));
    }
    Ok(files)
}

fn control(product: &Product, architecture: &str, files: &[Entry]) -> String {
    let size = files.iter().map(|file| file.bytes.len().div_ceil(1024)).sum::<usize>();
    // A program that names no version of the C library is linked statically.
    let depends = glibc(&product.program).map(|(major, minor)| {
        let unwinder = if needs(&product.program, "libgcc_s.so.1") { ", libgcc-s1" } else { "" };
        format!("Depends: libc6 (>= {major}.{minor}){unwinder}\n")
    });
    format!(
        "Package: lofting\nVersion: {}\nArchitecture: {architecture}\nMaintainer: The Lofting authors \
         <lofting@users.noreply.github.com>\nInstalled-Size: {size}\n{}Section: \
         devel\nPriority: optional\nHomepage: https://github.com/lofting-yaml/lofting\nDescription: language server \
         for YAML with a schema\n Checks, explains and completes YAML against its schema, in editors and on the \
         command\n line: ytt data values, Kubernetes resources, OpenChoreo, JSON Schema, OpenAPI.\n",
        product.version,
        depends.unwrap_or_default(),
    )
}

fn copyright(product: &Product) -> String {
    let mut text = String::new();
    for licence in &product.licences {
        let _ = write!(
            text,
            "{}\n{}\n{}\n\n",
            licence.path,
            "=".repeat(licence.path.len()),
            String::from_utf8_lossy(&licence.bytes)
        );
    }
    text
}

fn changelog(product: &Product) -> String {
    let time = Moment::of(product.style.time).mail();
    format!(
        "lofting ({}) unstable; urgency=low\n\n  * See https://github.com/lofting-yaml/lofting/blob/main/CHANGELOG.md\n\n \
         -- The Lofting authors <lofting@users.noreply.github.com>  {time}\n",
        product.version
    )
}

/// The format of the outer archive: headers of 60 characters, contents on even offsets.
fn ar(members: &[(&str, Vec<u8>)], style: Style) -> Vec<u8> {
    let mut out = b"!<arch>\n".to_vec();
    for (name, bytes) in members {
        let header = format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", style.time, 0, 0, "100644", bytes.len());
        out.extend(header.bytes());
        out.extend(bytes);
        if bytes.len() % 2 == 1 {
            out.push(b'\n');
        }
    }
    out
}

//! Reads the packages, and refuses those whose content is not the pinned one.

use anyhow::{Context, bail};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::path::Path;

/// The pinned packages.
const PACKAGES: &str = include_str!("../packages.txt");

/// The files of a package.
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// From when its content is.
    pub date: String,
    /// Its licence, as SPDX writes it.
    pub licence: String,
    files: BTreeMap<String, Vec<u8>>,
}

impl Package {
    /// Reads a package from the folder of fetched ones.
    pub fn read(folder: &Path, name: &str) -> anyhow::Result<Package> {
        let lines = PACKAGES.lines().filter(|line| !line.starts_with('#'));
        let pinned = lines.map(|line| line.split(' ').collect::<Vec<_>>()).find(|fields| fields.get(1) == Some(&name));
        let Some([_, _, version, file, digest, date, licence]) = pinned.as_deref() else {
            bail!("packages.txt has no package {name}");
        };
        let path = folder.join(file);
        let bytes = std::fs::read(&path).with_context(|| path.display().to_string())?;
        let found: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        if found != *digest {
            bail!("{}: its SHA-256 is {found}, not the pinned {digest}", path.display());
        }
        let files = if file.ends_with(".whl") { from_zip(bytes) } else { from_tar(&bytes) };
        Ok(Package {
            name: name.to_owned(),
            version: (*version).to_owned(),
            date: (*date).to_owned(),
            licence: (*licence).to_owned(),
            files: files.with_context(|| path.display().to_string())?,
        })
    }

    /// The names of the files whose path begins like this, without that beginning.
    pub fn below<'p>(&'p self, folder: &'p str) -> impl Iterator<Item = &'p str> {
        self.files.keys().filter_map(move |path| path.strip_prefix(folder))
    }

    /// A file as JSON.
    pub fn json(&self, path: &str) -> anyhow::Result<serde_json::Value> {
        let bytes = self.files.get(path).with_context(|| format!("{} has no file {path}", self.name))?;
        serde_json::from_slice(bytes).with_context(|| format!("{}: {path}", self.name))
    }
}

fn from_zip(bytes: Vec<u8>) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes))?;
    let mut files = BTreeMap::new();
    for number in 0..archive.len() {
        let mut file = archive.by_index(number)?;
        // Only whole documents are read: those of the other forms are many.
        let name = file.name()?.into_owned();
        let is_of_newer = || crate::stores::newer().filter_map(crate::stores::folder).any(|own| name.starts_with(own));
        let is_needed = name.ends_with("-local/_definitions.json") || is_of_newer();
        if is_needed && !file.is_dir() {
            let mut content = Vec::new();
            file.read_to_end(&mut content)?;
            files.insert(name, content);
        }
    }
    Ok(files)
}

fn from_tar(bytes: &[u8]) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(bytes));
    let mut files = BTreeMap::new();
    for entry in archive.entries()? {
        let mut entry = entry?;
        let path = entry.path()?.to_string_lossy().into_owned();
        let mut content = Vec::new();
        entry.read_to_end(&mut content)?;
        files.insert(path, content);
    }
    Ok(files)
}

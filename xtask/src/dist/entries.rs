//! Files in archives: sorted, with one time and one owner, so that equal contents are equal archives.

use std::io::{Cursor, Read, Write};
use std::path::Path;

use anyhow::{Context, anyhow};
use flate2::{Compression, GzBuilder};
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;

use super::time::Moment;

/// A file in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// With slashes.
    pub path: String,
    pub bytes: Vec<u8>,
    pub is_program: bool,
}

impl Entry {
    pub fn new(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Entry {
        Entry { path: path.into(), bytes: bytes.into(), is_program: false }
    }

    pub fn program(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Entry {
        Entry { is_program: true, ..Entry::new(path, bytes) }
    }

    /// The entry in a folder.
    pub fn below(&self, folder: &str) -> Entry {
        Entry { path: format!("{folder}/{}", self.path), ..self.clone() }
    }

    fn mode(&self) -> u32 {
        if self.is_program { 0o755 } else { 0o644 }
    }
}

/// How archives are written.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Seconds since 1970.
    pub time: u64,
    /// 0 to 9.
    pub level: u32,
}

fn sorted(entries: &[Entry]) -> anyhow::Result<Vec<&Entry>> {
    let mut sorted: Vec<&Entry> = entries.iter().collect();
    sorted.sort_by(|a, b| a.path.cmp(&b.path));
    match sorted.windows(2).find(|pair| pair[0].path == pair[1].path) {
        Some(pair) => Err(anyhow!("{} is in an archive twice", pair[0].path)),
        None => Ok(sorted),
    }
}

/// A `.tar`. With `folders`, the folders of the files have entries as well.
pub fn tar(entries: &[Entry], style: Style, folders: bool) -> anyhow::Result<Vec<u8>> {
    let entries = sorted(entries)?;
    let mut archive = tar::Builder::new(Vec::new());
    let mut known = std::collections::BTreeSet::new();
    for entry in entries {
        let path = entry.path.trim_start_matches("./");
        for (at, _) in path.match_indices('/').filter(|_| folders) {
            if known.insert(path[..at].to_owned()) {
                let mut header = header(style, 0o755, 0);
                header.set_entry_type(tar::EntryType::Directory);
                let path = format!("./{}/", &path[..at]);
                archive.append_data(&mut header, path, std::io::empty())?;
            }
        }
        let mut header = header(style, entry.mode(), entry.bytes.len() as u64);
        archive.append_data(&mut header, &entry.path, &*entry.bytes).with_context(|| path.to_string())?;
    }
    Ok(archive.into_inner()?)
}

fn header(style: Style, mode: u32, size: u64) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.set_mode(mode);
    header.set_size(size);
    header.set_mtime(style.time);
    header.set_uid(0);
    header.set_gid(0);
    header
}

/// Compressed by gzip, without name and time.
pub fn gz(bytes: &[u8], style: Style) -> anyhow::Result<Vec<u8>> {
    // 255: the system is not said.
    let mut to = GzBuilder::new().operating_system(255).write(Vec::new(), Compression::new(style.level));
    to.write_all(bytes)?;
    Ok(to.finish()?)
}

/// A `.tar.gz`.
pub fn tar_gz(entries: &[Entry], style: Style) -> anyhow::Result<Vec<u8>> {
    gz(&tar(entries, style, false)?, style)
}

/// A `.zip`.
pub fn zip(entries: &[Entry], style: Style) -> anyhow::Result<Vec<u8>> {
    let now = Moment::of(style.time);
    let time = zip::DateTime::from_date_and_time(now.year, now.month, now.day, now.hour, now.minute, now.second);
    let time = time.with_context(|| now.iso().to_string())?;
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for entry in sorted(entries)? {
        let options = SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated)
            .compression_level(Some(i64::from(style.level)))
            .last_modified_time(time)
            .unix_permissions(entry.mode());
        archive.start_file(&entry.path, options).with_context(|| entry.path.clone())?;
        archive.write_all(&entry.bytes).with_context(|| entry.path.clone())?;
    }
    Ok(archive.finish()?.into_inner())
}

/// The files of a `.zip`.
pub fn unzip(bytes: &[u8]) -> anyhow::Result<Vec<Entry>> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes))?;
    let mut entries = Vec::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index)?;
        if file.is_dir() {
            continue;
        }
        let is_program = file.unix_mode().is_some_and(|mode| mode & 0o111 != 0);
        let path = file.name()?.into_owned();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(|| path.to_string())?;
        entries.push(Entry { path, bytes, is_program });
    }
    Ok(entries)
}

/// Writes a file, and the folders above it.
pub fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if let Some(above) = path.parent() {
        std::fs::create_dir_all(above).with_context(|| above.display().to_string())?;
    }
    std::fs::write(path, bytes).with_context(|| path.display().to_string())
}

/// Reads a file.
pub fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path).with_context(|| path.display().to_string())
}

/// In hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// In base64: with `=` at its end and the usual letters, or without it and those for URLs.
pub fn base64(bytes: &[u8], for_urls: bool) -> String {
    let last = if for_urls { "-_" } else { "+/" };
    let letters: Vec<char> = ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(last.chars()).collect();
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let byte = |index: usize| usize::from(three.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for index in 0..4 {
            if index <= three.len() {
                text.push(letters[bits >> (18 - 6 * index) & 63]);
            } else if !for_urls {
                text.push('=');
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Entry, Style, base64, tar_gz, unzip, zip};

    const STYLE: Style = Style { time: 1_795_657_283, level: 9 };

    #[test]
    fn the_order_of_files_does_not_matter() {
        let (a, b) = (Entry::new("a/x", "1"), Entry::program("b", "2"));
        let (forth, back) = ([a.clone(), b.clone()], [b.clone(), a.clone()]);
        let made = |made: anyhow::Result<Vec<u8>>| made.expect("an archive");
        assert_eq!(made(tar_gz(&forth, STYLE)), made(tar_gz(&back, STYLE)));
        assert_eq!(made(zip(&forth, STYLE)), made(zip(&back, STYLE)));
        assert_eq!(unzip(&zip(&back, STYLE).expect("a zip")).expect("its files"), forth);
        assert!(zip(&[a.clone(), a], STYLE).is_err_and(|why| why.to_string().contains("twice")));
    }

    #[test]
    fn base64_of_any_length() {
        for (bytes, usual, for_urls) in [
            ("", "", ""),
            ("f", "Zg==", "Zg"),
            ("fo", "Zm8=", "Zm8"),
            ("foo", "Zm9v", "Zm9v"),
            ("\u{3fb}\u{3ff}", "z7vPvw==", "z7vPvw"),
        ] {
            assert_eq!(
                (base64(bytes.as_bytes(), false).as_str(), base64(bytes.as_bytes(), true).as_str()),
                (usual, for_urls)
            );
        }
        assert_eq!((base64(&[251, 255], false).as_str(), base64(&[251, 255], true).as_str()), ("+/8=", "-_8"));
    }
}

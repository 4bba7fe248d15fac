//! Copies of documents on disk.
//!
//! A document is stored as the server sent it, under a name that people recognise. A second file beside it, the note,
//! holds its URL and the validators by which the server recognises this version.

use parking_lot::Mutex;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use lofting_disk::{Access, CopyLimits, Folder, Named};

/// What a server says about the version of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Validators {
    /// `ETag`
    pub etag: Option<String>,
    /// `Last-Modified`
    pub modified: Option<String>,
}

/// A stored copy.
#[derive(Debug)]
pub(crate) struct Copy {
    pub path: PathBuf,
    pub validators: Validators,
    /// When the server last sent or confirmed it.
    confirmed: Option<SystemTime>,
}

impl Copy {
    /// How long ago the server sent or confirmed it; the longest duration if the clock makes no sense.
    pub fn age(&self) -> Duration {
        self.confirmed.and_then(|then| then.elapsed().ok()).unwrap_or(Duration::MAX)
    }
}

/// A folder of copies. Several processes may use it at the same time.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    /// The size of all copies in bytes, as far as this process knows; None before it has looked.
    size: Mutex<Option<u64>>,
}

/// Maximum size of a note in bytes.
const NOTE: u64 = 64 * 1024;

/// Bytes of the digest in a name.
const DIGEST: usize = 12;

/// Maximum number of characters in the recognisable part of a name.
const NAME: usize = 60;

impl Cache {
    /// A cache in this folder, which is created when needed.
    pub fn in_folder(folder: PathBuf) -> Cache {
        Cache { folder, size: Mutex::default() }
    }

    /// The copy of a document, if there is a valid one.
    pub(crate) fn copy(&self, url: &str) -> Option<Copy> {
        let name = name_of(url);
        // What is at these places may not have been put there by this program.
        let folder = self.open(false).ok()?;
        let text = folder.read(&note(&name), NOTE).ok()??;
        let read: Value = serde_json::from_slice(&text.bytes).ok()?;
        let member = |name: &str| read.get(name).and_then(Value::as_str).map(str::to_owned);
        // A note of another URL means that this is the copy of another document.
        if member("url")? != url || folder.stat(&name).is_none() {
            return None;
        }
        let seconds = read.get("confirmed").and_then(Value::as_u64)?;
        Some(Copy {
            path: self.folder.join(name),
            validators: Validators { etag: member("etag"), modified: member("lastModified") },
            confirmed: SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds)),
        })
    }

    /// Stores a document and returns its path. Copies beyond the limits are deleted, the oldest ones first.
    pub(crate) fn store(
        &self,
        url: &str,
        body: &[u8],
        validators: &Validators,
        kept: CopyLimits,
    ) -> io::Result<PathBuf> {
        let name = name_of(url);
        let folder = self.open(true)?;
        // A crash between the two leaves a copy without its note: at worst it is fetched once more.
        let _ = folder.remove(&note(&name));
        folder.write(&name, body, Access::Quick).map_err(io::Error::other)?;
        let added = body.len() as u64 + write_note(&folder, url, validators)?;
        let mut size = self.size.lock();
        match &mut *size {
            Some(size) if *size + added <= kept.bytes => *size += added,
            size => *size = Some(folder.evict(kept, SystemTime::now(), is_copy)),
        }
        Ok(self.folder.join(name))
    }

    /// Notes that the server confirmed a copy.
    pub(crate) fn confirm(&self, url: &str, validators: &Validators) -> io::Result<()> {
        write_note(&self.open(true)?, url, validators).map(drop)
    }

    /// The folder; links to it are the user's own.
    fn open(&self, create: bool) -> io::Result<Folder> {
        Folder::named(&self.folder, Named::ByUser, create).map_err(io::Error::other)
    }
}

/// Writes the note of a copy, and returns its size in bytes.
fn write_note(folder: &Folder, url: &str, validators: &Validators) -> io::Result<u64> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let text = json!({
        "url": url, "confirmed": now, "etag": validators.etag, "lastModified": validators.modified,
    });
    let text = text.to_string();
    folder.write(&note(&name_of(url)), text.as_bytes(), Access::Quick).map_err(io::Error::other)?;
    Ok(text.len() as u64)
}

/// The path of a document's copy below the folder, whether it exists or not.
fn name_of(url: &str) -> PathBuf {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let path = path.split('?').next().unwrap_or_default().trim_end_matches('/');
    let last = path.rsplit('/').next().filter(|last| !last.is_empty()).unwrap_or("document");
    let stem = last.strip_suffix(".json").unwrap_or(last);
    let digest: String = Sha256::digest(url).iter().take(DIGEST).map(|byte| format!("{byte:02x}")).collect();
    // The digest alone tells documents apart. It ends the name, so that no name is one that an operating system
    // reserves.
    Path::new(&written(host)).join(format!("{}-{digest}.json", written(stem)))
}

/// The path of a copy's note.
fn note(path: &Path) -> PathBuf {
    path.with_extension("note")
}

/// Whether a name, without what follows the last dot, is one that this program gives to copies.
fn is_copy(stem: &str) -> bool {
    let digest = stem.rsplit_once('-').map(|(_, digest)| digest);
    digest.is_some_and(|digest| digest.len() == 2 * DIGEST && digest.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// A part of a URL in characters that are safe in a file name.
fn written(part: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let name: String = part.chars().take(NAME).map(plain).collect();
    // The name must be neither hidden nor `..`.
    match name.trim_start_matches('.') {
        "" => "_".to_owned(),
        name => name.to_owned(),
    }
}

/// The folder for copies, in the user's cache directory. `None` if the user has no home directory.
pub fn default_folder() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || std::env::home_dir().filter(|home| home.is_absolute());
    let caches = match std::env::consts::OS {
        "windows" => absolute("LOCALAPPDATA"),
        "macos" => absolute("XDG_CACHE_HOME").or_else(|| Some(home()?.join("Library").join("Caches"))),
        _ => absolute("XDG_CACHE_HOME").or_else(|| Some(home()?.join(".cache"))),
    };
    Some(caches?.join("lofting").join("schemas"))
}

#[cfg(test)]
mod tests {
    use super::{Cache, Validators, name_of};
    use lofting_disk::CopyLimits;
    use std::path::{Component, Path};

    #[test]
    fn names_are_recognised_and_lead_nowhere_else() {
        let shown = |url: &str| name_of(url).to_string_lossy().into_owned();
        assert!(shown("https://a.b/c/d.json?x=1").starts_with("a.b/d-"));
        for url in
            ["https://../x", "https://a.b/../..", "https://a.b/..%2f..", "https://a.b", "https://a:8/..\\..", "x"]
        {
            let path = name_of(url);
            assert_eq!(path.components().count(), 2, "{url}: {path:?}");
            let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
            assert!(path.components().all(is_plain), "{url}: {path:?}");
        }
        let long = format!("https://a.b/{}", "x".repeat(5_000));
        assert!(shown(&long).len() < 120);
        assert_ne!(shown("https://a.b/x?1"), shown("https://a.b/x?2"));
    }

    #[test]
    fn what_is_kept_is_found_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::in_folder(folder.path().join("new"));
        let url = "https://a.b/c.json";
        assert!(cache.copy(url).is_none());
        let validators = Validators { etag: Some("\"1\"".to_owned()), modified: None };
        let path = cache.store(url, b"{}", &validators, CopyLimits::default()).expect("it is kept");
        let copy = cache.copy(url).expect("a copy");
        assert_eq!((copy.path.as_path(), copy.validators.clone()), (path.as_path(), validators));
        assert!(copy.age().as_secs() < 60);
        assert!(cache.copy("https://a.b/C.json").is_none());
        // A note without its copy, a copy without its note, and nonsense in a note.
        std::fs::remove_file(&path).expect("removed");
        assert!(cache.copy(url).is_none());
        cache.store(url, b"{}", &Validators::default(), CopyLimits::default()).expect("it is kept");
        std::fs::write(super::note(Path::new(&path)), "[]").expect("written");
        assert!(cache.copy(url).is_none());
    }
}

//! Copies of documents on disk.
//!
//! A document is kept as the server sent it, under a name that people recognise, and beside it a file with its URL and with
//! what tells the server which state it is.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// What a server says of the state of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Validators {
    /// `ETag`
    pub etag: Option<String>,
    /// `Last-Modified`
    pub modified: Option<String>,
}

/// A copy.
#[derive(Debug)]
pub(crate) struct Copy {
    pub path: PathBuf,
    pub validators: Validators,
    /// When the server gave or confirmed it.
    confirmed: Option<SystemTime>,
}

impl Copy {
    /// How long ago its server gave or confirmed it; for ever, if the clock says nothing sensible.
    pub fn age(&self) -> Duration {
        self.confirmed.and_then(|then| then.elapsed().ok()).unwrap_or(Duration::MAX)
    }
}

/// A folder of copies. Several processes may use it at the same time.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
}

/// Bytes of a file about a copy at most.
const NOTE: u64 = 64 * 1024;

/// Characters of the part of a name that people recognise.
const NAME: usize = 60;

impl Cache {
    /// Copies in a folder, which is made when it is needed.
    pub fn in_folder(folder: PathBuf) -> Cache {
        Cache { folder }
    }

    /// The copy of a document, if there is one.
    pub(crate) fn copy(&self, url: &str) -> Option<Copy> {
        let path = self.path(url);
        let mut text = String::new();
        fs::File::open(note(&path)).ok()?.take(NOTE).read_to_string(&mut text).ok()?;
        let read: Value = serde_json::from_str(&text).ok()?;
        let member = |name: &str| read.get(name).and_then(Value::as_str).map(str::to_owned);
        // Another document of the same name would be a different one.
        if member("url")? != url || !path.is_file() {
            return None;
        }
        let seconds = read.get("confirmed").and_then(Value::as_u64)?;
        Some(Copy {
            path,
            validators: Validators { etag: member("etag"), modified: member("lastModified") },
            confirmed: SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds)),
        })
    }

    /// Keeps a document; gives its path.
    pub(crate) fn store(&self, url: &str, body: &[u8], validators: &Validators) -> io::Result<PathBuf> {
        let path = self.path(url);
        // Between the two a crash leaves a note that asks for what is there: at worst it is fetched once more.
        let _ = fs::remove_file(note(&path));
        self.write(&path, body)?;
        self.confirm(url, validators)?;
        Ok(path)
    }

    /// Notes that a copy is what the server has now.
    pub(crate) fn confirm(&self, url: &str, validators: &Validators) -> io::Result<()> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let text = json!({
            "url": url, "confirmed": now, "etag": validators.etag, "lastModified": validators.modified,
        });
        self.write(&note(&self.path(url)), text.to_string().as_bytes())
    }

    /// Where the copy of a document is or would be.
    fn path(&self, url: &str) -> PathBuf {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        let path = path.split('?').next().unwrap_or_default().trim_end_matches('/');
        let last = path.rsplit('/').next().filter(|last| !last.is_empty()).unwrap_or("document");
        let stem = last.strip_suffix(".json").unwrap_or(last);
        let digest: String = Sha256::digest(url).iter().take(12).map(|byte| format!("{byte:02x}")).collect();
        // The digest alone tells documents apart; it ends the name, so that no name is special to any system.
        self.folder.join(written(host)).join(format!("{}-{digest}.json", written(stem)))
    }

    /// Puts a whole file in its place at once.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let folder = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder)?;
        // Other processes write here as well.
        let new = folder.join(format!("{:016x}.new", RandomState::new().hash_one(path)));
        let written = fs::File::create_new(&new).and_then(|mut file| file.write_all(bytes));
        let placed = written.and_then(|()| fs::rename(&new, path));
        if placed.is_err() {
            let _ = fs::remove_file(&new);
        }
        placed
    }
}

/// The file about a copy.
fn note(path: &Path) -> PathBuf {
    path.with_extension("note")
}

/// A part of a URL as a part of a file's name.
fn written(part: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let name: String = part.chars().take(NAME).map(plain).collect();
    // Neither hidden nor a way upwards.
    match name.trim_start_matches('.') {
        "" => "_".to_owned(),
        name => name.to_owned(),
    }
}

/// The folder for copies of documents in which the user's system keeps what can be made again. `None`: the user has no
/// home.
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
    use super::{Cache, Validators};
    use std::path::{Component, Path};

    #[test]
    fn names_are_recognised_and_lead_nowhere_else() {
        let cache = Cache::in_folder("/c".into());
        let shown = |url: &str| cache.path(url).to_string_lossy().into_owned();
        assert!(shown("https://a.b/c/d.json?x=1").starts_with("/c/a.b/d-"));
        for url in
            ["https://../x", "https://a.b/../..", "https://a.b/..%2f..", "https://a.b", "https://a:8/..\\..", "x"]
        {
            let path = cache.path(url);
            assert!(path.starts_with("/c"), "{url}");
            assert_eq!(path.components().count(), 4, "{url}: {path:?}");
            let is_plain = |part: Component<'_>| matches!(part, Component::RootDir | Component::Normal(_));
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
        let path = cache.store(url, b"{}", &validators).expect("it is kept");
        let copy = cache.copy(url).expect("a copy");
        assert_eq!((copy.path.as_path(), copy.validators.clone()), (path.as_path(), validators));
        assert!(copy.age().as_secs() < 60);
        assert!(cache.copy("https://a.b/C.json").is_none());
        // A note without its copy, a copy without its note, nonsense.
        std::fs::remove_file(&path).expect("removed");
        assert!(cache.copy(url).is_none());
        cache.store(url, b"{}", &Validators::default()).expect("it is kept");
        std::fs::write(super::note(Path::new(&path)), "[]").expect("written");
        assert!(cache.copy(url).is_none());
    }
}

//! A registry on this machine: the pages that `pip` and `npm` read, made from the files of a folder.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};

use anyhow::Context;
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use sha2::{Digest, Sha512};

use crate::dist::base64;

/// A running registry; it ends with this process.
pub struct Registry {
    address: String,
}

impl Registry {
    /// Serves the packages of a folder.
    pub fn serve(folder: &Path) -> anyhow::Result<Registry> {
        let listener = TcpListener::bind("127.0.0.1:0").context("no port for a registry")?;
        let address = listener.local_addr()?.to_string();
        let (folder, host) = (folder.to_owned(), address.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (folder, host) = (folder.clone(), host.clone());
                // A client that hangs up gets nothing.
                std::thread::spawn(move || drop(answer(stream, &folder, &host)));
            }
        });
        Ok(Registry { address })
    }

    /// The index for `pip`.
    pub fn pip(&self) -> String {
        format!("http://{}/simple/", self.address)
    }

    /// The registry for `npm`.
    pub fn npm(&self) -> String {
        format!("http://{}/", self.address)
    }
}

fn answer(mut stream: TcpStream, folder: &Path, host: &str) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let request = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    // The request ends with an empty line; requests have no body here.
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let path = request.split(' ').nth(1).unwrap_or("/").replace("%2f", "/").replace("%2F", "/");
    let (kind, body) = match page(&path, folder, host) {
        Some(found) => found,
        None => {
            stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")?;
            return Ok(());
        }
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(&body)
}

fn page(path: &str, folder: &Path, host: &str) -> Option<(&'static str, Vec<u8>)> {
    let path = path.split('?').next()?.trim_matches('/');
    let files: Vec<PathBuf> = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    let name_of = |file: &Path| Some(file.file_name()?.to_str()?.to_owned());
    if let Some(asked) = path.strip_prefix("files/") {
        let file = files.iter().find(|file| name_of(file).as_deref() == Some(asked))?;
        return Some(("application/octet-stream", std::fs::read(file).ok()?));
    }
    if let Some(package) = path.strip_prefix("simple/") {
        let begin = format!("{}-", package.replace('-', "_"));
        let names = files
            .iter()
            .filter_map(|file| name_of(file))
            .filter(|name| name.ends_with(".whl") && name.starts_with(&begin));
        let links: String = names.map(|name| format!("<a href=\"http://{host}/files/{name}\">{name}</a>\n")).collect();
        return (!links.is_empty()).then(|| ("text/html", links.into_bytes()));
    }
    let mut versions = serde_json::Map::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "tgz")) {
        let bytes = std::fs::read(file).ok()?;
        let Some(mut manifest) = manifest(&bytes).filter(|manifest| manifest["name"] == path) else { continue };
        let integrity = format!("sha512-{}", base64(&Sha512::digest(&bytes), false));
        manifest["dist"] =
            json!({"tarball": format!("http://{host}/files/{}", name_of(file)?), "integrity": integrity});
        versions.insert(manifest["version"].as_str()?.to_owned(), manifest);
    }
    let latest = versions.keys().next_back()?.clone();
    let document = json!({"name": path, "dist-tags": {"latest": latest}, "versions": versions});
    Some(("application/json", document.to_string().into_bytes()))
}

/// The `package.json` of a package of npm.
pub fn manifest(package: &[u8]) -> Option<Value> {
    let mut archive = tar::Archive::new(GzDecoder::new(package));
    for entry in archive.entries().ok()?.flatten() {
        let mut entry = entry;
        if entry.path().ok()?.to_str() == Some("package/package.json") {
            let mut text = String::new();
            entry.read_to_string(&mut text).ok()?;
            return serde_json::from_str(&text).ok();
        }
    }
    None
}

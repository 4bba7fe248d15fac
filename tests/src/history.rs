//! Makes repositories of git for tests, without git.

use gix_hash::{Kind as Hash, ObjectId};
use gix_object::{Kind, Write};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A repository whose commits are made one after another.
pub struct History {
    git: PathBuf,
    objects: gix_odb::Handle,
    /// Seconds: each commit is newer than those before.
    now: u64,
}

/// A directory that becomes a tree.
#[derive(Default)]
struct Directory {
    files: BTreeMap<String, (String, &'static str)>,
    directories: BTreeMap<String, Directory>,
}

/// The mode of a file.
pub const FILE: &str = "100644";
/// The mode of a link.
pub const LINK: &str = "120000";

impl History {
    /// An empty repository with a working tree in a directory; the current branch is `main`.
    #[must_use]
    pub fn at(root: &Path) -> History {
        let git = root.join(".git");
        for directory in ["objects/pack", "objects/info", "refs/heads", "refs/tags"] {
            fs::create_dir_all(git.join(directory)).expect("a directory");
        }
        fs::write(git.join("HEAD"), "ref: refs/heads/main\n").expect("a file");
        let objects = gix_odb::at(git.join("objects"), Hash::Sha1).expect("an object database");
        History { git, objects, now: 1_700_000_000 }
    }

    /// Its `.git`.
    #[must_use]
    pub fn git(&self) -> &Path {
        &self.git
    }

    /// Commits exactly these files (path and text) to a branch, and returns the hash.
    pub fn commit(&mut self, branch: &str, files: &[(&str, &str)]) -> String {
        let files: Vec<(&str, &str, &'static str)> = files.iter().map(|(path, text)| (*path, *text, FILE)).collect();
        self.commit_with_modes(branch, &files)
    }

    /// Like [`History::commit`], with the mode of each file.
    pub fn commit_with_modes(&mut self, branch: &str, files: &[(&str, &str, &'static str)]) -> String {
        let parents: Vec<String> = self.tip(branch).into_iter().collect();
        let tree = self.tree(files);
        let commit = self.commit_of(&tree, &parents);
        self.set(&format!("refs/heads/{branch}"), &commit);
        commit
    }

    /// Commits the files below the working tree's root to a branch, and returns the hash.
    pub fn commit_all(&mut self, branch: &str) -> String {
        let root = self.git.parent().expect("a root").to_owned();
        let mut files = Vec::new();
        let mut open = vec![root.clone()];
        while let Some(directory) = open.pop() {
            for entry in fs::read_dir(directory).expect("a directory") {
                let path = entry.expect("an entry").path();
                if path == self.git {
                    continue;
                }
                if path.is_dir() {
                    open.push(path);
                } else {
                    let name = path.strip_prefix(&root).expect("below the root").to_string_lossy().replace('\\', "/");
                    files.push((name, fs::read_to_string(&path).expect("text")));
                }
            }
        }
        let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        self.commit(branch, &files)
    }

    /// The last commit of a branch.
    #[must_use]
    pub fn tip(&self, branch: &str) -> Option<String> {
        let text = fs::read_to_string(self.git.join("refs/heads").join(branch)).ok()?;
        Some(text.trim().to_owned())
    }

    /// Points a reference to a commit.
    pub fn set(&self, name: &str, commit: &str) {
        let path = self.git.join(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, format!("{commit}\n")).expect("a file");
    }

    /// A commit of a tree.
    pub fn commit_of(&mut self, tree: &str, parents: &[String]) -> String {
        self.now += 60;
        let parents: String = parents.iter().map(|parent| format!("parent {parent}\n")).collect();
        let by = format!("a <a@example.org> {} +0000", self.now);
        self.write(Kind::Commit, format!("tree {tree}\n{parents}author {by}\ncommitter {by}\n\nA change\n").as_bytes())
    }

    /// The tree of these files.
    pub fn tree(&mut self, files: &[(&str, &str, &'static str)]) -> String {
        let mut root = Directory::default();
        for (path, text, mode) in files {
            let mut parts: Vec<&str> = path.split('/').collect();
            let name = parts.pop().unwrap_or_default();
            let inner = parts
                .into_iter()
                .fold(&mut root, |directory, part| directory.directories.entry(part.to_owned()).or_default());
            inner.files.insert(name.to_owned(), ((*text).to_owned(), *mode));
        }
        self.write_tree(&root)
    }

    fn write_tree(&mut self, directory: &Directory) -> String {
        // Git orders directories as if their names ended with a slash.
        let mut entries: Vec<(String, &str, String, String)> = Vec::new();
        for (name, (text, mode)) in &directory.files {
            let id = self.write(Kind::Blob, text.as_bytes());
            entries.push((name.clone(), mode, name.clone(), id));
        }
        for (name, inner) in &directory.directories {
            let id = self.write_tree(inner);
            entries.push((format!("{name}/"), "40000", name.clone(), id));
        }
        entries.sort();
        let mut bytes = Vec::new();
        for (_, mode, name, id) in entries {
            bytes.extend(format!("{mode} {name}\0").into_bytes());
            bytes.extend(ObjectId::from_hex(id.as_bytes()).expect("a hash").as_slice());
        }
        self.write(Kind::Tree, &bytes)
    }

    /// Writes an object, and returns its hash.
    pub fn write(&mut self, kind: Kind, bytes: &[u8]) -> String {
        self.objects.write_buf(kind, bytes).expect("an object").to_string()
    }
}

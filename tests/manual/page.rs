//! Pages and their blocks of code.
//!
//! A comment on the line above a block marks it, and readers do not see it:
//!
//! * `<!-- file: PATH -->`: the block is a file with this path in the page's folder, where its commands run;
//! * `<!-- folder: PATH -->`: before the block is looked at, this folder of the repository is copied there;
//! * `<!-- checked: PATH -->`: a file with this path and text has a built-in schema and no mistakes;
//! * `<!-- not typed: REASON -->`: its commands cannot be tried.
//!
//! `<!-- needs: built-in schemas -->` anywhere on a page says that its output comes from them.

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A page.
pub struct Page {
    /// Its path below the root.
    pub name: String,
    pub blocks: Vec<Block>,
    text: String,
}

/// A block of code.
pub struct Block {
    /// The line where it begins, from 1.
    pub line: usize,
    pub language: String,
    /// Without the indentation of the list that it is in.
    pub text: String,
    marks: Vec<(String, String)>,
    indentation: String,
}

/// What people read: the manual without the pages of rules, whose examples other tests check, and pages of folders.
pub fn all() -> Vec<Page> {
    let mut pages = vec!["README.md".to_owned(), "CONTRIBUTING.md".to_owned()];
    let is_of_rules = |path: &String| path.starts_with("docs/rules/");
    pages.extend(below("docs").into_iter().filter(|path| !is_of_rules(path)));
    pages.extend(["emacs", "helix", "neovim", "vscode", "zed"].map(|editor| format!("editors/{editor}/README.md")));
    let read = |name: String| {
        let text = fs::read_to_string(root().join(&name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        Page::of(&name, &text)
    };
    pages.into_iter().map(read).collect()
}

fn below(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root().join(folder)).expect("a folder").flatten() {
        let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            found.extend(below(&name));
        } else if name.ends_with(".md") {
            found.push(name);
        }
    }
    found.sort();
    found
}

impl Page {
    pub fn of(name: &str, text: &str) -> Page {
        let mut blocks: Vec<Block> = Vec::new();
        let mut open: Option<Block> = None;
        let mut marks = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let bare = line.trim_start();
            if let Some(mut block) = open.take() {
                if bare.starts_with("```") {
                    blocks.push(block);
                    continue;
                }
                block.text.push_str(line.strip_prefix(&*block.indentation).unwrap_or(bare));
                block.text.push('\n');
                open = Some(block);
            } else if let Some(language) = bare.strip_prefix("```") {
                let indentation = line[..line.len() - bare.len()].to_owned();
                let (language, text) = (language.trim().to_owned(), String::new());
                open = Some(Block { line: index + 1, language, text, marks: std::mem::take(&mut marks), indentation });
            } else if let Some((name, value)) = mark(bare) {
                marks.push((name.to_owned(), value.to_owned()));
            } else {
                marks.clear();
            }
        }
        assert!(open.is_none(), "{name}: a block of code is not closed");
        Page { name: name.to_owned(), blocks, text: text.to_owned() }
    }

    /// Whether its output depends on the built-in schemas.
    pub fn needs_schemas(&self) -> bool {
        self.text.contains("<!-- needs: built-in schemas -->")
    }

    /// Writes new texts of blocks into the file.
    pub fn update(&self, changes: &[(&Block, String)]) {
        if !changes.is_empty() {
            fs::write(root().join(&self.name), self.updated(changes)).expect("the page is written");
        }
    }

    pub fn updated(&self, changes: &[(&Block, String)]) -> String {
        let mut lines: Vec<String> = self.text.lines().map(str::to_owned).collect();
        for (block, text) in changes.iter().rev() {
            let indented = |line: &str| format!("{}{line}", block.indentation).trim_end().to_owned();
            lines.splice(block.line..block.line + block.text.lines().count(), text.lines().map(indented));
        }
        lines.join("\n") + "\n"
    }
}

fn mark(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("<!-- ")?.strip_suffix(" -->")?.split_once(": ")
}

impl Block {
    pub fn mark(&self, name: &str) -> Option<&str> {
        self.marks.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn is_console(&self) -> bool {
        self.language == "console"
    }

    /// Whether it holds commands that can be tried.
    pub fn is_typed(&self) -> bool {
        matches!(self.language.as_str(), "" | "sh") && self.mark("not typed").is_none()
    }
}

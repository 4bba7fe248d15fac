//! Completion as a whole: files typed key by key with lists popping up, and files cut at thousands of places.
#![allow(clippy::print_stdout, reason = "how many cuts are good is shown")]
#![forbid(unsafe_code)]

mod cuts;
mod documents;
mod everywhere;
mod folders;
mod generated;
mod plain;
mod server;
mod typing;
mod words;

use lofting_document::FileId;
use lofting_ide::{CompletionItem, CompletionOptions};
use lofting_workspace::{SchemaSetting, SettingName, Settings, Snapshot, Workspace};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// No such directory exists: all files are open.
const ROOT: &str = "/lofting-completion";

/// A document in an editor, beside its schema.
pub struct Editor {
    workspace: Workspace,
    file: FileId,
    version: i32,
    /// What the buffer holds.
    pub text: String,
}

impl Editor {
    /// An open document. A document without `schema` is one itself.
    pub fn new(schema: Option<&str>, text: &str) -> Editor {
        let root = Path::new(ROOT);
        let mut workspace = Workspace::new(vec![PathBuf::from(root)], Settings::default());
        if let Some(schema) = schema {
            workspace.open(&root.join("schema.yml"), 1, schema);
        }
        let file = workspace.open(&root.join("values.yml"), 1, text);
        Editor { workspace, file, version: 1, text: text.to_owned() }
    }

    /// An open document beside another file.
    pub fn beside(name: &str, other: &str, text: &str) -> Editor {
        Editor::with(Settings::default(), (name, other), text)
    }

    /// An open document with a JSON Schema that a setting names.
    pub fn with_json_schema(schema: &str, text: &str) -> Editor {
        let setting = SchemaSetting {
            schema: "schema.json".to_owned(),
            files: vec!["values.yml".to_owned()],
            setting: SettingName::Lofting,
        };
        Editor::with(Settings { schemas: vec![setting], ..Settings::default() }, ("schema.json", schema), text)
    }

    fn with(settings: Settings, (name, other): (&str, &str), text: &str) -> Editor {
        let root = Path::new(ROOT);
        let mut workspace = Workspace::new(vec![PathBuf::from(root)], settings);
        workspace.open(&root.join(name), 1, other);
        let file = workspace.open(&root.join("values.yml"), 1, text);
        Editor { workspace, file, version: 1, text: text.to_owned() }
    }

    /// One of several open files.
    pub fn in_folder(files: &[(String, String)], at: usize) -> Editor {
        let root = Path::new(ROOT);
        let mut workspace = Workspace::new(vec![PathBuf::from(root)], Settings::default());
        let opened: Vec<FileId> = files.iter().map(|(name, text)| workspace.open(&root.join(name), 1, text)).collect();
        Editor { workspace, file: opened[at], version: 1, text: files[at].1.clone() }
    }

    /// Another text in the same buffer.
    pub fn replace(&mut self, text: &str) {
        self.version += 1;
        text.clone_into(&mut self.text);
        self.workspace.replace(self.file, self.version, text);
    }

    /// One change.
    pub fn edit(&mut self, range: Range<usize>, new: &str) {
        self.version += 1;
        self.text.replace_range(range.clone(), new);
        self.workspace.edit(self.file, self.version, range, new);
    }

    /// The state as it is now.
    pub fn snapshot(&self) -> Snapshot {
        self.workspace.snapshot()
    }

    /// The document.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// The list at `offset`, in the order in which editors show it.
    pub fn completions(&self, offset: usize, unasked: bool) -> Vec<CompletionItem> {
        let options = CompletionOptions { snippets: false, unasked };
        let mut items = lofting_ide::completion(&self.snapshot(), self.file, offset, &options);
        items.sort_by(|a, b| a.sort_text.cmp(&b.sort_text));
        items
    }
}

/// A number that the environment may say.
pub fn number(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// An item that a server offers, ours or another.
pub struct Offered {
    /// What is shown.
    pub label: String,
    /// The bytes that are replaced, and the new text.
    main: (Range<usize>, String),
    /// All edits, last first.
    pub edits: Vec<(Range<usize>, String)>,
}

impl Offered {
    /// An item with its own edit and those elsewhere.
    pub fn new(label: String, main: (Range<usize>, String), others: Vec<(Range<usize>, String)>) -> Offered {
        let mut edits = others;
        edits.push(main.clone());
        edits.sort_by_key(|(range, _)| std::cmp::Reverse((range.start, range.end)));
        Offered { label, main, edits }
    }

    /// The range of the new text, if nothing is changed before it.
    pub fn changed(&self) -> Range<usize> {
        let (range, new) = &self.main;
        range.start..range.start + new.len()
    }
}

impl From<&CompletionItem> for Offered {
    fn from(item: &CompletionItem) -> Offered {
        Offered::new(item.label.clone(), item.edit.clone(), item.additional_edits.clone())
    }
}

/// Edits of an accepted item, last first.
pub fn edits(item: &CompletionItem) -> Vec<(Range<usize>, String)> {
    Offered::from(item).edits
}

/// A text after edits, which are applied from the last one to the first.
pub fn accepted(text: &str, edits: Vec<(Range<usize>, String)>) -> String {
    let mut text = text.to_owned();
    for (range, new) in edits {
        text.replace_range(range, &new);
    }
    text
}

//! The files of a page, and the answers about them.

use std::fmt;
use std::path::{Path, PathBuf};

use lofting_catalogue::Catalogue;
use lofting_document::FileId;
use lofting_ide::CompletionOptions;
use lofting_workspace::{BuiltIn, CancelFlag, OtherYamlFeatures, Settings, Snapshot, Workspace, normalise};
use serde::Serialize;
use serde_json::{Value, json};

use crate::one_file::OneFile;
use crate::question::{GivenFile, Question};

/// Where the files of a page are. No disk has this folder.
pub(crate) const ROOT: &str = "/lofting-in-browser";

/// Files that a page gave, and what is known about them.
pub struct Session {
    workspace: Workspace,
}

impl Default for Session {
    fn default() -> Session {
        let mut workspace = Workspace::new(vec![PathBuf::from(ROOT)], settings(true, true));
        workspace.scan(&mut |_| {}, &CancelFlag::new());
        Session { workspace }
    }
}

fn settings(other_yaml: bool, built_in_schemas: bool) -> Settings {
    let catalogue = Catalogue::built_in().filter(|_| built_in_schemas);
    Settings {
        validate_other_yaml: other_yaml,
        other_yaml_features: if other_yaml { OtherYamlFeatures::On } else { OtherYamlFeatures::Off },
        built_in: catalogue.map(|catalogue| BuiltIn::new(catalogue, None)),
        ..Settings::default()
    }
}

/// Why there is no answer.
#[derive(Debug)]
enum Refused {
    /// It is not a question.
    Question(serde_json::Error),
    /// No file has this name.
    NoFile(String),
    /// No file can have this name.
    Name(String),
    /// The answer cannot be written.
    Answer(serde_json::Error),
}

impl std::error::Error for Refused {}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Question(error) => write!(f, "this is not a question: {error}"),
            Refused::NoFile(name) => write!(f, "there is no file {name}"),
            Refused::Name(name) => write!(f, "no file can be called {name}"),
            Refused::Answer(error) => error.fmt(f),
        }
    }
}

impl Session {
    /// The answer to a [`Question`], both in JSON: `{"answer": …}`, or `{"refused": "why"}`.
    pub fn answer(&mut self, question: &str) -> String {
        let question = serde_json::from_str(question).map_err(Refused::Question);
        let answer = question.and_then(|question| self.answer_to(question));
        match answer {
            Ok(answer) => json!({ "answer": answer }).to_string(),
            Err(refused) => json!({ "refused": refused.to_string() }).to_string(),
        }
    }

    fn answer_to(&mut self, question: Question) -> Result<Value, Refused> {
        match question {
            Question::Version => written(env!("CARGO_PKG_VERSION")),
            Question::Settings { other_yaml, built_in_schemas } => {
                self.workspace.set_settings(settings(other_yaml, built_in_schemas));
                Ok(Value::Null)
            }
            Question::Put { files } => written(self.put(files)),
            Question::Remove { files } => {
                let paths: Vec<PathBuf> = files.iter().filter_map(|file| path_of(file).ok()).collect();
                paths.iter().for_each(|path| disk::remove(path));
                self.workspace.disk_changed(&paths);
                Ok(Value::Null)
            }
            Question::Open { file, text } => {
                let path = path_of(&file)?;
                match self.file(&file).ok().filter(|(snapshot, id)| snapshot.version(*id).is_some()) {
                    Some((_, id)) => self.workspace.replace(id, 0, &text),
                    None => drop(self.workspace.open(&path, 0, &text)),
                }
                Ok(Value::Null)
            }
            Question::Close { file } => {
                let (_, id) = self.file(&file)?;
                self.workspace.close(id);
                Ok(Value::Null)
            }
            Question::Findings { file } => written(self.asked(&file)?.findings()),
            Question::Completion { file, position, unasked, snippets } => {
                written(self.asked(&file)?.completion(position, CompletionOptions { snippets, unasked }))
            }
            Question::Documentation { file, position, label, snippets } => {
                written(self.asked(&file)?.documentation(position, &label, snippets))
            }
            Question::Hover { file, position } => written(self.asked(&file)?.hover(position)),
            Question::Definition { file, position } => written(self.asked(&file)?.definition(position)),
            Question::Format { file } => written(self.asked(&file)?.format()),
            Question::Actions { file, range } => written(self.asked(&file)?.actions(range)),
            Question::Status { file } => written(self.asked(&file)?.status()),
            Question::Outline { file } => written(self.asked(&file)?.outline()),
        }
    }

    /// Puts files on the disk; returns those that it did not take.
    fn put(&mut self, files: Vec<GivenFile>) -> Vec<String> {
        let (mut put, mut refused) = (Vec::new(), Vec::new());
        for GivenFile { file, text } in files {
            match path_of(&file).ok().filter(|path| disk::put(path, text)) {
                Some(path) => put.push(path),
                None => refused.push(file),
            }
        }
        self.workspace.disk_changed(&put);
        refused
    }

    /// A file that was given before.
    fn file(&self, name: &str) -> Result<(Snapshot, FileId), Refused> {
        let snapshot = self.workspace.snapshot();
        let id = snapshot.file(&path_of(name)?).ok_or_else(|| Refused::NoFile(name.to_owned()))?;
        Ok((snapshot, id))
    }

    /// The state in which questions about a file are answered.
    fn asked(&mut self, name: &str) -> Result<OneFile, Refused> {
        let (_, file) = self.file(name)?;
        self.workspace.find_schemas_of(&[file], None);
        Ok(OneFile::new(self.workspace.snapshot(), file))
    }
}

fn written(answer: impl Serialize) -> Result<Value, Refused> {
    serde_json::to_value(answer).map_err(Refused::Answer)
}

/// The path of a file in [`ROOT`].
fn path_of(name: &str) -> Result<PathBuf, Refused> {
    let root = Path::new(ROOT);
    let path = normalise(root, Path::new(name));
    let is_inside = path != root && path.starts_with(root);
    is_inside.then_some(path).ok_or_else(|| Refused::Name(name.to_owned()))
}

/// The disk of a browser. Elsewhere, where this crate is only tested, only what is open is known.
mod disk {
    use std::path::Path;

    #[cfg(target_family = "wasm")]
    pub(super) fn put(path: &Path, text: String) -> bool {
        lofting_workspace::memory::put(path, text.into_bytes())
    }

    #[cfg(target_family = "wasm")]
    pub(super) fn remove(path: &Path) {
        lofting_workspace::memory::remove(path);
    }

    #[cfg(not(target_family = "wasm"))]
    pub(super) fn put(_: &Path, _: String) -> bool {
        false
    }

    #[cfg(not(target_family = "wasm"))]
    pub(super) fn remove(_: &Path) {}
}

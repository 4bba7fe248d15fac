//! Renaming what is at a place, in all files.

use std::collections::BTreeMap;
use std::path::PathBuf;

use lofting_text::Text;
use schemars::JsonSchema;
use serde::Serialize;

use crate::place::{Edit, applied, version_of};
use crate::{DocumentVersion, PositionEncoding, Problem, Snapshot, VERSION};

/// The changes of a rename.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Renaming {
    /// The version of this form.
    #[serde(rename = "version")]
    pub form: u32,
    /// The file, and which text of it this is about.
    pub document: DocumentVersion,
    /// What columns count.
    pub position_encoding: PositionEncoding,
    /// The new name.
    pub name: String,
    /// What changes, file by file: all of it or nothing.
    pub files: Vec<ChangedFile>,
    /// The files on disk have the new texts.
    pub written: bool,
}

/// A file with its changes.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ChangedFile {
    /// The file.
    pub file: String,
    /// The version of its text before.
    pub version: String,
    /// The version of its text after.
    pub new_version: String,
    /// What is replaced in the text before; the edits do not overlap.
    pub edits: Vec<Edit>,
    /// Its path.
    #[serde(skip)]
    pub path: PathBuf,
    /// The text before.
    #[serde(skip)]
    pub before: String,
    /// The text after.
    #[serde(skip)]
    pub after: String,
}

impl Snapshot {
    /// Renames what is at a line and column (from 1), everywhere.
    ///
    /// # Errors
    ///
    /// There is no such place, what is there cannot be renamed, or not to this name.
    pub fn rename(&self, line: u32, column: u32, name: &str) -> Result<Renaming, Problem> {
        let offset = self.byte(line, column)?;
        let renamed = lofting_ide::rename(&self.inner, self.file, offset, name);
        let renamed = renamed.map_err(|refusal| Problem::Refused(refusal.0))?;
        let mut files: BTreeMap<PathBuf, (Text, Vec<Edit>)> = BTreeMap::new();
        for (span, text) in renamed.edits {
            let span = self.inner.placed(span);
            let entry = files.entry(self.inner.path(span.file).to_owned());
            entry.or_insert_with(|| (self.inner.text(span.file), Vec::new())).1.push(self.edit((span, text)));
        }
        for outside in renamed.outside {
            let range = self.encoding.range(&outside.text, outside.range);
            let edit = Edit { file: self.name_of_path(&outside.path), range, text: outside.new };
            files.entry(outside.path).or_insert((outside.text, Vec::new())).1.push(edit);
        }
        let changed = |(path, (text, mut edits)): (PathBuf, (Text, Vec<Edit>))| {
            edits.sort_by_key(|edit| edit.range.start.byte);
            edits.dedup();
            let before = text.to_string();
            let after = applied(&before, &edits.iter().collect::<Vec<_>>());
            let after = after.ok_or_else(|| Problem::Refused("its places overlap".to_owned()))?;
            let file = edits.first().map(|edit| edit.file.clone()).unwrap_or_default();
            let (version, new_version) = (version_of(&before), version_of(&after));
            Ok(ChangedFile { file, version, new_version, edits, path, before, after })
        };
        let files = files.into_iter().map(changed).collect::<Result<_, Problem>>()?;
        let (document, position_encoding) = (self.document(), self.encoding);
        Ok(Renaming { form: VERSION, document, position_encoding, name: name.to_owned(), files, written: false })
    }
}

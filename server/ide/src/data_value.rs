//! A data value with all its places: declarations in schemas, keys in values files and flags, and uses in code.

use crate::path::{Step, schemas_at};
use crate::starlark::{CodeView, Links, code_near};
use crate::target::target_at;
use lofting_document::{Document, FileId, Key, Node, NodeValue, Span};
use lofting_eval::code::{Code, PathId, Use, ValueStep};
use lofting_text::Text;
use lofting_workspace::{FileKind, GivenKey, SchemaRef, SchemaState, Snapshot};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// The data value at a place.
pub(crate) struct DataValue {
    /// The name of its key.
    pub name: String,
    /// The path from the root; its last step is the key.
    pub path: Vec<Step>,
    /// The bytes of the key at the requested place.
    pub origin: Range<usize>,
    /// The schemas that declare it and are tied together by a file that several of them govern.
    pub schemas: Vec<Arc<SchemaState>>,
    /// Its keys in schema documents.
    pub declared: BTreeSet<Span>,
}

/// A file, with the schemas of its data values.
pub(crate) struct Governed {
    pub file: FileId,
    pub kind: FileKind,
    pub schemas: Vec<SchemaRef>,
    /// Its code, if that reads data values.
    pub code: Arc<Code>,
}

/// The files that contain data values or code, with their schemas.
pub(crate) fn governed_files(snapshot: &Snapshot) -> Vec<Governed> {
    let mut files: Vec<Governed> = snapshot.files().filter_map(|file| governed(snapshot, file)).collect();
    // The order of results must not depend on which file was seen first.
    files.sort_by_cached_key(|governed| snapshot.path(governed.file).to_owned());
    let links = Links::among(snapshot, files.iter().filter(|file| file.reads_values()).map(|file| file.file));
    for file in files.iter_mut().filter(|file| file.reads_values()) {
        file.code = links.code(snapshot, file.file);
    }
    files
}

/// A file that contains data values or code, with its schemas.
pub(crate) fn governed(snapshot: &Snapshot, file: FileId) -> Option<Governed> {
    if !snapshot.may_use_schema(file) {
        return None;
    }
    let kind = snapshot.kind(file);
    let schemas: Vec<SchemaRef> = match kind {
        FileKind::Schema | FileKind::DataValues | FileKind::PlainValues => {
            snapshot.association(file).schemas().cloned().collect()
        }
        FileKind::Configuration | FileKind::Parts => Vec::new(),
        FileKind::Template | FileKind::Library | FileKind::Other => snapshot.reads(file).schemas.clone(),
    };
    if schemas.is_empty() {
        return None;
    }
    let mut governed = Governed { file, kind, schemas, code: Arc::default() };
    if governed.reads_values() {
        governed.code = code_near(snapshot, file);
    }
    Some(governed)
}

impl Governed {
    /// Whether `data.values` is defined in its code (docs/ytt.md 16.1).
    fn reads_values(&self) -> bool {
        matches!(self.kind, FileKind::Template | FileKind::Library | FileKind::Other)
    }
}

impl DataValue {
    /// The data value whose key is at `offset` (bytes); `files` are those of [`governed_files`].
    pub fn at(snapshot: &Snapshot, files: &[Governed], file: FileId, offset: usize) -> Option<DataValue> {
        let governed = files.iter().find(|governed| governed.file == file)?;
        let (path, origin) = match governed.kind {
            FileKind::Schema | FileKind::DataValues | FileKind::PlainValues => in_document(snapshot, file, offset)?,
            _ => in_code(snapshot, file, offset)?,
        };
        let Some(Step::Key(Key::String(name))) = path.last() else { return None };
        let mut value = DataValue {
            name: name.to_string(),
            origin,
            schemas: Vec::new(),
            declared: BTreeSet::new(),
            path: path.clone(),
        };
        for schema in &governed.schemas {
            value.add(&schema.state);
        }
        if value.declared.is_empty() {
            return None;
        }
        // A file that several schemas govern ties them together.
        loop {
            let before = value.schemas.len();
            for governed in files.iter().filter(|governed| governed.schemas.len() > 1) {
                if governed.schemas.iter().any(|schema| value.is_declared_in(&schema.state)) {
                    governed.schemas.iter().for_each(|schema| value.add(&schema.state));
                }
            }
            if value.schemas.len() == before {
                return Some(value);
            }
        }
    }

    fn add(&mut self, schema: &Arc<SchemaState>) {
        if self.schemas.iter().any(|known| Arc::ptr_eq(known, schema)) {
            return;
        }
        let declared = declared_in(schema, &self.path);
        if !declared.is_empty() {
            self.declared.extend(declared);
            self.schemas.push(schema.clone());
        }
    }

    /// Whether a schema declares this value.
    pub fn is_declared_in(&self, schema: &Arc<SchemaState>) -> bool {
        self.schemas.iter().any(|known| Arc::ptr_eq(known, schema))
            || declared_in(schema, &self.path).iter().any(|span| self.declared.contains(span))
    }

    /// Whether it is the value at its path in a file.
    pub fn governs(&self, governed: &Governed) -> bool {
        governed.schemas.iter().any(|schema| self.is_declared_in(&schema.state))
    }

    /// All places in a file that name it.
    pub fn places_in(&self, snapshot: &Snapshot, governed: &Governed) -> BTreeSet<Span> {
        match governed.kind {
            FileKind::Schema => self.declared.iter().filter(|span| span.file == governed.file).copied().collect(),
            FileKind::DataValues | FileKind::PlainValues => self.keys_in(snapshot, governed),
            _ => self.uses_in(&governed.code).map(|used| Span::new(governed.file, used.range.clone())).collect(),
        }
    }

    /// Its keys in the documents of a values file.
    pub fn keys_in(&self, snapshot: &Snapshot, governed: &Governed) -> BTreeSet<Span> {
        let mut found = BTreeSet::new();
        let is_values = |document: &&Document| match governed.kind {
            FileKind::DataValues => document.is_data_values() && !document.notes.has("library/ref"),
            FileKind::PlainValues => true,
            _ => false,
        };
        for document in snapshot.lowered(governed.file).documents.iter().filter(is_values) {
            keys(&document.value, &self.path, &mut found);
        }
        found
    }

    /// The path of the value in code, if the code uses it.
    pub fn path_in(&self, code: &Code) -> Option<PathId> {
        path_in(code, &self.path)
    }

    /// Its uses in code.
    pub fn uses_in<'c>(&self, code: &'c Code) -> impl Iterator<Item = &'c Use> {
        let path = self.path_in(code);
        code.values.uses.iter().filter(move |used| Some(used.path) == path)
    }

    /// Commands that pass the value or a part of it.
    pub fn commands(&self, snapshot: &Snapshot) -> Vec<GivenKey> {
        let same = |(part, step): (&String, &Step)| matches!(step, Step::Key(Key::String(key)) if *key == *part);
        let mut given = snapshot.command_keys();
        given.retain(|given| {
            let goes_there = given.parts.len() >= self.path.len() && given.parts.iter().zip(&self.path).all(same);
            goes_there && self.is_declared_in(&given.schema.state)
        });
        given
    }

    /// Its keys in flags, with the place of the whole flag.
    pub fn flags(&self, snapshot: &Snapshot) -> BTreeMap<Span, Option<Span>> {
        let mut found = BTreeMap::new();
        for flag in snapshot.flag_keys() {
            let same = |(part, step): (&(String, Option<Span>), &Step)| matches!(step, Step::Key(Key::String(key)) if *key == part.0);
            let goes_there = flag.parts.len() >= self.path.len() && flag.parts.iter().zip(&self.path).all(same);
            if goes_there && self.is_declared_in(&flag.schema.state) {
                let part = self.path.len().checked_sub(1).and_then(|last| flag.parts.get(last));
                found.insert(flag.place, part.and_then(|(_, span)| *span));
            }
        }
        found
    }
}

/// The path in code with the same steps.
pub(crate) fn path_in(code: &Code, path: &[Step]) -> Option<PathId> {
    path.iter().try_fold(PathId(0), |here, step| {
        let step = match step {
            Step::Key(Key::String(key)) => ValueStep::Key(key.to_string()),
            Step::Item => ValueStep::Item,
            Step::Key(_) | Step::Index(_) | Step::Nowhere => return None,
        };
        code.values.child(here, &step)
    })
}

/// The maximum number of lines of a command.
const COMMAND_LINES: usize = 60;

/// Where `key=` is in the command that begins on a line (from 1).
pub(crate) fn keys_in_command(text: &Text, line: usize, key: &str) -> Vec<usize> {
    let start = text.line_range(line.saturating_sub(1)).start;
    let end = text.line_range(line + COMMAND_LINES).end;
    let command = text.slice(start..end).into_owned();
    let wanted = format!("{key}=");
    let begins = |at: &usize| {
        let before = command.get(..*at).and_then(|before| before.chars().next_back());
        before.is_none_or(|c| c.is_whitespace() || matches!(c, '"' | '\'' | '='))
            || command.get(..*at).is_some_and(|before| before.ends_with("-v"))
    };
    command.match_indices(&wanted).map(|(at, _)| at).filter(begins).map(|at| start + at).collect()
}

fn in_document(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<(Vec<Step>, Range<usize>)> {
    let tree = snapshot.tree(file);
    let target = target_at(&tree, snapshot.profile(file), offset)?;
    let key = target.key.filter(|key| key.content_range() == target.range)?;
    // Quotes are not part of the name; the whole key is replaced and rewritten.
    Some((target.path.clone(), key.content_range()))
}

fn in_code(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<(Vec<Step>, Range<usize>)> {
    let (view, _) = CodeView::at(snapshot, file, offset)?;
    let used = view.code.values.use_at(offset)?;
    let step = |step: ValueStep| match step {
        ValueStep::Key(key) => Step::Key(Key::from(key.as_str())),
        ValueStep::Item => Step::Item,
    };
    Some((view.code.values.steps(used.path).into_iter().map(step).collect(), used.range.clone()))
}

/// The keys in schema documents that declare the value at the end of a path.
fn declared_in(schema: &SchemaState, path: &[Step]) -> BTreeSet<Span> {
    let mut found = BTreeSet::new();
    if schemas_at(&schema.schema, path).is_empty() {
        return found;
    }
    for document in schema.schema_documents() {
        keys(&document.value, path, &mut found);
    }
    found
}

/// The places of the last key of a path. Lowering bounds the length of paths.
fn keys(node: &Node, path: &[Step], found: &mut BTreeSet<Span>) {
    let Some((step, rest)) = path.split_first() else { return };
    match (step, &node.value) {
        (Step::Key(key), NodeValue::Map(items)) => {
            for item in items.iter().filter(|item| item.key == *key) {
                if rest.is_empty() {
                    found.insert(item.key_span);
                } else {
                    keys(&item.value, rest, found);
                }
            }
        }
        (Step::Item, NodeValue::Array(items)) => {
            for item in items {
                keys(&item.value, rest, found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lofting_workspace::{Settings, Workspace};
    use std::path::{Path, PathBuf};

    /// If there are several reasons against a rename, the one in the first file is reported.
    #[test]
    fn the_order_of_files_does_not_tell_which_was_seen_first() {
        let root = Path::new("/lofting-data-value");
        let files = [("a-values.yml", "values"), ("b-values.yml", "values"), ("schema.yml", "values-schema")];
        let order = |indices: [usize; 3]| {
            let mut workspace = Workspace::new(vec![PathBuf::from(root)], Settings::default());
            for (name, kind) in indices.map(|index| files[index]) {
                workspace.open(&root.join(name), 1, &format!("#@data/{kind}\n---\na: 1\n"));
            }
            let snapshot = workspace.snapshot();
            let governed = governed_files(&snapshot);
            governed.iter().map(|governed| snapshot.shown_path(governed.file)).collect::<Vec<_>>()
        };
        let want = files.map(|(name, _)| name);
        for indices in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            assert_eq!(order(indices), want);
        }
    }
}

use crate::bound::MADE;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Certainty, Subject, Tag, rule};
use lofting_document::{Document, FileId, Key, Node, NodeValue, Span};
use lofting_eval::code::{BindingKind, Code, Meaning, PathId, ScopeId, TermKind, ValueStep};
use lofting_schema::{MapShape, Schema, SchemaId, Shape};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

rule! {
    /// # A schema key that nothing uses
    ///
    /// ## What
    /// A schema declares a key that no template reads and no values file sets. Keys for which that is not certain are
    /// not reported: where code uses a map as a whole (writes it to the output, passes it to a function of another
    /// file, goes through its keys), where inputs are not known, in private libraries, and about deprecated keys.
    ///
    /// ## Why
    /// Readers of the schema take it for a setting, but setting it changes nothing.
    ///
    /// The rule is off by default: it looks at all templates and values files of the
    /// schema.
    ///
    /// ## Example
    /// ```yaml
    /// #! schema.yml
    /// #@data/values-schema
    /// ---
    /// host: ""
    /// port: 80
    /// #! app.yml
    /// #@ load("@ytt:data", "data")
    /// host: #@ data.values.host
    /// ```
    ///
    /// ## How to fix
    /// Remove the key, or read it where it was meant to be read.
    pub static RULE: Rule = Rule {
        code: "ytt/unused-key",
        stage: Stage::Lint,
        severity: Severity::Hint,
        silent: true,
        certainty: Certainty::NeedsWholeSchema,
        subject: Subject::Key,
    };
}

// What code reads is known from its text. Where that does not tell, a key counts as read: below values that are used as
// a whole, and wherever its name is beside a value that is not known.

/// What the code of a file may read of data values.
pub struct KeysRead {
    code: Arc<Code>,
    /// The steps that it takes from each value.
    steps: FxHashMap<PathId, Vec<ValueStep>>,
    /// Values that other files can load, and read any part of.
    loadable: Vec<PathId>,
    /// Names of keys that it may read of values that could not be followed.
    names: FxHashSet<String>,
}

impl KeysRead {
    /// What `code` reads. `is_library`: other files can load what it binds.
    pub fn of(code: &Arc<Code>, is_library: bool) -> KeysRead {
        let values = &code.values;
        let bindings = code.bindings.iter().enumerate().filter(|(_, binding)| {
            is_library && binding.scope == ScopeId(0) && !matches!(binding.kind, BindingKind::Loaded(..))
        });
        let loadable = bindings.filter_map(|(index, _)| match values.bound(index) {
            Meaning::Values(path, _) => Some(*path),
            Meaning::Module(module) if module == "data" => Some(PathId(0)),
            _ => None,
        });
        let followed: FxHashSet<usize> =
            values.uses.iter().filter(|used| used.certain).map(|used| used.range.start).collect();
        let named = code.terms.iter().filter_map(|term| match &term.kind {
            TermKind::Attribute { name, name_range, .. } => Some((name, name_range.start)),
            TermKind::String { value, content } => Some((value, content.start)),
            _ => None,
        });
        let names = named.filter(|(_, at)| !followed.contains(at)).map(|(name, _)| name.clone()).collect();
        let mut steps: FxHashMap<PathId, Vec<ValueStep>> = FxHashMap::default();
        for (parent, step) in &values.paths {
            if let Some(parent) = parent {
                steps.entry(*parent).or_default().push(step.clone());
            }
        }
        KeysRead { loadable: loadable.collect(), names, steps, code: code.clone() }
    }

    /// Its approximate size in bytes.
    pub fn weight(&self) -> usize {
        size_of::<KeysRead>()
            + self.names.iter().map(|name| size_of::<String>() + name.len()).sum::<usize>()
            + self.code.values.paths.len() * 2 * size_of::<ValueStep>()
    }

    fn reads_anything(&self) -> bool {
        !self.code.values.uses.is_empty() || self.reads_all(PathId(0))
    }

    /// Whether it reads only keys of a map that are declared: another name may be meant for one of these.
    fn reads_only(&self, at: PathId, map: &MapShape) -> bool {
        let steps = self.steps.get(&at).map_or(&[][..], Vec::as_slice);
        steps.iter().all(|step| match step {
            ValueStep::Key(key) => map.by_key.contains_key(&Key::from(key.as_str())),
            ValueStep::Item => false,
        })
    }

    /// Whether it may read all of a value.
    fn reads_all(&self, path: PathId) -> bool {
        self.code.values.is_unfollowed(path) || self.loadable.contains(&path)
    }
}

/// A place in what some code reads.
type Reader<'r> = (&'r KeysRead, PathId);

/// The keys that values set.
#[derive(Default)]
pub struct KeysSet(FxHashSet<u64>);

impl KeysSet {
    /// The keys that documents set.
    pub fn of<'d>(documents: impl IntoIterator<Item = &'d Document>) -> KeysSet {
        let mut set = KeysSet::default();
        let mut open: Vec<(&Node, u64)> = documents.into_iter().map(|document| (&document.value, 0)).collect();
        while let Some((value, path)) = open.pop() {
            match &value.value {
                NodeValue::Map(items) => {
                    for item in items.iter() {
                        let below = below(path, Some(&item.key));
                        set.0.insert(below);
                        open.push((&item.value, below));
                    }
                }
                NodeValue::Array(items) => open.extend(items.iter().map(|item| (&item.value, below(path, None)))),
                _ => {}
            }
        }
        set
    }

    /// Adds the key of a flag, given by its parts.
    pub fn add(&mut self, parts: impl IntoIterator<Item = impl AsRef<str>>) {
        let mut path = 0;
        for part in parts {
            path = below(path, Some(&Key::from(part.as_ref())));
            self.0.insert(path);
        }
    }

    /// Its approximate size in bytes.
    pub fn weight(&self) -> usize {
        size_of::<KeysSet>() + self.0.len() * 2 * size_of::<u64>()
    }
}

/// The path one step below: to a key, or to an item.
fn below(path: u64, key: Option<&Key>) -> u64 {
    let mut hasher = FxHasher::default();
    (path, key).hash(&mut hasher);
    hasher.finish()
}

/// The keys that `schema` declares in `file` and that none of `read` and `set` uses, of several nested ones the outermost.
/// If no code reads any data value, what reads them is not known, and none is found. Sorted by position, at most [`MADE`].
pub fn check_unused_keys(file: FileId, schema: &Schema, read: &[&KeysRead], set: &[&KeysSet]) -> Vec<Diagnostic> {
    if !read.iter().any(|read| read.reads_anything()) {
        return Vec::new();
    }
    let readers: Vec<Reader<'_>> = read.iter().map(|read| (*read, PathId(0))).collect();
    let mut open: Vec<(SchemaId, u64, Vec<Reader<'_>>)> = vec![(schema.root(), 0, readers)];
    let mut found = Vec::new();
    while let Some((id, path, readers)) = open.pop() {
        let step = |step: &ValueStep| -> Vec<Reader<'_>> {
            readers.iter().filter_map(|(read, at)| Some((*read, read.code.values.child(*at, step)?))).collect()
        };
        if readers.iter().any(|(read, at)| read.reads_all(*at)) {
            continue;
        }
        let map = match schema.node(id).shape() {
            Shape::Map(map) => map,
            Shape::Array(array) => {
                let items = step(&ValueStep::Item);
                if !items.is_empty() {
                    open.push((array.item, below(path, None), items));
                }
                continue;
            }
            _ => continue,
        };
        // Code that goes through the keys of a map names none of them.
        let is_all_known = readers.iter().all(|(read, at)| read.reads_only(*at, map));
        for declared in &map.keys {
            let Some(name) = declared.key.as_str() else { continue };
            let node = schema.node(declared.schema);
            let readers = step(&ValueStep::Key(name.to_owned()));
            let path = below(path, Some(&declared.key));
            if node.docs.deprecated.is_some() || node.docs.removed.is_some() {
                continue;
            }
            if !readers.is_empty() {
                open.push((declared.schema, path, readers));
                continue;
            }
            let is_meant = !is_all_known || read.iter().any(|read| read.names.contains(name));
            let is_set = set.iter().any(|set| set.0.contains(&path));
            if node.declared.name.file == file && !is_meant && !is_set {
                found.push(finding(node.declared.name, name));
            }
        }
    }
    found.sort_by_key(|finding| finding.span.range().start);
    found.truncate(MADE);
    found
}

fn finding(span: Span, key: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("no template reads `{key}`, and no values file sets it")).tag(Tag::Unnecessary)
}

//! Claims: which parts of files belong to a language.

use lofting_document::{FileId, Node, NodeValue};
use lofting_schema::Step;
use lofting_syntax::resolve::{Profile, Resolved, resolve};
use lofting_syntax::{Entry, Item, Map, Value};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::ops::Range;
use std::rc::Rc;

/// A part of a document that belongs to a language.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The index of the document in the file, from 0, counting all documents that the parser sees.
    pub document: usize,
    /// The path to the part; empty for the whole document.
    pub at: Vec<Step>,
    /// The key that holds the part, or the document's first bytes; for names and references, the name itself.
    pub key: Range<usize>,
    /// What the part is.
    pub role: Role,
}

/// What a part of a document is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Role {
    /// A schema with this name.
    Schema(SchemaName),
    /// Values that the schema with this name governs.
    Instance(SchemaName),
    /// Text with code in the language.
    Template,
    /// Values as in an [`Role::Instance`], some of them written as expressions whose value only rendering tells.
    Computed(SchemaName),
    /// Values as in a [`Role::Computed`] that are not complete: others may add what is missing in them.
    Patched(SchemaName),
    /// Values that are governed by the schema to which the [`Role::Link`] with this name leads.
    Linked(SchemaName),
    /// The document's name: references lead here.
    Name(SchemaName),
    /// The name of another document, and the kinds of documents that may be named there.
    Reference(SchemaName, &'static [&'static str]),
    /// The name of another document that need not exist.
    Mention(SchemaName),
    /// A document that determines which schema governs values in a third one: a request for the first name gets the
    /// schema of the second.
    Link(SchemaName, SchemaName),
}

impl Role {
    /// Whether the part consists of values that a schema governs.
    pub fn is_values(&self) -> bool {
        matches!(self, Role::Instance(_) | Role::Computed(_) | Role::Patched(_) | Role::Linked(_))
    }
}

/// The name of a schema or document.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SchemaName {
    /// The kind of the document that holds it.
    pub kind: SmolStr,
    /// The document's own name.
    pub name: SmolStr,
    /// The namespace in which the name is valid. Compared only if both sides have one.
    pub namespace: Option<SmolStr>,
    /// Which of the document's schemas is meant; empty for the document itself.
    pub slot: &'static str,
}

impl SchemaName {
    /// Whether a schema with this name is what `asked` refers to.
    pub fn answers(&self, asked: &SchemaName) -> bool {
        let namespaces = self.namespace.as_ref().zip(asked.namespace.as_ref());
        self.kind == asked.kind
            && self.name == asked.name
            && self.slot == asked.slot
            && namespaces.is_none_or(|(own, asked)| own == asked)
    }
}

/// Follows keys and items in a tree, keeping the path.
#[derive(Debug, Clone)]
pub struct WrittenSteps<'t> {
    value: Value<'t>,
    at: Way,
    key: Range<usize>,
    profile: Profile,
}

/// A document, or a resource in a list, where it is written.
#[derive(Debug, Clone)]
pub struct WrittenIn<'t> {
    /// Its file.
    pub file: FileId,
    /// Its content.
    pub root: WrittenSteps<'t>,
}

/// The steps to a place, which all places below it share: most of them are only passed through.
#[derive(Debug, Clone, Default)]
struct Way(Option<Rc<(Way, Step)>>);

impl Way {
    fn to(&self, step: Step) -> Way {
        Way(Some(Rc::new((self.clone(), step))))
    }

    fn steps(&self) -> Vec<Step> {
        let above = std::iter::successors(self.0.as_ref(), |way| way.0.0.as_ref());
        let mut steps: Vec<Step> = above.map(|way| way.1.clone()).collect();
        steps.reverse();
        steps
    }
}

/// How many entries of a map are searched for one key: what languages look for is in maps with few keys.
const ENTRIES: usize = 5_000;

/// How many items of an array and keys of a map are visited: a list of resources has as many as a stream has documents.
const ITEMS: usize = 100_000;

impl<'t> WrittenSteps<'t> {
    /// Starts at the content of a document.
    pub fn root(value: Value<'t>, profile: Profile) -> Self {
        let start = value.start();
        WrittenSteps { value, at: Way::default(), key: start..start, profile }
    }

    /// Starts at an item of an array, to which this path leads.
    pub fn at_item(item: &Item<'t>, path: Vec<Step>, profile: Profile) -> Self {
        let at = path.into_iter().fold(Way::default(), |way, step| way.to(step));
        WrittenSteps { value: item.value(), at, key: item.node().range(), profile }
    }

    /// The path from where it started.
    pub fn path(&self) -> Vec<Step> {
        self.at.steps()
    }

    /// The value.
    pub fn value(&self) -> Value<'t> {
        self.value
    }

    /// The entry of a key.
    fn entry(&self, key: &str) -> Option<Entry<'t>> {
        self.value.map()?.entries().take(ENTRIES).filter(|entry| entry.is_named(key)).last()
    }

    /// Goes to the value of a key; None if there is no such key.
    pub fn key(&self, key: &str) -> Option<Self> {
        self.entry(key).map(|entry| self.to_entry(key, &entry))
    }

    fn to_entry(&self, key: &str, entry: &Entry<'t>) -> Self {
        let at = self.at.to(Step::Key(key.into()));
        let range = entry.key().map_or(entry.node().range(), |key| key.content_range());
        WrittenSteps { value: entry.value(), at, key: range, profile: self.profile }
    }

    /// Goes one step of a path.
    pub fn step(&self, step: &Step) -> Option<Self> {
        match step {
            Step::Key(key) => self.key(key.as_str()?),
            Step::Index(index) => {
                let item = self.value.seq()?.item(*index).filter(|_| *index < ITEMS)?;
                Some(self.to_item(*index, &item))
            }
            Step::Item | Step::Nowhere => None,
        }
    }

    /// The values at the end of a path of keys, where `[]` stands for each item.
    pub fn reached(&self, keys: &[&str]) -> Vec<Self> {
        keys.iter().fold(vec![self.clone()], |reached, key| match *key {
            "[]" => reached.iter().flat_map(|value| value.items()).collect(),
            key => reached.iter().filter_map(|value| value.key(key)).collect(),
        })
    }

    /// The bytes of the key or item that holds the value.
    pub fn key_range(&self) -> Range<usize> {
        self.key.clone()
    }

    /// The bytes of the file for a range of the text of a scalar.
    pub fn text_range(&self, range: Range<usize>) -> Option<Range<usize>> {
        Some(self.value.scalar()?.origins(self.profile).written(range))
    }

    /// The keys of a map that are strings.
    pub fn keys(&self) -> Vec<SmolStr> {
        let entries = self.value.map().into_iter().flat_map(|map| map.entries()).take(ITEMS);
        entries.filter_map(|entry| Some(entry.key()?.scalar()?.value().as_ref().into())).collect()
    }

    /// The entries of a map whose keys are strings. Of a key that is written twice, only the last one counts.
    pub fn entries(&self) -> Vec<(SmolStr, Self)> {
        let mut places: FxHashMap<SmolStr, usize> = FxHashMap::default();
        let mut found: Vec<(SmolStr, Self)> = Vec::new();
        for entry in self.value.map().into_iter().flat_map(|map| map.entries()).take(ITEMS) {
            lofting_memo::step();
            let Some(key) = entry.key().and_then(|key| Some(SmolStr::from(key.scalar()?.value().as_ref()))) else {
                continue;
            };
            let steps = self.to_entry(&key, &entry);
            match places.get(&key).and_then(|place| found.get_mut(*place)) {
                Some(known) => known.1 = steps,
                None => {
                    places.insert(key.clone(), found.len());
                    found.push((key, steps));
                }
            }
        }
        found
    }

    /// Each item of an array.
    pub fn items(&self) -> Vec<Self> {
        let Some(seq) = self.value.seq() else { return Vec::new() };
        seq.items().take(ITEMS).enumerate().map(|(index, item)| self.to_item(index, &item)).collect()
    }

    fn to_item(&self, index: usize, item: &Item<'t>) -> Self {
        let at = self.at.to(Step::Index(index));
        WrittenSteps { value: item.value(), at, key: item.node().range(), profile: self.profile }
    }

    /// The entries of a map, as far as they are searched.
    pub fn map(&self) -> Option<Map<'t>> {
        self.value.map()
    }

    /// Whether it is null, written or not.
    pub fn is_null(&self) -> bool {
        let tag = self.value.tag();
        let tag = tag.as_ref().map(|tag| tag.text());
        match self.value.scalar() {
            Some(scalar) => matches!(resolve(self.profile, &scalar, tag.as_deref()), Ok(Resolved::Null)),
            None => self.value.is_missing() && tag.is_none(),
        }
    }

    /// Whether it is the boolean true.
    pub fn is_true(&self) -> bool {
        let tag = self.value.tag();
        let tag = tag.as_ref().map(|tag| tag.text());
        let scalar = self.value.scalar();
        scalar.is_some_and(|scalar| resolve(self.profile, &scalar, tag.as_deref()) == Ok(Resolved::Bool(true)))
    }

    /// The text of a scalar that is a string.
    pub fn text(&self) -> Option<SmolStr> {
        text_of(self.value, self.profile)
    }

    /// The text of the value of a key, if it is a string.
    pub fn text_at(&self, key: &str) -> Option<SmolStr> {
        text_of(self.entry(key)?.value(), self.profile)
    }

    /// A claim to a range of the text at this place, in the document with this index.
    pub fn claim_text(self, document: usize, range: Range<usize>, role: Role) -> Option<Claim> {
        let key = self.value.scalar()?.origins(self.profile).written(range);
        Some(Claim { document, at: self.path(), key, role })
    }

    /// A claim to the value of a key that is not written here. What is missing in it is reported at `key`.
    pub fn claim_missing(&self, document: usize, name: &str, key: Range<usize>, role: Role) -> Claim {
        let at = self.at.to(Step::Key(name.into())).steps();
        Claim { document, at, key, role }
    }

    /// A claim to the part at this place, in the document with this index.
    pub fn claim(self, document: usize, role: Role) -> Claim {
        Claim { document, at: self.path(), key: self.key, role }
    }
}

/// The text of a scalar that is a string.
fn text_of(value: Value<'_>, profile: Profile) -> Option<SmolStr> {
    let scalar = value.scalar()?;
    let tag = value.tag();
    let tag = tag.as_ref().map(|tag| tag.text());
    match resolve(profile, &scalar, tag.as_deref()).ok()? {
        Resolved::String => Some(scalar.value().as_ref().into()),
        _ => None,
    }
}

/// The value one step below another.
pub(crate) fn below<'n>(node: &'n Node, step: &Step) -> Option<&'n Node> {
    match (&node.value, step) {
        (NodeValue::Map(items), Step::Key(key)) => items.value(key),
        (NodeValue::Array(items), Step::Index(index)) => items.get(*index).map(|item| &item.value),
        _ => None,
    }
}

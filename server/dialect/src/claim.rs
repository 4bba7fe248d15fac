//! What languages say about parts of files.

use lofting_document::{Node, NodeValue};
use lofting_schema::Step;
use lofting_syntax::resolve::{Profile, Resolved, resolve};
use lofting_syntax::{Entry, Map, Value};
use smol_str::SmolStr;
use std::ops::Range;

/// A part of a document that belongs to a language.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The document's number in the file, from 0, among all that the parser sees.
    pub document: usize,
    /// The way to the part; empty: the whole document.
    pub at: Vec<Step>,
    /// The key that holds the part, or the document's first bytes; of names and references the name itself.
    pub key: Range<usize>,
    /// What the part is.
    pub role: Role,
}

/// What a part of a document is.
#[derive(Debug, Clone, PartialEq)]
pub enum Role {
    /// A schema, found by this name.
    Schema(SchemaName),
    /// Values that the schema of this name governs.
    Instance(SchemaName),
    /// Text with code of the language.
    Template,
    /// Values as in an [`Role::Instance`], with texts in them that stand for values which only rendering tells.
    Computed(SchemaName),
    /// Values that the schema governs which a [`Role::Link`] of this name leads to.
    Linked(SchemaName),
    /// The document's name: references lead here.
    Name(SchemaName),
    /// The name of another document, and the kinds of document that may be named there.
    Reference(SchemaName, &'static [&'static str]),
    /// A document that says which schema governs values in a third one: who asks for the first name gets the schema of
    /// the second.
    Link(SchemaName, SchemaName),
}

impl Role {
    /// Whether the part is values, which a schema governs.
    pub fn is_values(&self) -> bool {
        matches!(self, Role::Instance(_) | Role::Computed(_) | Role::Linked(_))
    }
}

/// What a schema is found by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SchemaName {
    /// The kind of the document that holds it.
    pub kind: SmolStr,
    /// The document's own name.
    pub name: SmolStr,
    /// Where the name holds. Compared only where both sides give one.
    pub namespace: Option<SmolStr>,
    /// Which of the document's schemas; empty: the document itself.
    pub slot: &'static str,
}

impl SchemaName {
    /// Whether a schema of this name is what `asked` refers to.
    pub fn answers(&self, asked: &SchemaName) -> bool {
        let namespaces = self.namespace.as_ref().zip(asked.namespace.as_ref());
        self.kind == asked.kind
            && self.name == asked.name
            && self.slot == asked.slot
            && namespaces.is_none_or(|(own, asked)| own == asked)
    }
}

/// Follows keys and items in a tree, noting the way.
#[derive(Debug, Clone)]
pub struct WrittenSteps<'t> {
    value: Value<'t>,
    at: Vec<Step>,
    key: Range<usize>,
    profile: Profile,
}

/// Entries of one map that are looked at: what languages look for stands among few keys.
const ENTRIES: usize = 500;

impl<'t> WrittenSteps<'t> {
    /// At the content of a document.
    pub fn root(value: Value<'t>, profile: Profile) -> Self {
        let start = value.range().start;
        WrittenSteps { value, at: Vec::new(), key: start..start, profile }
    }

    /// The value.
    pub fn value(&self) -> Value<'t> {
        self.value
    }

    /// To the value of a key; none if it is not there.
    pub fn key(&self, key: &str) -> Option<Self> {
        let named =
            |entry: &Entry<'t>| entry.key().and_then(|value| value.scalar()).is_some_and(|it| it.value() == key);
        let entry = self.value.map()?.entries().take(ENTRIES).filter(named).last()?;
        let mut at = self.at.clone();
        at.push(Step::Key(key.into()));
        let range = entry.key().map_or(entry.node().range(), |key| key.content_range());
        Some(WrittenSteps { value: entry.value(), at, key: range, profile: self.profile })
    }

    /// The keys of a map that are text, as far as they are looked at.
    pub fn keys(&self) -> Vec<SmolStr> {
        let entries = self.value.map().into_iter().flat_map(|map| map.entries()).take(ENTRIES);
        entries.filter_map(|entry| Some(entry.key()?.scalar()?.value().as_ref().into())).collect()
    }

    /// Each item of an array.
    pub fn items(&self) -> Vec<Self> {
        let Some(seq) = self.value.seq() else { return Vec::new() };
        let item = |(index, item): (usize, lofting_syntax::Item<'t>)| {
            let mut at = self.at.clone();
            at.push(Step::Index(index));
            WrittenSteps { value: item.value(), at, key: item.node().range(), profile: self.profile }
        };
        seq.items().take(ENTRIES).enumerate().map(item).collect()
    }

    /// The entries of a map, as far as they are looked at.
    pub fn map(&self) -> Option<Map<'t>> {
        self.value.map()
    }

    /// The text of a scalar that is text.
    pub fn text(&self) -> Option<SmolStr> {
        let scalar = self.value.scalar()?;
        let tag = self.value.tag();
        let tag = tag.as_ref().map(|tag| tag.text());
        match resolve(self.profile, &scalar, tag.as_deref()).ok()? {
            Resolved::String => Some(scalar.value().as_ref().into()),
            _ => None,
        }
    }

    /// A claim to a range of the text here, of a document's number.
    pub fn claim_text(self, document: usize, range: Range<usize>, role: Role) -> Option<Claim> {
        let key = self.value.scalar()?.origins(self.profile).written(range);
        Some(Claim { document, at: self.at, key, role })
    }

    /// A claim to the part here, of a document's number.
    pub fn claim(self, document: usize, role: Role) -> Claim {
        Claim { document, at: self.at, key: self.key, role }
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

//! Reads two texts as schemas of a language, and compares each schema in them with its earlier version.

use crate::change::{Change, OldKey, Part};
use crate::clauses::{Prints, prints};
use crate::compare::Both;
use crate::evidence::Evidence;
use crate::pairs::{Comparison, PathChanges};
use crate::pattern::Patterns;
use lofting_dialect::json_schema::{self, JsonSchema};
use lofting_dialect::kubernetes::Kubernetes;
use lofting_dialect::openchoreo::OpenChoreo;
use lofting_dialect::{
    Claim, Dialect, Documents, DocumentsView, Fault, ReadsSchemas, Recognises, Role, Unread, data_values, ytt,
};
use lofting_document::{Document, DocumentSet, FileId, Key, MapItem, Node, NodeValue, Notes, Options, lower};
use lofting_schema::{Schema, SchemaId};
use lofting_syntax::Tree;
use lofting_syntax::resolve::Profile;
use std::fmt;
use std::sync::Arc;

mod crd;
mod numbered;
mod openapi;
mod openchoreo;

/// The texts of the two files, for what is compared as it is written.
#[derive(Clone, Copy)]
pub(crate) struct Texts<'a> {
    pub old: &'a str,
    pub new: &'a str,
}

/// A language in which two versions can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Schemas of ytt's data values, in ytt's own language or in one of its design proposals.
    Ytt,
    /// JSON Schema.
    JsonSchema,
    /// Definitions of custom resources.
    Crd,
    /// Descriptions of interfaces: the request bodies in them.
    OpenApi,
    /// Documents of OpenChoreo: the schemas of parameters in them.
    OpenChoreo,
}

/// Why files cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incomparable {
    /// It is about the new file, not the old one.
    pub in_new: bool,
    /// What is wrong with it.
    pub why: NoVersion,
}

/// Why a file is not a version of a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoVersion {
    /// It is not YAML.
    Syntax {
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        message: String,
    },
    /// It is empty.
    Empty,
    /// It has no schema of ytt.
    NoYttSchema,
    /// Its schemas of data values are in different languages.
    MixedForms,
    /// It is not a JSON Schema, but a string or the like.
    NoJsonSchema,
    /// It has no definition of a custom resource.
    NoDefinition,
    /// It is not an OpenAPI document.
    NoOpenApi,
    /// It has no document of OpenChoreo with a schema.
    NoParameters,
}

impl fmt::Display for NoVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoVersion::Syntax { line, message } => return write!(f, "line {line}: {message}"),
            NoVersion::Empty => "it is empty",
            NoVersion::NoYttSchema => "it has no document with `#@data/values-schema`",
            NoVersion::MixedForms => "its schemas of data values are in different languages",
            NoVersion::NoJsonSchema => "a JSON Schema is a map or a boolean",
            NoVersion::NoDefinition => "it has no CustomResourceDefinition with a schema",
            NoVersion::NoOpenApi => "it is not an OpenAPI document",
            NoVersion::NoParameters => "it has no document of OpenChoreo with a schema",
        })
    }
}

impl std::error::Error for NoVersion {}

impl fmt::Display for Incomparable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.why.fmt(f)
    }
}

impl std::error::Error for Incomparable {}

/// The result of comparing two files.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// The language.
    pub language: Language,
    /// The changes, schema by schema and from the root downwards.
    pub changes: Vec<Change>,
    /// Changes of descriptions, which change nothing that is accepted.
    pub documentation: Vec<Change>,
    /// The keys of all schemas that are gone or have moved, in an order in which they can be moved.
    pub old_keys: Vec<OldKey>,
    /// How many places are known only after code has run, and were not compared.
    pub unknown: usize,
    /// Whether there are more changes than are reported, or the schemas are too large to be compared to the end.
    pub is_cut: bool,
}

/// The old file in spans.
const OLD: FileId = FileId(0);

/// The new file in spans.
const NEW: FileId = FileId(1);

/// A file.
struct Side {
    tree: Tree,
    documents: DocumentSet,
}

impl Side {
    fn read(file: FileId, text: &str, profile: Profile) -> Side {
        let tree = lofting_syntax::parse(text);
        let documents = lower(file, &tree, profile, Options::default());
        Side { tree, documents }
    }

    /// The first document with content.
    fn document(&self) -> Option<&Document> {
        self.documents.documents.iter().find(|document| document.value.value != NodeValue::Null)
    }

    fn root(&self) -> Option<&Node> {
        self.document().map(|document| &document.value)
    }

    /// The schemas that a language finds, each with its claim.
    fn claims(&self, dialect: &dyn Dialect) -> Vec<Claim> {
        let view = DocumentsView { tree: &self.tree, documents: &self.documents };
        let mut claims = dialect.claims(&view);
        claims.retain(|claim| matches!(claim.role, Role::Schema(_)));
        claims
    }

    /// The schemas of data values, in the order of the text.
    fn claims_of_data_values(&self) -> Vec<Claim> {
        let mut claims: Vec<Claim> = data_values::LANGUAGES.iter().flat_map(|dialect| self.claims(*dialect)).collect();
        claims.sort_by_key(|claim| claim.document);
        claims
    }
}

impl Language {
    /// The language that a text is most likely written in.
    pub fn of(text: &str) -> Option<Language> {
        let mut marks = data_values::LANGUAGES.iter().flat_map(|dialect| dialect.marks().schema);
        if marks.any(|mark| text.contains(mark))
            && !Side::read(OLD, text, Language::Ytt.profile()).claims_of_data_values().is_empty()
        {
            return Some(Language::Ytt);
        }
        let side = Side::read(OLD, text, Language::JsonSchema.profile());
        let key = |node: &Node, name: &str| node.get(&Key::from(name)).cloned();
        let is_kind = |node: &Node| {
            key(node, "kind").is_some_and(|kind| kind.value == NodeValue::String("CustomResourceDefinition".into()))
        };
        if side.documents.documents.iter().any(|document| is_kind(&document.value)) {
            return Some(Language::Crd);
        }
        if OpenChoreo.marks().claim.iter().any(|mark| text.contains(mark))
            && openchoreo::are_in(&Side::read(OLD, text, OpenChoreo.profile()))
        {
            return Some(Language::OpenChoreo);
        }
        let root = side.root()?;
        if json_schema::openapi::HEADS.iter().any(|head| key(root, head).is_some()) {
            return Some(Language::OpenApi);
        }
        let telling = ["$schema", "$ref", "$defs", "definitions", "properties", "allOf", "anyOf", "oneOf"];
        let is_schema = telling.iter().any(|name| key(root, name).is_some())
            || key(root, "type").is_some_and(|it| matches!(it.value, NodeValue::String(_) | NodeValue::Array(_)));
        is_schema.then_some(Language::JsonSchema)
    }

    /// The language of a text that declares to be a schema, so that it may be compared without being named: a
    /// JSON Schema names the draft that it is written in, or has a name such as `app.schema.json`.
    pub fn declared(name: &str, text: &str) -> Option<Language> {
        let language = Language::of(text)?;
        let is_named = || [".schema.json", ".schema.yml", ".schema.yaml"].iter().any(|end| name.ends_with(end));
        let is_declared = || {
            let side = Side::read(OLD, text, language.profile());
            let draft = side.root().and_then(|root| root.get(&Key::from("$schema")).cloned());
            draft.is_some_and(|it| matches!(&it.value, NodeValue::String(uri) if uri.contains("json-schema.org/")))
        };
        (language != Language::JsonSchema || is_named() || is_declared()).then_some(language)
    }

    /// How its texts are read.
    pub fn profile(self) -> Profile {
        match self {
            Language::Ytt => ytt::Ytt.profile(),
            Language::Crd => Kubernetes.profile(),
            Language::OpenChoreo => OpenChoreo.profile(),
            Language::JsonSchema | Language::OpenApi => JsonSchema.profile(),
        }
    }
}

/// Compares two texts.
pub fn compare(language: Language, old: &str, new: &str) -> Result<Compared, Incomparable> {
    let texts = Texts { old, new };
    let (before, after) = (Side::read(OLD, old, language.profile()), Side::read(NEW, new, language.profile()));
    for (in_new, side) in [(false, &before), (true, &after)] {
        if let Some(error) = side.tree.errors_in(language.profile()).first() {
            let text = if in_new { new } else { old };
            let before = text.get(..error.range.start).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            return Err(Incomparable { in_new, why: NoVersion::Syntax { line, message: error.message.clone() } });
        }
    }
    let mut compared = Compared {
        language,
        changes: Vec::new(),
        documentation: Vec::new(),
        old_keys: Vec::new(),
        unknown: 0,
        is_cut: false,
    };
    let read = |in_new: bool, read: fn(&Side) -> Result<Schema, NoVersion>| {
        let side = if in_new { &after } else { &before };
        read(side).map_err(|why| Incomparable { in_new, why })
    };
    match language {
        Language::Ytt => {
            let (old, new) = (read(false, of_ytt)?, read(true, of_ytt)?);
            compared.add_roots(&old, &new, texts, vec![(Part::default(), old.root(), new.root())]);
        }
        Language::JsonSchema => {
            let (old, new) = (read(false, of_json_schema)?, read(true, of_json_schema)?);
            compared.add_roots(&old, &new, texts, vec![(Part::default(), old.root(), new.root())]);
        }
        Language::Crd => crd::add(&mut compared, &before, &after, texts)?,
        Language::OpenChoreo => openchoreo::add(&mut compared, &before, &after, texts)?,
        Language::OpenApi => openapi::add(&mut compared, &before, &after, texts)?,
    }
    Ok(compared)
}

/// The schema that the documents of a file form.
fn of_ytt(side: &Side) -> Result<Schema, NoVersion> {
    let documents: Vec<_> = side
        .claims_of_data_values()
        .iter()
        .filter(|claim| matches!(&claim.role, Role::Schema(name) if name.name == ytt::OWN))
        .filter_map(|claim| side.documents.documents.get(claim.document))
        .collect();
    if documents.is_empty() {
        return Err(NoVersion::NoYttSchema);
    }
    let read = data_values::read(&documents);
    if read.faults.iter().any(|fault| matches!(fault, Fault::Found(found) if data_values::is_mixed(found))) {
        return Err(NoVersion::MixedForms);
    }
    Ok(read.schema)
}

/// The schema in a file.
fn of_json_schema(side: &Side) -> Result<Schema, NoVersion> {
    let root = side.root().ok_or(NoVersion::Empty)?;
    match root.value {
        NodeValue::Map(_) | NodeValue::Bool(_) => {}
        _ => return Err(NoVersion::NoJsonSchema),
    }
    let document = side.document().ok_or(NoVersion::Empty)?;
    Ok(json_schema_of(document, ""))
}

/// No other document is read: what they say is unknown.
struct Alone;

impl Documents for Alone {
    fn document(&self, _: &str) -> Result<Arc<Document>, Unread> {
        Err(Unread::Awaited)
    }
}

/// The schema that a fragment selects in a document.
fn json_schema_of(document: &Document, fragment: &str) -> Schema {
    let part = lofting_dialect::SchemaPart { document, claim: None, tree: None };
    JsonSchema.read_linked(&[part], &format!("#{fragment}"), &Alone).schema
}

impl Compared {
    /// Compares roots of two schemas.
    fn add_roots(&mut self, old: &Schema, new: &Schema, texts: Texts<'_>, roots: Vec<(Part, SchemaId, SchemaId)>) {
        let both = Both {
            old,
            new,
            texts,
            evidence: Evidence::new(old, new, Prints { old: prints(old), new: prints(new) }),
            patterns: Patterns::default(),
        };
        let ids: Vec<(SchemaId, SchemaId)> = roots.iter().map(|(_, old, new)| (*old, *new)).collect();
        for ((part, ..), found) in roots.into_iter().zip(Comparison::new(both).run(&ids)) {
            let PathChanges { changes, documentation, old_keys, unknown, is_cut } = found;
            self.old_keys.extend(old_keys);
            let of_part = |change| Change { part: part.clone(), ..change };
            self.changes.extend(changes.into_iter().map(of_part));
            self.documentation.extend(documentation.into_iter().map(of_part));
            self.unknown += unknown;
            self.is_cut |= is_cut;
        }
    }
}

/// A map item that is not written anywhere.
fn unwritten(key: Key, value: Node) -> MapItem {
    let span = value.span;
    MapItem { key, key_span: span, span, value, notes: Notes::default(), merged: false, conditional: false }
}

//! Schema languages, each in its own folder and registered with one line.
//!
//! A language answers two questions: which parts of files belong to it, as schemas or as values that a schema governs
//! ([`Claim`]), and what a schema means ([`Dialect::read`]). It reads no files: the crate that knows all files finds
//! the schema that a name refers to.
#![forbid(unsafe_code)]

pub mod claim;
pub mod data_values;
mod earlier;
mod expression;
mod head;
pub mod inside;
pub mod json_schema;
pub mod kubernetes;
pub mod openapi;
pub mod openchoreo;
pub mod proposals;
mod quiet;
mod resources;
mod texts;
pub mod ytt;

pub use claim::{Claim, Role, SchemaName, WrittenIn, WrittenSteps};
pub use earlier::Earlier;
pub use json_schema::{Documents, Unread};
pub use resources::{items as list_items, on_way as resource_on_way, way_to_item};

use inside::{FieldUse, Inside, NamedInside, Own, TextPlace, TextReader, TextsAt};
use lofting_diagnostic::{Diagnostic, Rule};
use lofting_document::{Document, DocumentSet, FileId, Key, Node, Span};
use lofting_overlay::{Functions, NoFunctions};
use lofting_schema::{Schema, Semantics, Step};
use lofting_syntax::Tree;
use lofting_syntax::resolve::Profile;
use smol_str::SmolStr;
use std::ops::Range;
use std::sync::Arc;

/// A schema language.
pub trait Dialect: Recognises + ReadsSchemas + Sync {
    /// Its name, as `--language` takes it. The family in the codes of its rules is part of its semantics, because
    /// several languages may share one.
    fn name(&self) -> &'static str;

    /// The rule set for plain scalars in files that it claims.
    fn profile(&self) -> Profile {
        self.semantics().profile
    }

    /// Rules about its schemas and references, beyond those that all languages share.
    fn rules(&self) -> &'static [&'static Rule];

    /// What it says about texts inside scalars, if anything.
    fn texts(&self) -> Option<&dyn ReadsTexts> {
        None
    }

    /// What it knows about bundles of schemas, if anything.
    fn bundles(&self) -> Option<&dyn KnowsBundles> {
        None
    }
}

/// What a language says about files: which parts of them belong to it.
pub trait Recognises {
    /// Whether its schemas are recognised by ytt annotations; they are then schemas of data values.
    fn by_annotations(&self) -> bool {
        false
    }

    /// Texts to search for: a file without any of them has no claim.
    fn marks(&self) -> Marks;

    /// Which files with a claim the server checks.
    fn ownership(&self) -> Ownership {
        Ownership::All
    }

    /// The parts of a file that belong to it, in the order of the text. Only languages whose schemas are recognised by
    /// annotations say this themselves, because these are between documents.
    fn claims(&self, file: &dyn FileView) -> Vec<Claim> {
        let documents = file.tree().documents().enumerate();
        documents.flat_map(|(number, document)| self.claims_in(&document, number)).collect()
    }

    /// The parts of a document that belong to it, in the order of the text. They follow from the document and from whether
    /// it is the first one, so that a stream is not read again as a whole after each keystroke. Visits only the way to these
    /// parts.
    fn claims_in(&self, document: &lofting_syntax::Document<'_>, number: usize) -> Vec<Claim> {
        let _ = (document, number);
        Vec::new()
    }

    /// Whether it claims resources in lists, each by what its item says.
    fn reads_lists(&self) -> bool {
        false
    }

    /// The parts of an item of a list of resources that belong to it, in the order of the text, with paths from the item.
    /// Together they are what [`Recognises::claims_in`] finds in the document of the list, so that a list is not read again
    /// as a whole after each keystroke.
    fn claims_in_item(&self, item: &lofting_syntax::Item<'_>) -> Vec<Claim> {
        let _ = item;
        Vec::new()
    }

    /// The schema in a file that does not say so itself, if the user states that it is one of this language.
    fn section(&self, file: &dyn FileView) -> Option<Claim> {
        self.claims(file).into_iter().find(|claim| matches!(claim.role, Role::Schema(_)))
    }

    /// Whether a name that leads nowhere is only reported in a file that has a document of the kind: others may be kept
    /// anywhere.
    fn needs_neighbours(&self) -> bool {
        false
    }

    /// The document that a name is part of, such as the ConfigMap of a key, where a part that it lacks is reported as long as
    /// only one document has this name.
    fn owner(&self, part: &SchemaName) -> Option<SchemaName> {
        let _ = part;
        None
    }

    /// Whether documents of a kind say what those that name them may have.
    fn limits(&self, kind: &str) -> bool {
        let _ = kind;
        false
    }

    /// What precedes the name of a document where others refer to it.
    fn lead(&self, named: &WrittenIn<'_>) -> Option<String> {
        let _ = named;
        None
    }

    /// What a document has that another one, which it names and which [limits](Recognises::limits) it, does not allow.
    fn beyond(&self, own: &WrittenIn<'_>, by: &WrittenIn<'_>) -> Vec<Diagnostic> {
        let _ = (own, by);
        Vec::new()
    }
}

/// What a language says about schemas: how they are read, and what they mean.
pub trait ReadsSchemas {
    /// The built-in schema with this name. It is declared in no file.
    fn built_in(&self, name: &SchemaName) -> Option<Arc<Schema>> {
        let _ = name;
        None
    }

    /// Whether the files it claims contain JSON Schemas, which may refer to other documents.
    fn has_linked_schemas(&self) -> bool {
        false
    }

    /// Reads a schema that it claimed, in one part or in several parts that form one schema. Of the rest of a document it
    /// reads only what is in the map around a part.
    fn read(&self, parts: &[SchemaPart<'_>], host: &dyn Functions) -> Read;

    /// The schema that schemas at the end of a path have to fit, for what editors offer in them: what is wrong is found by
    /// reading. It is declared in no file.
    fn notation(&self, claim: &[Step]) -> Option<Arc<Schema>> {
        let _ = claim;
        None
    }

    /// A schema that it claimed, in OpenAPI 3.0 and without references; None if OpenAPI cannot express it, or if it
    /// would be too large.
    fn written_out(&self, part: &SchemaPart<'_>) -> Option<Node> {
        let _ = part;
        None
    }

    /// A schema that it claimed, in the notation that the language has of its own; None if it has none.
    fn in_own_notation(&self, part: &SchemaPart<'_>) -> Option<OwnNotation> {
        let _ = part;
        None
    }

    /// Like [`ReadsSchemas::read`], for a schema with a URI that may refer to other documents. Languages without such
    /// references need no own implementation.
    fn read_linked(&self, parts: &[SchemaPart<'_>], uri: &str, documents: &dyn Documents) -> Read {
        let _ = (uri, documents);
        self.read(parts, &NoFunctions)
    }

    /// Like [`ReadsSchemas::read_linked`], for the author of the schema: everything in its document is looked at,
    /// including what the schema does not need, and what is allowed and cannot be meant is a fault as well.
    fn read_whole(&self, parts: &[SchemaPart<'_>], uri: &str, documents: &dyn Documents) -> Read {
        self.read_linked(parts, uri, documents)
    }

    /// How a schema declares a further key with values like this one, in the schema of a map that is declared at a byte
    /// offset of a file. None if that cannot be said, or if a language declares keys by their values.
    fn new_key(&self, tree: &Tree, declared: usize, key: &Key, value: &Node) -> Option<NewKey> {
        let _ = (tree, declared, key, value);
        None
    }

    /// How values are compared with its schemas.
    fn semantics(&self) -> &'static Semantics;
}

/// What a language says about texts inside scalars that it parses, and about names in them.
pub trait ReadsTexts {
    /// What is at a place inside a scalar that it parses, and what could be inserted there; None if it does not parse
    /// the scalar.
    fn inside(&self, file: &dyn FileView, own: &Own<'_>, place: &TextPlace<'_>) -> Option<Inside> {
        let _ = (file, own, place);
        None
    }

    /// The keys that the map at a place cannot have, although its schema has them.
    fn excluded(&self, file: &dyn FileView, place: &TextPlace<'_>) -> Vec<&'static str> {
        let _ = (file, place);
        Vec::new()
    }

    /// Keys that are likely in the map at a place whose schema declares none, each with its value if that is known.
    fn likely_keys(&self, file: &dyn FileView, place: &TextPlace<'_>) -> Vec<(SmolStr, Option<SmolStr>)> {
        let _ = (file, place);
        Vec::new()
    }

    /// Whether it may read texts inside scalars.
    fn has_readers(&self) -> bool {
        false
    }

    /// How it reads the texts at a place; None if they are just texts.
    fn text_reader(&self, own: &Own<'_>, at: &TextsAt<'_>) -> Option<TextReader> {
        let _ = (own, at);
        None
    }

    /// Findings in texts of a file that it parses and that are not schemas. What was found `earlier` need not be looked for again;
    /// each language has its own.
    fn findings(&self, file: &dyn FileView, own: &Own<'_>, earlier: &mut Earlier) -> Vec<Diagnostic> {
        let _ = (file, own, earlier);
        Vec::new()
    }

    /// What is named at a byte offset of the file, inside such a text or at a declaration to which such texts refer.
    fn named(&self, file: &dyn FileView, own: &Own<'_>, offset: usize) -> Option<NamedInside> {
        let _ = (file, own, offset);
        None
    }

    /// Where such texts refer to a field of a schema, given the key that declares it (bytes of the file).
    fn uses_of(&self, file: &dyn FileView, own: &Own<'_>, declared: Span) -> Vec<FieldUse> {
        let _ = (file, own, declared);
        Vec::new()
    }

    /// Other forms in which it can write what is at a byte offset of the file, each as the title of an action. Looks
    /// only at that place.
    fn other_forms(&self, file: &dyn FileView, own: &Own<'_>, offset: usize) -> Vec<&'static str> {
        let _ = (file, own, offset);
        Vec::new()
    }

    /// The edits (bytes of the file) that convert to the form with this title; None if that is not possible.
    fn in_other_form(
        &self,
        file: &dyn FileView,
        own: &Own<'_>,
        offset: usize,
        title: &str,
    ) -> Option<Vec<(Range<usize>, String)>> {
        let _ = (file, own, offset, title);
        None
    }
}

/// What a language knows about bundles of schemas, and about the kinds of documents that have one.
pub trait KnowsBundles {
    /// The kinds of documents that every program of the language knows, by their version.
    fn kinds(&self) -> &'static [(&'static str, &'static [&'static str])] {
        &[]
    }

    /// Where a bundle of schemas may have the schema of this name, in order of precedence.
    fn bundled(&self, name: &SchemaName, bundle: &str) -> Vec<BundledAt> {
        let _ = (name, bundle);
        Vec::new()
    }

    /// The schemas in a document of a bundle, each with the fragment that leads to it.
    fn definitions(&self, document: &Node) -> Vec<(SchemaName, String)> {
        let _ = document;
        Vec::new()
    }
}

/// The declaration of a key.
#[derive(Debug, Clone, PartialEq)]
pub struct NewKey {
    /// The keyword below which a schema declares keys; None if they are directly in it.
    pub below: Option<&'static str>,
    /// The schema of the key.
    pub schema: Node,
}

/// Which files with a claim of a language the server checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ownership {
    /// All of them: their syntax is checked, and schemas that their values need are fetched.
    All,
    /// Files that contain a schema, or values with a known schema. Other files with the same keys are left alone, such
    /// as Helm templates.
    WhereKnown,
}

/// A path or URL in a bundle of schemas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BundledAt {
    /// The name of a document that is the schema.
    Schema(String),
    /// The name of a document that has schemas for many names.
    Definitions(String),
}

/// Texts by which a file is recognised without parsing it.
#[derive(Debug, Clone, Copy)]
pub struct Marks {
    /// Every file with a claim contains one of them.
    pub claim: &'static [&'static str],
    /// Every file with a claim to be a schema contains one of them.
    pub schema: &'static [&'static str],
}

/// A file as languages see it. Two threads may look at a long one.
pub trait FileView: Sync {
    /// Which file it is.
    fn id(&self) -> FileId;
    /// Its tree.
    fn tree(&self) -> &Tree;
    /// Its documents as data. Use only where the tree is not enough: they cost a pass over the whole file.
    fn documents(&self) -> &DocumentSet;
    /// One of its documents as data, at the cost of its own text where that is possible.
    fn document(&self, written: &lofting_syntax::Document<'_>) -> Option<Arc<Document>> {
        let (number, _) = self.tree().document_at(written.node().range().start)?;
        self.documents().documents.get(number).cloned().map(Arc::new)
    }
}

/// A file whose tree and documents are both available.
#[derive(Debug, Clone, Copy)]
pub struct DocumentsView<'a> {
    /// Its tree.
    pub tree: &'a Tree,
    /// Its documents.
    pub documents: &'a DocumentSet,
}

impl FileView for DocumentsView<'_> {
    fn id(&self) -> FileId {
        self.documents.documents.first().map_or(FileId(u32::MAX), |document| document.value.span.file)
    }

    fn tree(&self) -> &Tree {
        self.tree
    }

    fn documents(&self) -> &DocumentSet {
        self.documents
    }
}

/// A part of a file that is a schema.
#[derive(Debug, Clone, Copy)]
pub struct SchemaPart<'a> {
    /// The document that contains it.
    pub document: &'a Document,
    /// The claim; None for the whole document.
    pub claim: Option<&'a Claim>,
    /// The tree that the document was read from, for languages inside scalars; None if code made the document.
    pub tree: Option<&'a Tree>,
}

impl<'a> SchemaPart<'a> {
    /// The value of the part; None if there is none.
    pub fn value(&self) -> Option<&'a Node> {
        let at = self.claim.map(|claim| claim.at.as_slice()).unwrap_or_default();
        at.iter().try_fold(&self.document.value, claim::below)
    }
}

/// A schema in the notation of its language.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnNotation {
    /// The keys that hold it in a document.
    pub sections: Node,
    /// What the notation cannot express: the place, the path of fields, and a description.
    pub left_out: Vec<(Span, String, String)>,
}

/// The result of reading a schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// The schema; unknown where it is wrong.
    pub schema: Schema,
    /// Its faults, in the order of the text. Reading does not stop at the first.
    pub faults: Vec<Fault>,
    /// If several parts form the schema and each must be valid alone: the schema of each part.
    pub alone: Vec<Schema>,
}

/// A fault of a schema.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    /// A later part cannot be merged onto the earlier ones. The rules about merging have the words.
    Merge(Box<lofting_overlay::Problem>),
    /// A finding.
    Found(Box<Diagnostic>),
}

/// The languages of the program, in the order in which they are tried.
#[derive(Clone, Copy)]
pub struct Dialects(&'static [&'static dyn Dialect]);

/// All languages.
pub static DIALECTS: Dialects = Dialects(&[
    &ytt::Ytt,
    &proposals::Form::First,
    &proposals::Form::Second,
    &openchoreo::OpenChoreo,
    &json_schema::JsonSchema,
    &kubernetes::Kubernetes,
    &openapi::OpenApi,
]);

impl Dialects {
    /// A list of languages.
    pub const fn of(dialects: &'static [&'static dyn Dialect]) -> Dialects {
        Dialects(dialects)
    }

    /// Each of them.
    pub fn iter(self) -> impl Iterator<Item = &'static dyn Dialect> {
        self.0.iter().copied()
    }

    /// The language with this name.
    pub fn named(self, name: &str) -> Option<&'static dyn Dialect> {
        self.iter().find(|dialect| dialect.name() == name)
    }
}

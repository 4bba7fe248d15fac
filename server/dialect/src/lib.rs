//! Schema languages, each in a folder of its own and registered in one line.
//!
//! A language says two things: which parts of files belong to it, as schemas or as values that a schema governs
//! ([`Claim`]), and what a schema of it means ([`Dialect::read`]). It reads no files: which schema a name leads to is
//! found by who knows all files.
#![forbid(unsafe_code)]

pub mod claim;
pub mod data_values;
pub mod inside;
pub mod json_schema;
pub mod kubernetes;
pub mod openchoreo;
pub mod proposals;
pub mod ytt;

pub use claim::{Claim, Role, SchemaName, WrittenSteps};
pub use json_schema::{Documents, Unread};

use inside::{Inside, NamedInside, Own, TextPlace};
use lofting_diagnostic::{Diagnostic, Rule};
use lofting_document::{Document, DocumentSet, Node, Span};
use lofting_overlay::{Functions, NoFunctions};
use lofting_schema::{Schema, Semantics};
use lofting_syntax::Tree;
use lofting_syntax::resolve::Profile;
use std::ops::Range;

/// A schema language.
pub trait Dialect: Sync {
    /// Its name, which `--language` takes. That of the family of its rules' codes is in its semantics: languages may
    /// share one.
    fn name(&self) -> &'static str;

    /// Whether its schemas are recognised by annotations of ytt: they are schemas of data values then.
    fn by_annotations(&self) -> bool {
        false
    }

    /// What occurs in the bytes of every file that it claims something in.
    fn marks(&self) -> Marks;

    /// How the text of files it claims is read.
    fn profile(&self) -> Profile {
        self.semantics().profile
    }

    /// Which of the files that it claims something in are looked after by us.
    fn ownership(&self) -> Ownership {
        Ownership::All
    }

    /// The parts of a file that belong to it, in the order of the text. Costs no more than the way to these parts.
    fn claims(&self, file: &dyn FileView) -> Vec<Claim>;

    /// The schema that a file is by itself, where somebody says that it is one of this language and nothing in it does.
    fn section(&self, file: &dyn FileView) -> Option<Claim> {
        self.claims(file).into_iter().find(|claim| matches!(claim.role, Role::Schema(_)))
    }

    /// Reads a schema that it claimed, in one part or several that are one schema together.
    fn read(&self, parts: &[Part<'_>], host: &dyn Functions) -> Read;

    /// A schema that it claimed in the words of OpenAPI 3.0, with nothing left to refer to; none where the language says
    /// more than these words can, or the schema is too large written out.
    fn written_out(&self, part: &Part<'_>) -> Option<Node> {
        let _ = part;
        None
    }

    /// A schema that it claimed in OpenChoreo's shorthand; none where the language has nothing to do with it.
    fn in_shorthand(&self, part: &Part<'_>) -> Option<InShorthand> {
        let _ = part;
        None
    }

    /// The same for a schema that was found by a URI and may refer to other documents. Languages without such references
    /// need nothing else.
    fn read_linked(&self, parts: &[Part<'_>], uri: &str, documents: &dyn Documents) -> Read {
        let _ = (uri, documents);
        self.read(parts, &NoFunctions)
    }

    /// What stands at a place inside of a scalar that it reads as a language of its own, and what could; none: it does not.
    fn inside(&self, file: &dyn FileView, own: &Own<'_>, place: &TextPlace<'_>) -> Option<Inside> {
        let _ = (file, own, place);
        None
    }

    /// What is wrong in texts of a file that it reads as a language of their own and that are no schemas.
    fn findings(&self, file: &dyn FileView, own: &Own<'_>) -> Vec<Diagnostic> {
        let _ = (file, own);
        Vec::new()
    }

    /// What has its name at an offset of the file (bytes), in such a text or where such texts find it.
    fn named(&self, file: &dyn FileView, own: &Own<'_>, offset: usize) -> Option<NamedInside> {
        let _ = (file, own, offset);
        None
    }

    /// Where such texts name a field of a schema, of which this is the key (bytes of the file).
    fn uses_of(&self, file: &dyn FileView, own: &Own<'_>, declared: Span) -> Vec<Range<usize>> {
        let _ = (file, own, declared);
        Vec::new()
    }

    /// Other forms in which it can say what stands at an offset of the file (bytes), each by what choosing it does. Looks at
    /// the place only.
    fn other_forms(&self, file: &dyn FileView, own: &Own<'_>, offset: usize) -> Vec<&'static str> {
        let _ = (file, own, offset);
        Vec::new()
    }

    /// The replacements in the file (bytes) that give it one of these forms; none where it cannot be done.
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

    /// How values are compared with its schemas.
    fn semantics(&self) -> &'static Semantics;

    /// Rules about its schemas and references, beyond those that all languages share.
    fn rules(&self) -> &'static [&'static Rule];
}

/// Which files that a language claims something in are ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ownership {
    /// All of them: their syntax is checked, and what their values refer to is asked for.
    All,
    /// Those that hold a schema or values of one that is known. Others say the same words and are looked after by others;
    /// templates of Helm and the like are left alone.
    WhereKnown,
}

/// Texts that say without parsing that a file may belong to a language.
#[derive(Debug, Clone, Copy)]
pub struct Marks {
    /// One of them is in every file with a claim.
    pub claim: &'static [&'static str],
    /// One of them is in every file with a claim to be a schema.
    pub schema: &'static [&'static str],
}

/// A file as languages look at it.
pub trait FileView {
    /// Its tree.
    fn tree(&self) -> &Tree;
    /// Its documents as data. Asked only where the tree does not tell: they cost the whole file.
    fn documents(&self) -> &DocumentSet;
}

/// A file of which both are at hand.
#[derive(Debug, Clone, Copy)]
pub struct DocumentsView<'a> {
    /// Its tree.
    pub tree: &'a Tree,
    /// Its documents.
    pub documents: &'a DocumentSet,
}

impl FileView for DocumentsView<'_> {
    fn tree(&self) -> &Tree {
        self.tree
    }

    fn documents(&self) -> &DocumentSet {
        self.documents
    }
}

/// A part of a file that is a schema.
#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    /// The document it is in.
    pub document: &'a Document,
    /// What claimed it; none: the document as a whole.
    pub claim: Option<&'a Claim>,
    /// The tree that the document was read from, for languages inside of scalars; none: code made it.
    pub tree: Option<&'a Tree>,
}

impl<'a> Part<'a> {
    /// The value that it is; none: there is nothing at its place.
    pub fn value(&self) -> Option<&'a Node> {
        let at = self.claim.map(|claim| claim.at.as_slice()).unwrap_or_default();
        at.iter().try_fold(&self.document.value, claim::below)
    }
}

/// A schema in OpenChoreo's shorthand.
#[derive(Debug, Clone, PartialEq)]
pub struct InShorthand {
    /// The keys below `spec.schema`.
    pub sections: Node,
    /// What could not be said: where it stands, the fields to it, and what it is.
    pub left_out: Vec<(Span, String, String)>,
}

/// What reading a schema gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// The schema, unknown where it is wrong.
    pub schema: Schema,
    /// What is wrong with it, in the order of the text. Never stops at the first fault.
    pub faults: Vec<Fault>,
    /// Where several parts make it together and each has to be right alone, what each is.
    pub alone: Vec<Schema>,
}

/// Something wrong with a schema.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    /// A problem of ytt's reader, which a rule of `check` puts into words.
    Ytt(ytt::Problem),
    /// A finding.
    Found(Box<Diagnostic>),
}

/// The languages of a program, in the order in which they are asked.
#[derive(Clone, Copy)]
pub struct Dialects(&'static [&'static dyn Dialect]);

/// All languages there are.
pub static DIALECTS: Dialects = Dialects(&[
    &ytt::Ytt,
    &proposals::Form::First,
    &proposals::Form::Second,
    &openchoreo::OpenChoreo,
    &json_schema::JsonSchema,
    &kubernetes::Kubernetes,
]);

impl Dialects {
    /// These languages.
    pub const fn of(dialects: &'static [&'static dyn Dialect]) -> Dialects {
        Dialects(dialects)
    }

    /// Each of them.
    pub fn iter(self) -> impl Iterator<Item = &'static dyn Dialect> {
        self.0.iter().copied()
    }

    /// The language of a name.
    pub fn named(self, name: &str) -> Option<&'static dyn Dialect> {
        self.iter().find(|dialect| dialect.name() == name)
    }
}

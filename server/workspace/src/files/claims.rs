//! Parts of files that schema languages claim, and the schemas among them. Each is computed once for each state of its
//! file.

use crate::caches::weight;
use crate::files::file::File;
use lofting_check::{Diagnostic, TreeSource};
use lofting_dialect::inside::Own;
use lofting_dialect::ytt::OWN;
use lofting_dialect::{
    Claim, DIALECTS, Dialect, DocumentsView, FileView, Ownership, ReadsTexts, Role, SchemaName, SchemaPart, data_values,
};
use lofting_document::{DocumentSet, FileId};
use lofting_memo::Stamp;
use lofting_memo::Weigh;
use lofting_overlay::NoFunctions;
use lofting_schema::Schema;
use lofting_schema::SchemaNode;
use lofting_syntax::Tree;
use std::sync::Arc;

/// Languages that claim parts by the structure of documents. The languages of data values claim by annotations and are
/// asked elsewhere.
pub(crate) fn by_structure() -> impl Iterator<Item = &'static dyn Dialect> {
    DIALECTS.iter().filter(|dialect| !dialect.by_annotations())
}

/// What one language claims in a file.
pub(crate) struct Claims {
    pub dialect: &'static dyn Dialect,
    /// In the order of the text.
    pub claims: Vec<Claim>,
}

/// A schema that is a part of a file.
pub(crate) struct ClaimedSchema {
    pub name: SchemaName,
    pub file: FileId,
    /// The indices of its language and of its claim; zeros for a whole file.
    pub claim: (usize, usize),
    /// All files that it was read from.
    pub files: Vec<FileId>,
    /// Differs from the stamps of all other schemas.
    pub stamp: Stamp,
    pub schema: Arc<Schema>,
    /// It is a meta-schema, which is in no file. Violations of it are reported by the reader of the schema in the file.
    pub is_meta_schema: bool,
    /// Its errors, all in its own file.
    pub findings: Vec<Diagnostic>,
    /// Its file has syntax errors, so keys may be missing.
    pub uncertain: bool,
}

impl Weigh for ClaimedSchema {
    fn weight(&self) -> usize {
        let findings = self.findings.iter().map(weight::of_diagnostic).sum::<usize>();
        size_of::<ClaimedSchema>() + 2 * size_of::<SchemaNode>() * self.schema.nodes().count() + findings
    }

    fn version(&self) -> Option<Stamp> {
        Some(self.stamp)
    }
}

/// Built-in documents are in no file.
pub(crate) const NO_FILE: FileId = FileId(u32::MAX);

impl ClaimedSchema {
    /// A built-in schema.
    pub fn built_in(name: SchemaName, schema: Arc<Schema>) -> ClaimedSchema {
        ClaimedSchema {
            name,
            file: NO_FILE,
            claim: (0, 0),
            files: Vec::new(),
            // It never changes while the program runs.
            stamp: Stamp::default(),
            schema,
            is_meta_schema: false,
            findings: Vec::new(),
            uncertain: false,
        }
    }
}

/// The claims in a file of all languages except ytt. No other language claims parts of a ytt template.
pub(crate) fn claims(file: &File) -> Vec<Claims> {
    let claim = |dialect: &'static dyn Dialect| Claims { dialect, claims: dialect.claims(file) };
    // Templates of YAML belong to no language.
    let asked = by_structure().filter(|it| it.ownership() == Ownership::All || file.facts.known_parts);
    asked.map(claim).filter(|claims| !claims.claims.is_empty()).collect()
}

/// The schemas among the claims of a file.
pub(crate) fn schemas(file: &File) -> Vec<Arc<ClaimedSchema>> {
    let source = TreeSource { file: file.id, tree: file.tree() };
    let mut found = Vec::new();
    for (language, Claims { dialect, claims }) in file.claims().iter().enumerate() {
        for (number, claim) in claims.iter().enumerate() {
            let (Role::Schema(name), Some(document)) = (&claim.role, file.lowered().documents.get(claim.document))
            else {
                continue;
            };
            let read =
                dialect.read(&[SchemaPart { document, claim: Some(claim), tree: Some(file.tree()) }], &NoFunctions);
            found.push(Arc::new(ClaimedSchema {
                name: name.clone(),
                file: file.id,
                claim: (language, number),
                files: vec![file.id],
                stamp: Stamp::next(),
                is_meta_schema: false,
                findings: lofting_check::check_schema(&read.schema, &read.faults, &source),
                schema: Arc::new(read.schema),
                uncertain: !file.tree().errors().is_empty(),
            }));
        }
    }
    found
}

/// The claims of one language in a file.
pub(crate) struct Held<'f> {
    claims: &'f [Claim],
    schemas: Vec<(usize, Arc<Schema>)>,
}

impl Held<'_> {
    /// These schemas and claims in the form that languages use.
    pub fn view(&self) -> Own<'_> {
        Own { claims: self.claims, schemas: &self.schemas }
    }
}

impl File {
    /// The languages with claims in the file that read texts in it, each with its claims.
    pub fn of_texts(&self) -> impl Iterator<Item = (&'static dyn ReadsTexts, Held<'_>)> {
        self.claims().iter().enumerate().filter_map(|(language, claims)| {
            let own = self.part_schemas().iter().filter(move |schema| schema.claim.0 == language);
            let schemas = own.map(|schema| (schema.claim.1, schema.schema.clone())).collect();
            Some((claims.dialect.texts()?, Held { claims: &claims.claims, schemas }))
        })
    }
}

/// What the claims of the languages of data values make of a file. They look at its annotations alone: this is asked at
/// every key, and must not cost the whole file.
pub(crate) fn holds(file: &File) -> crate::files::file::Holds {
    let heads = file.heads();
    let view = DocumentsView { tree: file.tree(), documents: &heads };
    let claims: Vec<Claim> = data_values::LANGUAGES.iter().flat_map(|language| language.claims(&view)).collect();
    let schema = claims.iter().any(|claim| matches!(claim.role, Role::Schema(_)));
    let values = || {
        claims.iter().filter_map(|claim| match &claim.role {
            Role::Instance(name) => Some(name),
            _ => None,
        })
    };
    crate::files::file::Holds {
        schema: file.facts.schema && schema,
        values: file.facts.values && values().next().is_some(),
        for_library: file.facts.values && !values().any(|name| name.name == OWN),
        template: heads.is_template,
    }
}

impl FileView for File {
    fn id(&self) -> FileId {
        self.id
    }

    fn tree(&self) -> &Tree {
        File::tree(self)
    }

    fn documents(&self) -> &DocumentSet {
        self.lowered()
    }
}

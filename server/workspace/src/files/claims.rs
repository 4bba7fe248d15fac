//! Parts of files that schema languages claim, and the schemas among them. Each is computed once for each state of its
//! file.

use crate::caches::weight;
use crate::files::beside::OwnNames;
use crate::files::claimed::{KnownParts, Languages};
use crate::files::deferred::{DeferredSchema, WrittenSchema};
use crate::files::file::File;
use crate::files::given::GivenMemo;
use crate::files::table::Kept;

pub(crate) use crate::files::claimed::{Claims, KeptClaims, NamingPart, PlacedClaim, PlacedPart};
use lofting_check::{Diagnostic, TreeSource};
use lofting_dialect::inside::{Own, OwnSchema};
use lofting_dialect::ytt::OWN;
use lofting_dialect::{
    Claim, DIALECTS, Dialect, DocumentsView, Earlier, FileView, Ownership, ReadsTexts, Role, SchemaName, SchemaPart,
    WrittenSteps, data_values,
};
use lofting_document::{DocumentReader, DocumentSet, FileId, Span, ValueHeads, is_template};
use lofting_memo::Stamp;
use lofting_memo::Weigh;
use lofting_overlay::NoFunctions;
use lofting_schema::Schema;
use lofting_schema::SchemaNode;
use lofting_syntax::{Document, Green, Tree};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Languages that claim parts by the structure of documents. The languages of data values claim by annotations and are
/// treated elsewhere.
pub(crate) fn by_structure() -> impl Iterator<Item = &'static dyn Dialect> {
    DIALECTS.iter().filter(|dialect| !dialect.by_annotations())
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
    pub schema: DeferredSchema,
    /// It is a meta-schema, which is in no file. Violations of it are reported by the reader of the schema in the file.
    pub is_meta_schema: bool,
    /// Its errors, all in its own file.
    pub findings: Vec<Diagnostic>,
    /// The errors of what it refers to in other files, which are reported there if these are checked.
    pub elsewhere: Vec<Diagnostic>,
    /// Its file has syntax errors, so keys may be missing.
    pub uncertain: bool,
}

impl Weigh for ClaimedSchema {
    fn weight(&self) -> usize {
        let findings = self.findings.iter().chain(&self.elsewhere).map(weight::of_diagnostic).sum::<usize>();
        size_of::<ClaimedSchema>()
            + 2 * size_of::<SchemaNode>() * self.schema.known().map_or(0, |schema| schema.nodes().count())
            + findings
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
            schema: schema.into(),
            is_meta_schema: false,
            findings: Vec::new(),
            elsewhere: Vec::new(),
            uncertain: false,
        }
    }
}

/// The claims in a file of all languages except ytt. No other language claims parts of a ytt template.
pub(crate) fn claims(file: &File) -> Vec<Claims> {
    // Templates of YAML belong to no language.
    let are_all = file.facts.known_parts || Kept::Kustomization.holds(file);
    let asked: Vec<&'static dyn Dialect> =
        by_structure().filter(|it| it.ownership() == Ownership::All || are_all).collect();
    // The lock is not held meanwhile: another state of the file need not wait.
    let mut known = std::mem::take(&mut file.claimed_memo().parts);
    let all = known.claims(file.tree(), &Languages { asked: &asked, are_all });
    // The next state of a file that no editor has open comes from the disk, with another tree.
    if file.is_open() {
        known.sweep();
        file.claimed_memo().parts = known;
    }
    all
}

/// What is remembered of the languages that claim parts of a file, from one state of it to the next.
#[derive(Default)]
pub(crate) struct ClaimedMemo {
    /// The claims of its documents.
    parts: KnownParts,
    /// What is known of the heads of its documents.
    pub heads: ValueHeads,
    /// The schemas of the last state.
    schemas: Vec<(WrittenAt, Arc<ClaimedSchema>)>,
    /// The names in it.
    pub own_names: Option<Arc<OwnNames>>,
    /// The document that was read last as data, by the state of the file and its offset.
    last_read: Option<((Stamp, usize), Arc<lofting_document::Document>)>,
    /// What its documents give at the places that were asked for.
    pub given: GivenMemo,
    /// What each language found.
    earlier: FxHashMap<&'static str, Earlier>,
}

/// Something remembered of a file while it is used, which is put back even if the work is cancelled. The lock is not held
/// meanwhile: another state of the file need not wait.
pub(crate) struct Borrowed<'f, T: Default, F: Fn(&mut ClaimedMemo) -> &mut T> {
    pub content: T,
    file: &'f File,
    of: F,
}

impl<'f, T: Default, F: Fn(&mut ClaimedMemo) -> &mut T> Borrowed<'f, T, F> {
    /// Takes it from where `of` finds it.
    pub fn take(file: &'f File, of: F) -> Self {
        let content = std::mem::take(of(&mut file.claimed_memo()));
        Borrowed { content, file, of }
    }
}

impl<T: Default, F: Fn(&mut ClaimedMemo) -> &mut T> Drop for Borrowed<'_, T, F> {
    fn drop(&mut self) {
        *(self.of)(&mut self.file.claimed_memo()) = std::mem::take(&mut self.content);
    }
}

/// Where a schema is written: if that is the same and the node as well, so is the schema.
struct WrittenAt {
    dialect: &'static str,
    claim: Claim,
    uncertain: bool,
    /// What surrounds the claimed part, and where that begins. The node is held, so that it stays different from those
    /// of later trees.
    around: (usize, Arc<Green>),
}

impl WrittenAt {
    /// None if what is written elsewhere may matter.
    fn of(document: &Document<'_>, dialect: &dyn Dialect, claim: &Claim, uncertain: bool) -> Option<Self> {
        if document.node().has_names() {
            return None;
        }
        let root = WrittenSteps::root(document.root()?, dialect.semantics().profile);
        let (_, above) = claim.at.split_last()?;
        let around = above.iter().try_fold(root, |place, step| place.step(step))?.value().node()?;
        let around = (around.range().start, around.green()?.clone());
        Some(WrittenAt { dialect: dialect.name(), claim: claim.clone(), uncertain, around })
    }

    /// How far it has moved since it was another one, in bytes. None if it may be another schema.
    fn moved_since(&self, other: &WrittenAt) -> Option<i64> {
        let by = self.around.0 as i64 - other.around.0 as i64;
        let is_moved = |now: usize, then: usize| now as i64 - then as i64 == by;
        let (now, then) = (&self.claim, &other.claim);
        let is_same = Arc::ptr_eq(&self.around.1, &other.around.1)
            && (self.dialect, self.uncertain) == (other.dialect, other.uncertain)
            && is_moved(now.key.start, then.key.start)
            && (now.key.len(), &now.at, &now.role) == (then.key.len(), &then.at, &then.role);
        is_same.then_some(by)
    }
}

impl ClaimedSchema {
    /// What it is at another place, where it is read if it is asked for. None if something about it is written before
    /// what moved, which begins at `start`.
    fn moved(&self, by: i64, start: usize, number: (usize, usize), part: WrittenSchema) -> Option<ClaimedSchema> {
        let mut findings = self.findings.clone();
        let is_inside = |span: &Span| span.file != self.file || span.range().start >= start;
        if !findings.iter_mut().all(|finding| finding.spans_mut().all(|span| is_inside(span))) {
            return None;
        }
        findings.iter_mut().for_each(|finding| finding.shift(self.file, by));
        Some(ClaimedSchema {
            name: self.name.clone(),
            file: self.file,
            claim: number,
            files: self.files.clone(),
            stamp: Stamp::next(),
            schema: DeferredSchema::later(part),
            is_meta_schema: false,
            findings,
            elsewhere: Vec::new(),
            uncertain: self.uncertain,
        })
    }
}

/// The schemas among the claims of a file. Those that an edit did not touch are not read again, and those that it moved only
/// if they are asked for.
pub(crate) fn schemas(file: &File) -> Vec<Arc<ClaimedSchema>> {
    let source = TreeSource { file: file.id, tree: file.tree() };
    let uncertain = !file.tree().errors().is_empty();
    let known = std::mem::take(&mut file.claimed_memo().schemas);
    let place = |at: &WrittenAt| (Arc::as_ptr(&at.around.1).addr(), at.claim.at.clone());
    let mut known: FxHashMap<_, _> = known.into_iter().map(|(at, schema)| (place(&at), (at, schema))).collect();
    let mut found = Vec::new();
    let mut now = Vec::new();
    for (language, claims) in file.claims().iter().enumerate() {
        let dialect = claims.dialect;
        for claim in claims.among(|part| part.counts().schemas > 0) {
            let Role::Schema(name) = claim.role else { continue };
            let (number, claim) = (claim.number, &claim.to_claim());
            let written = file.tree().document(claim.document);
            let at = written.as_ref().and_then(|document| WrittenAt::of(document, dialect, claim, uncertain));
            let last = at.as_ref().and_then(|at| known.remove(&place(at)));
            let moved = last.zip(at.as_ref()).and_then(|((last, schema), at)| match at.moved_since(&last)? {
                0 if schema.claim == (language, number) => Some(schema),
                by => {
                    let part = WrittenSchema {
                        file: file.id,
                        tree: file.tree().clone(),
                        profile: file.profile(),
                        options: file.options,
                        dialect,
                        claim: claim.clone(),
                    };
                    schema.moved(by, last.around.0, (language, number), part).map(Arc::new)
                }
            });
            let schema = match moved {
                Some(schema) => schema,
                None => {
                    let Some(document) = written.and_then(|written| file.document(&written)) else { continue };
                    let part = SchemaPart { document: &document, claim: Some(claim), tree: Some(file.tree()) };
                    let read = dialect.read(&[part], &NoFunctions);
                    let mut findings = lofting_check::check_schema(&read.schema, &read.faults, &source);
                    findings.extend(lofting_check::check_impossible_rules(&read.schema, &source, &findings));
                    Arc::new(ClaimedSchema {
                        name: name.clone(),
                        file: file.id,
                        claim: (language, number),
                        files: vec![file.id],
                        stamp: Stamp::next(),
                        is_meta_schema: false,
                        findings,
                        elsewhere: Vec::new(),
                        schema: Arc::new(read.schema).into(),
                        uncertain,
                    })
                }
            };
            now.extend(at.map(|at| (at, schema.clone())));
            found.push(schema);
        }
    }
    file.claimed_memo().schemas = now;
    found
}

/// The claims of one language in a file.
pub(crate) struct Held<'f> {
    claims: &'f Claims,
    schemas: Vec<(usize, &'f dyn OwnSchema)>,
}

impl Held<'_> {
    /// The schemas and claims in the form that languages use.
    pub fn view(&self) -> Own<'_> {
        Own { claims: self.claims, schemas: &self.schemas }
    }
}

impl File {
    /// The languages with claims in the file that read texts in it, each with its claims.
    pub fn of_texts(&self) -> impl Iterator<Item = (&'static dyn ReadsTexts, Held<'_>)> {
        self.claims().iter().enumerate().filter_map(|(number, claims)| self.held(number, claims))
    }

    fn held<'f>(&'f self, language: usize, claims: &'f Claims) -> Option<(&'static dyn ReadsTexts, Held<'f>)> {
        let own = self.part_schemas().iter().filter(move |schema| schema.claim.0 == language);
        let schemas = own.map(|schema| (schema.claim.1, &schema.schema as &dyn OwnSchema)).collect();
        Some((claims.dialect.texts()?, Held { claims, schemas }))
    }

    /// What these languages find in such texts.
    pub fn findings_in_texts(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for (number, claims) in self.claims().iter().enumerate() {
            let Some((texts, own)) = self.held(number, claims) else { continue };
            let language = claims.dialect.name();
            let mut own_earlier = Borrowed::take(self, |memo| memo.earlier.entry(language).or_default());
            found.extend(texts.findings(self, &own.view(), &mut own_earlier.content));
        }
        found
    }
}

/// What the claims of the languages of data values say about a file. They look at its annotations alone: this is
/// computed at every keystroke, and must not cost the whole file.
pub(crate) fn holds(file: &File) -> crate::files::file::Holds {
    if file.has_only_values() {
        return crate::files::file::Holds { schema: false, values: true, for_library: false, template: true };
    }
    // Most templates say nothing of schemas and values.
    if !(file.facts.schema || file.facts.values) {
        let template = is_template(file.tree(), file.profile(), file.options);
        return crate::files::file::Holds { schema: false, values: false, for_library: false, template };
    }
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

    fn document(&self, written: &Document<'_>) -> Option<Arc<lofting_document::Document>> {
        let start = written.node().range().start;
        // Where comments have a meaning, documents cannot be read apart.
        if self.facts.ytt {
            let (number, _) = File::tree(self).document_at(start)?;
            return self.lowered().documents.get(number).cloned().map(Arc::new);
        }
        let place = (self.revision, start);
        let last = self.claimed_memo().last_read.clone();
        if let Some((_, known)) = last.filter(|(at, _)| *at == place) {
            return Some(known);
        }
        let mut reader = DocumentReader::new(self.id, File::tree(self), self.profile(), self.options);
        let document = Arc::new(reader.read(written).documents.pop()?);
        self.claimed_memo().last_read = Some((place, Arc::clone(&document)));
        Some(document)
    }
}

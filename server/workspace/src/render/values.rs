//! The final data values of a private library (docs/ytt.md 15): its own schema and values, what is addressed to it, and
//! what the template passes that evaluates it.

use super::level::AddressedKind;
use super::{Level, LibrariesOf, LibrarySchema, Render, Stopped};
use crate::evaluation::scope::Scope;
use crate::evaluation::{Callbacks, Evaluated, evaluate_in};
use crate::files::file::{BY_YTT, File};
use crate::source::TextSource;
use lofting_check::{Diagnostic, Severity, ValuesDocument, ValuesSet};
use lofting_document::{Document, DocumentSet, Node};
use lofting_eval::GivenKind;
use lofting_overlay::Mode;
use std::sync::Arc;

/// A document that a template passes to a library.
pub(crate) type GivenDocument = (GivenKind, Document);

impl<'s> Render<'s> {
    /// Merges and checks the values of a private library. Afterwards it is known what its files address to further
    /// libraries.
    pub(super) fn values(&self, level: &mut Level<'s>, given: &[GivenDocument]) -> Result<Node, Stopped> {
        self.run_schema_and_values(level)?;
        // What a library addresses comes before what others address through it, and so loses to it.
        let own_first = level.addressed(self.state);
        let from_outside = std::mem::replace(&mut level.into_it, own_first);
        level.into_it.extend(from_outside);
        let own = |test: fn(&Document) -> bool| -> Vec<Document> {
            let documents = level.templates().filter(|(_, file)| file.facts.ytt);
            let documents = documents.flat_map(|(_, file)| level.documents(self.state, file).documents.clone());
            documents.filter(|document| test(document) && !document.notes.has("library/ref")).collect()
        };
        let texts = TextSource::All(self.state);
        let functions = Callbacks { texts, runner: self.state.runner.as_ref() };
        let from_others = |late: bool, schema: bool| {
            let all = level.to_it.iter().filter(move |addressed| addressed.late == late);
            all.filter(move |addressed| (addressed.kind == AddressedKind::Schema) == schema)
        };
        let mut added: Vec<Document> = from_others(false, true).map(|addressed| addressed.document.clone()).collect();
        let from_template = given.iter().filter(|(kind, _)| *kind == GivenKind::Schema);
        added.extend(from_template.map(|(_, document)| document.clone()));
        added.extend(from_others(true, true).map(|addressed| addressed.document.clone()));
        let schema = self.library_schema(level, || own(Document::is_schema), added, &functions, &texts)?;

        let mut values: Vec<(Document, Mode)> =
            own(Document::is_data_values).into_iter().map(|document| (document, Mode::Annotated)).collect();
        let addressed = |late: bool| {
            from_others(late, false).filter_map(|addressed| match addressed.kind {
                AddressedKind::Values(mode) => Some((addressed.document.clone(), mode)),
                AddressedKind::Schema => None,
            })
        };
        values.extend(addressed(false));
        values.extend(given.iter().filter_map(|(kind, document)| match kind {
            GivenKind::Schema => None,
            GivenKind::Values => Some((document.clone(), Mode::Annotated)),
            GivenKind::PlainValues => Some((document.clone(), Mode::Plain)),
        }));
        values.extend(addressed(true));
        let documents: Vec<ValuesDocument<'_>> =
            values.iter().map(|(document, mode)| ValuesDocument { document, mode: *mode }).collect();
        let check = ValuesSet {
            schema: schema.read.as_ref().map(|read| &read.schema),
            functions: &functions,
            assertions: &functions,
            source: &texts,
            validations: !level.options.disable_validation,
            limit: lofting_check::MADE,
        };
        let report = check.check(&documents);
        self.note(&report.findings);
        stop_at_errors(report.findings)?;
        Ok(report.values)
    }

    /// The schema of a library with additions to it. Instances without additions share one.
    fn library_schema(
        &self,
        level: &Level<'s>,
        own: impl Fn() -> Vec<Document>,
        added: Vec<Document>,
        functions: &Callbacks<'_>,
        texts: &TextSource<'_>,
    ) -> Result<Arc<LibrarySchema>, Stopped> {
        let key = added.is_empty().then(|| (level.directory.clone(), level.options));
        if let Some(known) = key.as_ref().and_then(|key| self.shared.schemas.lock().get(key).cloned()) {
            return Ok(known);
        }
        let documents: Vec<Document> = own().into_iter().chain(added).collect();
        let documents: Vec<&Document> = documents.iter().collect();
        let read = (!documents.is_empty()).then(|| lofting_dialect::data_values::read_with(&documents, functions));
        if let Some(read) = &read {
            let mut findings = lofting_check::check_schema(&read.schema, &read.faults, texts);
            lofting_check::check_schemas_alone(&read.alone, &mut findings, texts);
            self.note(&findings);
            stop_at_errors(findings)?;
        }
        let schema = Arc::new(LibrarySchema { read });
        if let Some(key) = key {
            self.shared.schemas.lock().insert(key, schema.clone());
        }
        Ok(schema)
    }

    /// Reads all YAML templates of a private library and runs those with schema or values, as ytt does before it knows
    /// any value.
    fn run_schema_and_values(&self, level: &Level<'s>) -> Result<(), Stopped> {
        let mut found = Vec::new();
        let bare = Level::unaddressed(self, &level.directory);
        for (input, file) in level.templates() {
            found.extend(text_findings(self, file));
            let evaluated = self.evaluated(file, || {
                let scope = Scope::in_set(self.state, self.set, &level.directory, file, &input.name);
                evaluate_in(file, &scope, &LibrariesOf { render: self, level: &bare })
            });
            if let Some(failure) = evaluated.and_then(|evaluated| evaluated.error.clone()) {
                match self.explain(&failure) {
                    Stopped::Wrong(findings) => found.extend(findings),
                    unknown => return Err(unknown),
                }
            }
        }
        stop_at_errors(found)
    }
}

impl Render<'_> {
    /// The result of running a file of a library, if its code affects schema or values.
    fn evaluated(&self, file: &File, evaluate: impl FnOnce() -> Arc<Evaluated>) -> Option<Arc<Evaluated>> {
        if let Some(known) = self.state.evaluations.of(file) {
            return Some(known.clone());
        }
        let holds = file.holds();
        let runs = (holds.schema || holds.values) && file.needs_run();
        runs.then(|| self.state.in_libraries.get((file.id, file.options), |_| evaluate()))
    }
}

/// Syntax errors of a file that is not a template.
pub(super) fn parse_findings(render: &Render<'_>, file: &Arc<File>, read: &DocumentSet) -> Vec<Diagnostic> {
    let mut found = lofting_check::check_syntax(file.id, file.tree(), BY_YTT);
    found.extend(lofting_check::check_parsing(read, &TextSource::All(render.state)));
    found
}

/// Syntax errors of a library's file.
pub(super) fn text_findings(render: &Render<'_>, file: &Arc<File>) -> Vec<Diagnostic> {
    let key = (file.id, file.options);
    if render.shared.clean.lock().contains(&key) {
        return Vec::new();
    }
    let mut found = lofting_check::check_syntax(file.id, file.tree(), BY_YTT);
    found.extend(lofting_check::check_documents(file.lowered(), &TextSource::All(render.state)));
    if found.is_empty() {
        render.shared.clean.lock().insert(key);
    }
    found
}

pub(super) fn stop_at_errors(mut findings: Vec<Diagnostic>) -> Result<(), Stopped> {
    findings.retain(|finding| finding.severity == Severity::Error);
    if findings.is_empty() { Ok(()) } else { Err(Stopped::Wrong(findings)) }
}

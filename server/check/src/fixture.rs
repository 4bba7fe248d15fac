//! Fixtures with marks, for the tests of rules.
//!
//! Lines of carets name the findings in the line above (`lofting_fixture`). Every finding must be marked, and every
//! mark must have its finding.

use crate::{
    Diagnostic, GovernedPart, KeysRead, KeysSet, Source, Step, ValuesCheck, ValuesDocument, ValuesSet, check_columns,
    check_data_values, check_documents, check_plain_comments, check_schema, check_shadowed, check_syntax, check_unused,
    check_unused_keys, check_written_defaults, limit, lint_schema,
};
use lofting_dialect::inside::Own;
use lofting_dialect::openchoreo::OpenChoreo;
use lofting_dialect::{Claim, Dialect, DocumentsView, Part, Role};
use lofting_document::{Document, DocumentSet, FileId, Options, Span, lower};
use lofting_fixture::{Mark, Phrase, marks, with_marks, wording_faults};
use lofting_overlay::{Argument, Called, Function, Functions, Mode};
use lofting_syntax::{Tree, parse, resolve::Profile};
use std::borrow::Cow;
use std::sync::Arc;

/// A file of a fixture.
struct File {
    name: String,
    text: String,
    tree: Tree,
    set: DocumentSet,
    marks: Vec<Mark>,
}

/// All files of a fixture.
pub(crate) struct Fixture {
    files: Vec<File>,
}

impl Source for Fixture {
    fn text(&self, span: Span) -> Option<Cow<'_, str>> {
        self.files.get(span.file.0 as usize).map(|file| Cow::Borrowed(&file.text[span.range()]))
    }
}

impl Functions for Fixture {
    fn call(&self, _: &Function, calls: &[Vec<Argument<'_>>]) -> Vec<Called> {
        vec![Called::Unknown; calls.len()]
    }

    fn source(&self, span: Span) -> Option<String> {
        self.text(span).map(Cow::into_owned)
    }
}

impl Fixture {
    /// Reads the files of a fixture.
    pub fn new(text: &str) -> Fixture {
        let mut files = Vec::new();
        for lofting_fixture::File { path: name, text } in lofting_fixture::files(text) {
            let (text, marks) = marks(&text);
            let tree = parse(&text);
            let file = FileId(files.len() as u32);
            let set = lower(file, &tree, Profile::Ytt, Options::default());
            files.push(File { name, text, tree, set, marks });
        }
        Fixture { files }
    }

    /// All findings in all files.
    pub fn findings(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for (index, file) in self.files.iter().enumerate() {
            let id = FileId(index as u32);
            found.extend(check_syntax(id, &file.tree));
            found.extend(check_columns(id, &file.tree));
            found.extend(check_documents(&file.set, self));
            let is_library = file.name.ends_with(".lib.yml");
            found.extend(check_unused(id, &lofting_document::code(&file.tree, &file.set), is_library));
            found.extend(check_shadowed(&file.set.documents));
            if !file.set.is_template {
                let comments: Vec<(Span, String)> = file
                    .tree
                    .comments()
                    .map(|token| (Span::new(id, token.range()), token.text().into_owned()))
                    .collect();
                found.extend(check_plain_comments(comments.iter().map(|(span, text)| (*span, text.as_str()))));
            }
        }
        let documents = || self.files.iter().flat_map(|file| &file.set.documents);
        let schemas: Vec<&Document> = documents().filter(|document| document.is_schema()).collect();
        let read = (!schemas.is_empty()).then(|| lofting_dialect::data_values::read_with(&schemas, self));
        if let Some(read) = &read {
            found.extend(check_schema(&read.schema, &read.faults, self));
            found.extend(lint_schema(&read.schema, self));
            for (index, file) in self.files.iter().enumerate() {
                let is_values = |document: &Document| document.is_schema() || document.is_data_values();
                if !file.set.documents.iter().any(is_values) {
                    let code = lofting_document::code(&file.tree, &file.set);
                    found.extend(check_data_values(FileId(index as u32), &code.values, &[&read.schema]).0);
                }
            }
        }
        self.parts(&mut found);
        let values = documents().filter(|document| document.is_data_values());
        let values = values.map(|document| ValuesDocument { document, mode: Mode::Annotated });
        let is_plain = |file: &&File| !file.set.is_template && claims(file).is_empty();
        let plain = self.files.iter().filter(is_plain).flat_map(|file| &file.set.documents);
        let plain = plain.filter(|document| !document.is_empty());
        let plain = plain.map(|document| ValuesDocument { document, mode: Mode::Plain });
        let set = ValuesSet {
            schema: read.as_ref().map(|read| &read.schema),
            functions: self,
            assertions: &crate::NoAssertions,
            source: self,
            validations: true,
            limit: crate::LIMIT,
        };
        let report = set.check(&values.chain(plain).collect::<Vec<_>>());
        found.extend(report.findings);
        limit(&mut found, report.more);
        let faults: Vec<String> = found.iter().flat_map(wording_faults_of).collect();
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        found
    }

    /// The keys of the schema that nothing uses. They are looked for only where somebody wants to know.
    pub fn unused_keys(&self) -> Vec<Diagnostic> {
        let schema_file = self.files.iter().position(|file| file.set.documents.iter().any(Document::is_schema));
        let Some(schema_file) = schema_file else { return Vec::new() };
        let documents = || self.files.iter().flat_map(|file| &file.set.documents);
        let schemas: Vec<&Document> = documents().filter(|document| document.is_schema()).collect();
        let read = lofting_dialect::data_values::read_with(&schemas, self);
        let code = self.files.iter().map(|file| {
            KeysRead::of(&Arc::new(lofting_document::code(&file.tree, &file.set)), file.name.ends_with(".lib.yml"))
        });
        let code: Vec<KeysRead> = code.collect();
        let set = KeysSet::of(documents().filter(|document| document.is_data_values() && !document.is_schema()));
        check_unused_keys(FileId(schema_file as u32), &read.schema, &code.iter().collect::<Vec<_>>(), &[&set])
    }

    /// The values that are defaults anyway. They are looked for only where somebody wants to know.
    pub fn written_defaults(&self) -> Vec<Diagnostic> {
        let documents = || self.files.iter().flat_map(|file| &file.set.documents);
        let schemas: Vec<&Document> = documents().filter(|document| document.is_schema()).collect();
        let read = lofting_dialect::data_values::read_with(&schemas, self);
        let values = documents().filter(|document| document.is_data_values() && !document.is_schema());
        values.flat_map(|document| check_written_defaults(&read.schema, document)).collect()
    }

    /// The findings of OpenChoreo in the parts of files that it claims.
    fn parts(&self, found: &mut Vec<Diagnostic>) {
        let mut schemas = Vec::new();
        for file in &self.files {
            let own_claims = claims(file);
            let mut own = Vec::new();
            for (number, claim) in own_claims.iter().enumerate() {
                let Role::Schema(name) = &claim.role else { continue };
                let part =
                    Part { document: &file.set.documents[claim.document], claim: Some(claim), tree: Some(&file.tree) };
                let read = OpenChoreo.read(&[part], self);
                found.extend(check_schema(&read.schema, &read.faults, self));
                own.push((number, Arc::new(read.schema.clone())));
                schemas.push((name.clone(), read.schema));
            }
            let view = DocumentsView { tree: &file.tree, documents: &file.set };
            found.extend(OpenChoreo.findings(&view, &Own { claims: &own_claims, schemas: &own }));
        }
        for (index, file) in self.files.iter().enumerate() {
            for Claim { document, at, key, role } in claims(file) {
                let Role::Instance(name) = role else { continue };
                let Some((_, schema)) = schemas.iter().find(|(known, _)| known.answers(&name)) else { continue };
                let value = at.iter().fold(&file.set.documents[document].value, |value, step| match step {
                    lofting_schema::Step::Key(key) => value.get(key).expect("a key"),
                    other => panic!("{other:?}"),
                });
                let at: Vec<Step> = at.iter().map(Step::from).collect();
                let name = Span::new(FileId(index as u32), key);
                let part = GovernedPart { number: 1, at: &at, name, node: schema.root() };
                found.extend(part.check(&ValuesCheck::alone(schema, self), value).into_diagnostics());
            }
        }
    }

    /// A file with marks for its findings.
    fn marked(&self, index: usize, marks: &[Mark]) -> String {
        let file = &self.files[index];
        format!("#- {}\n{}", file.name, with_marks(&file.text, marks))
    }

    fn mark(&self, finding: &Diagnostic) -> Mark {
        let text = &self.files[finding.span.file.0 as usize].text;
        let start = finding.span.start as usize;
        let line = text[..start].matches('\n').count();
        let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let rest = &text[start..finding.span.end as usize];
        let end = start + rest.find('\n').unwrap_or(rest.len());
        let start = start - first;
        Mark { line, start, end: (end - first).max(start), name: finding.code().to_string() }
    }
}

/// Checks that the findings of a fixture are the marked ones, and returns them.
#[track_caller]
pub(crate) fn check(text: &str) -> Vec<Diagnostic> {
    let fixture = Fixture::new(text);
    let found = fixture.findings();
    let (mut wanted_text, mut found_text) = (String::new(), String::new());
    for index in 0..fixture.files.len() {
        let here = found.iter().filter(|finding| finding.span.file.0 as usize == index);
        let here: Vec<Mark> = here.map(|finding| fixture.mark(finding)).collect();
        wanted_text.push_str(&fixture.marked(index, &fixture.files[index].marks));
        found_text.push_str(&fixture.marked(index, &here));
    }
    if wanted_text != found_text {
        let messages: Vec<String> =
            found.iter().map(|f| format!("{} {}: {}", f.code(), f.stage.as_str(), f.message)).collect();
        panic!("wanted:\n{wanted_text}\nfound:\n{found_text}\n{}", messages.join("\n"));
    }
    found
}

/// The messages for a schema and data values, with the usual document annotations added.
#[track_caller]
pub(crate) fn messages(text: &str) -> String {
    let mut out = String::new();
    for finding in check(text) {
        out.push_str(&format!("{}: {}\n", finding.stage.as_str(), finding.message));
        if let Some(help) = finding.help {
            out.push_str(&format!("  help: {help}\n"));
        }
        for fix in finding.fixes {
            let edits: Vec<String> = fix.edits.into_iter().map(|(_, text)| format!("{text:?}")).collect();
            out.push_str(&format!("  fix: {}: {}\n", fix.title, edits.join(", ")));
        }
    }
    out
}

/// The parts of a file that OpenChoreo claims.
fn claims(file: &File) -> Vec<Claim> {
    OpenChoreo.claims(&DocumentsView { tree: &file.tree, documents: &file.set })
}

/// Rules whose messages end with words of the user or of ytt.
const QUOTING: &[&str] = &["schema/removed-value", "ytt/deprecated-value", "ytt/validation"];

/// What is wrong with the wording of a finding.
fn wording_faults_of(finding: &Diagnostic) -> Vec<String> {
    let code = finding.code();
    let message = (!QUOTING.contains(&finding.rule.code)).then_some(&finding.message);
    let labels = finding.related.iter().map(|related| &related.message);
    let sentences = message.into_iter().chain(&finding.help).chain(labels);
    let titles = finding.fixes.iter().map(|fix| &fix.title);
    let parts = sentences.map(|text| (Phrase::Sentence, text)).chain(titles.map(|text| (Phrase::Title, text)));
    parts.flat_map(|(part, text)| wording_faults(&code, part, text)).collect()
}

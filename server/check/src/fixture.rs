//! Small texts with marks, for the tests of rules.
//!
//! A fixture holds files behind `#- name` lines. A line of carets below a line says which findings
//! there are in it, and it is taken out before the file is read:
//!
//! ```text
//! #- values.yml
//! port: "80"
//! #     ^^^^ ytt/type-mismatch
//! ```
//!
//! A mark covers its carets, and the `#` as well if the first caret follows it directly. Several
//! findings of one line stand on several lines of marks. All findings must be marked, and nothing else.

use crate::{
    Diagnostic, GovernedPart, Source, Step, ValuesCheck, ValuesDocument, ValuesSet, check_data_values, check_documents,
    check_plain_comments, check_schema, check_syntax, limit,
};
use lofting_dialect::openchoreo::OpenChoreo;
use lofting_dialect::{Claim, Dialect, DocumentsView, Part, Role, ytt};
use lofting_document::{Document, DocumentSet, FileId, Options, Span, lower};
use lofting_overlay::{Argument, Called, Function, Functions, Mode};
use lofting_syntax::{Tree, parse, resolve::Profile};
use std::borrow::Cow;

/// A file of a fixture.
struct File {
    name: String,
    text: String,
    tree: Tree,
    set: DocumentSet,
    /// Line (from 0), first and last byte in it, code.
    marks: Vec<(usize, usize, usize, String)>,
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
        for part in text.split("#- ").skip(1) {
            let (name, body) = part.split_once('\n').expect("a line break behind the name");
            let mut kept: Vec<&str> = Vec::new();
            let mut marks = Vec::new();
            for line in body.split_inclusive('\n') {
                match mark(line) {
                    Some((start, end, code)) => marks.push((kept.len() - 1, start, end, code)),
                    None => kept.push(line),
                }
            }
            let text = kept.concat();
            let tree = parse(&text);
            let file = FileId(files.len() as u32);
            let set = lower(file, &tree, Profile::Ytt, Options::default());
            files.push(File { name: name.trim().to_string(), text, tree, set, marks });
        }
        Fixture { files }
    }

    /// Everything found in all files.
    pub fn findings(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for (index, file) in self.files.iter().enumerate() {
            let id = FileId(index as u32);
            found.extend(check_syntax(id, &file.tree));
            found.extend(check_documents(&file.set, self));
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
        let read = (!schemas.is_empty()).then(|| ytt::read_with(&schemas, self));
        if let Some(read) = &read {
            found.extend(check_schema(&read.schema, &read.faults(), self));
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
        };
        let report = set.check(&values.chain(plain).collect::<Vec<_>>());
        found.extend(report.findings);
        limit(&mut found, report.more);
        found
    }

    /// What OpenChoreo says of the parts of files that it claims.
    fn parts(&self, found: &mut Vec<Diagnostic>) {
        let mut schemas = Vec::new();
        for file in &self.files {
            for claim in claims(file) {
                let Role::Schema(name) = &claim.role else { continue };
                let part = Part { document: &file.set.documents[claim.document], claim: Some(&claim) };
                let read = OpenChoreo.read(&[part], self);
                found.extend(check_schema(&read.schema, &read.faults, self));
                schemas.push((name.clone(), read.schema));
            }
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

    /// The text of a file with marks for `found`.
    fn marked(&self, index: usize, marks: &[(usize, usize, usize, String)]) -> String {
        let file = &self.files[index];
        let mut out = format!("#- {}\n", file.name);
        for (number, line) in file.text.split_inclusive('\n').enumerate() {
            out.push_str(line);
            if !line.ends_with('\n') {
                out.push('\n');
            }
            let mut here: Vec<_> = marks.iter().filter(|(line, ..)| *line == number).collect();
            here.sort_by_key(|(_, start, end, code)| (*start, *end, code));
            for (_, start, end, code) in here {
                let carets = "^".repeat((end - start).max(1));
                out.push_str(&match start {
                    0 => format!("#{} {code}\n", carets.get(1..).unwrap_or_default()),
                    _ => format!("#{}{carets} {code}\n", " ".repeat(start - 1)),
                });
            }
        }
        out
    }

    fn place(&self, finding: &Diagnostic) -> (usize, usize, usize, String) {
        let text = &self.files[finding.span.file.0 as usize].text;
        let start = finding.span.start as usize;
        let line = text[..start].matches('\n').count();
        let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let rest = &text[start..finding.span.end as usize];
        let end = start + rest.find('\n').unwrap_or(rest.len());
        (line, start - first, (end - first).max(start - first), finding.code().to_string())
    }
}

fn mark(line: &str) -> Option<(usize, usize, String)> {
    let rest = line.strip_prefix('#')?;
    let carets = rest.trim_start_matches(' ');
    if !(carets.starts_with('^') || rest.starts_with(' ') && carets.starts_with("ytt/")) {
        // A mark of one byte in the first column has no caret of its own.
        return None;
    }
    let blanks = rest.len() - carets.len();
    let count = carets.len() - carets.trim_start_matches('^').len();
    let start = if blanks == 0 { 0 } else { blanks + 1 };
    let code = carets.trim_start_matches('^').trim().to_string();
    if count == 0 {
        return Some((0, 1, code));
    }
    Some((start, blanks + 1 + count, code))
}

/// Checks that the findings of a fixture are the marked ones, and gives them.
#[track_caller]
pub(crate) fn check(text: &str) -> Vec<Diagnostic> {
    let fixture = Fixture::new(text);
    let found = fixture.findings();
    let (mut wanted_text, mut found_text) = (String::new(), String::new());
    for index in 0..fixture.files.len() {
        let here: Vec<_> =
            found.iter().filter(|finding| finding.span.file.0 as usize == index).map(|f| fixture.place(f)).collect();
        let wanted: Vec<_> = fixture.files[index]
            .marks
            .iter()
            .map(|(line, start, end, code)| (*line, *start, *end, code.clone()))
            .collect();
        wanted_text.push_str(&fixture.marked(index, &wanted));
        found_text.push_str(&fixture.marked(index, &here));
    }
    if wanted_text != found_text {
        let messages: Vec<String> =
            found.iter().map(|f| format!("{} {}: {}", f.code(), f.stage.as_str(), f.message)).collect();
        panic!("wanted:\n{wanted_text}\nfound:\n{found_text}\n{}", messages.join("\n"));
    }
    found
}

/// As [`check`], with schema and data values as their usual documents and the messages as text.
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

/// What OpenChoreo claims in a file.
fn claims(file: &File) -> Vec<Claim> {
    OpenChoreo.claims(&DocumentsView { tree: &file.tree, documents: &file.set })
}

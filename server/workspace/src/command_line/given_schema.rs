//! One schema of a file, for who wants it in another language.

use crate::command_line::check_set::CheckError;
use crate::files::path::normalise;
use crate::settings::Settings;
use crate::source::TextSource;
use crate::workspace::Workspace;
use lofting_check::{Diagnostic, check_schema};
use lofting_dialect::{Claim, DIALECTS, Dialect, InShorthand, Part, Read, Role};
use lofting_document::{Node, Options, Span, lower};
use lofting_overlay::NoFunctions;
use lofting_schema::{Schema, Step};
use lofting_text::Encoding;
use std::path::Path;

/// Where a schema is.
#[derive(Debug, Clone, Copy)]
pub struct SchemaPlace<'a> {
    /// The file, relative to the base.
    pub path: &'a str,
    /// The language, where the file is a schema by itself and nothing in it says so; none: what the documents say.
    pub language: Option<&'a str>,
    /// The number of the document in the file, from 0; none: any.
    pub document: Option<usize>,
    /// Keys to the schema with dots between, or to what is above it; none: anywhere.
    pub at: Option<&'a str>,
}

/// A schema of a file.
#[derive(Debug)]
pub struct SchemaInFile {
    /// The name of its language.
    pub language: &'static str,
    /// The schema.
    pub schema: Schema,
    /// The same in the words of OpenAPI 3.0, without references: see [`Dialect::written_out`].
    pub written_out: Option<Node>,
    /// The same in OpenChoreo's shorthand, with what is left out, each with its line: see [`Dialect::in_shorthand`].
    pub in_shorthand: Option<(Node, Vec<(usize, String)>)>,
    /// What is wrong with it, each with its line.
    pub findings: Vec<(usize, Diagnostic)>,
}

/// The schema at a place. An error says what cannot be read, that there is none, or which there are.
pub fn schema_in_file(base: &Path, place: SchemaPlace<'_>) -> Result<SchemaInFile, CheckError> {
    let wrong = |message: String| CheckError { path: place.path.to_owned(), message };
    let mut workspace = Workspace::new(Vec::new(), Settings::default());
    let id = workspace.add_named(&normalise(base, Path::new(place.path)));
    let snapshot = workspace.snapshot();
    let state = &snapshot.state;
    let file = state.file(id).ok_or_else(|| wrong("there is no such file".to_owned()))?;
    if let Some(problem) = file.problem() {
        return Err(wrong(problem.to_string()));
    }
    let mut found: Vec<(&'static dyn Dialect, Claim)> = Vec::new();
    for dialect in DIALECTS.iter().filter(|dialect| place.language.is_none_or(|name| name == dialect.name())) {
        let mut claims = dialect.claims(&**file);
        claims.retain(|claim| matches!(claim.role, Role::Schema(_)));
        if claims.is_empty() && place.language.is_some() {
            claims.extend(dialect.section(&**file));
        }
        found.extend(claims.into_iter().map(|claim| (dialect, claim)));
    }
    found.retain(|(_, claim)| {
        place.document.is_none_or(|number| number == claim.document)
            && place.at.is_none_or(|at| is_at(&dotted(&claim.at), at))
    });
    let (dialect, claim) = match found.as_slice() {
        [one] => one,
        [] => return Err(wrong("there is no schema in this place".to_owned())),
        several => {
            let place = |(_, claim): &(_, Claim)| format!("--document {} --at {}", claim.document, dotted(&claim.at));
            let places: Vec<String> = several.iter().map(place).collect();
            return Err(wrong(format!("there are several schemas in it; say which: {}", places.join(", "))));
        }
    };
    let documents = lower(id, file.tree(), dialect.profile(), Options::default());
    let document =
        documents.documents.get(claim.document).ok_or_else(|| wrong("there is no such document".to_owned()))?;
    let part = Part { document, claim: Some(claim), tree: Some(file.tree()) };
    let Read { schema, faults, .. } = dialect.read(&[part], &NoFunctions);
    let mut findings = lofting_check::check_syntax(id, file.tree());
    findings.extend(check_schema(&schema, &faults, &TextSource::Of(state, file)));
    let line = |span: Span| snapshot.text(id).position(span.range().start, Encoding::Utf8).line as usize + 1;
    let findings = findings.into_iter().map(|finding| (line(finding.span), finding)).collect();
    let in_shorthand = dialect.in_shorthand(&part).map(|InShorthand { sections, left_out }| {
        let told = |(span, path, message): (Span, String, String)| match path.as_str() {
            "" => (line(span), message),
            path => (line(span), format!("{path}: {message}")),
        };
        (sections, left_out.into_iter().map(told).collect())
    });
    let written_out = dialect.written_out(&part);
    Ok(SchemaInFile { language: dialect.name(), schema, written_out, in_shorthand, findings })
}

/// A path as people write it.
fn dotted(path: &[Step]) -> String {
    let mut out = String::new();
    for step in path {
        match step {
            Step::Key(key) if out.is_empty() => out.push_str(&key.to_string()),
            Step::Key(key) => out.push_str(&format!(".{key}")),
            Step::Index(index) => out.push_str(&format!("[{index}]")),
            Step::Item => out.push_str("[]"),
        }
    }
    out
}

/// Whether a path is the asked one, or below it.
fn is_at(path: &str, asked: &str) -> bool {
    path.strip_prefix(asked).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

//! Finds one schema in a file, to convert it into another language.

use crate::command_line::check_error::{CheckError, CheckProblem};
use crate::disk::ReadProblem;
use crate::disk::path::normalise;
use crate::settings::Settings;
use crate::source::TextSource;
use crate::workspace::Workspace;
use lofting_check::{Diagnostic, check_schema};
use lofting_dialect::json_schema::{self, JsonSchema};
use lofting_dialect::{Claim, DIALECTS, Dialect, OwnNotation, Read, Recognises, Role, SchemaPart};
use lofting_document::{Node, Options, Span, lower};
use lofting_overlay::NoFunctions;
use lofting_schema::{Schema, Step, export};
use lofting_text::Encoding;
use std::path::Path;

/// The place of a schema.
#[derive(Debug, Clone, Copy)]
pub struct SchemaPlace<'a> {
    /// The file, relative to the base.
    pub path: &'a str,
    /// The language of a file that is a schema by itself without saying so; None if the documents say so.
    pub language: Option<&'a str>,
    /// The index of the document in the file, from 0; None for any.
    pub document: Option<usize>,
    /// The keys that lead to the schema or to a part around it, joined by dots; None for any place.
    pub at: Option<&'a str>,
}

/// A schema in a file.
#[derive(Debug)]
pub struct SchemaInFile {
    /// The name of its language.
    pub language: &'static str,
    /// The schema.
    pub schema: Schema,
    /// The schema in OpenAPI 3.0, without references: see [`Dialect::written_out`].
    pub written_out: Option<Node>,
    /// The schema in OpenChoreo's shorthand, and what that cannot express, each with its line: see
    /// [`lofting_dialect::ReadsSchemas::in_own_notation`].
    pub in_own_notation: Option<(Node, Vec<(usize, String)>)>,
    /// What its form in JSON Schema cannot express, each with its line: see [`export::left_out`].
    pub left_out: Vec<(usize, String)>,
    /// Its findings, each with its line.
    pub findings: Vec<(usize, Diagnostic)>,
}

/// Finds the schema at a place. The error says which file cannot be read, that there is no schema, or which schemas
/// there are.
pub fn schema_in_file(base: &Path, place: SchemaPlace<'_>) -> Result<SchemaInFile, CheckError> {
    let wrong = |problem| CheckError::of(place.path, problem);
    let mut workspace = Workspace::new(Vec::new(), Settings::default());
    let id = workspace.add_named(&normalise(base, Path::new(place.path)));
    let snapshot = workspace.snapshot();
    let state = &snapshot.state;
    let file = state.file(id).ok_or_else(|| wrong(CheckProblem::Unread(ReadProblem::NotFound)))?;
    if let Some(problem) = file.problem() {
        return Err(wrong(CheckProblem::Unread(problem.clone())));
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
    // A JSON Schema says so by its keys.
    if found.is_empty() && place.language.is_none() && json_schema::is_schema(file.tree()) {
        let claim = JsonSchema.section(&**file);
        found.extend(claim.map(|claim| (&JsonSchema as &'static dyn Dialect, claim)));
    }
    let is_asked = place.document.is_some() || place.at.is_some() || place.language.is_some();
    found.retain(|(_, claim)| {
        place.document.is_none_or(|number| number == claim.document)
            && place.at.is_none_or(|at| is_at(&dotted(&claim.at), at))
    });
    let (dialect, claim) = match found.as_slice() {
        [one] => one,
        [] if is_asked => return Err(wrong(CheckProblem::NoSchemaThere)),
        [] => return Err(wrong(CheckProblem::NoSchema)),
        several => {
            let place = |(_, claim): &(_, Claim)| format!("--document {} --at {}", claim.document, dotted(&claim.at));
            return Err(wrong(CheckProblem::SeveralSchemas(several.iter().map(place).collect())));
        }
    };
    let documents = lower(id, file.tree(), dialect.profile(), Options::default());
    let document = documents.documents.get(claim.document).ok_or_else(|| wrong(CheckProblem::NoDocument))?;
    let part = SchemaPart { document, claim: Some(claim), tree: Some(file.tree()) };
    let Read { schema, faults, .. } = dialect.read(&[part], &NoFunctions);
    let mut findings = lofting_check::check_syntax(id, file.tree(), dialect.profile());
    findings.extend(check_schema(&schema, &faults, &TextSource::Of(state, file)));
    let line = |span: Span| snapshot.text(id).position(span.range().start, Encoding::Utf8).line as usize + 1;
    let findings = findings.into_iter().map(|finding| (line(finding.span), finding)).collect();
    let in_own_notation = dialect.in_own_notation(&part).map(|OwnNotation { sections, left_out }| {
        let reported = |(span, path, message): (Span, String, String)| match path.as_str() {
            "" => (line(span), message),
            path => (line(span), format!("{path}: {message}")),
        };
        (sections, left_out.into_iter().map(reported).collect())
    });
    let written_out = dialect.written_out(&part);
    let left_out = export::left_out(&schema).into_iter().map(|(span, what)| (line(span), what)).collect();
    Ok(SchemaInFile { language: dialect.name(), schema, written_out, in_own_notation, left_out, findings })
}

/// A path in its usual form, with dots.
fn dotted(path: &[Step]) -> String {
    let mut out = String::new();
    for step in path {
        match step {
            Step::Key(key) if out.is_empty() => out.push_str(&key.to_string()),
            Step::Key(key) => out.push_str(&format!(".{key}")),
            Step::Index(index) => out.push_str(&format!("[{index}]")),
            Step::Item | Step::Nowhere => out.push_str("[]"),
        }
    }
    out
}

/// Whether a path equals the requested one or is below it.
fn is_at(path: &str, asked: &str) -> bool {
    path.strip_prefix(asked).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

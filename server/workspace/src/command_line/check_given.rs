//! Checks where the user says on the command line what is a schema, of which language, and of which values.

use crate::command_line::check_set::CheckError;
use crate::command_line::report::{CheckReport, CheckedFile};
use crate::files::file::File;
use crate::files::path::normalise;
use crate::settings::Settings;
use crate::source::TextSource;
use crate::state::State;
use crate::workspace::Workspace;
use lofting_check::{Diagnostic, GovernedPart, ValuesCheck, check_schema};
use lofting_dialect::{Claim, DIALECTS, Dialect, Part, Read};
use lofting_document::{FileId, Options, Span, lower};
use lofting_overlay::NoFunctions;
use lofting_schema::Schema;
use std::path::Path;

/// What the user says.
#[derive(Debug, Clone, Copy)]
pub struct GivenSchema<'a> {
    /// The name of the language.
    pub language: &'a str,
    /// The file of the schema that the values have to fit; none: the files given are schemas themselves.
    pub schema: Option<&'a str>,
}

/// Checks files as schemas of a language, or as values of one. Paths are relative to `base`. An error says what cannot be
/// read, or that there is no such language.
pub fn check_given(base: &Path, given: GivenSchema<'_>, paths: &[String]) -> Result<CheckReport, CheckError> {
    let wrong = |path: &str, message: String| Err(CheckError { path: path.to_owned(), message });
    let Some(dialect) = DIALECTS.named(given.language) else {
        let names: Vec<&str> = DIALECTS.iter().map(|dialect| dialect.name()).collect();
        return wrong("--language", format!("there is no language {:?}, only {}", given.language, names.join(", ")));
    };
    let mut workspace = Workspace::new(Vec::new(), Settings::default());
    let mut add = |path: &str| (workspace.add_named(&normalise(base, Path::new(path))), path.to_owned());
    let schema = given.schema.map(&mut add);
    let files: Vec<(FileId, String)> = paths.iter().map(|path| add(path)).collect();
    let snapshot = workspace.snapshot();
    let state = &snapshot.state;
    for (id, path) in schema.iter().chain(&files) {
        if let Some(problem) = state.file(*id).and_then(|file| file.problem()) {
            return wrong(path, problem.to_string());
        }
    }
    let read = |id: FileId, path: &str| {
        let file = state.file(id).filter(|file| file.exists());
        let Some((file, claim)) = file.and_then(|file| Some((file, dialect.section(&**file)?))) else {
            let message = format!("there is no schema of {} in it", dialect.name());
            return Err(CheckError { path: path.to_owned(), message });
        };
        Ok((file, read_section(dialect, file, &claim)))
    };
    let mut checked = Vec::new();
    match &schema {
        None => {
            for (id, shown) in &files {
                let (file, Read { schema, faults, .. }) = read(*id, shown)?;
                let mut found = lofting_check::check_syntax(*id, file.tree());
                found.extend(check_schema(&schema, &faults, &TextSource::Of(state, file)));
                checked.push((*id, shown.clone(), found, 0));
            }
        }
        Some((id, path)) => {
            let (_, Read { schema, .. }) = read(*id, path)?;
            for (id, shown) in &files {
                let Some(file) = state.file(*id) else { continue };
                let mut found = lofting_check::check_syntax(*id, file.tree());
                let more = values(state, dialect, &schema, file, &mut found);
                checked.push((*id, shown.clone(), found, more));
            }
        }
    }
    let names = schema.into_iter().chain(files).collect();
    let files = checked.into_iter().map(|(file, shown, mut found, more)| {
        lofting_check::limit(&mut found, more);
        CheckedFile { file, shown, diagnostics: found.into() }
    });
    Ok(CheckReport { files: files.collect(), snapshot, names, messages: Vec::new() })
}

/// Reads the one schema of a file.
fn read_section(dialect: &dyn Dialect, file: &File, claim: &Claim) -> Read {
    let documents = lower(file.id, file.tree(), dialect.profile(), Options::default());
    let document = documents.documents.get(claim.document);
    let part = document.map(|document| Part { document, claim: Some(claim), tree: Some(file.tree()) });
    dialect.read(part.as_slice(), &NoFunctions)
}

/// Compares all documents of a file with a schema; the number is that of findings which were only counted.
fn values(state: &State, dialect: &dyn Dialect, schema: &Schema, file: &File, found: &mut Vec<Diagnostic>) -> usize {
    let documents = lower(file.id, file.tree(), dialect.profile(), Options::default());
    let texts = TextSource::Of(state, file);
    let check = ValuesCheck::alone(schema, &texts);
    let mut more = 0;
    found.extend(lofting_check::check_documents(&documents, &texts));
    for document in documents.documents.iter().filter(|document| !document.value.missing) {
        let start = document.value.span.range().start;
        let name = document.marker.unwrap_or(Span::new(file.id, start..start));
        let part = GovernedPart { number: 1, at: &[], name, node: schema.root() };
        let checked = part.check(&check, &document.value);
        more += checked.more;
        found.extend(checked.into_diagnostics());
    }
    more
}

//! Checks files where the command line states the schema and its language.

use crate::association::no_data::no_data;
use crate::command_line::check_below::workspace_given;
use crate::command_line::check_error::{CheckError, CheckProblem};
use crate::command_line::coverage::{self, Coverage};
use crate::command_line::given_documents::{GivenDocuments, NamedSchema, named};
use crate::command_line::report::{CheckReport, CheckedFile};
use crate::disk::Volume;
use crate::disk::mirror::Mirror;
use crate::disk::path::{is_yaml, normalise, relative};
use crate::disk::uri::file_uri;
use crate::files::fetched::Fetch;
use crate::files::file::File;
use crate::findings::diagnostics::{is_substituted, is_value_unknown};
use crate::findings::levels;
use crate::findings::suppressions::{self, SuppressionFindings};
use crate::settings::Settings;
use crate::source::TextSource;
use crate::state::State;
use crate::workspace::Workspace;
use lofting_check::{Diagnostic, GovernedPart, ValuesCheck, check_schema};
use lofting_dialect::{Claim, DIALECTS, Dialect, Fault, Read, ReadsSchemas, SchemaPart, json_schema};
use lofting_document::{FileId, Options, Span, lower};
use lofting_memo::CancelFlag;
use lofting_schema::Schema;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::Path;

/// What the user stated on the command line.
#[derive(Clone, Copy)]
pub struct GivenSchema<'a> {
    /// The name of the language.
    pub language: &'a str,
    /// The path or URL of the schema that the values have to fit; None if the files are schemas themselves.
    pub schema: Option<&'a str>,
    /// Mirrors: folders that stand for URLs.
    pub mirrors: &'a [Mirror],
    /// Fetches documents; None to fetch nothing.
    pub fetch: Option<&'a dyn Fetch>,
    /// A text that stands for a file, whether or not there is one. Its path is as given.
    pub unsaved: Option<(&'a str, &'a str)>,
    /// How many findings of one file the report has.
    pub most: usize,
}

/// Checks files as schemas in a language, or as values; of a directory, all YAML files in it that can be either. Paths are
/// relative to `base`, which is checked where there are none. What comments and `lofting.toml` say about rules counts. The
/// error says which file cannot be read, or that the language is unknown.
pub fn check_given(base: &Path, given: GivenSchema<'_>, paths: &[String]) -> Result<CheckReport, CheckError> {
    let Some(dialect) = DIALECTS.named(given.language) else {
        let known = DIALECTS.iter().map(|dialect| dialect.name()).collect();
        return Err(CheckError::of("--language", CheckProblem::NoLanguage { name: given.language.to_owned(), known }));
    };
    let prepare = |workspace: &mut Workspace| {
        if let Some((path, text)) = given.unsaved {
            workspace.open(&normalise(base, Path::new(path)), 0, text);
        }
    };
    let is_there = |path: &str| given.unsaved.is_some_and(|(unsaved, _)| unsaved == path);
    let (settings, cancel) = (Settings::default(), CancelFlag::new());
    let volume = Volume::default();
    let (mut workspace, wanted) =
        workspace_given((base, &volume), paths, settings, prepare, is_there, &mut |_| {}, &cancel)?;
    let schema = match given.schema.map(|name| (name, named(base, name, given.mirrors, given.fetch))) {
        Some((name, Err(problem))) => return Err(CheckError::of(name, problem)),
        Some((name, Ok(schema))) => Some((workspace.add_named(&schema.path), name.to_owned(), schema)),
        None => None,
    };
    let outdated = schema.as_ref().and_then(|(_, name, schema)| Some((name, schema.outdated.as_ref()?)));
    let messages = outdated.map(|(name, why)| format!("{name}: an earlier copy is used: {why}")).into_iter().collect();
    let snapshot = workspace.snapshot();
    let named_schema = schema.as_ref().map(|(id, ..)| *id);
    let mut known: FxHashSet<FileId> = FxHashSet::default();
    let direct: FxHashSet<FileId> = wanted.iter().filter(|(.., is_named)| *is_named).map(|(id, ..)| *id).collect();
    let counts = |id: FileId| named_schema != Some(id) && may_be_meant(&snapshot.state, dialect, named_schema, id);
    let files: Vec<(FileId, String)> = wanted
        .into_iter()
        .filter(|(id, _, is_named)| (*is_named || counts(*id)) && known.insert(*id))
        .map(|(id, shown, _)| (id, shown))
        .collect();
    if files.is_empty() && named_schema.is_none() {
        let place = paths.first().map_or(".", String::as_str);
        return Err(CheckError::of(place, CheckProblem::NoSchemaOf(dialect.name())));
    }
    let named = schema.iter().map(|(id, name, ..)| (*id, name.clone())).chain(files.iter().cloned());
    let names: Vec<(FileId, String)> = named.collect();
    for (id, path) in names.iter().filter(|(id, _)| named_schema == Some(*id) || direct.contains(id)) {
        if let Some(problem) = snapshot.state.file(*id).and_then(|file| file.problem()) {
            return Err(CheckError::of(path, CheckProblem::Unread(problem.clone())));
        }
    }
    // Reading a schema may add files to the workspace.
    let mut read = |id: FileId, shown: &str, schema: &NamedSchema| {
        let file = snapshot.state.file(id).filter(|file| file.exists());
        let Some((file, claim)) = file.and_then(|file| Some((file, dialect.section(&**file)?))) else {
            return Err(CheckError::of(shown, CheckProblem::NoSchemaOf(dialect.name())));
        };
        let documents = GivenDocuments::of(schema, given.mirrors, given.fetch, &mut workspace, dialect.profile());
        let (uri, fragment) = (&schema.uri, &schema.fragment);
        if fragment.is_empty() {
            return Ok(read_section(dialect, file, &claim, uri, &documents));
        }
        let read = read_section(dialect, file, &claim, &format!("{uri}#{fragment}"), &documents);
        if read.schema.is_unknown() {
            Err(CheckError::of(shown, CheckProblem::NoFragment(fragment.clone())))
        } else {
            Ok(read)
        }
    };
    let mut read_schemas = Vec::new();
    match &schema {
        Some((id, name, schema)) => read_schemas.push(read(*id, name, schema)?),
        None => {
            for (id, shown) in &files {
                let path = normalise(base, Path::new(shown));
                let own = NamedSchema {
                    uri: file_uri(&path),
                    path,
                    fragment: String::new(),
                    is_fetched: false,
                    outdated: None,
                };
                read_schemas.push(read(*id, shown, &own)?);
            }
        }
    }
    let snapshot = workspace.snapshot();
    let state = &snapshot.state;
    let mut names: FxHashMap<FileId, String> = names.into_iter().collect();
    // What a schema refers to is named in findings as well.
    for file in state.files.iter() {
        names.entry(file.id).or_insert_with(|| relative(base, &file.path).unwrap_or_default());
    }
    let name_of = |id: FileId| names.get(&id).cloned().unwrap_or_default();
    let mut checked = Vec::new();
    let syntax = |id: FileId| {
        let file = state.file(id)?;
        if let Some(problem) = file.problem() {
            return Some(vec![lofting_check::unreadable_file(Span::new(id, 0..0), &problem.to_string())]);
        }
        let tree = file.tree();
        let mut found = lofting_check::check_syntax(id, tree, dialect.profile());
        found.extend(lofting_check::check_columns(id, tree));
        Some(found)
    };
    match (&schema, read_schemas.as_slice()) {
        (Some((id, shown, ..)), [Read { schema, faults, .. }]) => {
            if let Some(file) = state.file(*id) {
                let mut found = lofting_check::check_syntax(*id, file.tree(), dialect.profile());
                let (own, elsewhere): (Vec<_>, Vec<_>) = check_faults(faults, &TextSource::Of(state, file))
                    .into_iter()
                    .partition(|finding| finding.span.file == *id);
                found.extend(own);
                if !found.is_empty() {
                    checked.push((*id, shown.clone(), found, 0));
                }
                // What it refers to is a part of it.
                for finding in elsewhere {
                    let other = finding.span.file;
                    match checked.iter_mut().find(|(id, ..)| *id == other) {
                        Some((_, _, found, _)) => found.push(finding),
                        None => checked.push((other, name_of(other), vec![finding], 0)),
                    }
                }
            }
            for (id, shown) in &files {
                let (Some(file), Some(mut found)) = (state.file(*id), syntax(*id)) else { continue };
                let more = values(state, dialect, schema, file, given.most, &mut found);
                checked.push((*id, shown.clone(), found, more));
            }
        }
        (_, schemas) => {
            for ((id, shown), Read { schema, faults, .. }) in files.iter().zip(schemas) {
                let (Some(file), Some(mut found)) = (state.file(*id), syntax(*id)) else { continue };
                found.extend(check_schema(schema, faults, &TextSource::Of(state, file)));
                checked.push((*id, shown.clone(), found, 0));
            }
        }
    }
    let of_schema = schema.iter().flat_map(|(id, shown, ..)| {
        let ids: Vec<FileId> = files.iter().map(|(id, _)| *id).collect();
        let all: FxHashSet<FileId> = ids.iter().copied().collect();
        let of_values = |file: &FileId| file != id && all.contains(file);
        let faults = checked.iter().filter(|(file, ..)| !of_values(file)).flat_map(|(_, _, found, _)| found);
        coverage::of_given(shown, faults, &ids)
    });
    let unchecked = of_schema.collect();
    let files = checked.into_iter().map(|(id, shown, mut found, more)| {
        if let Some(file) = state.file(id) {
            // Not all rules were asked, so it is not known which comments suppress nothing.
            suppressions::apply(file, &mut found, SuppressionFindings::Mistakes);
            levels::apply(state, file, &mut found);
        }
        lofting_check::limit_to(given.most, &mut found, more);
        CheckedFile { file: id, shown, diagnostics: found.into() }
    });
    Ok(CheckReport {
        files: files.collect(),
        snapshot,
        names,
        messages,
        unchecked,
        coverage: Coverage::default(),
        earlier: None,
        most: given.most,
    })
}

/// Whether a file in a directory that was named can be a schema, or values for one: templates of any kind are neither.
fn may_be_meant(state: &State, dialect: &dyn Dialect, schema: Option<FileId>, id: FileId) -> bool {
    let Some(file) = state.file(id).filter(|file| file.exists() && is_yaml(&file.path)) else { return false };
    let is_template = || file.facts.ytt || no_data(state, file).is_some_and(|why| why.is_template());
    !is_template() && (schema.is_some() || dialect.section(&**file).is_some())
}

/// Reads the one schema of a file.
fn read_section(dialect: &dyn Dialect, file: &File, claim: &Claim, uri: &str, documents: &GivenDocuments<'_>) -> Read {
    let own = lower(file.id, file.tree(), dialect.profile(), Options::default());
    let document = own.documents.get(claim.document);
    let part = document.map(|document| SchemaPart { document, claim: Some(claim), tree: Some(file.tree()) });
    dialect.read_linked(part.as_slice(), uri, documents)
}

/// The faults of a schema that values are compared with.
fn check_faults(faults: &[Fault], source: &TextSource<'_>) -> Vec<Diagnostic> {
    let nothing = json_schema::anything(json_schema::JsonSchema.semantics());
    check_schema(&nothing.schema, faults, source)
}

/// Checks all documents of a file; returns how many further findings were only counted.
fn values(
    state: &State,
    dialect: &dyn Dialect,
    schema: &Schema,
    file: &File,
    most: usize,
    found: &mut Vec<Diagnostic>,
) -> usize {
    let options = Options { substituted: is_substituted(file, schema.semantics()), ..Options::default() };
    let documents = lower(file.id, file.tree(), dialect.profile(), options);
    let texts = TextSource::Of(state, file);
    let check = ValuesCheck::alone(schema, &texts).up_to(most);
    let mut more = 0;
    found.extend(lofting_check::check_documents(&documents, &texts));
    for document in documents.documents.iter().filter(|document| !document.value.missing) {
        let start = document.value.span.range().start;
        let name = document.marker.unwrap_or(Span::new(file.id, start..start));
        let part = GovernedPart { number: 1, at: &[], name, node: schema.root() };
        let checked = part.check(&check, &document.value);
        more += checked.more;
        found.extend(checked.into_diagnostics().into_iter().filter(|finding| !is_value_unknown(file, finding)));
    }
    more
}

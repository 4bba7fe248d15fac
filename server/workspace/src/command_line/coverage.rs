//! What a check compared with what, and what it was asked for and could not compare.

use crate::association::associate::associate;
use crate::association::bundles;
use crate::association::catalogue;
use crate::association::configurations;
use crate::association::governed::{PartNaming, governed};
use crate::association::json_schemas;
use crate::association::naming::NamedBy;
use crate::association::reason::Reason;
use crate::association::schema_state::SchemaState;
use crate::association::state::AssociationState;
use crate::files::claims::ClaimedSchema;
use crate::files::file::File;
use crate::findings::diagnostics::{bundle_finding, lost_in_bundles, syntax_error_of};
use crate::state::State;
use lofting_check::{Diagnostic, Severity};
use lofting_document::FileId;
use lofting_memo::Stamp;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// How many files were checked with what.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    /// The schemas, as they are named, each with the number of its files.
    pub with: BTreeMap<String, usize>,
    /// The reasons why files have no schema, in words for a list.
    pub without: BTreeMap<&'static str, usize>,
    /// How many files are not YAML until they are rendered, so that nothing in them was checked.
    pub templates: usize,
}

/// Why templates of ytt have no schema; everything else is checked in them.
const OF_YTT: &str = "templates of ytt";

impl Coverage {
    /// Whether there are files, and nothing but their YAML was checked.
    pub fn is_only_syntax(&self) -> bool {
        self.with.is_empty() && !self.without.is_empty() && !self.without.contains_key(OF_YTT)
    }

    /// The coverage of these files. Looks only at what the check has found out already.
    pub(crate) fn of(state: &State, files: &[FileId]) -> Coverage {
        let mut coverage = Coverage::default();
        for file in files.iter().filter_map(|id| state.file(*id)).filter(|file| file.exists()) {
            let association = associate(state, file);
            let mut with = |name: &str| *coverage.with.entry(name.to_owned()).or_default() += 1;
            if association.schema.is_some() {
                with("ytt's data values schemas");
                continue;
            }
            let why = match &association.reason {
                Reason::Named { schema, problem: None, .. } => {
                    with(&format!("`{schema}`"));
                    continue;
                }
                Reason::Parts => {
                    with(&of_parts(state, file));
                    continue;
                }
                Reason::Named { by: NamedBy::BuiltIn { .. }, schema, problem: Some(_) }
                    if is_refused(state, schema) =>
                {
                    "theirs is not built in, and is fetched if you allow it (`--allow-host`)"
                }
                Reason::Named { problem: Some(_), .. } | Reason::ModelineBroken { .. } => "their schema cannot be read",
                Reason::NoData(why) if why.is_template() => {
                    coverage.templates += 1;
                    continue;
                }
                Reason::NoData(_) => "patches",
                Reason::Template | Reason::Input => OF_YTT,
                Reason::Manifest => "Kubernetes manifests of kinds whose schemas are not known",
                Reason::HelmChart => "values of a Helm chart",
                Reason::Configuration | Reason::IsSchema | Reason::Name(_) => continue,
                _ => "nothing names one",
            };
            *coverage.without.entry(why).or_default() += 1;
        }
        coverage
    }
}

/// What the documents of a file are checked with.
fn of_parts(state: &State, file: &File) -> String {
    let version = governed(state, file).into_iter().find_map(|part| match part.reason.cause {
        PartNaming::Bundle(NamedBy::BuiltInKind { version, .. }, _) => Some(version),
        _ => None,
    });
    match version {
        Some(version) => format!("the built-in schemas of Kubernetes {version}"),
        None => "the schemas of what their documents say they are".to_owned(),
    }
}

/// Whether the user's settings do not allow to fetch a document.
fn is_refused(state: &State, schema: &str) -> bool {
    let document = schema.split('#').next().unwrap_or_default();
    state.fetched.refused().any(|(url, _)| url == schema || url == document)
}

/// Something that was asked for and could not be used, or not as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unchecked {
    /// The schema, the bundle or the catalogue, as it is named.
    pub schema: String,
    /// What is wrong, a sentence without a full stop.
    pub message: String,
    /// The files that were not checked with it, or not completely; none where it is not known which they are.
    pub files: Vec<FileId>,
    /// Its code failed, so what the code would have given is unknown.
    pub code_failed: bool,
}

impl Unchecked {
    fn new(schema: impl Into<String>, message: String) -> Unchecked {
        Unchecked { schema: schema.into(), message, files: Vec::new(), code_failed: false }
    }
}

/// What was asked for and could not be used when these files were checked.
pub(crate) fn unchecked(state: &State, files: &[FileId]) -> Vec<Unchecked> {
    let mut lost: BTreeMap<(String, String), Vec<FileId>> = BTreeMap::new();
    let mut code =
        Unrun { checked: files.iter().copied().collect(), failed: FxHashMap::default(), why: BTreeMap::new() };
    let mut listed = BTreeSet::new();
    // Whether files with kinds, which bundles are for, are among those that a `lofting.toml` is for.
    let mut configs: BTreeMap<FileId, bool> = BTreeMap::new();
    for file in files.iter().filter_map(|id| state.file(*id)).filter(|file| file.exists()) {
        let mut lose = |schema: &str, problem: String| {
            lost.entry((schema.to_owned(), problem)).or_default().push(file.id);
        };
        let association = associate(state, file);
        match &association.reason {
            // The user did not ask for what the built-in catalogue only lists.
            Reason::Named { by: NamedBy::BuiltIn { .. }, schema, problem: Some(_) } if is_refused(state, schema) => {
                listed.insert(schema.clone());
            }
            Reason::Named { schema, problem: Some(problem), .. } => lose(schema, problem.clone()),
            Reason::ModelineBroken { schema, problem } => lose(schema, problem.to_string()),
            _ if association.schema.is_none() => {
                let named = json_schemas::named(state, file).filter(|named| named.naming.by.is_in_file());
                if let Some((naming, Err(problem))) = named.as_ref().map(|named| (&named.naming, &named.schema)) {
                    lose(&naming.schema, problem.to_string());
                }
            }
            _ => {}
        }
        for (naming, problem, _) in bundles::lost(state, file) {
            lose(&naming.schema, problem.to_string());
        }
        let has_kinds = file.facts.known_parts && bundles::names(file).next().is_some();
        for config in configurations::going_up(state, &file.path) {
            *configs.entry(config.id).or_default() |= has_kinds;
        }
        association.schemas().for_each(|schema| code.note(state, file, &schema.state));
    }
    let catalogue = state.settings.catalogue.iter().filter_map(|url| Some((url, catalogue::problem(state)?)));
    let mut unchecked: Vec<Unchecked> = catalogue.map(|(url, problem)| Unchecked::new(url, problem)).collect();
    unchecked.extend(lost.into_iter().map(|((schema, problem), files)| {
        let count = files.len();
        let count = if count == 1 { "1 file is".to_owned() } else { format!("{count} files are") };
        let message = format!("{count} not checked with `{schema}`: {problem}");
        Unchecked { files, ..Unchecked::new(schema, message) }
    }));
    unchecked.extend(code.unchecked(state));
    let mut more: BTreeMap<String, String> = BTreeMap::new();
    let told: BTreeSet<&str> = unchecked.iter().map(|unchecked| unchecked.schema.as_str()).collect();
    let known = |url: &str| listed.contains(url) || told.contains(url);
    for (url, why) in state.fetched.refused().filter(|(url, _)| !known(url)) {
        more.insert(format!("`{url}` is not read: {why}"), url.to_owned());
    }
    for (config, has_kinds) in configs.into_iter().filter_map(|(id, has_kinds)| Some((state.file(id)?, has_kinds))) {
        more.extend(mistakes_in(state, config).map(|mistake| (mistake, state.shown(&config.path))));
        for bundle in config.config().bundles.iter().filter(|_| has_kinds) {
            let finding = bundle_finding(state, config, bundle);
            more.extend(finding.map(|finding| (finding.message, bundle.schema.clone())));
        }
    }
    let linked = state.shared.linked.values();
    let faults: BTreeMap<FileId, String> =
        linked.iter().filter_map(|schema| Some((schema.file, faulty(state, schema)?))).collect();
    let elsewhere = linked.iter().filter(|schema| !faults.contains_key(&schema.file)).filter_map(|schema| {
        let finding = schema.elsewhere.iter().find(|finding| is_lost(finding))?;
        let other = state.file(finding.span.file).filter(|other| !faults.contains_key(&other.id))?;
        let other = state.shown(&other.path);
        Some((schema.file, format!("is used without the faulty parts of `{other}`: {}", finding.message)))
    });
    let elsewhere: BTreeMap<FileId, String> = elsewhere.collect();
    for (file, problem) in faults.iter().chain(&elsewhere) {
        let Some(path) = state.file(*file).map(|file| state.shown(&file.path)) else { continue };
        more.insert(format!("the schema `{path}` {problem}"), path);
    }
    unchecked.extend(more.into_iter().map(|(message, schema)| Unchecked::new(schema, message)));
    unchecked
}

/// The mistakes in a `lofting.toml`, in sentences.
pub(crate) fn mistakes_in(state: &AssociationState, config: &File) -> impl Iterator<Item = String> {
    let shown = state.shown(&config.path);
    config.config().errors.iter().map(move |error| format!("`{shown}` has a mistake: {}", error.message))
}

/// What a schema lacks, in words that follow its name.
fn faulty(state: &State, schema: &ClaimedSchema) -> Option<String> {
    if let Some(problem) = syntax_error_of(state, schema) {
        return Some(format!("is used only in part: {problem}"));
    }
    let finding = schema.findings.iter().find(|finding| is_lost(finding))?;
    Some(format!("is used without its faulty parts: {}", finding.message))
}

/// Whether a finding in a schema is about a part with which nothing is checked.
fn is_lost(finding: &Diagnostic) -> bool {
    matches!(finding.severity, Severity::Error | Severity::Warning)
        && !lofting_check::rules::WITHOUT_LOSS.contains(&finding.rule)
}

/// What the schema of a command line lacks, by its findings, for the files that it was given for.
pub(crate) fn of_given<'d>(
    shown: &str,
    mut found: impl Iterator<Item = &'d Diagnostic>,
    files: &[FileId],
) -> Option<Unchecked> {
    let finding = found.find(|finding| is_lost(finding))?;
    let message = format!("the schema `{shown}` is used without its faulty parts: {}", finding.message);
    Some(Unchecked { files: files.to_vec(), ..Unchecked::new(shown, message) })
}

/// Files of ytt's schemas whose code failed and that are not checked themselves.
struct Unrun {
    checked: FxHashSet<FileId>,
    /// Those of each schema. One may have thousands of files, and be that of all of them.
    failed: FxHashMap<Stamp, Vec<FileId>>,
    /// Why they failed, and the files that were checked without what their code would have given.
    why: BTreeMap<FileId, (String, Vec<FileId>)>,
}

impl Unrun {
    /// Notes that a file was checked with a schema.
    fn note(&mut self, state: &State, file: &File, schema: &SchemaState) {
        let Unrun { checked, failed, why } = self;
        let failed = failed.entry(schema.stamp).or_insert_with(|| {
            let others = schema.files.iter().filter(|file| !checked.contains(file));
            let failed = others.filter_map(|other| {
                let evaluated = state.evaluations.of(state.file(*other)?)?;
                let message = evaluated.error.as_ref()?.error.message.clone();
                why.entry(*other).or_insert_with(|| (message, Vec::new()));
                Some(*other)
            });
            failed.collect()
        });
        for other in failed {
            why.entry(*other).and_modify(|(_, files)| files.push(file.id));
        }
    }

    fn unchecked(self, state: &State) -> impl Iterator<Item = Unchecked> {
        self.why.into_iter().filter_map(|(schema, (why, files))| {
            let schema = state.shown(&state.file(schema)?.path);
            let message = format!("the schema `{schema}` is used without what its code could not give: {why}");
            Some(Unchecked { files, code_failed: true, ..Unchecked::new(schema, message) })
        })
    }
}

/// Findings about schemas that checked files need from bundles, at the entries of the bundles in checked files.
pub(crate) fn at_entries(state: &State, files: &[FileId]) -> Vec<(FileId, Diagnostic)> {
    let is_configuration = |id: &FileId| state.file(*id).is_some_and(|file| file.is_configuration());
    let configs: BTreeSet<FileId> = files.iter().copied().filter(is_configuration).collect();
    let (mut found, mut places) = (Vec::new(), FxHashSet::default());
    if configs.is_empty() {
        return found;
    }
    for file in files.iter().filter_map(|id| state.file(*id)) {
        for finding in lost_in_bundles(state, file) {
            if configs.contains(&finding.span.file) && places.insert(finding.span) {
                found.push((finding.span.file, finding));
            }
        }
    }
    found
}

//! What a check compared with what, and what it was asked for and could not compare.

use crate::association::associate::associate;
use crate::association::catalogue;
use crate::association::naming::NamedBy;
use crate::association::no_data::NoData;
use crate::association::reason::Reason;
use crate::state::State;
use lofting_check::Severity;
use lofting_document::FileId;
use std::collections::{BTreeMap, BTreeSet};

/// How many files were checked with what.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    /// The schemas, as they are named, each with the number of its files.
    pub with: BTreeMap<String, usize>,
    /// The reasons why files have no schema, in words for a list.
    pub without: BTreeMap<&'static str, usize>,
}

impl Coverage {
    /// Of these files. Looks only at what the check has found out already.
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
                    with("the schemas of what their documents say they are");
                    continue;
                }
                Reason::Named { problem: Some(_), .. } | Reason::ModelineBroken { .. } => "their schema cannot be read",
                Reason::NoData(NoData::Template { .. } | NoData::OfChart) => "templates of Helm, Jinja or the like",
                Reason::NoData(NoData::Patch { .. } | NoData::Instructions) => "patches",
                Reason::Template | Reason::Input => "templates of ytt",
                Reason::Manifest => "Kubernetes manifests of kinds whose schemas are not known",
                Reason::HelmChart => "values of a Helm chart",
                Reason::Configuration | Reason::IsSchema => continue,
                _ => "nothing names one",
            };
            *coverage.without.entry(why).or_default() += 1;
        }
        coverage
    }
}

/// How many sentences there are at most, so that a list of them can be read.
const SENTENCES: usize = 20;

/// What was asked for and could not be checked: sentences without a full stop. What a file or a `lofting.toml` names has
/// a finding there, and is not repeated.
pub(crate) fn unchecked(state: &State, files: &[FileId]) -> Vec<String> {
    let mut lost: BTreeMap<(String, String), usize> = BTreeMap::new();
    for file in files.iter().filter_map(|id| state.file(*id)).filter(|file| file.exists()) {
        if let Reason::Named { by, schema, problem: Some(problem) } = &associate(state, file).reason
            && matches!(by, NamedBy::Setting { .. } | NamedBy::Catalogue { .. })
        {
            *lost.entry((schema.clone(), problem.clone())).or_default() += 1;
        }
    }
    let files_of = |count: usize| if count == 1 { "1 file is".to_owned() } else { format!("{count} files are") };
    let lost = lost
        .into_iter()
        .map(|((schema, problem), count)| format!("{} not checked with `{schema}`: {problem}", files_of(count)));
    let refused = state.fetched.refused().map(|(url, why)| format!("`{url}` is not read: {why}"));
    let checked: BTreeSet<FileId> = files.iter().copied().collect();
    let incomplete = state.shared.linked.values().into_iter().filter(|schema| !checked.contains(&schema.file));
    let incomplete = incomplete.filter_map(|schema| {
        let is_told = |severity| matches!(severity, Severity::Error | Severity::Warning);
        let finding = schema.findings.iter().find(|finding| is_told(finding.severity))?;
        let path = state.shown(&state.file(schema.file)?.path);
        Some(format!("the schema `{path}` is used without its faulty parts: {}", finding.message))
    });
    let mut told: Vec<String> = catalogue::problem(state).into_iter().chain(lost).collect();
    told.extend(refused.chain(incomplete).collect::<BTreeSet<String>>());
    let more = told.len().saturating_sub(SENTENCES);
    told.truncate(SENTENCES);
    told.extend((more > 0).then(|| format!("{more} more schemas could not be read")));
    told
}

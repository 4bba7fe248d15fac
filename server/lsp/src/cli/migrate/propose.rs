//! A plan to begin with, from what changed in a schema.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use lofting_diff::{Change, Kind, Language};
use lofting_migration::{Proposal, proposed, split};
use lofting_workspace::{normalise, read_text};

use crate::cli::could_not_run;
use crate::revision::Revision;
use crate::terminal;

/// Prints what moved in a schema since a revision.
pub(super) fn run(schema: &str, revision: &str) -> anyhow::Result<ExitCode> {
    let here = std::env::current_dir().context("no current directory")?;
    let revision = Revision::named(&here, revision)?;
    let new = read_text(Path::new(schema)).with_context(|| schema.to_owned())?;
    let below = revision.below(&here, &normalise(&here, Path::new(schema)));
    let entry = below.and_then(|below| revision.tree.get(&below));
    let entry = entry.with_context(|| format!("{schema}: {} does not have this file", revision.name))?;
    let old = revision.tree.bytes(entry)?;
    let old =
        String::from_utf8(old).ok().with_context(|| format!("{schema}: in {} it is not UTF-8 text", revision.name))?;
    let language = Language::of(&new).with_context(|| format!("{schema}: this does not look like a schema"))?;
    if !matches!(language, Language::Ytt | Language::JsonSchema) {
        bail!("{schema}: only values of ytt and of JSON Schema are migrated");
    }
    let compared = lofting_diff::compare(language, &old, &new).with_context(|| schema.to_owned())?;
    // Values in schemas of ytt are defaults.
    let is_ytt = language == Language::Ytt;
    let is_added = |change: &&Change| matches!(change.kind, Kind::AddedOptional | Kind::AddedRequired);
    let added: Vec<String> = compared.changes.iter().filter(is_added).map(|change| change.path.to_string()).collect();
    let splits = |change: &Change| {
        let may_be = is_ytt && matches!(change.kind, Kind::Removed | Kind::RenamedTo | Kind::TypeChanged);
        may_be.then(|| split(&old, &new, language.profile(), &change.path.to_string(), &added)).flatten()
    };
    let proposals: Vec<Proposal> =
        compared.changes.iter().filter_map(|change| splits(change).or_else(|| proposal(change))).collect();
    let text = proposed(schema, &proposals, is_ytt.then_some((old.as_str(), language.profile())));
    Ok(terminal::print_data(&text).map_or_else(could_not_run, |()| ExitCode::SUCCESS))
}

fn proposal(change: &Change) -> Option<Proposal> {
    let path = change.path.to_string();
    match (change.kind, &change.renamed) {
        (Kind::Removed | Kind::RenamedTo, Some(renamed)) => {
            Some(Proposal::Moved { from: path, to: renamed.to.to_string(), certainty: renamed.certainty })
        }
        (Kind::Removed, None) => Some(Proposal::Removed { path }),
        (Kind::EnumValueRemoved, _) => Some(Proposal::Values { path, gone: change.values.clone() }),
        _ => None,
    }
}

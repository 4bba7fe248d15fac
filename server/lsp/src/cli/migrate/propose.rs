//! A plan to begin with, from what changed in a schema.

use std::process::ExitCode;

use anyhow::{Context, bail};
use lofting_diff::{Language, compare};
use lofting_workspace::{normalise, read_text};

use crate::cli::could_not_run;
use crate::proposal;
use crate::revision::Revision;
use crate::terminal;

/// Prints what moved in a schema since a revision.
pub(super) fn run(schema: &str, revision: &str) -> anyhow::Result<ExitCode> {
    let here = std::env::current_dir().context("no current directory")?;
    let revision = Revision::named(&here, revision)?;
    let new = read_text(schema.as_ref()).with_context(|| schema.to_owned())?;
    let below = revision.below(&here, &normalise(&here, schema.as_ref()));
    let entry = below.and_then(|below| revision.tree.get(&below));
    let entry = entry.with_context(|| format!("{schema}: {} does not have this file", revision.name))?;
    let old = revision.tree.bytes(entry)?;
    let old =
        String::from_utf8(old).ok().with_context(|| format!("{schema}: in {} it is not UTF-8 text", revision.name))?;
    let language = Language::of(&new).with_context(|| format!("{schema}: this does not look like a schema"))?;
    if !matches!(language, Language::Ytt | Language::JsonSchema) {
        bail!("{schema}: only values of ytt and of JSON Schema are migrated");
    }
    let compared = compare(language, &old, &new).with_context(|| schema.to_owned())?;
    let plan = proposal::plan(schema, &compared, &old, &new);
    Ok(terminal::print_data(&plan).map_or_else(could_not_run, |()| ExitCode::SUCCESS))
}

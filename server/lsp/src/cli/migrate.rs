//! `lofting migrate`: applies moves of keys, which a plan lists, to the values of a schema.

mod propose;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use lofting_migration::{Plan, migrated};
use lofting_workspace::{CheckReport, FileKind, normalise, read_text};

use super::folder::FolderArguments;
use super::patch::patch;
use super::stop::Stop;
use crate::rewrite::rewrite_all;
use crate::terminal::{self, line};

/// Arguments of `lofting migrate`.
#[derive(Args)]
#[command(after_help = super::examples::MIGRATE)]
pub(crate) struct Arguments {
    /// The file with the moves; with --propose, the schema.
    #[arg(value_name = "FILE")]
    plan: String,
    /// Write nothing; print the changes as a patch. The exit code is 1 if there are any.
    #[arg(long)]
    diff: bool,
    /// Write nothing; list the files that would change. The exit code is 1 if there are any.
    #[arg(long)]
    check: bool,
    /// Write nothing; print a plan to begin with: what moved in the schema since the revision of --against.
    #[arg(long, requires = "against", conflicts_with_all = ["diff", "check"])]
    propose: bool,
    /// With --propose: the revision of git to compare with, such as origin/main.
    #[arg(long, value_name = "REV", requires = "propose")]
    against: Option<String>,
    #[command(flatten)]
    folder: FolderArguments,
    /// Files or directories whose values are migrated; the current directory if none is given.
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
}

/// A file with its text before and after.
struct Changed {
    path: PathBuf,
    shown: String,
    before: String,
    after: String,
}

/// Migrates, or shows what would be done.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let done = match &arguments.against {
        Some(revision) => propose::run(&arguments.plan, revision),
        None => run_plan(arguments),
    };
    done.unwrap_or_else(|stop| super::could_not_run(stop.0))
}

fn run_plan(arguments: &Arguments) -> Result<ExitCode, Stop> {
    let here = std::env::current_dir().map_err(|error| format!("no current directory: {error}"))?;
    let name = &arguments.plan;
    let text = read_text(Path::new(name)).map_err(|problem| format!("{name}: {problem}"))?;
    let plan = Plan::read(&text).map_err(|wrong| format!("{name}: {wrong}"))?;
    let folder = normalise(&here, Path::new(name)).parent().unwrap_or(&here).to_owned();
    let schema = normalise(&folder, Path::new(&plan.schema));
    let checker = arguments.folder.checker(&here)?;
    let report = checker.check(&here, &arguments.paths, checker.outside())?;
    let changed = changed(&report, &schema, &plan)?;
    if arguments.diff {
        for Changed { shown, before, after, .. } in &changed {
            terminal::print_patch(&patch(shown, before, after))?;
        }
    } else {
        if !arguments.check {
            let changes = changed.iter().map(|file| (file.path.as_path(), &*file.before, &*file.after));
            rewrite_all(changes)
                .map_err(|(path, why)| format!("{}: {why}; nothing was changed", line(&path.to_string_lossy())))?;
        }
        let list: String = changed.iter().map(|file| format!("{}\n", file.shown)).collect();
        terminal::print(&list)?;
    }
    let is_shown = arguments.diff || arguments.check;
    Ok(if is_shown && !changed.is_empty() { ExitCode::from(super::ERRORS_FOUND) } else { ExitCode::SUCCESS })
}

/// The values of the schema with their new texts. If one of them is refused, nothing is changed.
fn changed(report: &CheckReport, schema: &Path, plan: &Plan) -> Result<Vec<Changed>, Stop> {
    let snapshot = &report.snapshot;
    let id = snapshot.file(schema).ok_or_else(|| format!("{}: there is no such schema here", schema.display()))?;
    let (mut changed, mut refused) = (Vec::new(), Vec::new());
    for checked in &report.files {
        let association = snapshot.association(checked.file);
        let by_set = association.schemas().map(|schema| schema.state.files.contains(&id));
        // Parts of documents have paths of their own.
        let parts = snapshot.governed(checked.file);
        let governed: Vec<bool> =
            by_set.chain(parts.iter().map(|part| part.reason.file == id && part.at.is_empty())).collect();
        let is_code = matches!(
            snapshot.kind(checked.file),
            FileKind::Schema | FileKind::Template | FileKind::Library | FileKind::Configuration
        );
        if checked.file == id || is_code || !governed.contains(&true) {
            continue;
        }
        let before = snapshot.text(checked.file).to_string();
        let after = match migrated(&before, snapshot.profile(checked.file), &plan.moves) {
            Ok(after) if after == before => continue,
            Ok(_) if governed.contains(&false) => Err("another schema governs it as well".to_owned()),
            Ok(after) => Ok(after),
            Err(refusal) => Err(refusal.to_string()),
        };
        let (path, shown) = (snapshot.path(checked.file).to_owned(), checked.shown.clone());
        match after {
            Ok(after) => changed.push(Changed { path, shown, before, after }),
            Err(why) => refused.push(format!("{shown}: {why}")),
        }
    }
    if refused.is_empty() { Ok(changed) } else { Err(Stop(refused.join("\n") + "\nnothing was changed")) }
}

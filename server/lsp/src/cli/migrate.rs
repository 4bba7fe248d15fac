//! `lofting migrate`: applies moves of keys, which a plan lists, to the values of a schema and to what reads them.

mod propose;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use lofting_document::FileId;
use lofting_ide::{Migration, OutsideEdit, migration};
use lofting_migration::Plan;
use lofting_workspace::{CheckReport, normalise, read_text};

use super::folder::FolderArguments;
use super::patch::patch;
use crate::rewrite::rewrite_all;
use crate::terminal;

// Arguments of `lofting migrate`.
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
    /// Files or directories in which values, templates and commands are migrated; the current directory if none is given.
    #[arg(value_name = "PATH", help_heading = None)]
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
    done.unwrap_or_else(super::could_not_run)
}

fn run_plan(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let here = std::env::current_dir().context("no current directory")?;
    let name = &arguments.plan;
    let text = read_text(Path::new(name)).with_context(|| name.clone())?;
    let plan = Plan::read(&text).with_context(|| name.clone())?;
    let folder = normalise(&here, Path::new(name)).parent().unwrap_or(&here).to_owned();
    let schema = normalise(&folder, Path::new(&plan.schema));
    let checker = arguments.folder.checker(&here)?;
    let report = checker.check(&here, &arguments.paths, checker.outside())?;
    let id = report.snapshot.file(&schema);
    let id = id.with_context(|| format!("{}: there is no such schema here", schema.display()))?;
    let mut asked: Vec<PathBuf> = arguments.paths.iter().map(|path| normalise(&here, Path::new(path))).collect();
    if asked.is_empty() {
        asked.push(here.clone());
    }
    let is_asked = |path: &Path| asked.iter().any(|asked| path.starts_with(asked));
    let migration = migration(&report.snapshot, id, &plan.moves, &is_asked);
    let shown = |file: FileId| report.names.get(&file).cloned().unwrap_or_else(|| report.snapshot.shown_path(file));
    if !migration.refused.is_empty() {
        let refused: Vec<String> =
            migration.refused.iter().map(|(file, why)| format!("{}: {why}", shown(*file))).collect();
        bail!("{}\nnothing was changed", refused.join("\n"));
    }
    let changed = changed(&report, &here, &migration, &shown)?;
    if arguments.diff {
        for Changed { shown, before, after, .. } in &changed {
            terminal::print_patch(&patch(shown, before, after))?;
        }
    } else {
        if !arguments.check {
            let changes = changed.iter().map(|file| (file.path.as_path(), &*file.before, &*file.after));
            rewrite_all(changes).map_err(|why| anyhow!("{why}; nothing was changed"))?;
        }
        let list: String = changed.iter().map(|file| format!("{}\n", file.shown)).collect();
        terminal::print(&list)?;
    }
    for left in &migration.left {
        terminal::say(&match left.span {
            Some(span) => {
                let line = report.snapshot.text(span.file).line_of(span.range().start) + 1;
                format!("{}:{line}: {}", shown(span.file), left.words)
            }
            None => left.words.clone(),
        });
    }
    let is_shown = arguments.diff || arguments.check;
    let is_left = migration.left.iter().any(|left| left.has_to_change);
    let is_done = !is_left && (!is_shown || changed.is_empty());
    Ok(if is_done { ExitCode::SUCCESS } else { ExitCode::from(super::ERRORS_FOUND) })
}

/// All files with their new texts, by name.
fn changed(
    report: &CheckReport,
    here: &Path,
    migration: &Migration,
    shown: &dyn Fn(FileId) -> String,
) -> anyhow::Result<Vec<Changed>> {
    let snapshot = &report.snapshot;
    let new = migration.changed.iter().map(|(file, after)| Changed {
        path: snapshot.path(*file).to_owned(),
        shown: shown(*file),
        before: snapshot.text(*file).to_string(),
        after: after.clone(),
    });
    let mut changed: Vec<Changed> = new.collect();
    let mut scripts: BTreeMap<&Path, Vec<&OutsideEdit>> = BTreeMap::new();
    for edit in &migration.outside {
        scripts.entry(&edit.path).or_default().push(edit);
    }
    for (path, mut edits) in scripts {
        if changed.iter().any(|file| file.path == *path) {
            bail!("{}: it has commands and values: change one of them first", path.display());
        }
        edits.sort_by_key(|edit| edit.range.start);
        let before = edits.first().map(|edit| edit.text.to_string()).unwrap_or_default();
        let after = with_edits(&before, &edits);
        let after = after.with_context(|| format!("{}: it was changed meanwhile", path.display()))?;
        let shown = path.strip_prefix(here).unwrap_or(path).to_string_lossy().into_owned();
        changed.push(Changed { path: path.to_owned(), shown, before, after });
    }
    changed.sort_by(|one, other| one.shown.cmp(&other.shown));
    Ok(changed)
}

/// The text with edits in their order; None if they are of another text.
fn with_edits(text: &str, edits: &[&OutsideEdit]) -> Option<String> {
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for edit in edits {
        out.push_str(text.get(at..edit.range.start)?);
        out.push_str(&edit.new);
        at = edit.range.end;
    }
    out.push_str(text.get(at..)?);
    Some(out)
}

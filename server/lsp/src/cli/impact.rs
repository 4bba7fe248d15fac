//! `lofting impact`: what a change of a schema, or of anything else, does to all files of a repository.

mod causes;
mod output_report;
mod rendered;
mod report;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, ValueEnum};
use lofting_check::{Diagnostic, Severity};
use lofting_workspace::{CheckReport, Outside, StoredFolder, normalise};

use super::folder::FolderArguments;
use super::shard::Shard;
use crate::revision::Revision;
use crate::terminal;
use causes::{Causes, Group};
use rendered::{Bounds, Rendered};

#[cfg(test)]
pub(crate) use report::ImpactAnswer;

// Arguments of `lofting impact`.
#[derive(Args)]
#[command(after_help = super::examples::IMPACT)]
pub(crate) struct Arguments {
    /// The revision of git to compare with, such as origin/main or HEAD~1. With `...` after it, the last commit that it and
    /// the current one have in common.
    #[arg(long, value_name = "REV")]
    against: String,
    /// The output format.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Which new findings make the exit code 1.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = FailOn::Errors)]
    fail_on: FailOn,
    /// Also compare what the input sets render, and show how their output differs.
    #[arg(long)]
    rendered: bool,
    /// Look only at one part of the files and input sets, such as 3/16: the third of sixteen parts of about the same size.
    #[arg(long, value_name = "N/M")]
    shard: Option<Shard>,
    #[command(flatten)]
    folder: FolderArguments,
    /// Files or directories to check; the current directory if none is given.
    #[arg(value_name = "PATH", help_heading = None)]
    paths: Vec<String>,
}

/// The output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Lines for people, grouped by cause.
    Text,
    /// One JSON object.
    Json,
    /// For a comment on a pull request.
    #[value(name = "markdown")]
    Lists,
}

/// Which new findings make the exit code 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// Errors.
    Errors,
    /// Errors and warnings.
    Warnings,
    /// None.
    Never,
}

impl FailOn {
    fn fails(self, finding: &Diagnostic) -> bool {
        match self {
            FailOn::Errors => finding.severity == Severity::Error,
            FailOn::Warnings => matches!(finding.severity, Severity::Error | Severity::Warning),
            FailOn::Never => false,
        }
    }
}

/// Two states of the same files.
struct Impact {
    revision: Revision,
    new: CheckReport,
    /// What the revision does not have, in order.
    groups: Vec<Group>,
    /// What input sets render differently, if that was requested.
    rendered: Option<Rendered>,
}

/// Compares, and prints what is new.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let impact = match impact(arguments) {
        Ok(impact) => impact,
        Err(error) => return super::could_not_run(error),
    };
    let printed = match arguments.format {
        Format::Text => terminal::print(&impact.text()),
        Format::Json => terminal::print_data(&impact.json()),
        Format::Lists => terminal::print(&impact.lists()),
    };
    if let Err(error) = printed {
        return super::could_not_run(error);
    }
    // Keys that may go were announced.
    let unannounced = impact.groups.iter().filter(|group| !group.cause.is_announced());
    let stopped = impact.rendered.iter().flat_map(Rendered::errors);
    let fails =
        unannounced.flat_map(|group| &group.findings).chain(stopped).any(|found| arguments.fail_on.fails(found));
    let incomplete = impact.new.is_incomplete();
    // The process ends here; dropping two large workspaces first would only cost time.
    std::mem::forget(impact);
    match (fails, incomplete) {
        (true, _) => ExitCode::from(super::ERRORS_FOUND),
        // What was not evaluated may be what the change breaks.
        (false, true) if arguments.fail_on != FailOn::Never => {
            super::could_not_run("some code could not be evaluated; what depends on it was not compared")
        }
        (false, _) => ExitCode::SUCCESS,
    }
}

fn impact(arguments: &Arguments) -> anyhow::Result<Impact> {
    let here = std::env::current_dir().context("no current directory")?;
    let revision = Revision::named(&here, &arguments.against)?;
    let checker = arguments.folder.checker(&here)?;
    let check = |paths: &[String], stored: Option<StoredFolder>, only: &dyn Fn(&str) -> bool| {
        // Of the working tree, only what the difference can touch; what was there before is asked for by its name.
        let since = stored.is_none().then(|| revision.stored(&here));
        let (only_touched, all_inputs) = (true, arguments.rendered);
        let only = Some(only);
        // What is new may be among those that are usually cut.
        let most = usize::MAX;
        checker.check(
            &here,
            paths,
            Outside { stored, since, only_touched, only, all_inputs, most, ..checker.outside() },
        )
    };
    let of_shard = |name: &str| arguments.shard.is_none_or(|shard| shard.has(name));
    let mut new = check(&arguments.paths, None, &of_shard)?;
    let earlier = if arguments.rendered {
        revision.checked(&here, &arguments.paths, &new.files_with_findings(), check)?
    } else {
        revision.earlier(&here, &arguments.paths, &mut new, check)?
    };
    let is_new = match &earlier {
        Some(earlier) => new.is_new(earlier),
        None => vec![true; new.diagnostics().count()],
    };
    let found: Vec<Diagnostic> =
        new.diagnostics().zip(is_new).filter(|(_, is_new)| *is_new).map(|(finding, _)| finding.clone()).collect();
    let mut causes = Causes::new(&revision, &here, &new);
    let groups = causes.groups(found);
    let rendered = arguments.rendered.then(|| {
        let below = arguments.below(&here);
        let is_asked = |title: &str, files: &mut dyn Iterator<Item = &Path>| {
            let mut files = files;
            of_shard(title) && Iterator::any(&mut files, |file| below.iter().any(|path| file.starts_with(path)))
        };
        let mut rendered = Rendered::new(Bounds::of(arguments.format));
        lofting_workspace::other_outputs(&new, earlier.as_ref(), &is_asked, &mut |output| {
            rendered.add(output, &mut causes);
        });
        rendered
    });
    std::mem::forget(earlier);
    Ok(Impact { revision, new, groups, rendered })
}

impl Arguments {
    /// The paths that were given, or the current directory.
    fn below(&self, here: &Path) -> Vec<PathBuf> {
        match self.paths.as_slice() {
            [] => vec![here.to_owned()],
            paths => paths.iter().map(|path| normalise(here, Path::new(path))).collect(),
        }
    }
}

impl Impact {
    fn findings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.groups.iter().flat_map(|group| &group.findings)
    }
}

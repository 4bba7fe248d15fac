//! `lofting check`.

mod fix;
mod output;
mod progress;

pub(in crate::cli) use output::standard_input;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use lofting_check::{LIMIT, rules};
use lofting_eval::Evaluator;
use lofting_workspace::inputs::InputSet;
use lofting_workspace::{
    CancelFlag, CheckReport, CheckStep, Fetch, GivenSchema, Outside, Progress, StoredFolder, Unchecked,
};

use super::asked::{EncodingName, settings};
use super::input::InputArguments;
use super::shard::Shard;
use super::watch::{WhatWasRead, watch};
use crate::fetching::FetchArguments;
use crate::report::Format;
use crate::revision::Revision;
use crate::terminal;
use crate::trust::TrustArguments;
use progress::ProgressLine;

// Arguments of `lofting check`.
#[derive(Args)]
#[command(after_help = super::examples::CHECK)]
pub(crate) struct Arguments {
    /// How to report.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Also write a report in another format to a file; may be repeated.
    #[arg(long, value_name = "FORMAT=FILE", value_parser = output::named)]
    output: Vec<(Format, PathBuf)>,
    /// Print findings only: no summary, and no notes about the check.
    #[arg(short, long)]
    quiet: bool,
    /// Print how often each rule was found instead of the findings.
    #[arg(long, conflicts_with = "format")]
    statistics: bool,
    /// Report no more than this many findings; the exit code and the counts are those of all.
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    max_findings: usize,
    /// Report only findings that are not in this file, which `--format json` wrote earlier.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Report only findings that this revision of git does not have, such as origin/main or HEAD~1. With `...` after it,
    /// the last commit that it and the current one have in common.
    #[arg(long, value_name = "REV", conflicts_with_all = ["files", "schema", "language", "fix", "stdin_filename"])]
    since: Option<String>,
    /// Check only one part of the files, such as 3/16: the third of sixteen parts of about the same size.
    #[arg(long, value_name = "N/M", conflicts_with_all = ["files", "schema", "language", "fix", "stdin_filename", "render"])]
    shard: Option<Shard>,
    /// With the path `-`: the name of the file whose text is on standard input. It decides schema and language; nothing has
    /// to be there.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fix", "files"])]
    stdin_filename: Option<String>,
    /// What columns of the formats json and json-lines count.
    #[arg(long, value_name = "ENCODING", value_enum, default_value_t = EncodingName::Utf32)]
    position_encoding: EncodingName,
    /// When to use colours.
    #[arg(long, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    color: Colour,
    /// Also render the templates of the input set with the final data values, libraries and overlays, as ytt does
    /// without `--data-values-inspect`. Without ytt's input flags: of all input sets in the workspace, from
    /// lofting.toml and from ytt commands.
    #[arg(long)]
    render: bool,
    /// Apply all fixes that are sure to the checked files as `lofting fix` does, and report what is left.
    /// A file that cannot be written is left as it is.
    #[arg(long)]
    fix: bool,
    /// With --fix: also apply fixes that are likely but not certain.
    #[arg(long, requires = "fix")]
    r#unsafe: bool,
    /// With --fix: print the changes as a patch and write nothing. The exit code is 1 if there are any.
    #[arg(long, requires = "fix")]
    diff: bool,
    /// Check again whenever a file has changed, until interrupted. `lofting: waiting for changes` on stderr follows each
    /// report.
    #[arg(long, conflicts_with_all = ["fix", "stdin_filename", "output"])]
    watch: bool,
    /// Treat code that was not evaluated to its end as an error: what depends on it was not checked.
    #[arg(long)]
    strict_evaluation: bool,
    /// The files are schemas in this language, or values for one (`json-schema`, `openchoreo`), even if nothing in them
    /// says so. With `--schema` alone: `json-schema`.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["render", "files"])]
    language: Option<String>,
    /// The schema that the files have to fit, a file or a URL, in the language of `--language`.
    #[arg(long, value_name = "FILE|URL", conflicts_with_all = ["render", "files"])]
    schema: Option<String>,
    #[command(flatten)]
    trust: TrustArguments,
    #[command(flatten)]
    fetch: FetchArguments,
    #[command(flatten)]
    inputs: InputArguments,
    /// Files or directories to check; the current directory if none is given.
    #[arg(value_name = "PATH", help_heading = None)]
    paths: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Colour {
    /// On terminals, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Checks, and reports the findings.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    if arguments.watch {
        if arguments.paths.iter().any(|path| path.as_os_str() == "-") {
            return super::could_not_run("standard input cannot be watched");
        }
        return watch(|| {
            terminal::clear();
            let (code, report) = check_once(arguments);
            (code, report.map(|report| what_was_read(arguments, &report)))
        });
    }
    let mut is_one_left = false;
    if arguments.fix {
        match fix::run(arguments) {
            Ok(fix::FixOutcome::Written { is_one_left: left }) => is_one_left = left,
            Ok(fix::FixOutcome::Shown { differs: false }) => return ExitCode::SUCCESS,
            Ok(fix::FixOutcome::Shown { differs: true }) => return ExitCode::from(super::ERRORS_FOUND),
            Err(why) => return super::could_not_run(why),
        }
    }
    let (code, report) = check_once(arguments);
    // The process ends here; dropping a large workspace first would only cost time.
    std::mem::forget(report);
    // What should have been fixed may be no error.
    if is_one_left && code == ExitCode::SUCCESS { ExitCode::from(super::COULD_NOT_RUN) } else { code }
}

fn what_was_read(arguments: &Arguments, report: &CheckReport) -> WhatWasRead {
    let mut read = WhatWasRead::of(&report.snapshot, None);
    let here = std::env::current_dir().unwrap_or_default();
    read.files.extend(arguments.baseline.iter().map(|path| lofting_workspace::normalise(&here, path)));
    read
}

/// Checks, and reports the findings; returns the report as well, unless the work could not be done.
fn check_once(arguments: &Arguments) -> (ExitCode, Option<CheckReport>) {
    match check(arguments) {
        Ok(mut report) => (report_findings(arguments, &mut report), Some(report)),
        Err(why) => (super::could_not_run(why), None),
    }
}

fn report_findings(arguments: &Arguments, report: &mut CheckReport) -> ExitCode {
    if arguments.strict_evaluation {
        report.raise(&rules::NOT_EVALUATED);
    }
    if report.files.is_empty() {
        report.messages.push(nothing_checked(report));
    } else if report.coverage.is_only_syntax() {
        report.messages.push(without_schemas(report));
    }
    if let Some(baseline) = &arguments.baseline
        && let Err(why) = output::without_known(report, baseline)
    {
        return super::could_not_run(why);
    }
    if !is_baseline(arguments) {
        report.limit();
    }
    let unreadable = report.count_of(&rules::UNREADABLE_FILE);
    let lacks = is_strict(arguments) && (!report.unchecked.is_empty() || report.count_of(&rules::SCHEMA_NOT_READ) > 0);
    // The reason why a check fails is printed even if only findings are wanted.
    if !arguments.quiet || lacks {
        say_unchecked(&report.unchecked);
    }
    if !arguments.quiet {
        for message in &report.messages {
            terminal::say(&format!("lofting: {}", terminal::lines(message)));
        }
    }
    if let Err(why) = output::write(arguments, report, !lacks) {
        return super::could_not_run(why);
    }
    if unreadable > 0 {
        let files = if unreadable == 1 { "1 file".to_owned() } else { format!("{unreadable} files") };
        let others = if report.files.len() > unreadable { "; the others were checked" } else { "" };
        terminal::say(&format!("lofting: {files} could not be read{others}"));
    }
    let ok = report.is_ok() && !lacks;
    let incomplete = report.is_incomplete();
    if ok && incomplete {
        terminal::say("lofting: some code could not be evaluated; what depends on it was not checked");
    }
    match (unreadable, ok) {
        (1.., _) => ExitCode::from(super::COULD_NOT_RUN),
        (0, true) if incomplete => ExitCode::from(super::COULD_NOT_RUN),
        (0, true) => ExitCode::SUCCESS,
        (0, false) => ExitCode::from(super::ERRORS_FOUND),
    }
}

/// How many sentences there are at most, so that a list of them can be read.
const SENTENCES: usize = 20;

fn say_unchecked(unchecked: &[Unchecked]) {
    for Unchecked { message, .. } in unchecked.iter().take(SENTENCES) {
        terminal::say(&format!("lofting: not checked: {}", terminal::lines(message)));
    }
    let more = unchecked.len().saturating_sub(SENTENCES);
    if more > 0 {
        terminal::say(&format!("lofting: not checked: {more} more schemas could not be read"));
    }
}

/// Why nothing was checked, and how to continue.
fn nothing_checked(report: &CheckReport) -> String {
    let seen = match report.coverage.templates {
        0 => return "nothing was checked: no YAML files were found".to_owned(),
        1 => "the only YAML file is a template".to_owned(),
        count => format!("all {count} YAML files are templates"),
    };
    format!(
        "nothing was checked: {seen} of Helm, Jinja or the like. Check what they render: \
         `helm template CHART | lofting check - --stdin-filename rendered.yaml`"
    )
}

/// Why no file was compared with a schema, and how to continue.
fn without_schemas(report: &CheckReport) -> String {
    let counted = report.coverage.without.iter().map(|(why, count)| format!("{count}: {why}"));
    let reasons = counted.collect::<Vec<_>>().join(", ");
    format!(
        "no file has a schema ({reasons}), so only their YAML was checked. `lofting explain FILE` says why; a schema is named \
         in the file (`# yaml-language-server: $schema=FILE`), in lofting.toml (`[[schemas]]`) or with `--schema FILE`"
    )
}

impl Arguments {
    /// The formats of the report: of what is printed, and of the files that were named.
    fn formats(&self) -> impl Iterator<Item = Format> {
        std::iter::once(self.format).chain(self.output.iter().map(|(format, _)| *format))
    }
}

/// Whether `--strict` is about what cannot be checked. Together with other input flags it is ytt's.
fn is_strict(arguments: &Arguments) -> bool {
    let mut flags = arguments.inputs.to_flags();
    flags.options.strict = false;
    arguments.inputs.strict && flags.is_empty()
}

/// Whether all findings are made, because they are compared with others, now or later: what is new may be among those that are
/// usually cut.
fn is_compared(arguments: &Arguments) -> bool {
    arguments.baseline.is_some() || arguments.since.is_some() || is_baseline(arguments)
}

/// Whether the report is one that later ones may be compared with.
fn is_baseline(arguments: &Arguments) -> bool {
    arguments.formats().any(|format| format == Format::Json)
}

fn coloured(colour: Colour) -> bool {
    match colour {
        Colour::Always => true,
        Colour::Never => false,
        // https://no-color.org: present and not empty.
        Colour::Auto => {
            std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        }
    }
}

fn check(arguments: &Arguments) -> anyhow::Result<CheckReport> {
    let here = std::env::current_dir().context("no current directory")?;
    arguments.inputs.refused()?;
    let mut flags = arguments.inputs.to_flags();
    flags.options.strict &= !is_strict(arguments);
    let mut paths: Vec<_> = arguments.paths.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    let unsaved = output::standard_input(arguments.stdin_filename.as_deref(), &mut paths)?;
    let settings = settings(&arguments.fetch, arguments.trust, &here)?;
    let fetcher = arguments.fetch.fetcher(arguments.schema.as_deref())?;
    let fetch = fetcher.as_ref().map(|fetcher| fetcher as &dyn Fetch);
    let most = if is_compared(arguments) { usize::MAX } else { LIMIT };
    if arguments.language.is_some() || arguments.schema.is_some() {
        let language = arguments.language.as_deref().unwrap_or("json-schema");
        let (schema, mirrors) = (arguments.schema.as_deref(), settings.mirrors.as_slice());
        let unsaved = unsaved.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
        let given = GivenSchema { language, schema, mirrors, fetch, unsaved, most };
        return Ok(lofting_workspace::check_given(&here, given, &paths)?);
    }
    let evaluator = arguments.inputs.evaluation.evaluator()?;
    let shown = (!arguments.quiet).then(ProgressLine::start).flatten();
    if flags.is_empty() {
        let unsaved = unsaved.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
        let say = |step| shown.iter().for_each(|shown| shown.say(step));
        let keeper = evaluator.keeper();
        let evaluator: Arc<dyn Evaluator> = evaluator.into();
        let shard = arguments.shard;
        let of_shard = |name: &str| shard.is_none_or(|shard| shard.has(name));
        let revision = arguments.since.as_ref().map(|name| Revision::named(&here, name)).transpose()?;
        let checked = |paths: &[String], stored: Option<StoredFolder>, only: &dyn Fn(&str) -> bool| {
            // What rendering finds is part of no earlier report that a check makes on the way.
            let since = revision.as_ref().filter(|_| stored.is_none() && !arguments.render);
            let since = since.map(|revision| revision.stored(&here));
            let (only, progress) = (Some(only), Some(&say as Progress<'_>));
            let keeper = keeper.clone();
            let outside =
                Outside { fetch, unsaved, progress, stored, since, only, keeper, most, ..evaluator.clone().into() };
            let (settings, cancel) = (settings.clone(), CancelFlag::new());
            if arguments.render {
                lofting_workspace::render_workspace(&here, paths, settings, outside, &cancel)
            } else {
                lofting_workspace::check_workspace(&here, paths, settings, outside, &cancel)
            }
        };
        let mut report = checked(&paths, None, &of_shard)?;
        if let Some(revision) = &revision
            && let Some(earlier) = revision.earlier(&here, &paths, &mut report, checked)?
        {
            report.without(&earlier);
        }
        return Ok(report);
    }
    if let Some(path) = arguments.paths.first() {
        bail!("{}: together with ytt's input flags, pass files with -f", path.display());
    }
    let inputs = InputSet::from_flags(&flags, &super::input::context(&flags, here)?)?;
    shown.iter().for_each(|shown| shown.say(CheckStep::Code));
    let evaluator: Arc<dyn Evaluator> = evaluator.into();
    let outside = Outside { fetch, ..evaluator.into() };
    Ok(if arguments.render {
        lofting_workspace::render_input_set(&inputs, settings, outside).report
    } else {
        lofting_workspace::check_input_set(&inputs, settings, outside)
    })
}

//! `lofting values`.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use lofting_check::{Severity, rules};
use lofting_document::{Span, write};
use lofting_workspace::inputs::InputSet;
use lofting_workspace::{Outcome, Settings};

use super::input::InputArguments;
use super::origins;
use super::printing::Printing;
use crate::report;
use crate::terminal;
use crate::trust::TrustArguments;

// Arguments of `lofting values`.
#[derive(Args)]
#[command(after_help = super::examples::VALUES)]
pub(crate) struct Arguments {
    /// The output format.
    #[arg(long, value_enum, default_value_t = Format::Yaml)]
    format: Format,
    /// Show the origin of every value: as a comment after it in YAML, as `origin` beside `values` in JSON.
    #[arg(long)]
    origin: bool,
    /// Write a values file for the schema instead: all keys with their defaults, and their descriptions as comments.
    #[arg(long, conflicts_with_all = ["origin", "format"])]
    skeleton: bool,
    #[command(flatten)]
    trust: TrustArguments,
    #[command(flatten)]
    inputs: InputArguments,
    /// The name of an input set in lofting.toml, or a file or directory that belongs to one.
    #[arg(help_heading = None, value_name = "SET|PATH")]
    target: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// As ytt prints it.
    Yaml,
    /// One line of JSON.
    Json,
}

/// Prints the final data values of an input set.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    if let Err(why) = arguments.inputs.refused() {
        return super::could_not_run(why);
    }
    let Ok(here) = std::env::current_dir() else { return super::could_not_run("there is no current directory") };
    let chosen = match (&arguments.target, arguments.inputs.to_flags().is_empty()) {
        (_, true) => of_set(arguments, &here),
        (None, false) => outcome(&arguments.inputs),
        (Some(target), false) => Err(anyhow!("{target}: together with ytt's input flags, pass files with -f")),
    };
    let outcome = match chosen {
        Ok(outcome) => outcome,
        Err(why) => return super::could_not_run(why),
    };
    for message in &outcome.report.messages {
        terminal::say(&format!("lofting: {}", terminal::lines(message)));
    }
    if outcome.report.count(Severity::Error) > 0 {
        terminal::say(report::text::render(&outcome.report, false).trim_end());
        return ExitCode::from(match outcome.report.count_of(&rules::UNREADABLE_FILE) {
            0 => super::ERRORS_FOUND,
            _ => super::COULD_NOT_RUN,
        });
    }
    // Values that were not evaluated must not look as if they had been.
    let incomplete = outcome.report.is_incomplete();
    if incomplete {
        terminal::say(report::text::render(&outcome.report, false).trim_end());
    }
    match print(arguments, &outcome) {
        code if incomplete && code == ExitCode::SUCCESS => super::could_not_run("some code could not be evaluated"),
        code => code,
    }
}

fn print(arguments: &Arguments, outcome: &Outcome) -> ExitCode {
    if arguments.skeleton {
        let schema = outcome.schema.as_ref().and_then(|state| lofting_ide::values_skeleton(&state.schema, "\n"));
        return match schema.map(|text| terminal::print_data(&text)) {
            Some(Ok(())) => ExitCode::SUCCESS,
            Some(Err(error)) => super::could_not_run(error),
            None => super::could_not_run("the inputs have no schema that declares keys"),
        };
    }
    let Some(values) = &outcome.values else {
        // ytt prints nothing if there is neither schema nor values.
        return ExitCode::SUCCESS;
    };
    if let Some(span) = values.first_unknown() {
        let place = place(outcome, span);
        let why = if outcome.report.is_incomplete() {
            "this value comes from code that could not be evaluated"
        } else {
            "so many default values are added that those from here on are not known"
        };
        return super::could_not_run(format!("{place}: {why}"));
    }
    let text = match (arguments.format, arguments.origin) {
        (Format::Yaml, false) => write::yaml_document(values),
        (Format::Yaml, true) => write::yaml_with_comments(values, &|node| Some(place(outcome, node.span))),
        (Format::Json, false) => write::to_json(values) + "\n",
        (Format::Json, true) => {
            let origins = origins::by_path(values, &|node| exact_place(outcome, node.span).into());
            format!("{{\"values\":{},\"origin\":{origins}}}\n", write::to_json(values))
        }
    };
    match terminal::print_data(&text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => super::could_not_run(error),
    }
}

/// Merges and checks an input set of the workspace.
fn of_set(arguments: &Arguments, here: &Path) -> anyhow::Result<Outcome> {
    let settings = Settings { trust: arguments.trust.trust(), ..Settings::default() };
    let evaluator = arguments.inputs.evaluation.evaluator()?;
    Ok(lofting_workspace::set_outcome(
        here,
        arguments.target.as_deref(),
        settings,
        Arc::new(Printing(evaluator.into())),
    )?)
}

/// Reads, merges and checks the inputs that the flags name.
pub(crate) fn outcome(arguments: &InputArguments) -> anyhow::Result<Outcome> {
    let here = std::env::current_dir().context("no current directory")?;
    arguments.refused()?;
    let flags = arguments.to_flags();
    if flags.is_empty() {
        bail!("pass the inputs with ytt's flags, such as -f config/");
    }
    let context = super::input::context(&flags, here)?;
    let inputs = InputSet::from_flags(&flags, &context)?;
    let evaluator = arguments.evaluation.evaluator()?;
    Ok(lofting_workspace::input_set_outcome(&inputs, Arc::new(Printing(evaluator.into()))))
}

/// `file:line` for people and for comments in YAML, on one line.
pub(crate) fn place(outcome: &Outcome, span: Span) -> String {
    terminal::line(&exact_place(outcome, span)).into_owned()
}

/// `file:line` with the file's name as it is.
fn exact_place(outcome: &Outcome, span: Span) -> String {
    let text = outcome.report.snapshot.text(span.file);
    let line = text.position(span.range().start, lofting_text::Encoding::Utf8).line + 1;
    format!("{}:{line}", outcome.report.name(span.file))
}

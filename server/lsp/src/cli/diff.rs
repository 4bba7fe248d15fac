//! `lofting diff`: what changed between two versions of a schema, and whom it breaks.

mod against;
mod lines;
mod page;
mod report;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use lofting_diff::{Compared, Language};
use lofting_workspace::read_text;

use crate::terminal;
use lines::ChangeLine;

pub(super) use report::{code as as_code, plain, subject};

// Arguments of `lofting diff`.
#[derive(Args)]
#[command(after_help = super::examples::DIFF)]
pub(crate) struct Arguments {
    /// The files with the old and the new version of the schema; with --against, the files or folders to compare.
    #[arg(value_name = "PATH", required_unless_present = "against")]
    paths: Vec<String>,
    /// Compare with a revision of git, such as origin/main or HEAD~1: all schemas in the current folder, or those that are
    /// named. With `...` after it, with the last commit that it and the current one have in common.
    #[arg(long, value_name = "REV")]
    against: Option<String>,
    /// The language of both files; by default the one that they look like.
    #[arg(long, value_enum)]
    language: Option<LanguageName>,
    /// The output format.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Which changes make the exit code 1.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = FailOn::Values)]
    fail_on: FailOn,
    /// Report changed descriptions as well.
    #[arg(long)]
    documentation: bool,
}

/// The languages that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LanguageName {
    /// Schemas of ytt's data values, also those of its design proposals.
    Ytt,
    /// JSON Schema.
    JsonSchema,
    /// Definitions of custom resources of Kubernetes.
    Crd,
    /// The request bodies of OpenAPI documents.
    #[value(name = "openapi")]
    OpenApi,
    /// The schemas of parameters in documents of OpenChoreo.
    #[value(name = "openchoreo")]
    OpenChoreo,
}

impl LanguageName {
    fn of(language: Language) -> Self {
        match language {
            Language::Ytt => LanguageName::Ytt,
            Language::JsonSchema => LanguageName::JsonSchema,
            Language::Crd => LanguageName::Crd,
            Language::OpenApi => LanguageName::OpenApi,
            Language::OpenChoreo => LanguageName::OpenChoreo,
        }
    }

    fn language(self) -> Language {
        match self {
            LanguageName::Ytt => Language::Ytt,
            LanguageName::JsonSchema => Language::JsonSchema,
            LanguageName::Crd => Language::Crd,
            LanguageName::OpenApi => Language::OpenApi,
            LanguageName::OpenChoreo => Language::OpenChoreo,
        }
    }

    fn name(self) -> &'static str {
        match self {
            LanguageName::Ytt => "ytt",
            LanguageName::JsonSchema => "json-schema",
            LanguageName::Crd => "crd",
            LanguageName::OpenApi => "openapi",
            LanguageName::OpenChoreo => "openchoreo",
        }
    }
}

/// The output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Lines for people, grouped by whom the changes break.
    Text,
    /// One document with all that is known about each change.
    Json,
    /// For a comment on a pull request.
    #[value(name = "markdown")]
    Lists,
    /// Annotations of GitHub's workflows.
    Github,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// JUnit XML: one suite for each schema.
    Junit,
    /// A page.
    Html,
}

impl Format {
    /// The changes in a format that has one entry for each. `files`: those that were compared.
    fn of_lines(self, changes: &[ChangeLine], files: &[&str], summary: &str) -> String {
        match self {
            Format::Sarif => lines::sarif(changes),
            Format::Junit => lines::junit(changes, files),
            Format::Html => page::html(changes, summary),
            Format::Text | Format::Json | Format::Lists | Format::Github => lines::github(changes),
        }
    }
}

/// Which changes make the exit code 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// Changes that break values.
    Values,
    /// Changes that break values or templates.
    Templates,
    /// All changes.
    Any,
    /// None.
    Never,
}

impl FailOn {
    fn fails(self, compared: &Compared) -> bool {
        let breaks = |values: bool, templates: bool| match self {
            FailOn::Values => values,
            FailOn::Templates => values || templates,
            FailOn::Any => true,
            FailOn::Never => false,
        };
        // What was not compared may break any values.
        let is_doubtful = compared.is_cut && self != FailOn::Never;
        is_doubtful || compared.changes.iter().any(|change| breaks(change.breaks.values, change.breaks.templates))
    }
}

/// Two versions of a schema, and their differences.
struct Pair {
    /// How the files are named in messages, the old one first.
    names: [String; 2],
    texts: [String; 2],
    compared: Compared,
}

/// Prints what changed.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let done = match &arguments.against {
        Some(revision) => against::run(arguments, revision),
        None => run_pair(arguments),
    };
    done.unwrap_or_else(super::could_not_run)
}

fn run_pair(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let [old, new] = arguments.paths.as_slice() else {
        bail!("two files are compared: name the old one and the new one, or a revision with `--against`");
    };
    let read = |path: &str| read_text(Path::new(path)).with_context(|| path.to_owned());
    let pair = Pair::new(arguments, [old.clone(), new.clone()], [read(old)?, read(new)?])?;
    let report = report::Report::new(&pair);
    let printed = match arguments.format {
        Format::Text => terminal::print(&report.text()),
        Format::Json => terminal::print_data(&report.json()),
        Format::Lists => terminal::print(&report.lists()),
        format => terminal::print_data(&format.of_lines(&report.lines(), &[&pair.names[1]], &report.summary())),
    };
    printed?;
    Ok(code(arguments.fail_on.fails(&pair.compared)))
}

fn code(fails: bool) -> ExitCode {
    if fails { ExitCode::from(super::ERRORS_FOUND) } else { ExitCode::SUCCESS }
}

impl Pair {
    /// Compares two texts. The error names the file that it is about.
    fn new(arguments: &Arguments, names: [String; 2], texts: [String; 2]) -> anyhow::Result<Pair> {
        let [old, new] = &texts;
        let language = match arguments.language {
            Some(language) => language.language(),
            None => guessed(&names, &texts)?,
        };
        let mut compared = lofting_diff::compare(language, old, new)
            .map_err(|error| anyhow!("{}: {error}", if error.in_new { &names[1] } else { &names[0] }))?;
        if arguments.documentation {
            compared.changes.append(&mut compared.documentation);
        }
        Ok(Pair { names, texts, compared })
    }
}

/// The language of two files that look like the same one.
fn guessed(names: &[String; 2], texts: &[String; 2]) -> anyhow::Result<Language> {
    let [(old, before), (new, after)] = [0, 1].map(|side| (&names[side], Language::of(&texts[side])));
    let unknown = |path: &str| format!("{path}: this does not look like a schema: name its `--language`");
    let (before, after) = (before.with_context(|| unknown(old))?, after.with_context(|| unknown(new))?);
    if before == after {
        return Ok(after);
    }
    let name = |language| LanguageName::of(language).name();
    bail!("{old} looks like {} and {new} like {}: name the `--language` of both", name(before), name(after))
}

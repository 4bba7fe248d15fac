//! `lofting diff`: what changed between two versions of a schema, and whom it breaks.

mod report;

use std::path::Path;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use lofting_diff::{Compared, Language};
use lofting_workspace::read_text;

use crate::terminal;

/// Arguments of `lofting diff`.
#[derive(Args)]
#[command(after_help = super::examples::DIFF)]
pub(crate) struct Arguments {
    /// The file with the old version of the schema.
    old: String,
    /// The file with the new version of the schema.
    new: String,
    /// The language of both files; by default the one that they look like.
    #[arg(long, value_enum)]
    language: Option<LanguageName>,
    /// The output format.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Which changes make the exit code 1.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = FailOn::Values)]
    fail_on: FailOn,
}

/// The languages that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LanguageName {
    /// ytt's data values schemas.
    Ytt,
    /// JSON Schema.
    JsonSchema,
    /// Definitions of custom resources of Kubernetes.
    Crd,
    /// The request bodies of OpenAPI documents.
    #[value(name = "openapi")]
    OpenApi,
}

impl LanguageName {
    fn of(language: Language) -> Self {
        match language {
            Language::Ytt => LanguageName::Ytt,
            Language::JsonSchema => LanguageName::JsonSchema,
            Language::Crd => LanguageName::Crd,
            Language::OpenApi => LanguageName::OpenApi,
        }
    }

    fn language(self) -> Language {
        match self {
            LanguageName::Ytt => Language::Ytt,
            LanguageName::JsonSchema => Language::JsonSchema,
            LanguageName::Crd => Language::Crd,
            LanguageName::OpenApi => Language::OpenApi,
        }
    }

    fn name(self) -> &'static str {
        match self {
            LanguageName::Ytt => "ytt",
            LanguageName::JsonSchema => "json-schema",
            LanguageName::Crd => "crd",
            LanguageName::OpenApi => "openapi",
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
        // What was not looked at may break anybody.
        let is_doubtful = compared.is_cut && self != FailOn::Never;
        is_doubtful || compared.changes.iter().any(|change| breaks(change.breaks.values, change.breaks.templates))
    }
}

/// Prints what changed.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match compared(arguments) {
        Ok((texts, compared)) => {
            let report = report::Report::new(arguments, &texts, &compared);
            let printed = match arguments.format {
                Format::Text => terminal::print(&report.text()),
                Format::Json => terminal::print_data(&report.json()),
                Format::Lists => terminal::print(&report.lists()),
                // These are meant to be commands.
                Format::Github => terminal::print_data(&report.github()),
            };
            match printed {
                Ok(()) if arguments.fail_on.fails(&compared) => ExitCode::from(super::ERRORS_FOUND),
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => super::could_not_run(error),
            }
        }
        Err(why) => super::could_not_run(why),
    }
}

/// The texts of the files, and their changes.
fn compared(arguments: &Arguments) -> Result<([String; 2], Compared), String> {
    let read = |path: &str| read_text(Path::new(path)).map_err(|problem| format!("{path}: {problem}"));
    let (old, new) = (read(&arguments.old)?, read(&arguments.new)?);
    let language = match arguments.language {
        Some(language) => language.language(),
        None => guessed(arguments, &old, &new)?,
    };
    let compared = lofting_diff::compare(language, &old, &new).map_err(|problem| {
        let path = if problem.in_new { &arguments.new } else { &arguments.old };
        format!("{path}: {}", problem.message)
    })?;
    Ok(([old, new], compared))
}

/// The language of two files that look like the same one.
fn guessed(arguments: &Arguments, old: &str, new: &str) -> Result<Language, String> {
    let of = |path: &str, text: &str| {
        Language::of(text).ok_or_else(|| format!("{path}: this does not look like a schema: name its `--language`"))
    };
    let (before, after) = (of(&arguments.old, old)?, of(&arguments.new, new)?);
    if before == after {
        return Ok(after);
    }
    let name = |language| LanguageName::of(language).name();
    Err(format!(
        "{} looks like {} and {} like {}: name the `--language` of both",
        arguments.old,
        name(before),
        arguments.new,
        name(after)
    ))
}

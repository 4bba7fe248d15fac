//! `lofting explain`: which schema governs a file, and why; what is known about a value; or what a rule means.

mod text;

use std::path::Path;
use std::process::ExitCode;

use anyhow::anyhow;
use clap::Args;
use lofting_workspace::{Reach, normalise};

use crate::terminal;

use super::asked::{AnswerFormat, AskedArguments, FilePlace, no_answer, print};
use crate::evaluation::EvaluationArguments;

// Arguments of `lofting explain`.
#[derive(Args)]
#[command(after_help = super::examples::EXPLAIN)]
pub(crate) struct Arguments {
    /// The file; `-` for the text on standard input; or the code of a rule, such as kubernetes/type-mismatch, whose page
    /// of the manual is printed.
    #[arg(value_name = "FILE|CODE", required_unless_present = "at", conflicts_with = "at")]
    file: Option<String>,
    /// The path of a value, `service.ports[0].port`, whether or not it is written in the file. Without it, the schema of
    /// the file is explained.
    path: Option<String>,
    /// Explain the value, annotation or name in code at this place; lines and columns are counted from 1.
    #[arg(long, value_name = "FILE:LINE:COLUMN", allow_hyphen_values = true)]
    at: Option<FilePlace>,
    /// The number of the document for PATH, from 0; by default the first one that has it or may have it.
    #[arg(long, value_name = "N", requires = "path")]
    document: Option<usize>,
    /// How to answer.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    format: AnswerFormat,
    #[command(flatten)]
    asked: AskedArguments,
    #[command(flatten)]
    evaluation: EvaluationArguments,
}

/// Explains a file or a value.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    if let Some(answer) = arguments.file.as_deref().filter(|_| arguments.path.is_none()).and_then(rule) {
        return match answer {
            Ok(page) => match terminal::print(&page) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => super::could_not_run(error),
            },
            Err(why) => super::could_not_run(why),
        };
    }
    let file = arguments.at.as_ref().map(|at| at.file.as_str()).or(arguments.file.as_deref()).unwrap_or_default();
    let snapshot = match arguments.asked.snapshot(file, &arguments.evaluation) {
        Ok(snapshot) => snapshot,
        Err(problem) => return no_answer(&problem),
    };
    let answer = match (&arguments.at, &arguments.path) {
        (Some(at), _) => snapshot.explain_at(at.line, at.column),
        (None, Some(path)) => snapshot.explain_path(path, arguments.document),
        (None, None) => return print(&snapshot.explain(), arguments.format, |_| snapshot.explained_in_words()),
    };
    match answer {
        Ok(answer) => print(&answer, arguments.format, text::value),
        Err(problem) => no_answer(&problem),
    }
}

/// The page of the rule with this code, or the code that was meant; None for the name of a file.
fn rule(name: &str) -> Option<anyhow::Result<String>> {
    if Reach::of_user().is_file(&normalise(&std::env::current_dir().ok()?, Path::new(name))) {
        return None;
    }
    if let Some(page) = super::rule_page(name) {
        return Some(Ok(page));
    }
    // A code has no dot, most names of files do.
    let meant = super::nearest_code(name).filter(|_| name.contains('/') && !name.contains('.'))?;
    Some(Err(anyhow!("there is no file and no rule {name:?}, did you mean {meant}?")))
}

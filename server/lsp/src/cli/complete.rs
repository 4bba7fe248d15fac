//! `lofting complete`: what can be inserted at a place.

use std::process::ExitCode;

use clap::Args;
use lofting::Completions;

use super::asked::{AnswerFormat, AskedArguments, FilePlace, no_answer, print};
use crate::evaluation::EvaluationArguments;

// Arguments of `lofting complete`.
#[derive(Args)]
#[command(after_help = super::examples::COMPLETE)]
pub(crate) struct Arguments {
    /// The place; lines and columns are counted from 1. The file `-` is the text on standard input.
    #[arg(value_name = "FILE:LINE:COLUMN", allow_hyphen_values = true)]
    at: FilePlace,
    /// The maximum number of items.
    #[arg(long, value_name = "N", default_value_t = 100)]
    max: usize,
    /// How to answer.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    format: AnswerFormat,
    #[command(flatten)]
    asked: AskedArguments,
    #[command(flatten)]
    evaluation: EvaluationArguments,
}

/// Prints the items.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let FilePlace { file, line, column } = &arguments.at;
    let answer = arguments
        .asked
        .snapshot(file, &arguments.evaluation)
        .and_then(|file| file.complete(*line, *column, arguments.max));
    match answer {
        Ok(answer) => print(&answer, arguments.format, text),
        Err(problem) => no_answer(&problem),
    }
}

fn text(answer: &Completions) -> String {
    let line = |label: &str, detail: Option<&str>| match detail {
        Some(detail) => format!("{label}\t{detail}\n"),
        None => format!("{label}\n"),
    };
    answer.items.iter().map(|item| line(&item.label, item.detail.as_deref())).collect()
}

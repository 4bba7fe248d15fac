//! `lofting rename`: renames what is at a place, in all files.

use std::process::ExitCode;

use clap::Args;
use lofting::{ChangedFile, Renaming};

use super::asked::{AnswerFormat, AskedArguments, FilePlace, no_answer, print};
use super::patch::patch;
use crate::evaluation::EvaluationArguments;
use crate::rewrite::rewrite_all;
use crate::terminal;

// Arguments of `lofting rename`.
#[derive(Args)]
#[command(after_help = super::examples::RENAME)]
pub(crate) struct Arguments {
    /// The place of the name; lines and columns are counted from 1. The file `-` is the text on standard input, and
    /// nothing is written.
    #[arg(value_name = "FILE:LINE:COLUMN", allow_hyphen_values = true)]
    at: FilePlace,
    /// The new name.
    name: String,
    /// Write nothing; print the changes as a patch. The exit code is 1 if there are any.
    #[arg(long)]
    diff: bool,
    /// Write nothing; the exit code is 1 if there are changes.
    #[arg(long)]
    check: bool,
    /// How to answer.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    format: AnswerFormat,
    #[command(flatten)]
    asked: AskedArguments,
    #[command(flatten)]
    evaluation: EvaluationArguments,
}

/// Renames.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let FilePlace { file, line, column } = &arguments.at;
    let renaming = arguments
        .asked
        .snapshot(file, &arguments.evaluation)
        .and_then(|file| file.rename(*line, *column, &arguments.name));
    let mut renaming = match renaming {
        Ok(renaming) => renaming,
        Err(problem) => return no_answer(&problem),
    };
    let writes = !arguments.diff && !arguments.check && !AskedArguments::is_piped(file);
    if writes {
        let changes = renaming.files.iter().map(|file| (file.path.as_path(), &*file.before, &*file.after));
        if let Err(why) = rewrite_all(changes) {
            return super::could_not_run(format_args!("{why}; nothing was renamed"));
        }
        renaming.written = true;
    }
    if arguments.diff && arguments.format == AnswerFormat::Text {
        for ChangedFile { file, before, after, .. } in &renaming.files {
            if let Err(error) = terminal::print_patch(&patch(file, before, after)) {
                return super::could_not_run(error);
            }
        }
    } else {
        let code = print(&renaming, arguments.format, text);
        if code != ExitCode::SUCCESS {
            return code;
        }
    }
    if (arguments.diff || arguments.check) && !renaming.files.is_empty() {
        ExitCode::from(super::ERRORS_FOUND)
    } else {
        ExitCode::SUCCESS
    }
}

fn text(answer: &Renaming) -> String {
    let file = |file: &ChangedFile| match file.edits.len() {
        1 => format!("{}: 1 place\n", file.file),
        count => format!("{}: {count} places\n", file.file),
    };
    answer.files.iter().map(file).collect()
}

//! `lofting check`.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use lofting_workspace::inputs::InputSet;
use lofting_workspace::{CancelFlag, CheckReport, Settings};

use super::input::InputArguments;
use crate::render;

/// Arguments of `lofting check`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// How to report.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// When to use colours.
    #[arg(long, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    color: Colour,
    /// Also evaluate the templates of the input set with the final data values, with the libraries they
    /// use and the overlays among them, as ytt does without `--data-values-inspect`. Without ytt's input flags:
    /// those of all input sets of the workspace, from lofting.toml and from ytt commands.
    #[arg(long)]
    render: bool,
    #[command(flatten)]
    inputs: InputArguments,
    /// Files or directories of the workspace to check; the current directory if none is given.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// Source excerpts, for people.
    Text,
    /// One JSON object, for programs.
    Json,
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

/// Checks, and says what was found.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let report = match check(arguments) {
        Ok(report) => report,
        Err(why) => return super::could_not_run(why),
    };
    for message in &report.messages {
        eprintln!("lofting: {message}");
    }
    let rendered = match arguments.format {
        Format::Text => render::text::render(&report, coloured(arguments.color)),
        Format::Json => render::json::render(&report) + "\n",
    };
    if let Err(error) = super::print(&rendered) {
        return super::could_not_run(error);
    }
    let ok = report.is_ok();
    // The process ends here; taking a large workspace apart first would only take time.
    std::mem::forget(report);
    if ok { ExitCode::SUCCESS } else { ExitCode::from(super::ERRORS_FOUND) }
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

fn check(arguments: &Arguments) -> Result<CheckReport, String> {
    let here = std::env::current_dir().map_err(|error| format!("no current directory: {error}"))?;
    let flags = arguments.inputs.to_flags();
    if flags.is_empty() {
        let paths: Vec<_> = arguments.paths.iter().map(|path| path.to_string_lossy().into_owned()).collect();
        let check =
            if arguments.render { lofting_workspace::render_workspace } else { lofting_workspace::check_workspace };
        return check(&here, &paths, Settings::default(), crate::evaluator::worker(), &CancelFlag::new())
            .map_err(|error| error.to_string());
    }
    if let Some(path) = arguments.paths.first() {
        return Err(format!("{}: with ytt's input flags, files are given by -f", path.display()));
    }
    let inputs =
        InputSet::from_flags(&flags, &super::input::context(&flags, here)?).map_err(|error| error.to_string())?;
    let evaluator = crate::evaluator::worker();
    Ok(if arguments.render {
        lofting_workspace::render_input_set(&inputs, evaluator)
    } else {
        lofting_workspace::check_input_set(&inputs, evaluator)
    })
}

//! `lofting render`.

mod files;
mod print;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use super::printing::Printing;
use crate::evaluation::CommandEvaluator;
use crate::evaluator::Ahead;
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use lofting_check::rules;
use lofting_document::{ArrayItem, FileId, Node, NodeValue, Notes, Span, write};
use lofting_eval::Evaluator;
use lofting_sandbox::program::CAN_BE_CONFINED;
use lofting_workspace::inputs::InputSet;
use lofting_workspace::{AllRead, CancelFlag, Rendering, Settings};

use super::input::InputArguments;
use super::watch::{WhatWasRead, watch};
use crate::report;
use crate::terminal;
use crate::trust::TrustArguments;
use files::{replace, write_files};
use print::Printer;

// Arguments of `lofting render`.
#[derive(Args)]
#[command(after_help = super::examples::RENDER)]
pub(crate) struct Arguments {
    /// How to print.
    #[arg(short, long, value_enum, default_value_t = Format::Yaml)]
    output: Format,
    /// Write each file below this directory instead of printing; includes text templates.
    #[arg(long, value_name = "DIR")]
    output_files: Option<PathBuf>,
    /// Write each file below this directory after removing everything in it.
    #[arg(long, value_name = "DIR", conflicts_with = "output_files")]
    dangerous_emptied_output_directory: Option<PathBuf>,
    /// Print the paths of the input files inside ytt, and render nothing.
    #[arg(long)]
    files_inspect: bool,
    /// Show the origin of every value: the template, the overlays, and the data values that its code names. As a
    /// comment after the value in YAML, as `origin` beside `value` in JSON.
    #[arg(long)]
    origin: bool,
    /// Render again whenever an input file has changed, until interrupted. `lofting: waiting for changes` on stderr
    /// follows each output.
    #[arg(long, conflicts_with_all = ["files_inspect", "dangerous_emptied_output_directory"])]
    watch: bool,
    #[command(flatten)]
    trust: TrustArguments,
    #[command(flatten)]
    inputs: InputArguments,
    /// The name of an input set in lofting.toml, or a file or directory that belongs to one.
    #[arg(help_heading = None, value_name = "SET|PATH")]
    target: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// As ytt prints it.
    Yaml,
    /// One object for each document, keys sorted.
    Json,
    /// Each item after the file and line it comes from.
    Pos,
}

/// Bytes of input that are rendered without a worker: several of these have more to do in the time than start.
const FOR_ONE_PROCESS: usize = 8 << 20;

impl Arguments {
    /// Whether this process can do without rights once it has read the input: it only prints, and only once.
    fn can_be_confined(&self) -> bool {
        let prints = self.output_files.is_none() && self.dangerous_emptied_output_directory.is_none();
        CAN_BE_CONFINED
            && prints
            && !self.watch
            && !self.inputs.evaluation.keeps_results()
            && !self.inputs.to_flags().is_empty()
    }

    /// A worker, if one is going to be needed: there is hardly anything to render without code, and a worker takes as
    /// long to start as the input to read.
    fn ahead(&self) -> Ahead {
        // What is kept may be all that is needed.
        if self.files_inspect || self.inputs.evaluation.keeps_results() || self.can_be_confined() {
            Ahead::default()
        } else {
            Ahead::now()
        }
    }
}

/// Renders an input set.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let mut ahead = arguments.ahead();
    if arguments.origin && arguments.output == Format::Pos {
        return super::could_not_run("--origin needs -o yaml or -o json; -o pos shows places by itself");
    }
    if arguments.files_inspect {
        return inspect(arguments).map_or_else(super::could_not_run, |()| ExitCode::SUCCESS);
    }
    // Each rendering has the time of a command, also while one watches.
    let mut evaluator = || arguments.inputs.evaluation.evaluator_with(std::mem::take(&mut ahead));
    if arguments.watch {
        return watch(|| {
            let rendering = evaluator().map_err(Into::into).and_then(|with| rendering(arguments, with));
            match rendering {
                Ok(rendering) => (print(arguments, &rendering), Some(read(arguments, &rendering))),
                Err(why) => (super::could_not_run(why), None),
            }
        });
    }
    let evaluator = match evaluator() {
        Ok(evaluator) => evaluator,
        Err(why) => return super::could_not_run(why),
    };
    match rendering(arguments, evaluator.clone()) {
        Ok(rendering) => {
            evaluator.dismiss();
            let code = print(arguments, &rendering);
            // This process ends, and its memory with it: giving everything back takes longer than printing it.
            std::mem::forget(rendering);
            code
        }
        Err(why) => super::could_not_run(why),
    }
}

/// What a rendering has read. Written files are excluded.
fn read(arguments: &Arguments, rendering: &Rendering) -> WhatWasRead {
    let here = std::env::current_dir().unwrap_or_default();
    let written = arguments.output_files.as_ref().map(|path| lofting_workspace::normalise(&here, path));
    WhatWasRead::of(&rendering.report.snapshot, written.as_deref())
}

/// Prints the rendered files, or why there are none.
fn print(arguments: &Arguments, rendering: &Rendering) -> ExitCode {
    let Rendering { report, files, .. } = rendering;
    for message in &report.messages {
        terminal::say(&format!("lofting: {}", terminal::lines(message)));
    }
    if !report.is_ok() {
        terminal::say(report::text::render(report, false).trim_end());
        return ExitCode::from(match report.count_of(&rules::UNREADABLE_FILE) {
            0 => super::ERRORS_FOUND,
            _ => super::COULD_NOT_RUN,
        });
    }
    if report.is_incomplete() {
        terminal::say(report::text::render(report, false).trim_end());
    }
    let Some(files) = files else { return super::could_not_run("the templates could not be evaluated") };
    let printer = Printer { rendering, format: arguments.output, origin: arguments.origin };
    let done = match (&arguments.output_files, &arguments.dangerous_emptied_output_directory) {
        (Some(directory), _) => write_files(files, directory, &printer),
        (None, Some(directory)) => replace(files, directory, &printer),
        (None, None) => printer.print(files).map_err(anyhow::Error::from),
    };
    match done {
        // Scripts must not take it for what ytt would have given.
        Ok(()) if report.is_incomplete() => super::could_not_run("some code could not be evaluated"),
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => super::could_not_run(why),
    }
}

/// Prints the paths of the root library's files, as ytt does.
fn inspect(arguments: &Arguments) -> anyhow::Result<()> {
    arguments.inputs.refused()?;
    let here = std::env::current_dir().context("no current directory")?;
    let flags = arguments.inputs.to_flags();
    let inputs = InputSet::from_flags(&flags, &super::input::context(&flags, here)?)?;
    let own = inputs.files.iter().filter(|file| file.library.is_none());
    let item = |name: &String| {
        let nowhere = Span::new(FileId(0), 0..0);
        let value = Node::new(NodeValue::String(name.as_str().into()), nowhere);
        ArrayItem { span: nowhere, value, notes: Notes::default(), conditional: false }
    };
    let names = NodeValue::Array(own.map(|file| item(&file.name)).collect());
    let text = write::yaml_document(&Node::new(names, Span::new(FileId(0), 0..0)));
    Ok(terminal::print_data(&text)?)
}

fn rendering(arguments: &Arguments, evaluator: CommandEvaluator) -> anyhow::Result<Rendering> {
    let here = std::env::current_dir().context("no current directory")?;
    arguments.inputs.refused()?;
    let evaluator: Arc<dyn Evaluator> = Arc::new(Printing(evaluator.into()));
    let flags = arguments.inputs.to_flags();
    if flags.is_empty() {
        evaluator.prepare();
        let settings = Settings { trust: arguments.trust.trust(), ..Settings::default() };
        let target = arguments.target.as_deref();
        return Ok(lofting_workspace::render_set(&here, target, settings, evaluator, &CancelFlag::new())?);
    }
    if let Some(target) = &arguments.target {
        bail!("{target}: together with ytt's input flags, pass files with -f");
    }
    let inputs = InputSet::from_flags(&flags, &super::input::context(&flags, here)?)?;
    if !arguments.can_be_confined() {
        return Ok(lofting_workspace::render_as_ytt(&inputs, evaluator));
    }
    let choose = |read: AllRead| -> Arc<dyn Evaluator> {
        let suits = read.size <= FOR_ONE_PROCESS && !read.is_partial && !read.passes_values;
        match suits.then(crate::evaluator::in_this_process) {
            Some(Ok(confined)) => Arc::new(Printing(confined)),
            Some(Err(_)) | None => {
                evaluator.prepare();
                Arc::clone(&evaluator)
            }
        }
    };
    Ok(lofting_workspace::render_after_reading(&inputs, &choose))
}

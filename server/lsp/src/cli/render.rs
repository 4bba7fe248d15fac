//! `lofting render`.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use lofting_check::rules;
use lofting_document::{ArrayItem, Document, FileId, Node, NodeValue, Notes, Span, write};
use lofting_workspace::inputs::InputSet;
use lofting_workspace::{CancelFlag, CheckReport, RenderedContent, RenderedFile, Rendering, Settings};

use super::input::InputArguments;
use super::terminal;
use crate::render;
use crate::trust::TrustArguments;

/// Arguments of `lofting render`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// How to print.
    #[arg(short, long, value_enum, default_value_t = Format::Yaml)]
    output: Format,
    /// Write each file below this directory instead of printing, text templates as well.
    #[arg(long, value_name = "DIR")]
    output_files: Option<PathBuf>,
    /// The same, and remove all that is in the directory before.
    #[arg(long, value_name = "DIR", conflicts_with = "output_files")]
    dangerous_emptied_output_directory: Option<PathBuf>,
    /// Print the paths of the input files inside ytt, and render nothing.
    #[arg(long)]
    files_inspect: bool,
    #[command(flatten)]
    trust: TrustArguments,
    #[command(flatten)]
    inputs: InputArguments,
    /// An input set of lofting.toml by its name, or a file or directory of which it is made.
    #[arg(value_name = "SET|PATH")]
    target: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// As ytt prints it.
    Yaml,
    /// One object for each document, keys sorted.
    Json,
    /// Every item behind the file and line it comes from.
    Pos,
}

/// Renders an input set.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    if arguments.files_inspect {
        return inspect(arguments).map_or_else(super::could_not_run, |()| ExitCode::SUCCESS);
    }
    let Rendering { report, files } = match rendering(arguments) {
        Ok(rendering) => rendering,
        Err(why) => return super::could_not_run(why),
    };
    for message in &report.messages {
        terminal::say(&format!("lofting: {}", terminal::lines(message)));
    }
    if !report.is_ok() {
        terminal::say(render::text::render(&report, false).trim_end());
        return ExitCode::from(match report.count_of(&rules::UNREADABLE_FILE) {
            0 => super::ERRORS_FOUND,
            _ => super::COULD_NOT_RUN,
        });
    }
    if report.diagnostics().any(lofting_check::is_not_evaluated) {
        terminal::say(render::text::render(&report, false).trim_end());
    }
    let Some(files) = files else { return super::could_not_run("the templates could not be evaluated") };
    let done = match (&arguments.output_files, &arguments.dangerous_emptied_output_directory) {
        (Some(directory), _) => write_files(&files, directory),
        (None, Some(directory)) => empty(directory).and_then(|()| write_files(&files, directory)),
        (None, None) => print(&files, arguments.output, &report),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => super::could_not_run(why),
    }
}

/// Prints the paths of the files of the root library, as ytt does.
fn inspect(arguments: &Arguments) -> Result<(), String> {
    arguments.inputs.refused()?;
    let here = std::env::current_dir().map_err(|error| format!("no current directory: {error}"))?;
    let flags = arguments.inputs.to_flags();
    let inputs =
        InputSet::from_flags(&flags, &super::input::context(&flags, here)?).map_err(|error| error.to_string())?;
    let own = inputs.files.iter().filter(|file| file.library.is_none());
    let item = |name: &String| {
        let nowhere = Span::new(FileId(0), 0..0);
        let value = Node::new(NodeValue::String(name.as_str().into()), nowhere);
        ArrayItem { span: nowhere, value, notes: Notes::default(), conditional: false }
    };
    let names = NodeValue::Array(own.map(|file| item(&file.name)).collect());
    let text = write::yaml_document(&Node::new(names, Span::new(FileId(0), 0..0)));
    terminal::print_data(&text).map_err(|error| error.to_string())
}

/// Removes a directory with all in it. The root of a file system and what holds the current directory are kept.
fn empty(directory: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", directory.display());
    let whole = match directory.canonicalize() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        whole => whole.map_err(failed)?,
    };
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).map_err(failed)?;
    if here.starts_with(&whole) {
        return Err(format!("{}: this directory is in use and is not emptied", directory.display()));
    }
    std::fs::remove_dir_all(&whole).map_err(failed)
}

fn rendering(arguments: &Arguments) -> Result<Rendering, String> {
    let here = std::env::current_dir().map_err(|error| format!("no current directory: {error}"))?;
    arguments.inputs.refused()?;
    let flags = arguments.inputs.to_flags();
    let evaluator = arguments.inputs.evaluator();
    if flags.is_empty() {
        let settings = Settings { trust: arguments.trust.trust(), ..Settings::default() };
        let target = arguments.target.as_deref();
        return lofting_workspace::render_set(&here, target, settings, evaluator, &CancelFlag::new());
    }
    if let Some(target) = &arguments.target {
        return Err(format!("{target}: with ytt's input flags, files are given by -f"));
    }
    let inputs =
        InputSet::from_flags(&flags, &super::input::context(&flags, here)?).map_err(|error| error.to_string())?;
    Ok(lofting_workspace::render_input_set(&inputs, evaluator))
}

fn documents(files: &[RenderedFile]) -> impl Iterator<Item = &Document> {
    let sets = files.iter().filter_map(|file| match &file.content {
        RenderedContent::Documents(documents) => Some(documents),
        RenderedContent::Text(_) => None,
    });
    sets.flatten()
}

/// Prints each document as soon as its text is made.
fn print(files: &[RenderedFile], format: Format, report: &CheckReport) -> Result<(), String> {
    if files.iter().any(|file| matches!(file.content, RenderedContent::Text(_))) {
        terminal::say("lofting: there are text templates, which are only written with --output-files");
    }
    let place = |span: Span| Some(place(report, span));
    let mut positions = write::PositionWriter::new(&place);
    for (index, document) in documents(files).enumerate() {
        let text = match format {
            Format::Yaml => yaml(index, document),
            Format::Json => write::json_document(&document.value),
            Format::Pos => {
                positions.document(document);
                positions.take()
            }
        };
        terminal::print_data(&text).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn yaml(index: usize, document: &Document) -> String {
    let text = write::yaml_document(&document.value);
    if index > 0 { format!("---\n{text}") } else { text }
}

/// `file:line`, the file by the name ytt has for it.
fn place(report: &CheckReport, span: Span) -> String {
    let text = report.snapshot.text(span.file);
    let line = text.position(span.range().start, lofting_text::Encoding::Utf8).line + 1;
    format!("{}:{line}", terminal::line(report.name(span.file)))
}

/// Writes each file below the directory, texts first, as ytt does.
fn write_files(files: &[RenderedFile], directory: &Path) -> Result<(), String> {
    let mut names = BTreeSet::new();
    for file in files {
        let inside = Path::new(&file.name).components().all(|part| matches!(part, Component::Normal(_)));
        if !inside {
            return Err(format!("{}: this path leads out of {}", file.name, directory.display()));
        }
        if !names.insert(&file.name) {
            return Err(format!("{}: several files would be written to this path", file.name));
        }
    }
    let is_text = |file: &&RenderedFile| matches!(file.content, RenderedContent::Text(_));
    let (texts, others): (Vec<&RenderedFile>, Vec<&RenderedFile>) = files.iter().partition(is_text);
    for file in texts.into_iter().chain(others) {
        let path = directory.join(&file.name);
        let text = match &file.content {
            RenderedContent::Text(text) => text.clone(),
            RenderedContent::Documents(documents) => {
                documents.iter().enumerate().map(|(index, document)| yaml(index, document)).collect()
            }
        };
        let parent = path.parent().unwrap_or(directory);
        std::fs::create_dir_all(parent)
            .and_then(|()| std::fs::write(&path, text))
            .map_err(|error| format!("{}: {error}", path.display()))?;
        terminal::print(&format!("creating: {}\n", terminal::line(&path.to_string_lossy())))
            .map_err(|error| error.to_string())?;
    }
    Ok(())
}

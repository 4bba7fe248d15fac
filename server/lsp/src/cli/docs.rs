//! `lofting docs`: the documentation of a schema, or what changed in it.

mod changelog;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use lofting::{Documentation, DocumentationChoice, Problem};
use lofting_documentation::{LAYOUTS, Layout, replaced};
use lofting_workspace::{ReadProblem, read_text};

use super::asked::{AnswerFormat, AskedArguments, no_answer, print};
use crate::evaluation::EvaluationArguments;
use crate::rewrite::{Links, NotRewritten, create, rewrite};
use crate::terminal;

// Arguments of `lofting docs`.
#[derive(Args)]
#[command(after_help = super::examples::DOCS)]
pub(crate) struct Arguments {
    /// A file with a schema, or one that a schema governs; `-` for the text on standard input.
    #[arg(value_name = "FILE")]
    file: String,
    /// The layout: `table` or `sections` in Markdown, or `html`, one file that loads nothing; by default what the name
    /// of the file to write says, else a table.
    #[arg(long, value_name = "NAME", value_parser = layouts())]
    layout: Option<&'static Layout>,
    /// What changed in the schema between the tags of its repository, the newest first, instead of what it says.
    #[arg(long, conflicts_with_all = ["template", "below", "document", "format"])]
    changelog: bool,
    /// A template in the language of Jinja instead of a layout. It gets what `--format json` prints.
    #[arg(long, value_name = "FILE", conflicts_with = "layout")]
    template: Option<PathBuf>,
    /// The heading; by default the title of the schema.
    #[arg(long, value_name = "TEXT")]
    heading: Option<String>,
    /// Begin with the value at this path, `spec.template` or `ports[]`.
    #[arg(long, value_name = "PATH", default_value = "")]
    below: String,
    /// The number of the document, from 0; by default all that contain a schema, or the first one that a schema governs.
    #[arg(long, value_name = "N")]
    document: Option<usize>,
    /// Write the page to this file.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Fill the section of this page between `<!-- lofting docs -->` and `<!-- end of lofting docs -->`.
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    inject: Option<PathBuf>,
    /// With --inject: the section that begins with `<!-- lofting docs NAME -->`.
    #[arg(long, value_name = "NAME", requires = "inject")]
    section: Option<String>,
    /// Write nothing; exit with 1 if the file differs from what would be written.
    #[arg(long)]
    check: bool,
    /// How to answer: the page, or its data.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text, conflicts_with_all = ["output", "inject", "check", "layout", "template"])]
    format: AnswerFormat,
    #[command(flatten)]
    asked: AskedArguments,
    #[command(flatten)]
    evaluation: EvaluationArguments,
}

/// The layouts by their names, with what `--help` says about each.
fn layouts() -> impl TypedValueParser<Value = &'static Layout> {
    let names = LAYOUTS.iter().map(|layout| PossibleValue::new(layout.name).help(layout.about));
    let named = |name: String| LAYOUTS.iter().find(|layout| layout.name == name).unwrap_or(&LAYOUTS[0]);
    PossibleValuesParser::new(names).map(named)
}

/// Prints or writes the documentation.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    if arguments.changelog {
        return arguments.put_changelog().unwrap_or_else(super::could_not_run);
    }
    let choice = DocumentationChoice { below: arguments.below.clone(), document: arguments.document };
    let snapshot = arguments.asked.snapshot(&arguments.file, &arguments.evaluation);
    let documentation = match snapshot.and_then(|snapshot| snapshot.documentation(&choice)) {
        Ok(documentation) => documentation,
        Err(problem) => return no_answer(&problem),
    };
    if arguments.format == AnswerFormat::Json {
        return print(&documentation, AnswerFormat::Json, |_| String::new());
    }
    match arguments.page(&documentation).and_then(|page| arguments.put(&page)) {
        Ok(code) => code,
        Err(problem) => no_answer(&problem),
    }
}

impl Arguments {
    fn put_changelog(&self) -> anyhow::Result<ExitCode> {
        let is_html = self.layout().extension == "html";
        let page = changelog::of(&self.file)?.page(is_html, self.heading.as_deref())?;
        Ok(self.put(&page).unwrap_or_else(|problem| no_answer(&problem)))
    }

    fn page(&self, documentation: &Documentation) -> Result<String, Problem> {
        let heading = self.heading.as_deref();
        let page = match &self.template {
            Some(path) => {
                let name = path.to_string_lossy();
                let template =
                    read_text(path).map_err(|error| Problem::Unreadable(name.to_string(), error.to_string()))?;
                Layout::page_by(&name, &template, documentation, heading)
            }
            None => self.layout().page(documentation, heading),
        };
        page.map_err(|error| Problem::Refused(error.to_string()))
    }

    /// The layout that was asked for, or the first one that makes files with the ending of the output.
    fn layout(&self) -> &'static Layout {
        let written = self.output.as_deref().and_then(Path::extension);
        let fits = |layout: &&Layout| written.is_some_and(|extension| extension == layout.extension);
        self.layout.unwrap_or_else(|| LAYOUTS.iter().find(fits).unwrap_or(&LAYOUTS[0]))
    }

    /// Prints, writes or compares the page.
    fn put(&self, page: &str) -> Result<ExitCode, Problem> {
        let Some(path) = self.output.as_deref().or(self.inject.as_deref()) else {
            if self.check {
                return Err(Problem::Refused(
                    "--check needs --output or --inject: the file to compare with".to_owned(),
                ));
            }
            return Ok(terminal::print_data(page).map_or_else(super::could_not_run, |()| ExitCode::SUCCESS));
        };
        let name = path.to_string_lossy().into_owned();
        let (is_new, old) = match read_text(path) {
            Ok(text) => (false, text),
            Err(ReadProblem::NotFound) if self.inject.is_none() => (true, String::new()),
            Err(problem) => return Err(Problem::Unreadable(name, problem.to_string())),
        };
        let new = match &self.inject {
            Some(_) => {
                let filled = replaced(&old, self.section.as_deref(), page);
                filled.map_err(|error| Problem::Refused(format!("{name}: {error}")))?
            }
            None => page.to_owned(),
        };
        let shown = terminal::line(&name);
        if new == old && !is_new {
            terminal::say(&format!("lofting: {shown} is up to date"));
            return Ok(ExitCode::SUCCESS);
        }
        if self.check {
            let problem = if is_new { "is not there" } else { "is out of date" };
            terminal::say(&format!("lofting: {shown} {problem}: run this command without --check"));
            return Ok(ExitCode::from(super::ERRORS_FOUND));
        }
        let written = if is_new {
            create(path, &new).map_err(NotRewritten::from)
        } else {
            rewrite(path, Links::Followed, &old, &new)
        };
        written.map_err(|why| Problem::Refused(format!("{name}: {why}")))?;
        terminal::say(&format!("lofting: wrote {shown}"));
        Ok(ExitCode::SUCCESS)
    }
}

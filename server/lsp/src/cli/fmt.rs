//! `lofting fmt`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use lofting_format::apply;
use lofting_workspace::{FormattedFile, Layout, Settings, format_files, format_text};

use super::input::read_stdin;
use super::patch::patch;
use crate::rewrite::{Links, rewrite};
use crate::terminal;

// Arguments of `lofting fmt`.
#[derive(Args)]
#[command(after_help = super::examples::FMT)]
pub(crate) struct Arguments {
    /// Write nothing; list the files that are not formatted, and exit with 1 if there are any.
    #[arg(long)]
    check: bool,
    /// Write nothing; print the changes.
    #[arg(long)]
    diff: bool,
    /// YAML files, and directories in which all YAML is formatted. `-` reads from stdin and writes to stdout.
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
}

/// The results for all files.
#[derive(Default)]
struct Tally {
    changed: usize,
    same: usize,
    damaged: usize,
    templates: usize,
    failed: usize,
}

/// Formats, and prints a summary.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let Ok(here) = std::env::current_dir() else { return super::could_not_run("there is no current directory") };
    let reads_stdin = arguments.paths.iter().any(|path| path.as_os_str() == "-");
    if reads_stdin && arguments.paths.len() > 1 {
        return super::could_not_run("`-` stands for stdin and cannot be combined with other paths");
    }
    let (files, mistakes) = if reads_stdin {
        match read_stdin() {
            Ok(text) => {
                let layout = format_text(&here, text, Settings::default());
                let shown = "stdin".to_owned();
                (vec![FormattedFile { path: PathBuf::new(), shown, is_named: true, layout }], Vec::new())
            }
            Err(why) => return super::could_not_run(why),
        }
    } else {
        let paths: Vec<String> = arguments.paths.iter().map(|path| path.to_string_lossy().into_owned()).collect();
        match format_files(&here, &paths, Settings::default()) {
            Ok(files) => files,
            Err(why) => return super::could_not_run(why),
        }
    };
    mistakes.iter().for_each(|mistake| terminal::say(&format!("lofting: {}", terminal::lines(mistake))));
    let mut tally = Tally::default();
    for file in &files {
        if let Err(why) = take(file, arguments, reads_stdin, &mut tally) {
            tally.failed += 1;
            terminal::say(&format!(
                "lofting: {}: {}",
                terminal::line(&file.shown),
                terminal::lines(&format!("{why:#}"))
            ));
        }
    }
    if !reads_stdin {
        terminal::say(&tally.summary(arguments.check || arguments.diff));
    }
    match tally {
        Tally { failed: 1.., .. } => ExitCode::from(super::COULD_NOT_RUN),
        Tally { damaged: 1.., .. } => ExitCode::from(super::ERRORS_FOUND),
        Tally { changed: 1.., .. } if arguments.check || arguments.diff => ExitCode::from(super::ERRORS_FOUND),
        _ => ExitCode::SUCCESS,
    }
}

/// Writes or shows the result for one file. The error says why that is not possible.
fn take(file: &FormattedFile, arguments: &Arguments, is_stdin: bool, tally: &mut Tally) -> anyhow::Result<()> {
    let (text, edits) = match &file.layout {
        Layout::Unread(why) => bail!("{why}"),
        Layout::Template => {
            tally.templates += 1;
            return Ok(());
        }
        Layout::Damaged { text, error } => {
            tally.damaged += 1;
            let before = text.get(..error.range.start).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
            let (name, message) = (terminal::line(&file.shown), terminal::lines(&error.message));
            terminal::say(&format!("{name}:{line}:{column}: {message}; the file stays as it is"));
            if is_stdin && !arguments.check && !arguments.diff {
                terminal::print_data(text)?;
            }
            return Ok(());
        }
        Layout::Edits { text, edits } => (text, edits),
    };
    let is_same = edits.is_empty();
    *if is_same { &mut tally.same } else { &mut tally.changed } += 1;
    if arguments.diff {
        let patch = patch(&file.shown, text, &apply(text, edits));
        return Ok(terminal::print_patch(&patch)?);
    }
    if arguments.check {
        if !is_same {
            shown(&file.shown)?;
        }
        return Ok(());
    }
    if is_stdin {
        return Ok(terminal::print_data(&apply(text, edits))?);
    }
    if is_same {
        return Ok(());
    }
    let links = if file.is_named { Links::Followed } else { Links::Refused };
    let written = rewrite(&file.path, links, text, &apply(text, edits));
    if written.is_err() {
        tally.changed -= 1;
    }
    written?;
    Ok(shown(&file.shown)?)
}

/// The name of a file on a line of its own.
fn shown(name: &str) -> std::io::Result<()> {
    terminal::print(&format!("{}\n", terminal::line(name)))
}

impl Tally {
    fn summary(&self, only_shown: bool) -> String {
        let files = |count: usize| if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
        let Tally { changed, same, damaged, templates, failed } = *self;
        if changed + same + damaged + templates + failed == 0 {
            return "lofting: nothing was formatted: no YAML files were found".to_owned();
        }
        let done = if only_shown { "would change" } else { "formatted" };
        let mut parts = vec![format!("{} {done}", files(changed)), format!("{same} unchanged")];
        if damaged > 0 {
            parts.push(format!("{damaged} with syntax errors"));
        }
        if templates > 0 {
            parts.push(format!("{templates} left as they are: templates of Helm, Jinja or the like"));
        }
        if failed > 0 {
            parts.push(format!("{failed} not written or not read"));
        }
        parts.join(", ")
    }
}

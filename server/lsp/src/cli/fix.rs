//! `lofting fix`, and the fixes of `lofting check --fix`: one engine.

use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use lofting::{Certainty, FixAnswer, FixChoice, FixedFile, NotWritten, PositionEncoding, version_of};
use lofting_check::rules;
use lofting_workspace::{CheckReport, Outside};

use super::asked::{AnswerFormat, EncodingName, print};
use super::folder::FolderArguments;
use super::patch::patch;
use crate::rewrite::{Links, NotRewritten, rewrite};
use crate::terminal;

// Arguments of `lofting fix`.
#[derive(Args)]
#[command(after_help = super::examples::FIX)]
pub(crate) struct Arguments {
    /// How certain the fixes have to be.
    #[arg(long, value_enum, value_name = "CERTAINTY", default_value_t = Least::Sure)]
    certainty: Least,
    /// Fix only findings of this rule, such as ytt/type-mismatch; may be repeated.
    #[arg(long, value_name = "CODE")]
    only: Vec<String>,
    /// Write nothing; print the changes as a patch. The exit code is 1 if there are any.
    #[arg(long)]
    diff: bool,
    /// Write nothing; list what would be fixed. The exit code is 1 if there is anything.
    #[arg(long)]
    check: bool,
    /// How to answer.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    format: AnswerFormat,
    /// With the path `-`: the name of the file whose text is on standard input. The fixed text is printed.
    #[arg(long, value_name = "FILE")]
    stdin_filename: Option<String>,
    /// With one file: fix it only if its text has this version, `sha256:…`.
    #[arg(long, value_name = "VERSION")]
    if_version: Option<String>,
    /// What columns of the answer in JSON count.
    #[arg(long, value_name = "ENCODING", value_enum, default_value_t = EncodingName::Utf32)]
    position_encoding: EncodingName,
    #[command(flatten)]
    folder: FolderArguments,
    /// Files or directories; the current directory if none is given. `-` is the text on standard input.
    #[arg(value_name = "PATH", help_heading = None)]
    paths: Vec<String>,
}

/// The least certainty of fixes that are applied without being chosen one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Least {
    /// Nothing else can be meant, and nothing is lost.
    Sure,
    /// Fixes that are certain or most likely meant.
    Likely,
}

impl From<Least> for Certainty {
    fn from(least: Least) -> Certainty {
        match least {
            Least::Sure => Certainty::Sure,
            Least::Likely => Certainty::Likely,
        }
    }
}

/// Fixes.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    fix(arguments).unwrap_or_else(super::could_not_run)
}

fn fix(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let registry = rules::registry();
    for code in &arguments.only {
        if registry.get(code).is_none() {
            let nearest = registry.nearest(code).map(|rule| format!(", did you mean {rule}?")).unwrap_or_default();
            bail!("there is no rule {code:?}{nearest}");
        }
    }
    let mut paths = arguments.paths.clone();
    let unsaved = super::check::standard_input(arguments.stdin_filename.as_deref(), &mut paths)?;
    let here = std::env::current_dir().context("no current directory")?;
    let checker = arguments.folder.checker(&here)?;
    let text = unsaved.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
    let report = checker.check(&here, &paths, Outside { unsaved: text, ..checker.outside() })?;
    if let Some(version) = &arguments.if_version {
        let [checked] = report.files.as_slice() else {
            bail!("--if-version: it is the version of one file, so one file has to be named");
        };
        let own = version_of(&report.snapshot.text(checked.file).to_string());
        if *version != own {
            bail!("{}: the text has changed: its version is {own}", checked.shown);
        }
    }
    let choice = FixChoice { certainty: arguments.certainty.into(), only: arguments.only.clone() };
    let fixed = fixed_files(&report, &choice, arguments.position_encoding.into());
    let shows = arguments.diff || arguments.check;
    let mut not_written = Vec::new();
    let writes = !shows && unsaved.is_none();
    for (path, file) in fixed.iter().filter(|_| writes) {
        if let Err(why) = write(path, file) {
            not_written.push(NotWritten { file: file.file.clone(), message: why.to_string() });
        }
    }
    let files: Vec<FixedFile> = fixed.into_iter().map(|(_, file)| file).collect();
    let unreadable = report.count_of(&rules::UNREADABLE_FILE);
    let failed = !not_written.is_empty() || unreadable > 0;
    print_answer(arguments, unsaved.as_ref().map(|(_, text)| text.as_str()), &files, writes, not_written)?;
    Ok(if failed {
        ExitCode::from(super::COULD_NOT_RUN)
    } else if shows && !files.is_empty() {
        ExitCode::from(super::ERRORS_FOUND)
    } else {
        ExitCode::SUCCESS
    })
}

fn print_answer(
    arguments: &Arguments,
    piped: Option<&str>,
    files: &[FixedFile],
    written: bool,
    not_written: Vec<NotWritten>,
) -> anyhow::Result<()> {
    for NotWritten { file, message } in &not_written {
        say_left(file, message);
    }
    if arguments.format == AnswerFormat::Json {
        let position_encoding = arguments.position_encoding.into();
        let written = written && not_written.is_empty();
        let answer =
            FixAnswer { form: lofting::VERSION, position_encoding, written, files: files.to_vec(), not_written };
        print(&answer, AnswerFormat::Json, |_| String::new());
        return Ok(());
    }
    if arguments.diff {
        for file in files {
            terminal::print_patch(&patch(&file.file, &file.before, &file.after))?;
        }
        return Ok(());
    }
    if let Some(text) = piped.filter(|_| !arguments.check) {
        let fixed = files.first().map_or(text, |file| file.after.as_str());
        return Ok(terminal::print_data(fixed)?);
    }
    if files.is_empty() {
        terminal::say(NOTHING_TO_FIX);
    }
    let is_left = |file: &FixedFile| not_written.iter().any(|left| left.file == file.file);
    let lines: String = files.iter().filter(|file| !is_left(file)).map(done).collect();
    Ok(terminal::print(&lines)?)
}

/// The message if no fix is certain enough.
pub(super) const NOTHING_TO_FIX: &str = "lofting: found nothing that is safe to fix automatically";

/// The checked files with findings, fixed: the path of each, and the result.
pub(super) fn fixed_files<'r>(
    report: &'r CheckReport,
    choice: &FixChoice,
    encoding: PositionEncoding,
) -> Vec<(&'r Path, FixedFile)> {
    let of_file = |checked: &lofting_workspace::CheckedFile| {
        let path = report.snapshot.path(checked.file);
        let is_here = |finding: &lofting_check::Diagnostic| finding.span.file == checked.file;
        // Flags and standard input are not files.
        let may_be_fixed = path.is_absolute() && checked.diagnostics.iter().any(is_here);
        let fixed =
            may_be_fixed.then(|| FixedFile::of(&report.snapshot, checked.file, &checked.shown, encoding, choice));
        Some((path, fixed.flatten()?))
    };
    report.files.iter().filter_map(of_file).collect()
}

/// Writes a fixed file, completely or not at all.
pub(super) fn write(path: &Path, file: &FixedFile) -> Result<(), NotRewritten> {
    rewrite(path, Links::Refused, &file.before, &file.after)
}

/// What was fixed, a line for each fix.
pub(super) fn done(file: &FixedFile) -> String {
    let name = terminal::line(&file.file);
    file.fixes.iter().map(|fix| format!("{name}: {}: {}\n", fix.code, terminal::line(&fix.title))).collect()
}

/// Says that a file could not be written.
pub(super) fn say_left(name: &str, why: impl Display) {
    terminal::say(&format!("lofting: {} was left as it is: {why}", terminal::line(name)));
}

//! What the commands that answer a question about one file have in common.

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use lofting::{PositionEncoding, Problem, Services, Snapshot, Workspace};
use lofting_workspace::{Fetch, Settings, normalise};
use serde::Serialize;

use crate::evaluation::EvaluationArguments;
use crate::fetching::FetchArguments;
use crate::terminal;
use crate::trust::TrustArguments;

// Arguments about the file, its text and its surroundings.
#[derive(Args, Debug, Default)]
pub(crate) struct AskedArguments {
    /// Root of the workspace; by default the current directory if the file is below it, else the file's directory.
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// With the file `-`: the name of the file whose text is on standard input. It decides schema and language; nothing
    /// has to be there.
    #[arg(long, value_name = "FILE")]
    stdin_filename: Option<String>,
    /// Answer only if the text of the file has this version, `sha256:…`: all answers in JSON name the one that they are
    /// about.
    #[arg(long, value_name = "VERSION")]
    if_version: Option<String>,
    /// What columns count: `utf-32` characters, `utf-16` units or `utf-8` bytes.
    #[arg(long, value_name = "ENCODING", value_enum, default_value_t = EncodingName::Utf32)]
    position_encoding: EncodingName,
    #[command(flatten)]
    trust: TrustArguments,
    #[command(flatten)]
    fetch: FetchArguments,
}

/// What columns count, on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum EncodingName {
    /// Bytes of UTF-8.
    #[value(name = "utf-8")]
    Utf8,
    /// UTF-16 units.
    #[value(name = "utf-16")]
    Utf16,
    /// Characters.
    #[default]
    #[value(name = "utf-32")]
    Utf32,
}

impl From<EncodingName> for PositionEncoding {
    fn from(name: EncodingName) -> PositionEncoding {
        match name {
            EncodingName::Utf8 => PositionEncoding::Utf8,
            EncodingName::Utf16 => PositionEncoding::Utf16,
            EncodingName::Utf32 => PositionEncoding::Utf32,
        }
    }
}

/// How an answer is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerFormat {
    /// Lines for people.
    Text,
    /// One JSON object on one line.
    Json,
}

/// `FILE:LINE:COLUMN`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FilePlace {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// Something else was written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NoPlace;

impl std::error::Error for NoPlace {}

impl fmt::Display for NoPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a file, a line and a column are expected, such as `values.yml:12:3`")
    }
}

impl FromStr for FilePlace {
    type Err = NoPlace;

    fn from_str(written: &str) -> Result<Self, NoPlace> {
        let mut parts = written.rsplitn(3, ':');
        let mut number = || parts.next().and_then(|part| part.parse().ok()).ok_or(NoPlace);
        let (column, line) = (number()?, number()?);
        let file = parts.next().filter(|file| !file.is_empty()).ok_or(NoPlace)?;
        Ok(FilePlace { file: file.to_owned(), line, column })
    }
}

impl AskedArguments {
    /// The file `-` is the text on standard input.
    pub(crate) fn is_piped(file: &str) -> bool {
        file == "-"
    }

    /// What columns count.
    pub(crate) fn encoding(&self) -> PositionEncoding {
        self.position_encoding.into()
    }

    /// The file as it is now, or with the text on standard input.
    pub(crate) fn snapshot(&self, file: &str, evaluation: &EvaluationArguments) -> Result<Snapshot, Problem> {
        let here = std::env::current_dir().map_err(|error| refused(format_args!("no current directory: {error}")))?;
        let is_piped = Self::is_piped(file);
        let name = match (&self.stdin_filename, is_piped) {
            (Some(name), true) => name.as_str(),
            (None, true) => "stdin.yml",
            (Some(_), false) => return Err(refused("--stdin-filename: it belongs to the file `-`")),
            (None, false) => file,
        };
        let path = normalise(&here, Path::new(name));
        let root = match &self.root {
            Some(root) => normalise(&here, root),
            None if path.starts_with(&here) => here.clone(),
            None => path.parent().unwrap_or(&path).to_owned(),
        };
        let fetcher = self.fetch.fetcher(None).map_err(refused)?;
        let services = Services {
            settings: settings(&self.fetch, self.trust, &here)?,
            evaluator: Some(evaluation.evaluator().map_err(refused)?.into()),
            fetch: fetcher.as_ref().map(|fetcher| fetcher as &dyn Fetch),
            names_any_file: true,
            names_from: Some(here),
            encoding: self.encoding(),
        };
        let text = is_piped.then(super::input::read_stdin).transpose().map_err(refused)?;
        let mut workspace = Workspace::with(&root, services);
        if let Some(text) = text {
            workspace.edit(name, &text)?;
        }
        let snapshot = workspace.snapshot(name)?;
        snapshot.expect(self.if_version.as_deref())?;
        Ok(snapshot)
    }
}

/// What the user says about schemas and trust; relative folders are below `here`.
pub(super) fn settings(fetch: &FetchArguments, trust: TrustArguments, here: &Path) -> Result<Settings, Problem> {
    Ok(Settings {
        trust: trust.trust(),
        catalogue: fetch.catalogue.clone(),
        mirrors: fetch.mirrors(here).map_err(refused)?,
        built_in: fetch.built_in(),
        ..Settings::default()
    })
}

fn refused(why: impl Display) -> Problem {
    Problem::Refused(format!("{why:#}"))
}

/// Prints an answer.
pub(crate) fn print<A: Serialize>(answer: &A, format: AnswerFormat, text: impl FnOnce(&A) -> String) -> ExitCode {
    let printed = match format {
        AnswerFormat::Text => terminal::print_text(&text(answer)),
        // Only strings and numbers, so writing cannot fail.
        AnswerFormat::Json => terminal::print_data(&(serde_json::to_string(answer).unwrap_or_default() + "\n")),
    };
    printed.map_or_else(super::could_not_run, |()| ExitCode::SUCCESS)
}

/// Says why there is no answer: 1 if the answer is that there is none, else 2.
pub(crate) fn no_answer(problem: &Problem) -> ExitCode {
    let code = super::could_not_run(problem);
    match problem {
        Problem::NothingThere(_) => ExitCode::from(super::ERRORS_FOUND),
        _ => code,
    }
}

#[cfg(test)]
mod tests {
    use super::FilePlace;

    #[test]
    fn places_end_with_two_numbers() {
        let place = |file: &str, line, column| Ok(FilePlace { file: file.to_owned(), line, column });
        assert_eq!("a.yml:1:2".parse(), place("a.yml", 1, 2));
        assert_eq!("c:\\x y:z.yml:10:20".parse(), place("c:\\x y:z.yml", 10, 20));
        assert_eq!("-:3:1".parse(), place("-", 3, 1));
        for wrong in ["", "a.yml", "a.yml:1", ":1:2", "a.yml:1:b", "a.yml:-1:2", "a.yml:1:99999999999"] {
            wrong.parse::<FilePlace>().expect_err(wrong);
        }
    }
}

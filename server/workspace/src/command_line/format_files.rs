//! The files that `lofting fmt` formats.

use crate::association::configurations;
use crate::association::no_data::no_data;
use crate::command_line::check_below::workspace_given;
use crate::command_line::check_error::CheckError;
use crate::command_line::coverage::mistakes_in;
use crate::disk::{Volume, read_text};
use crate::formatting;
use crate::inputs::NameKind;
use crate::settings::Settings;
use crate::snapshot::Snapshot;
use lofting_document::FileId;
use lofting_format::{Edit, format};
use lofting_memo::CancelFlag;
use lofting_syntax::{SyntaxError, parse};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A file to format.
#[derive(Debug)]
pub struct FormattedFile {
    /// Its path.
    pub path: PathBuf,
    /// As the user named it.
    pub shown: String,
    /// The user named the file itself, not a directory that contains it.
    pub is_named: bool,
    /// The result of formatting.
    pub layout: Layout,
}

/// The result of formatting a text.
#[derive(Debug)]
pub enum Layout {
    /// The edits that format the text; empty if it is formatted already.
    Edits {
        /// The text they are for.
        text: String,
        /// The edits, in order.
        edits: Vec<Edit>,
    },
    /// The text has syntax errors and is left as it is.
    Damaged {
        /// The text.
        text: String,
        /// The first error.
        error: SyntaxError,
    },
    /// The text is YAML only after it was rendered.
    Template,
    /// The text cannot be read, for this reason.
    Unread(String),
}

/// Formats files, and all YAML files below directories, in memory. Paths are relative to `base`. Also gives the mistakes
/// in the `lofting.toml` files that apply to them, in words. The error names a path that does not exist.
pub fn format_files(
    base: &Path,
    paths: &[String],
    settings: Settings,
) -> Result<(Vec<FormattedFile>, Vec<String>), CheckError> {
    let (workspace, mut given) = workspace_given(
        (base, &Volume::default()),
        paths,
        settings,
        |_| {},
        |_| false,
        &mut |_| {},
        &CancelFlag::new(),
    )?;
    let snapshot = workspace.snapshot();
    // A file that is both named and found in a directory counts as named.
    given.sort_by_key(|(file, _, is_named)| (*file, !is_named));
    given.dedup_by_key(|(file, ..)| *file);
    given.sort_by(|a, b| a.1.cmp(&b.1));
    let mut formatted = Vec::new();
    let mut mistakes = BTreeSet::new();
    for (file, shown, is_named) in given {
        let path = snapshot.path(file).to_owned();
        configurations::going_up(&snapshot.state, &path)
            .for_each(|config| mistakes.extend(mistakes_in(&snapshot.state, &config)));
        let is_yaml = matches!(NameKind::of_path(&path), NameKind::Yaml | NameKind::YamlLibrary);
        if !is_named && !is_yaml {
            continue;
        }
        let text = if is_named { read_text(&path) } else { snapshot.state.bounds_of(&path).text(&path) };
        let layout = match text {
            _ if is_template(&snapshot, file) => Layout::Template,
            _ if !is_yaml => Layout::Unread("only YAML files can be formatted".to_owned()),
            Ok(text) => laid_out(&snapshot, &path, text),
            Err(problem) => Layout::Unread(problem.to_string()),
        };
        formatted.push(FormattedFile { path, shown, is_named, layout });
    }
    Ok((formatted, mistakes.into_iter().collect()))
}

fn is_template(snapshot: &Snapshot, file: FileId) -> bool {
    let known = snapshot.state.file(file);
    known.and_then(|file| no_data(&snapshot.state, file)).is_some_and(|why| why.is_template())
}

/// Formats a text that is in no file, as if it were in `base`.
pub fn format_text(base: &Path, text: String, settings: Settings) -> Layout {
    let workspace = crate::workspace::Workspace::new(vec![base.to_owned()], settings);
    laid_out(&workspace.snapshot(), &base.join("stdin.yml"), text)
}

fn laid_out(snapshot: &Snapshot, path: &Path, text: String) -> Layout {
    match format(&parse(&text), &formatting::options(&snapshot.state, path)) {
        Ok(edits) => Layout::Edits { text, edits },
        Err(error) => Layout::Damaged { text, error },
    }
}

//! `lofting explain`: which schema governs a file, and why.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use lofting_workspace::{CancelFlag, Settings, Snapshot, Workspace, normalise};

/// Arguments of `lofting explain`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The file.
    file: PathBuf,
    /// Root of the workspace; the current directory if the file is below it, else the file's directory.
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
}

/// Explains it.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match explain(arguments) {
        Ok(text) => match super::print(&text) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => super::could_not_run(error),
        },
        Err(why) => super::could_not_run(why),
    }
}

fn explain(arguments: &Arguments) -> Result<String, String> {
    let here = std::env::current_dir().map_err(|error| format!("no current directory: {error}"))?;
    let path = normalise(&here, &arguments.file);
    if !path.is_file() {
        return Err(format!("{}: there is no such file", arguments.file.display()));
    }
    let root = match &arguments.root {
        Some(root) => normalise(&here, root),
        None if path.starts_with(&here) => here.clone(),
        None => path.parent().unwrap_or(&path).to_owned(),
    };
    let mut workspace = Workspace::new(vec![root], Settings::default());
    workspace.scan(&mut |_| {}, &CancelFlag::new());
    // Files that are ignored or beyond the limits are not seen by the scan, but may be asked for.
    workspace.disk_changed(std::slice::from_ref(&path));
    let snapshot = workspace.snapshot();
    let file = snapshot.file(&path).ok_or_else(|| format!("{}: not a YAML file", arguments.file.display()))?;
    let association = snapshot.association(file);
    let shown = |file| shown(&snapshot, &here, file);
    let mut text = format!("{}\n", shown(file));
    let schemas: Vec<_> = association.schemas().collect();
    if schemas.is_empty() {
        text += "  schema: none\n";
    }
    for schema in schemas {
        let set = schema.set.as_ref().map(|set| format!(" (input set {set})")).unwrap_or_default();
        let files: Vec<_> = schema.files.iter().map(|file| shown(*file)).collect();
        text += &format!("  schema: {}{set}\n", files.join(", "));
    }
    text += &format!("  why: {}\n", association.reason);
    Ok(text)
}

/// A path relative to the current directory where that is shorter.
fn shown(snapshot: &Snapshot, here: &Path, file: lofting_document::FileId) -> String {
    let path = snapshot.path(file);
    path.strip_prefix(here).unwrap_or(path).display().to_string()
}

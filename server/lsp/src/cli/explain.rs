//! `lofting explain`: which schema governs a file, and why; or what a rule means.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::terminal;
use clap::Args;
use lofting_workspace::{CancelFlag, Fetch, Reach, Settings, Snapshot, Workspace, normalise};

use crate::fetching::FetchArguments;
use crate::trust::TrustArguments;

/// Arguments of `lofting explain`.
#[derive(Args)]
#[command(after_help = super::examples::EXPLAIN)]
pub(crate) struct Arguments {
    /// The file; or the code of a rule, such as kubernetes/type-mismatch, whose page of the manual is printed.
    #[arg(value_name = "FILE|CODE", help_heading = None)]
    file: PathBuf,
    /// Root of the workspace; by default the current directory if the file is below it, else the file's directory.
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    #[command(flatten)]
    trust: TrustArguments,
    #[command(flatten)]
    fetch: FetchArguments,
}

/// Explains which schema governs the file.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match explain(arguments) {
        Ok(text) => match terminal::print(&text) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => super::could_not_run(error),
        },
        Err(why) => super::could_not_run(why),
    }
}

fn explain(arguments: &Arguments) -> Result<String, String> {
    let here = std::env::current_dir().map_err(|error| format!("no current directory: {error}"))?;
    let path = normalise(&here, &arguments.file);
    if !Reach::of_user().is_file(&path) {
        if let Some(page) = arguments.file.to_str().and_then(super::rule_page) {
            return Ok(page);
        }
        // A code has no dot, most names of files do.
        let code = arguments.file.to_str().filter(|name| name.contains('/') && !name.contains('.'));
        if let Some(rule) = code.and_then(|code| lofting_check::rules::registry().nearest(code)) {
            return Err(format!("there is no file and no rule {:?}, did you mean {rule}?", arguments.file));
        }
        return Err(format!("{}: there is no such file", arguments.file.display()));
    }
    let root = match &arguments.root {
        Some(root) => normalise(&here, root),
        None if path.starts_with(&here) => here.clone(),
        None => path.parent().unwrap_or(&path).to_owned(),
    };
    let fetcher = arguments.fetch.fetcher(None)?;
    let catalogue = arguments.fetch.catalogue.clone();
    let mirrors = arguments.fetch.mirrors(&here)?;
    let built_in = arguments.fetch.built_in();
    let settings = Settings { trust: arguments.trust.trust(), catalogue, mirrors, built_in, ..Settings::default() };
    let mut workspace = Workspace::new(vec![root], settings);
    workspace.scan(&mut |_| {}, &CancelFlag::new());
    // The scan skips ignored files and those beyond its limits, but they may be named here.
    workspace.disk_changed(std::slice::from_ref(&path));
    let asked: Vec<_> = workspace.snapshot().file(&path).into_iter().collect();
    workspace.find_schemas_of(&asked, fetcher.as_ref().map(|fetcher| fetcher as &dyn Fetch));
    let snapshot = workspace.snapshot();
    let file = snapshot.file(&path).ok_or_else(|| format!("{}: not a YAML file", arguments.file.display()))?;
    Ok(lofting_ide::explain(&snapshot, file).plain(|file| shown(&snapshot, &here, file)))
}

/// A path relative to the current directory if that is shorter.
fn shown(snapshot: &Snapshot, here: &Path, file: lofting_document::FileId) -> String {
    let path = snapshot.path(file);
    terminal::line(&path.strip_prefix(here).unwrap_or(path).display().to_string()).into_owned()
}

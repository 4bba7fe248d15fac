//! `lofting mcp`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::Args;
use lofting_workspace::normalise;

use super::asked::settings;
use super::folder::FolderArguments;
use crate::mcp::Folder;

// Arguments of `lofting mcp`.
#[derive(Args)]
#[command(after_help = super::examples::MCP)]
pub(crate) struct Arguments {
    /// The folder that the tools are about; by default the current directory. Files outside it and its repository are
    /// neither read nor written.
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Let the tool `fix` write files of the folder if it is asked to. Without it, tools only read.
    #[arg(long)]
    write: bool,
    #[command(flatten)]
    folder: FolderArguments,
}

/// Serves until the client closes stdin.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let serve = |folder| crate::mcp::serve_stdio(folder).map_err(|error| anyhow!("the server stopped: {error}"));
    folder(arguments).and_then(serve).unwrap_or_else(super::could_not_run)
}

fn folder(arguments: &Arguments) -> anyhow::Result<Folder> {
    let here = std::env::current_dir().context("no current directory")?;
    Ok(Folder {
        root: arguments.root.as_ref().map_or_else(|| here.clone(), |root| normalise(&here, root)),
        writes: arguments.write,
        settings: settings(&arguments.folder.fetch, arguments.folder.trust, &here)?,
        fetcher: arguments.folder.fetch.fetcher(None)?,
        evaluation: arguments.folder.evaluation.clone(),
    })
}

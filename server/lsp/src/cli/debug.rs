//! `lofting debug`: how the parser reads a file.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
use lofting_syntax::Tree;

use crate::terminal;

/// What to show.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// The syntax tree, one node or token a line.
    Tree {
        /// The file.
        file: PathBuf,
    },
    /// The events of the YAML test suite. Exits 1 if the file has a syntax error.
    Events {
        /// The file.
        file: PathBuf,
    },
    /// The manual's pages of rules, as an object in JSON: the Markdown of each by its path.
    Rules,
    /// Write a man page for each command into a directory.
    #[command(hide = true)]
    ManPages {
        /// The directory.
        directory: PathBuf,
    },
    /// Answers to questions about CEL, which are read from stdin as a list in JSON.
    #[command(hide = true)]
    Cel {
        /// Print the answers as JSON.
        #[arg(long)]
        json: bool,
    },
}

/// Answers questions about expressions.
fn answer_cel(as_json: bool) -> ExitCode {
    if !as_json {
        return super::could_not_run("answers are only printed as JSON: add `--json`");
    }
    let questions = match std::io::read_to_string(std::io::stdin()) {
        Ok(text) => text,
        Err(error) => return super::could_not_run(error),
    };
    match serde_json::from_str(&questions) {
        Ok(questions) => {
            let answers = lofting_cel::debug::answers(&questions);
            terminal::print_data(&answers.to_string()).map_or_else(super::could_not_run, |()| ExitCode::SUCCESS)
        }
        Err(error) => super::could_not_run(error),
    }
}

/// Shows it.
pub(crate) fn run(command: &Command) -> ExitCode {
    if let Command::ManPages { directory } = command {
        return super::completions::write_man_pages(directory);
    }
    if let Command::Cel { json } = command {
        return answer_cel(*json);
    }
    let (Command::Tree { file } | Command::Events { file }) = command else {
        let pages = lofting_diagnostic::manual::pages(lofting_check::rules::registry());
        let of_changes = lofting_diff::rules::all().map(|rule| (format!("{}.md", rule.path()), rule.page()));
        let pages: serde_json::Map<String, serde_json::Value> =
            pages.into_iter().chain(of_changes).map(|(path, text)| (path, text.into())).collect();
        return crate::terminal::print_data(&serde_json::Value::Object(pages).to_string())
            .map_or_else(super::could_not_run, |()| ExitCode::SUCCESS);
    };
    let tree = match parse(file) {
        Ok(tree) => tree,
        Err(error) => return super::could_not_run(format_args!("{}: {error}", file.display())),
    };
    let printed = match command {
        Command::Tree { .. } => terminal::print_text(&lofting_syntax::debug::dump(&tree)),
        // Events are compared with those of the test suite, byte for byte.
        _ => {
            let events = lofting_syntax::events::events(&tree).into_iter().map(|event| event + "\n");
            terminal::print_exact(&events.collect::<String>())
        }
    };
    if let Err(error) = printed {
        return super::could_not_run(error);
    }
    let errors = tree.errors();
    for error in &errors {
        let file = file.display().to_string();
        terminal::say(&format!("{}: byte {}: {}", terminal::line(&file), error.range.start, error.message));
    }
    match command {
        Command::Events { .. } if !errors.is_empty() => ExitCode::from(super::ERRORS_FOUND),
        _ => ExitCode::SUCCESS,
    }
}

fn parse(file: &Path) -> Result<Tree, lofting_workspace::ReadProblem> {
    Ok(lofting_syntax::parse(&lofting_workspace::read_text(file)?))
}

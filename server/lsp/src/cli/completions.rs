//! `lofting completions`, and the man pages that packages contain.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Arg, ArgAction, Args, Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use lofting_disk::{Access, Folder, Named, resolve};

use crate::terminal;

// Arguments of `lofting completions`.
#[derive(Args)]
#[command(after_help = super::examples::COMPLETIONS)]
pub(crate) struct Arguments {
    /// The shell that runs the script.
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script of completions for a shell.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut visible(&whole()), "lofting", &mut script);
    let script = String::from_utf8_lossy(&script);
    terminal::print_data(&script).map_or_else(super::could_not_run, |()| ExitCode::SUCCESS)
}

/// The command line with all arguments, which are otherwise made for the command that is called.
fn whole() -> Command {
    let mut command = super::Arguments::command().disable_help_subcommand(true);
    command.build();
    command
}

/// The command without its hidden subcommands, which the library would offer as well. What asks for help is added again.
fn visible(command: &Command) -> Command {
    let asks =
        |argument: &&Arg| matches!(argument.get_action(), ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong);
    let subcommands = command.get_subcommands().filter(|command| !command.is_hide_set()).map(visible);
    Command::new(command.get_name().to_owned())
        .about(command.get_about().cloned().unwrap_or_default())
        .disable_version_flag(true)
        .args(command.get_arguments().filter(|argument| !asks(argument)))
        .subcommands(subcommands)
}

/// Writes a man page for each command into a directory.
pub(crate) fn write_man_pages(directory: &Path) -> ExitCode {
    write_pages(directory).map_or_else(super::could_not_run, |()| ExitCode::SUCCESS)
}

fn write_pages(directory: &Path) -> anyhow::Result<()> {
    let here = std::env::current_dir().context("no current directory")?;
    let path = resolve(&lofting_workspace::normalise(&here, directory), Named::Itself);
    let folder = Folder::named(&path?, Named::Itself, true)?;
    for (name, page) in pages()? {
        folder.write(Path::new(&name), &page, Access::Quick).with_context(|| name.clone())?;
    }
    Ok(())
}

/// The pages with the names of their files: `lofting.1`, `lofting-check.1`, `lofting-schemas-list.1`.
fn pages() -> std::io::Result<Vec<(String, Vec<u8>)>> {
    let mut pages = Vec::new();
    let mut left = vec![whole()];
    while let Some(command) = left.pop() {
        left.extend(command.get_subcommands().filter(|command| !command.is_hide_set()).map(Command::clone));
        let man = Man::new(command);
        let mut page = Vec::new();
        man.render(&mut page)?;
        pages.push((man.get_filename(), page));
    }
    Ok(pages)
}

#[cfg(test)]
mod tests {
    use clap_complete::Shell;

    use super::{pages, visible, whole};

    #[test]
    fn hidden_commands_are_not_offered() {
        let names: Vec<String> =
            visible(&whole()).get_subcommands().map(|command| command.get_name().to_owned()).collect();
        assert!(names.iter().any(|name| name == "check") && !names.iter().any(|name| name == "debug"), "{names:?}");
    }

    #[test]
    fn a_shell_completes_the_options_of_a_command() {
        let mut script = Vec::new();
        clap_complete::generate(Shell::Bash, &mut visible(&whole()), "lofting", &mut script);
        let script = String::from_utf8_lossy(&script);
        for option in ["--output-files", "--against", "--help"] {
            assert!(script.contains(option), "{option} in\n{script}");
        }
    }

    #[test]
    fn every_command_has_a_page() {
        let pages = pages().expect("pages");
        let names: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
        for name in ["lofting.1", "lofting-check.1", "lofting-schemas-list.1"] {
            assert!(names.contains(&name), "{name} in {names:?}");
        }
        assert!(!names.iter().any(|name| name.contains("debug")), "{names:?}");
        for (name, page) in &pages {
            let page = String::from_utf8_lossy(page);
            assert!(page.contains(".SH SYNOPSIS") && page.contains(name.trim_end_matches(".1")), "{name}:\n{page}");
        }
    }
}

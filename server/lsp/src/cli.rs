//! The command line. Its arguments and exit codes are a contract with scripts: 0 for no errors, 1 for errors found, 2
//! if the work could not be done.

pub(crate) mod asked;
pub(crate) mod check;
pub(crate) mod complete;
pub(crate) mod completions;
pub(crate) mod debug;
pub(crate) mod diff;
pub(crate) mod docs;
mod examples;
pub(crate) mod explain;
pub(crate) mod fix;
pub(crate) mod fmt;
mod folder;
pub(crate) mod impact;
pub(crate) mod input;
pub(crate) mod lsp;
pub(crate) mod mcp;
pub(crate) mod migrate;
mod origins;
mod patch;
mod printing;
pub(crate) mod rename;
pub(crate) mod render;
pub(crate) mod schema;
pub(crate) mod schemas;
mod self_check;
mod shard;
pub(crate) mod values;
mod watch;

use crate::terminal;
use std::convert::Infallible;
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvError, RecvTimeoutError, Sender};
use std::time::Duration;

use clap::{Parser, Subcommand};

/// How often it is looked whether code in this process comes to an end.
const LOOK: Duration = Duration::from_millis(500);

/// The work could not be done: wrong arguments, unreadable input. The reason is on stderr.
pub(crate) const COULD_NOT_RUN: u8 = 2;
/// The work was done, and errors were found.
pub(crate) const ERRORS_FOUND: u8 = 1;

/// Checks, explains, formats and completes YAML by its schemas: Kubernetes, workflows, Compose and all that have a
/// JSON Schema, ytt, OpenChoreo.
#[derive(Parser)]
// As in ytt, the last of several equal flags takes effect.
#[command(
    name = "lofting",
    version,
    about,
    arg_required_else_help = true,
    args_override_self = true,
    disable_version_flag = true,
    after_help = examples::ALL_COMMANDS
)]
struct Arguments {
    /// Print the version, the commit and target it was built from, and the schemas that are built in.
    #[arg(short = 'V', long, exclusive = true)]
    version: bool,
    /// Print the manual's page of a rule, such as kubernetes/type-mismatch.
    #[arg(long, value_name = "CODE", exclusive = true)]
    explain: Option<String>,
    #[command(subcommand)]
    command: Option<Command>,
}

// What a command's arguments are is made for the one that is called: there are hundreds.
#[derive(Subcommand)]
#[command(defer = true)]
enum Command {
    /// Check values and schemas, and report everything that is wrong.
    Check(check::Arguments),
    /// Explain which schema governs a file and why, what is known about a value, or what a rule means.
    Explain(explain::Arguments),
    /// Apply all fixes that are certain, or show them.
    Fix(fix::Arguments),
    /// List what can be inserted at a place.
    Complete(complete::Arguments),
    /// Rename what is at a place, in all files.
    Rename(rename::Arguments),
    /// Format YAML files: columns, white space and comments, never their meaning.
    Fmt(fmt::Arguments),
    /// Print the output of ytt templates.
    Render(render::Arguments),
    /// Print the final data values of ytt's inputs.
    Values(values::Arguments),
    /// Print a schema in a few lines, or that of ytt's inputs in another schema language.
    Schema(schema::Arguments),
    /// Compare two versions of a schema: what changed, and whom it breaks.
    Diff(diff::Arguments),
    /// Write the documentation of a schema: Markdown, one HTML page, or a layout of your own.
    Docs(docs::Arguments),
    /// Compare with a revision: what newly fails in all files, and which change causes it.
    Impact(impact::Arguments),
    /// Apply moves of keys, which a plan lists, to the values of a schema.
    Migrate(migrate::Arguments),
    /// List, print and update the built-in schemas, and choose one for a file.
    Schemas(schemas::Arguments),
    /// Print what a bug report should contain about the program and its environment.
    SelfCheck,
    /// Print a script that completes this command line in a shell.
    Completions(completions::Arguments),
    /// Run the language server on stdin and stdout.
    Lsp(lsp::Arguments),
    /// Serve coding agents on stdin and stdout: the Model Context Protocol.
    Mcp(mcp::Arguments),
    /// Show how the parser reads a file.
    #[command(subcommand, hide = true)]
    Debug(debug::Command),
}

/// Runs the command line of this process.
pub(crate) fn run() -> ExitCode {
    // A worker gives up its rights thread by thread, so it has no threads but its own. It is started often, and does not
    // wait for the description of all commands.
    if std::env::args_os().skip(1).eq([crate::evaluator::WORKER]) {
        return crate::evaluator::serve();
    }
    // The stack of the first thread is chosen by the system, and may be small.
    let thread = std::thread::Builder::new().name("command".to_owned()).stack_size(lofting_eval::STACK);
    let (say, said) = std::sync::mpsc::channel();
    let run = move || -> Infallible {
        let code = run_arguments(&say);
        crate::evaluation::end_workers();
        let _ = say.send(Said::Done(code));
        // The process ends now: that of a thread before it would give back memory for nothing.
        loop {
            std::thread::park();
        }
    };
    match thread.spawn(run) {
        Ok(running) => end(&said).unwrap_or_else(|_| {
            let Err(panic) = running.join();
            std::panic::resume_unwind(panic)
        }),
        Err(error) => could_not_run(format_args!("cannot start a thread: {error}")),
    }
}

/// What the thread of the command says to the first one.
enum Said {
    /// Code may run in this process, and not come to an end.
    Watch,
    /// The command has ended.
    Done(ExitCode),
}

/// Waits for the exit code of the command, or for code that does not come to an end.
fn end(said: &Receiver<Said>) -> Result<ExitCode, RecvError> {
    if let Said::Done(code) = said.recv()? {
        return Ok(code);
    }
    loop {
        match said.recv_timeout(LOOK) {
            Ok(Said::Done(code)) => return Ok(code),
            Err(RecvTimeoutError::Disconnected) => return Err(RecvError),
            Err(RecvTimeoutError::Timeout) if crate::evaluator::is_overdue() => {
                return Ok(could_not_run("code was stopped: it does not come to an end"));
            }
            Ok(Said::Watch) | Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Runs the command that the arguments of this process name.
fn run_arguments(say: &Sender<Said>) -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => {
            // The message quotes the arguments, which may be any file name.
            terminal::say(terminal::lines(&error.render().to_string()).trim_end());
            return ExitCode::from(COULD_NOT_RUN);
        }
        Err(help) => {
            return match help.print() {
                Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                    could_not_run(format_args!("standard output: {error}"))
                }
                _ => ExitCode::SUCCESS,
            };
        }
    };
    if arguments.version {
        return terminal::print_data(&crate::build_info::text()).map_or_else(could_not_run, |()| ExitCode::SUCCESS);
    }
    if let Some(code) = &arguments.explain {
        return explain_rule(code);
    }
    let Some(command) = arguments.command else { return could_not_run("a command is missing: see `lofting --help`") };
    if matches!(command, Command::Render(_)) {
        let _ = say.send(Said::Watch);
    }
    run_command(command)
}

/// Runs a command.
fn run_command(command: Command) -> ExitCode {
    match command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Fix(arguments) => fix::run(&arguments),
        Command::Complete(arguments) => complete::run(&arguments),
        Command::Rename(arguments) => rename::run(&arguments),
        Command::Fmt(arguments) => fmt::run(&arguments),
        Command::Render(arguments) => render::run(&arguments),
        Command::Values(arguments) => values::run(&arguments),
        Command::Schema(arguments) => schema::run(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Docs(arguments) => docs::run(&arguments),
        Command::Impact(arguments) => impact::run(&arguments),
        Command::Migrate(arguments) => migrate::run(&arguments),
        Command::Schemas(arguments) => schemas::run(&arguments),
        Command::SelfCheck => self_check::run(),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Lsp(arguments) => lsp::run(&arguments),
        Command::Mcp(arguments) => mcp::run(&arguments),
        Command::Debug(command) => debug::run(&command),
    }
}

/// Prints the manual's page of a rule.
fn explain_rule(code: &str) -> ExitCode {
    let Some(page) = rule_page(code) else {
        let nearest = nearest_code(code).map(|meant| format!(", did you mean {meant}?")).unwrap_or_default();
        return could_not_run(format_args!("there is no rule {code:?}{nearest}"));
    };
    terminal::print_data(&page).map_or_else(could_not_run, |()| ExitCode::SUCCESS)
}

/// The code of a rule that was probably meant.
fn nearest_code(code: &str) -> Option<String> {
    let of_findings = || lofting_check::rules::registry().nearest(code).map(ToString::to_string);
    lofting_diff::rules::nearest(code).or_else(of_findings)
}

/// What the manual says about the rule with this code.
fn rule_page(code: &str) -> Option<String> {
    if let Some(rule) = lofting_diff::rules::by_code(code) {
        return Some(rule.page());
    }
    let rule = lofting_check::rules::registry().get(code)?;
    Some(lofting_diagnostic::manual::section(rule, code))
}

/// Reports on stderr why the work could not be done; the causes of an error follow it, after a colon each.
pub(crate) fn could_not_run(why: impl std::fmt::Display) -> ExitCode {
    terminal::say(&format!("lofting: {}", terminal::lines(&format!("{why:#}"))));
    ExitCode::from(COULD_NOT_RUN)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use clap::{Command, CommandFactory};

    use super::Arguments;

    /// The options below each heading of a command's help.
    fn headings(command: &Command) -> BTreeMap<String, BTreeSet<String>> {
        let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
            if let Some(heading) = argument.get_help_heading() {
                let name = if argument.is_positional() { "a path" } else { argument.get_id().as_str() };
                found.entry(heading.to_owned()).or_default().insert(name.to_owned());
            }
        }
        found
    }

    /// A command's arguments are added when it is called. If what defines them is documented with `///`, that takes the
    /// place of the command's description.
    #[test]
    fn a_command_is_described_in_its_help_as_in_the_list_of_all() {
        let listed = Arguments::command();
        let mut whole = listed.clone();
        whole.build();
        for command in listed.get_subcommands() {
            let called = whole.find_subcommand(command.get_name()).expect("it is there");
            let about = |command: &Command| command.get_about().map(ToString::to_string);
            assert!(about(command).is_some(), "{}", command.get_name());
            assert_eq!(about(called), about(command), "{}", command.get_name());
            assert!(called.get_long_about().is_none(), "{}", command.get_name());
        }
    }

    /// A heading holds for what follows it, so what comes after a group would be listed in it.
    #[test]
    fn a_heading_of_the_help_has_the_same_options_everywhere() {
        let mut known: BTreeMap<String, (String, BTreeSet<String>)> = BTreeMap::new();
        let mut arguments = Arguments::command();
        arguments.build();
        for command in arguments.get_subcommands() {
            for (heading, options) in headings(command) {
                let name = command.get_name().to_owned();
                assert!(!options.contains("a path"), "{name}: a path is listed below {heading:?}");
                let (first, usual) = known.entry(heading.clone()).or_insert_with(|| (name.clone(), options.clone()));
                assert_eq!(&options, usual, "{heading:?} in {name}, and in {first}");
            }
        }
        assert!(known.len() >= 3, "{:?}", known.keys());
    }
}

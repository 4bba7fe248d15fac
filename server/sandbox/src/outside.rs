//! What the parent of the process has to do: Seatbelt on macOS, a job object on Windows. Neither has been run yet.

use std::path::Path;
use std::process::{Child, Command};

#[cfg(target_os = "macos")]
use crate::elsewhere::confined;

/// The command that runs `program` with one argument and an empty environment, `confined` as far as the system can do
/// so from outside. A profile that is too tight ends a program before its first word; the caller then tries once more
/// without.
pub fn command(program: &Path, argument: &str, confined: bool) -> Command {
    let mut command = self::confined(program, confined);
    command.arg(argument).env_clear();
    command
}

#[cfg(not(target_os = "macos"))]
fn confined(program: &Path, _confined: bool) -> Command {
    Command::new(program)
}

/// Ties a started process to this one; dropping it may end the process.
#[derive(Debug)]
pub struct Held {
    #[cfg(windows)]
    _job: win32job::Job,
}

/// Ties a process to this one, so that it ends with it, where the system needs help with that. Elsewhere the process
/// itself sees the end of its input.
///
/// # Errors
///
/// The system refused; the process is unchanged.
#[cfg_attr(not(windows), expect(unused_variables, reason = "nothing has to be done"))]
pub fn hold(child: &Child) -> std::io::Result<Held> {
    Ok(Held {
        #[cfg(windows)]
        _job: crate::elsewhere::job_of(child)?,
    })
}

//! What the parent of the process has to do: Seatbelt on macOS, a job object on Windows. Neither has been run yet.

use std::path::Path;
use std::process::{Child, Command};

/// A Seatbelt profile that allows the program itself, its libraries and nothing else.
#[cfg(target_os = "macos")]
const PROFILE: &str = "(version 1) (deny default) (allow process-exec (literal (param \"EXE\"))) \
    (allow file-read* (literal (param \"EXE\")) (subpath \"/usr/lib\") (subpath \"/System/Library\") \
    (literal \"/dev/urandom\")) (allow sysctl-read)";

/// The command that runs `program` with one argument and an empty environment, `confined` as far as the system can do
/// so from outside. A profile that is too tight ends a program before its first word; the caller then tries once more
/// without.
pub fn command(program: &Path, argument: &str, confined: bool) -> Command {
    let mut command = inner(program, confined);
    command.arg(argument).env_clear();
    command
}

#[cfg(target_os = "macos")]
fn inner(program: &Path, confined: bool) -> Command {
    if !confined {
        return Command::new(program);
    }
    let mut definition = std::ffi::OsString::from("EXE=");
    definition.push(program);
    let mut command = Command::new("/usr/bin/sandbox-exec");
    command.args(["-p", PROFILE, "-D"]).arg(definition).arg(program);
    command
}

#[cfg(not(target_os = "macos"))]
fn inner(program: &Path, _confined: bool) -> Command {
    Command::new(program)
}

/// Ties a started process to this one; dropping it may end the process.
#[derive(Debug)]
pub struct Held {
    #[cfg(windows)]
    _job: win32job::Job,
}

/// Ties a process to this one, so that it ends with it, where the system needs help with that.
///
/// # Errors
///
/// The system refused; the process is unchanged.
#[cfg(windows)]
pub fn hold(child: &Child) -> std::io::Result<Held> {
    use std::os::windows::io::AsRawHandle;
    let mut limits = win32job::ExtendedLimitInfo::new();
    limits.limit_kill_on_job_close();
    let job = win32job::Job::create_with_limit_info(&limits).map_err(std::io::Error::other)?;
    job.assign_process(child.as_raw_handle() as isize).map_err(std::io::Error::other)?;
    Ok(Held { _job: job })
}

/// Ties a process to this one. Nothing to do here: the process itself sees the end of its input.
///
/// # Errors
///
/// None on this system.
#[cfg(not(windows))]
pub fn hold(_child: &Child) -> std::io::Result<Held> {
    Ok(Held {})
}

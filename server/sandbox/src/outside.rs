//! What has to be done by who starts the process: Seatbelt on macOS, a job on Windows. Neither was run by us.

use std::path::Path;
use std::process::{Child, Command};

/// A profile that allows the program itself, its libraries and nothing else.
#[cfg(target_os = "macos")]
const PROFILE: &str = "(version 1) (deny default) (allow process-exec (literal (param \"EXE\"))) \
    (allow file-read* (literal (param \"EXE\")) (subpath \"/usr/lib\") (subpath \"/System/Library\") \
    (literal \"/dev/urandom\")) (allow sysctl-read)";

/// The command line that runs `program` with one argument, without environment; `confined` as well as the system can
/// from outside. A profile that is too tight ends a program before it says a word: then try once more without.
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

/// What keeps hold of a process that was started; dropping it lets go, which may end the process.
#[derive(Debug)]
pub struct Held {
    #[cfg(windows)]
    _job: win32job::Job,
}

/// Takes hold of a process so that it ends with this one, where the system needs that.
///
/// # Errors
/// The system refused; the process is as it was.
#[cfg(windows)]
pub fn hold(child: &Child) -> std::io::Result<Held> {
    use std::os::windows::io::AsRawHandle;
    let mut limits = win32job::ExtendedLimitInfo::new();
    limits.limit_kill_on_job_close();
    let job = win32job::Job::create_with_limit_info(&limits).map_err(std::io::Error::other)?;
    job.assign_process(child.as_raw_handle() as isize).map_err(std::io::Error::other)?;
    Ok(Held { _job: job })
}

/// Takes hold of a process so that it ends with this one; here it sees the end of its input itself.
///
/// # Errors
/// None on this system.
#[cfg(not(windows))]
pub fn hold(_child: &Child) -> std::io::Result<Held> {
    Ok(Held {})
}

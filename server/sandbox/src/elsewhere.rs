//! What stands for the layers on systems other than Linux, which is the one that the tests run on: some have a part of a
//! layer, and the others say that there is none.

#[cfg(not(unix))]
use std::io::{Result as Written, Stdout, Write};
#[cfg(windows)]
use std::process::Child;
#[cfg(target_os = "macos")]
use std::{path::Path, process::Command};

use crate::gap::Gap;

/// A Seatbelt profile that allows the program itself, its libraries and nothing else.
#[cfg(target_os = "macos")]
const PROFILE: &str = "(version 1) (deny default) (allow process-exec (literal (param \"EXE\"))) \
    (allow file-read* (literal (param \"EXE\")) (subpath \"/usr/lib\") (subpath \"/System/Library\") \
    (literal \"/dev/urandom\")) (allow sysctl-read)";

/// The program in Seatbelt, if it has to be confined.
#[cfg(target_os = "macos")]
pub(crate) fn confined(program: &Path, confined: bool) -> Command {
    if !confined {
        return Command::new(program);
    }
    let mut definition = std::ffi::OsString::from("EXE=");
    definition.push(program);
    let mut command = Command::new("/usr/bin/sandbox-exec");
    command.args(["-p", PROFILE, "-D"]).arg(definition).arg(program);
    command
}

/// Seatbelt is applied from outside, by the process that starts this one. Here its effect can only be tested.
#[cfg(target_os = "macos")]
pub(crate) fn no_access() -> Result<(), Gap> {
    match std::fs::read_dir("/") {
        Ok(_) => Err(Gap::NoSeatbelt),
        Err(_) => Ok(()),
    }
}

#[cfg(not(target_os = "macos"))]
pub(crate) fn no_access() -> Result<(), Gap> {
    Err(Gap::NoLayer)
}

/// On this system the limit can be set but has no effect.
#[cfg(target_os = "macos")]
pub(crate) fn memory() -> Result<(), Gap> {
    Err(Gap::UnboundMemory)
}

pub(crate) fn kills() -> Result<(), Gap> {
    Err(Gap::NoFilter)
}

pub(crate) fn few_calls() -> Result<(), Gap> {
    Err(Gap::NoFilter)
}

/// A program keeps its rights on this system.
pub(crate) fn few_calls_of_program() -> Result<(), Gap> {
    Err(Gap::NoFilter)
}

pub(crate) fn limits_of_program() -> Result<(), Gap> {
    Ok(())
}

/// On Windows a process inherits only what is marked for it.
#[cfg(not(unix))]
pub(crate) fn close_inherited() -> Result<(), Gap> {
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn limits_of_memory() -> Result<(), Gap> {
    Err(Gap::NoLimit)
}

#[cfg(not(unix))]
pub(crate) fn no_descriptors() -> Result<(), Gap> {
    Err(Gap::NoLimit)
}

/// Only waits: this system does not report a hang-up.
#[cfg(not(unix))]
pub fn hung_up(wait: std::time::Duration) -> bool {
    std::thread::sleep(wait);
    false
}

/// Writes through Rust's buffer.
#[cfg(not(unix))]
pub(crate) fn write(mut output: &Stdout, bytes: &[u8]) -> Written<usize> {
    output.write(bytes)
}

/// The job whose processes end when it is dropped, with this process in it.
#[cfg(windows)]
pub(crate) fn job_of(child: &Child) -> std::io::Result<win32job::Job> {
    use std::os::windows::io::AsRawHandle;
    let mut limits = win32job::ExtendedLimitInfo::new();
    limits.limit_kill_on_job_close();
    let job = win32job::Job::create_with_limit_info(&limits).map_err(std::io::Error::other)?;
    job.assign_process(child.as_raw_handle() as isize).map_err(std::io::Error::other)?;
    Ok(job)
}

//! Why a layer does not hold.

use std::{fmt, io};

/// Why a layer does not hold.
#[derive(Debug)]
pub(crate) enum Gap {
    /// The system refused a call.
    Refused(io::Error),
    /// A descriptor that was inherited stays open.
    #[cfg(unix)]
    Descriptor(i32),
    /// Landlock reports an error.
    #[cfg(target_os = "linux")]
    Landlock(landlock::RulesetError),
    /// Landlock enforces nothing.
    #[cfg(target_os = "linux")]
    NotEnforced(landlock::LandlockStatus),
    /// A filter of system calls cannot be made.
    #[cfg(target_os = "linux")]
    Filter(seccompiler::BackendError),
    /// The system does not take the filter.
    #[cfg(target_os = "linux")]
    Install(seccompiler::Error),
    /// The system has no filter of system calls.
    #[cfg(not(target_os = "linux"))]
    NoFilter,
    /// The process can read files.
    #[cfg(target_os = "macos")]
    NoSeatbelt,
    /// The system does not bound the address space.
    #[cfg(target_os = "macos")]
    UnboundMemory,
    /// The system cannot take access to files away.
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    NoLayer,
    /// The system has no such limit.
    #[cfg(not(unix))]
    NoLimit,
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gap::Refused(error) => error.fmt(f),
            #[cfg(unix)]
            Gap::Descriptor(number) => write!(f, "descriptor {number} cannot be closed"),
            #[cfg(target_os = "linux")]
            Gap::Landlock(error) => write!(f, "Landlock: {error}"),
            #[cfg(target_os = "linux")]
            Gap::NotEnforced(status) => write!(f, "Landlock: {status:?}"),
            #[cfg(target_os = "linux")]
            Gap::Filter(error) => write!(f, "seccomp: {error}"),
            #[cfg(target_os = "linux")]
            Gap::Install(error) => write!(f, "seccomp: {error}"),
            #[cfg(not(target_os = "linux"))]
            Gap::NoFilter => f.write_str("this system has no filter for system calls"),
            #[cfg(target_os = "macos")]
            Gap::NoSeatbelt => f.write_str("the process was not started with sandbox-exec"),
            #[cfg(target_os = "macos")]
            Gap::UnboundMemory => f.write_str("this system does not bound the address space"),
            #[cfg(not(any(target_os = "linux", target_os = "macos")))]
            Gap::NoLayer => f.write_str("this system has no such layer"),
            #[cfg(not(unix))]
            Gap::NoLimit => f.write_str("this system has no such limit"),
        }
    }
}

impl std::error::Error for Gap {}

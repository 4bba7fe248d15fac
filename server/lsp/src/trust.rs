//! The folders that the user trusts: texts in them may name any file and read the environment.
//!
//! Only the user can decide this: on the command line, in the environment, in the settings of the editor, or when the
//! editor asks. Nothing in a repository can.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::Args;
use lofting_workspace::Trust;

/// The environment variable.
pub(crate) const VARIABLE: &str = "LOFTING_TRUST";

// Trust on the command line.
#[derive(Args, Debug, Default, Clone, Copy)]
pub(crate) struct TrustArguments {
    /// Let lofting.toml and modelines name files outside the workspace folder and its repository, and lofting.toml
    /// read environment variables. Only for repositories whose authors you trust. LOFTING_TRUST=1 does the same for
    /// every call, LOFTING_TRUST=FOLDER:FOLDER for what lies in these folders.
    #[arg(long)]
    pub(crate) trust: bool,
}

impl TrustArguments {
    /// The folders that the user trusts in this call.
    pub(crate) fn trust(self) -> Trust {
        if self.trust { Trust::all() } else { of_environment() }
    }
}

/// The folders according to the environment.
pub(crate) fn of_environment() -> Trust {
    std::env::var_os(VARIABLE).map(|value| read(&value)).unwrap_or_default()
}

/// `1`, or folders separated as in `PATH`.
fn read(value: &OsStr) -> Trust {
    if value == "1" {
        return Trust::all();
    }
    let folders = std::env::split_paths(value).filter_map(|path| folder(path.to_str()?));
    Trust { all: false, folders: folders.collect() }
}

/// A folder as written by the user: an absolute path, or `~/`. A relative one would mean another folder in every
/// workspace.
pub(crate) fn folder(text: &str) -> Option<PathBuf> {
    let path = match text.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with(['/', '\\']) => {
            std::env::home_dir()?.join(rest.trim_start_matches(['/', '\\']))
        }
        _ => PathBuf::from(text),
    };
    path.is_absolute().then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_is_a_switch_or_a_list_of_folders() {
        assert_eq!(read(OsStr::new("1")), Trust::all());
        for nothing in ["", "0", "true", "yes", ".", "work", "../x"] {
            assert_eq!(read(OsStr::new(nothing)), Trust::default(), "{nothing}");
        }
        let folders = std::env::join_paths(["/work/a", "relative", "/work/b"]).unwrap();
        let expected = Trust { all: false, folders: vec!["/work/a".into(), "/work/b".into()] };
        #[cfg(unix)]
        assert_eq!(read(&folders), expected);
    }

    #[test]
    fn home_is_spelled_in_short() {
        let home = std::env::home_dir().unwrap();
        assert_eq!(folder("~/src"), Some(home.join("src")));
        assert_eq!(folder("~"), Some(home));
        assert_eq!(folder("~other/src"), None);
        assert_eq!(folder(""), None);
    }
}

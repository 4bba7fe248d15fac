//! Emacs with eglot, where it is installed.

use crate::report::Report;
use crate::shell;

/// Builds the server and drives eglot in batch mode; skipped without Emacs.
pub fn test(report: &mut Report) {
    let title = "Emacs";
    if !shell::is_there("emacs") {
        let how = "there is no Emacs (Debian: apt-get install emacs-nox elpa-eglot elpa-yaml-mode)";
        return report.skip(title, how);
    }
    let server = match shell::build_lofting(shell::Profile::Dev) {
        Ok(path) => path,
        Err(why) => return report.fail(title, why),
    };
    let mut command = shell::program("emacs", &["--batch", "-q", "-l", "tests/run.el"], "editors/emacs");
    command.arg(server);
    report.command(title, &mut command);
}

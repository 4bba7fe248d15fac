//! Pages of `lofting docs`, read in a browser: whether they are valid, accessible and quick, and load nothing.

use crate::playground::{BROWSER, FOLDER};
use crate::report::Report;
use crate::shell::{self, program};
use crate::vscode;

/// Reads pages in a browser where there is one; its libraries are those of the playground's test.
pub fn test(report: &mut Report) {
    report.heading("pages of documentation");
    let title = "pages of documentation in a browser";
    if !shell::is_there(BROWSER) {
        return report.skip(title, &format!("`{BROWSER}` is not installed"));
    }
    if !report.check("pages of documentation: node modules", vscode::install_in(FOLDER)) {
        return;
    }
    match shell::build_lofting(shell::Profile::Dev) {
        Ok(lofting) => {
            let mut drive = program("node", &["e2e/documentation.mjs"], FOLDER);
            drive.arg(lofting).arg(shell::target_dir().join("documentation-pictures"));
            report.command(title, &mut drive);
        }
        Err(why) => report.fail(title, why),
    }
}

//! Parts of pages that a chore writes: what was done on which day.

use std::fs;

use anyhow::{Context, anyhow};

use crate::shell;

/// The line after such a part.
pub const END: &str = "<!-- end of the ledger -->\n";

/// The part of a page that begins with a line, as `change` makes it of what was there. None if there is none.
pub fn changed(page: &str, begin: &str, change: impl FnOnce(&str) -> String) -> Option<String> {
    let (before, rest) = page.split_once(begin)?;
    let (ledger, after) = rest.split_once(END)?;
    Some(format!("{before}{begin}{}{END}{after}", change(ledger)))
}

/// A page of the manual.
pub fn page(path: &str) -> anyhow::Result<String> {
    fs::read_to_string(shell::root().join(path)).with_context(|| path.to_owned())
}

/// Writes a page; none has no ledger.
pub fn write(path: &str, page: Option<String>) -> anyhow::Result<()> {
    let page = page.ok_or_else(|| anyhow!("{path} has no ledger"))?;
    // A run that is ended here leaves one page or the other.
    let place = shell::root().join(path);
    let new = place.with_extension("new");
    fs::write(&new, page).with_context(|| new.display().to_string())?;
    fs::rename(&new, &place).with_context(|| path.to_owned())
}

/// The cells of a line of a table.
pub fn cells(line: &str) -> Option<Vec<&str>> {
    Some(line.strip_prefix('|')?.strip_suffix('|')?.split('|').map(str::trim).collect())
}

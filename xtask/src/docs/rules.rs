//! The page of all rules, which the program writes itself.

use super::Page;
use crate::shell::{self, Profile};
use std::process::Command;

pub fn page() -> Result<Page, String> {
    let mut lofting = Command::new(shell::build_lofting(Profile::Dev)?);
    let text = shell::quiet(lofting.args(["debug", "rules"]))?;
    Ok(Page { path: "docs/rules.md", text })
}

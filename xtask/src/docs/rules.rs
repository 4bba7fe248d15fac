//! The page of all rules, which the program writes itself.

use super::Page;
use crate::shell::{self, cargo};

pub fn page() -> Result<Page, String> {
    let text = shell::quiet(&mut cargo(&["run", "--quiet", "--package", "lofting-lsp", "--", "debug", "rules"]))?;
    Ok(Page { path: "docs/rules.md", text })
}

//! The pages of rules, which the program writes itself.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::Command;

use anyhow::Context;

use super::{Page, files_below, read};
use crate::shell::{self, Profile};

/// Holds nothing but these pages.
const FOLDER: &str = "docs/rules";

const SUMMARY: &str = "docs/SUMMARY.md";

/// Everything below this line is written.
const BEGIN: &str = "<!-- rules: written by `cargo xtask docs` -->\n";

pub fn pages() -> anyhow::Result<Vec<Page>> {
    let mut lofting = Command::new(shell::build_lofting(Profile::Dev)?);
    let text = shell::quiet(lofting.args(["debug", "rules"]))?;
    let pages: BTreeMap<String, String> = serde_json::from_str(&text).context("`lofting debug rules`")?;
    Ok(pages.into_iter().map(|(path, text)| Page { path: format!("docs/{path}"), text }).collect())
}

/// The list of all pages, which ends with those of rules.
pub fn summary(pages: &[Page]) -> anyhow::Result<Page> {
    let old = read(SUMMARY)?;
    let (before, _) = old.split_once(BEGIN).with_context(|| format!("{SUMMARY} has no line `{}`", BEGIN.trim()))?;
    let mut text = format!("{before}{BEGIN}");
    let mut last = "";
    for page in pages {
        let Some((folder, name)) = page.path.strip_prefix("docs/rules/").and_then(|path| path.split_once('/')) else {
            continue;
        };
        if folder != last {
            let _ = writeln!(text, "  - [{folder}]()");
            last = folder;
        }
        let _ = writeln!(text, "    - [{}](rules/{folder}/{name})", name.trim_end_matches(".md"));
    }
    Ok(Page { path: SUMMARY.to_owned(), text })
}

/// Pages of rules that are gone.
pub fn old(pages: &[Page]) -> Vec<String> {
    files_below(FOLDER).into_iter().filter(|path| pages.iter().all(|page| page.path != *path)).collect()
}

//! The manual's page of all rules, in Markdown.

use crate::{Rule, Section, Status};
use std::fmt::Write as _;

/// The page: a table of all rules, then a section for each.
pub fn page(rules: &[&Rule]) -> String {
    let mut page = String::from(
        "# Rules\n\n<!-- Written by `cargo xtask docs` from the rules in server/check/src/rules and server/dialect; do not edit by hand. -->\n\n\
         Every finding has a stable code. The *stage* says at which step ytt itself would stop: it parses, evaluates\n\
         templates, reads the schema, merges, checks types, and last runs validations, and shows only the first of these\n\
         that fails. Lofting reports all of them at once.\n\n| code | what | severity | stage |\n| --- | --- | --- | --- |\n",
    );
    for rule in rules {
        let (anchor, severity, stage) = (anchor(rule.code), rule.level(), rule.stage.as_str());
        let _ = writeln!(page, "| [`{}`](#{anchor}) | {} | {severity} | {stage} |", rule.code, rule.title());
    }
    for rule in rules {
        page.push('\n');
        page.push_str(&section(rule));
    }
    page
}

/// One rule's section of the page.
pub fn section(rule: &Rule) -> String {
    let (severity, stage) = (rule.level(), rule.stage.as_str());
    let mut text = format!("## `{}`\n\n*{}* ({severity}, stage {stage})\n", rule.code, rule.title());
    for Section { heading, text: body } in rule.sections() {
        let _ = match heading {
            "What" => write!(text, "\n{body}\n"),
            _ if body.starts_with("```") => write!(text, "\n**{heading}**\n\n{body}\n"),
            _ => write!(text, "\n**{heading}.** {body}\n"),
        };
    }
    let _ = writeln!(text, "\n{}", lifecycle(rule));
    text
}

/// Since when a rule exists, how firmly users may rely on it, and what it was called before.
fn lifecycle(rule: &Rule) -> String {
    let mut text = format!("Since version {}.", rule.since);
    match rule.status {
        Status::Stable => {}
        Status::Preview => text.push_str(" A preview: what it finds may change in any version."),
        Status::Deprecated(instead) => {
            let _ = write!(text, " Deprecated: {instead}");
        }
    }
    if !rule.former.is_empty() {
        let codes: Vec<String> = rule.former.iter().map(|code| format!("`{code}`")).collect();
        let _ = write!(text, " Earlier versions called it {}, which stays valid.", codes.join(" or "));
    }
    text
}

/// What a Markdown viewer makes of a rule's heading: the fragment of its section's address.
pub fn anchor(code: &str) -> String {
    code.chars().filter(|c| c.is_alphanumeric() || *c == '-' || *c == '_').collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::page;
    use crate::{Severity, Stage, rule};

    rule! {
        /// # Too large
        ///
        /// ## What
        /// Above the bound.
        ///
        /// ## Example
        /// ```yaml
        /// a: 1
        /// ```
        pub(super) static RULE: Rule = Rule { code: "ytt/max", stage: Stage::Validation, severity: Severity::Error };
    }

    #[test]
    fn a_rule_is_written() {
        let page = page(&[&RULE]);
        assert!(page.contains("| [`ytt/max`](#yttmax) | Too large | error | validation |"), "{page}");
        assert!(page.contains("\nAbove the bound.\n\n**Example**\n\n```yaml\na: 1\n```\n"), "{page}");
    }
}

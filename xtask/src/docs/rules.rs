//! The page of all rules.

use std::fmt::Write as _;
use std::fs;

use super::{Page, read};
use crate::shell;

const FOLDER: &str = "server/check/src/rules";

/// One rule, as its file describes it.
#[derive(Debug, PartialEq)]
struct Rule {
    code: String,
    stage: String,
    severity: String,
    title: String,
    /// The sections of the comment: heading and text.
    sections: Vec<(String, String)>,
}

pub fn page() -> Result<Page, String> {
    let mut rules = Vec::new();
    let folder = shell::root().join(FOLDER);
    let entries = fs::read_dir(&folder).map_err(|error| format!("{FOLDER}: {error}"))?;
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let file = format!("{FOLDER}/{name}");
        if name.ends_with(".rs") && name != "mod.rs" {
            rules.extend(rules_of(&read(&file)?).map_err(|why| format!("{file}: {why}"))?);
        }
    }
    rules.sort_by(|a, b| a.code.cmp(&b.code));
    Ok(Page { path: "docs/rules.md", text: written(&rules) })
}

/// The rules declared in a file; files of shared words declare none.
fn rules_of(source: &str) -> Result<Vec<Rule>, String> {
    let mut rules = Vec::new();
    for part in source.split("= Rule {").skip(1) {
        let body = part.split("};").next().unwrap_or_default();
        let field = |name: &str| -> Result<String, String> {
            let after = body.split(&format!("{name}:")).nth(1).ok_or_else(|| format!("a rule without `{name}`"))?;
            let after = after.trim_start();
            Ok(match after.strip_prefix('"') {
                Some(text) => text.split('"').next().unwrap_or_default().to_owned(),
                // `Stage::Validation`: the last name, in small letters.
                None => {
                    after.split(',').next().unwrap_or_default().rsplit(':').next().unwrap_or_default().to_lowercase()
                }
            })
        };
        let sections = sections_of(source);
        if sections.is_empty() {
            return Err("its first lines are no documentation of the form `//! # Title`, `//! ## What` …".to_owned());
        }
        rules.push(Rule {
            code: field("code")?,
            stage: field("stage")?,
            severity: field("severity")?,
            title: field("title")?,
            sections,
        });
    }
    Ok(rules)
}

/// The `## ` sections of a file's first comment.
fn sections_of(source: &str) -> Vec<(String, String)> {
    let mut sections: Vec<(String, String)> = Vec::new();
    for line in source.lines().map_while(|line| line.strip_prefix("//!")) {
        let line = line.strip_prefix(' ').unwrap_or(line);
        if let Some(heading) = line.strip_prefix("## ") {
            sections.push((heading.trim().to_owned(), String::new()));
        } else if let Some((_, text)) = sections.last_mut() {
            text.push_str(line);
            text.push('\n');
        }
    }
    for (_, text) in &mut sections {
        *text = text.trim().to_owned();
    }
    sections
}

fn written(rules: &[Rule]) -> String {
    let mut page = String::from(
        "# Rules\n\n<!-- Written by `cargo xtask docs` from server/check/src/rules; do not edit by hand. -->\n\n\
         Every finding has a stable code. The *stage* says at which step ytt itself would stop: it parses, evaluates\n\
         templates, reads the schema, merges, checks types, and last runs validations, and shows only the first of these\n\
         that fails. Lofting reports all of them at once.\n\n| code | what | severity | stage |\n| --- | --- | --- | --- |\n",
    );
    for rule in rules {
        let anchor = anchor(&rule.code);
        let _ =
            writeln!(page, "| [`{}`](#{anchor}) | {} | {} | {} |", rule.code, rule.title, rule.severity, rule.stage);
    }
    for rule in rules {
        let _ = write!(page, "\n## `{}`\n\n*{}* ({}, stage {})\n", rule.code, rule.title, rule.severity, rule.stage);
        for (heading, text) in &rule.sections {
            let _ = match heading.as_str() {
                "What" => write!(page, "\n{text}\n"),
                _ if text.starts_with("```") => write!(page, "\n**{heading}**\n\n{text}\n"),
                _ => write!(page, "\n**{heading}.** {text}\n"),
            };
        }
    }
    page
}

/// What a Markdown viewer makes of the heading.
fn anchor(code: &str) -> String {
    code.chars().filter(|c| c.is_alphanumeric() || *c == '-' || *c == '_').collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::{rules_of, written};

    const SOURCE: &str = "\
//! # Too large
//!
//! ## What
//! Above the bound.
//!
//! ## Example
//! ```yaml
//! a: 1
//! ```

pub const RULE: Rule = Rule {
    code: \"ytt/max\",
    stage: Stage::Validation,
    severity: Severity::Error,
    title: \"Too large\",
};
";

    #[test]
    fn a_rule_is_read_from_its_file() {
        let rules = rules_of(SOURCE).expect("a well-formed rule");
        assert_eq!(rules.len(), 1);
        assert_eq!((rules[0].code.as_str(), rules[0].stage.as_str()), ("ytt/max", "validation"));
        let page = written(&rules);
        assert!(page.contains("| [`ytt/max`](#yttmax) | Too large | error | validation |"), "{page}");
        assert!(page.contains("\nAbove the bound.\n\n**Example**\n\n```yaml\na: 1\n```\n"), "{page}");
    }

    #[test]
    fn a_rule_without_documentation_is_refused() {
        assert!(rules_of("pub const RULE: Rule = Rule {\n code: \"a\" };").is_err());
        assert_eq!(rules_of("fn shared() {}"), Ok(Vec::new()));
    }
}

//! The manual's pages of rules, in Markdown: one for each rule, and one that lists them.

use crate::rule::{Readers, Section, Status};
use crate::{Registry, Rule};
use std::fmt::Write as _;

/// Where the manual keeps the pages of rules.
const FOLDER: &str = "rules";

const INTRODUCTION: &str = "# Rules\n\n\
    <!-- Written by `cargo xtask docs` from the rules in server/check/src/rules and server/dialect; do not edit by hand. -->\n\n\
    Every finding has a stable code: the name of a schema language, or of what else the rule is about, and the name of the\n\
    rule. A rule about values is the same for all languages, so it has a code in each of them: `ytt/min` is\n\
    `kubernetes/min` where a schema of Kubernetes governs the value. `lofting explain CODE` prints the page of a rule, and\n\
    editors open it from the finding.\n\n\
    [Levels of rules](settings.md#levels-of-rules) says how to change the severity of a rule or to switch it off.\n\n\
    | code | what | severity |\n| --- | --- | --- |\n";

/// The name of a rule's page below the folder of all of them, without an ending. It stays as long as the rule. A rule
/// that languages share has one page, which is in the folder of none of them.
pub fn path(rule: &Rule) -> String {
    format!("{FOLDER}/{}/{}", if rule.shared { "schema" } else { rule.family() }, rule.name())
}

/// The address of a rule's page in the published manual, which stays there as long as the rule.
pub fn address(rule: &Rule) -> String {
    address_of(&path(rule))
}

/// The address of a page with this path, without an ending, in the published manual.
pub fn address_of(path: &str) -> String {
    format!("{}/blob/main/docs/{path}.md", env!("CARGO_PKG_REPOSITORY"))
}

/// All pages, with their names.
pub fn pages(registry: &Registry) -> Vec<(String, String)> {
    let index = (FOLDER.to_owned(), index(registry.rules()));
    let of_rules = registry.rules().iter().map(|rule| (path(rule), page(rule, registry)));
    std::iter::once(index).chain(of_rules).map(|(path, text)| (format!("{path}.md"), text)).collect()
}

/// The page that lists the rules.
fn index(rules: &[&Rule]) -> String {
    let mut page = INTRODUCTION.to_owned();
    for rule in rules {
        // A bar would end the cell, even in code.
        let title = rule.title().replace('|', "\\|");
        let _ = writeln!(page, "| [`{}`]({}.md) | {title} | {} |", rule.code, path(rule), rule.level());
    }
    page
}

/// The page of one rule, for readers of all languages.
fn page(rule: &Rule, registry: &Registry) -> String {
    let codes: Vec<String> = registry.codes(rule).iter().map(|code| format!("`{code}`")).collect();
    let level = if rule.shared { rule.level().to_owned() } else { level(rule, rule.family()) };
    let mut page = format!("# {}\n\n{}: {level}\n", rule.title(), codes.join(", "));
    write_sections(&mut page, rule.sections());
    let _ = writeln!(page, "\n{}", lifecycle(rule));
    page
}

/// What the page says about a code of the rule, without what is only for readers of other languages.
pub fn section(rule: &Rule, code: &str) -> String {
    let family = code.split_once('/').map_or(rule.family(), |(family, _)| family);
    let mut text = format!("# {}\n\n`{code}`: {}\n", rule.title(), level(rule, family));
    let is_meant = |section: &Section| section.readers.contain(family);
    write_sections(&mut text, rule.sections().into_iter().filter(is_meant));
    let _ = writeln!(text, "\n{}", lifecycle(rule));
    text
}

/// The severity; for users of ytt also the step at which it would have stopped.
fn level(rule: &Rule, family: &str) -> String {
    if Readers::Ytt.contain(family) {
        format!("{}; ytt's stage *{}*", rule.level(), rule.stage.as_str())
    } else {
        rule.level().to_owned()
    }
}

fn write_sections(page: &mut String, sections: impl IntoIterator<Item = Section>) {
    for Section { heading, readers, text } in sections {
        let heading = match readers.name() {
            Some(name) => format!("{heading} in {name}"),
            None => heading.to_owned(),
        };
        let _ = match heading.as_str() {
            "What" => write!(page, "\n{text}\n"),
            _ if text.starts_with("```") => write!(page, "\n**{heading}**\n\n{text}\n"),
            _ => write!(page, "\n**{heading}.** {text}\n"),
        };
    }
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

#[cfg(test)]
mod tests {
    use super::{pages, section};
    use crate::{Registry, Severity, Stage, rule};

    rule! {
        /// # Too large
        ///
        /// ## What
        /// Above the bound.
        ///
        /// ## Example in ytt
        /// ```yaml
        /// a: 1
        /// ```
        ///
        /// ## Example in JSON Schema
        /// ```yaml
        /// b: 1
        /// ```
        pub(super) static RULE: Rule =
            Rule { code: "ytt/max", stage: Stage::Validation, severity: Severity::Error, shared: true };
    }

    #[test]
    fn a_rule_has_a_page_and_a_line_in_the_list() {
        let pages = pages(&Registry::new(&[&[&RULE]], &["kubernetes", "ytt"]));
        let [(list, lines), (path, page)] = pages.as_slice() else { panic!("{pages:?}") };
        assert_eq!((list.as_str(), path.as_str()), ("rules.md", "rules/schema/max.md"));
        assert!(lines.ends_with("| [`ytt/max`](rules/schema/max.md) | Too large | error |\n"), "{lines}");
        let head = "# Too large\n\n`ytt/max`, `kubernetes/max`: error\n\nAbove the bound.\n";
        let examples = "**Example in ytt**\n\n```yaml\na: 1\n```\n\n**Example in JSON Schema**\n\n```yaml\nb: 1\n```\n";
        assert_eq!(*page, format!("{head}\n{examples}\nSince version 0.1.0.\n"));
    }

    #[test]
    fn readers_of_a_language_see_what_is_for_them() {
        let text = section(&RULE, "kubernetes/max");
        assert!(text.starts_with("# Too large\n\n`kubernetes/max`: error\n"), "{text}");
        assert!(text.contains("b: 1") && !text.contains("ytt"), "{text}");
        let text = section(&RULE, "ytt/max");
        assert!(text.contains("a: 1") && !text.contains("JSON Schema"), "{text}");
    }
}

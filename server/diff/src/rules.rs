//! The rules of changes: each has a stable code, which reports name, and a page in the manual.

mod of_keys;
mod of_values;

use crate::{Change, Kind, Language};
use std::fmt::Write;

/// A kind of change as reports name it: for changes of what values are accepted, one for each group of keywords.
#[derive(Debug)]
pub struct ChangeRule {
    /// The name, which stays; the code is `diff/` and the name.
    pub name: &'static str,
    /// What changed, as a sentence.
    pub what: &'static str,
    /// Whom it breaks, and why.
    pub why: &'static str,
    /// How to make the change without breaking anything, or how to move on.
    pub how: &'static str,
    /// The language of the example.
    pub language: Language,
    /// The old version of a schema that changes so.
    pub old: &'static str,
    /// The new version.
    pub new: &'static str,
}

/// The rule for a whole schema that is gone: its file is, or nothing in it is a schema any more.
pub const SCHEMA_GONE: &str = "schema-gone";

/// All rules, in the order of the manual.
pub fn all() -> impl Iterator<Item = &'static ChangeRule> {
    of_keys::RULES.iter().chain(of_values::RULES)
}

/// The rule with a code, `diff/removed`.
pub fn by_code(code: &str) -> Option<&'static ChangeRule> {
    let name = code.strip_prefix("diff/")?;
    all().find(|rule| rule.name == name)
}

/// The code that was probably meant by one that begins with `diff/`.
pub fn nearest(code: &str) -> Option<String> {
    let name = code.strip_prefix("diff/")?;
    let likeness = |rule: &ChangeRule| strsim::normalized_damerau_levenshtein(rule.name, name);
    let best = all().map(|rule| (likeness(rule), rule)).max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 >= 0.6).then(|| format!("diff/{}", best.1.name))
}

/// Which values are accepted, by the keyword that says so.
fn group(keyword: &str) -> &'static str {
    match keyword {
        "type" => "type",
        "enum" | "const" => "choices",
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => "bounds",
        "minLength" | "maxLength" => "length",
        "minItems" | "maxItems" | "minProperties" | "maxProperties" => "count",
        "uniqueItems" | "x-kubernetes-list-type" | "x-kubernetes-list-map-keys" => "uniqueness",
        "pattern" | "startsWith" | "endsWith" => "pattern",
        "additionalProperties" | "patternProperties" | "propertyNames" => "other-keys",
        "unevaluatedProperties" | "unevaluatedItems" => "other-keys",
        "anyOf" | "oneOf" | "allOf" | "not" | "if" | "dependentSchemas" | "dependentRequired" | "contains" => {
            "alternatives"
        }
        // Code, and what only ytt has.
        _ => "code",
    }
}

impl Change {
    /// The name of its rule.
    pub fn rule(&self) -> &'static str {
        let of_group = |rule: &&ChangeRule, kind: &str, group: &str| {
            rule.name.strip_prefix(kind).and_then(|rest| rest.strip_prefix('-')) == Some(group)
        };
        match (self.kind, &self.renamed) {
            (Kind::Removed, Some(renamed)) if self.path.is_beside(&renamed.to) => "renamed",
            (Kind::Removed, Some(_)) => "moved",
            (kind @ (Kind::Narrowed | Kind::Widened), _) => {
                let group = group(self.keyword.unwrap_or_default());
                let rule = all().find(|rule| of_group(rule, kind.name(), group));
                rule.map_or(kind.name(), |rule| rule.name)
            }
            (kind, _) => kind.name(),
        }
    }
}

impl ChangeRule {
    /// The path of its page in the manual, without an ending.
    pub fn path(&self) -> String {
        format!("rules/diff/{}", self.name)
    }

    /// Its page in the manual, in Markdown.
    pub fn page(&self) -> String {
        let mut page = format!("# {}\n\n`diff/{}`\n\n", self.what, self.name);
        let _ = write!(page, "**Whom it breaks.** {}\n\n**Example**\n\nBefore:\n\n", self.why);
        let fence = if self.old.starts_with('{') { "json" } else { "yaml" };
        let _ = write!(page, "```{fence}\n{}```\n\nAfter:\n\n```{fence}\n{}```\n\n", self.old, self.new);
        let _ = writeln!(page, "**What to do.** {}\n\nSince version 0.1.0.", self.how);
        page
    }
}

use crate::place::{Look, Looks, SchemaPlace};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::{Key, NodeValue};
use lofting_schema::SchemaNode;
use lofting_schema::Shape;

rule! {
    /// # A secret as a default
    ///
    /// ## What
    /// A key that is called like a secret (`password`, `token`, `secretKey`) has a text as its default.
    ///
    /// ## Why
    /// A schema has many readers and is kept for a long time. Where the value is not set, a secret that all of them
    /// know is used.
    ///
    /// The rule is off by default: names say little, and examples need passwords as well.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// password: hunter2
    /// ```
    ///
    /// ## How to fix
    /// Make the default empty, and let a rule ask for a value: `#@schema/validation min_len=1`.
    pub static RULE: Rule = Rule {
        code: "ytt/schema-secret-default",
        stage: Stage::Lint,
        severity: Severity::Warning,
        shared: true,
        silent: true,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::SchemaNode(look)]);

fn look(place: &SchemaPlace<'_>, found: &mut Vec<Diagnostic>) {
    let Shape::Map(map) = place.node.shape() else { return };
    found.extend(map.keys.iter().filter_map(|key| finding(&key.key, place.whole.schema.node(key.schema))));
}

/// Parts of names of secrets, in small letters without what joins words.
const NAMES: [&str; 8] = ["password", "passwd", "passphrase", "secret", "token", "apikey", "privatekey", "accesskey"];

/// Ends of names of what only leads to a secret.
const LEADS: [&str; 5] = ["name", "ref", "path", "file", "url"];

pub(crate) fn finding(key: &Key, node: &SchemaNode) -> Option<Diagnostic> {
    let Key::String(name) = key else { return None };
    let plain: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let is_secret = NAMES.iter().any(|secret| plain.contains(secret)) && !LEADS.iter().any(|end| plain.ends_with(end));
    let default = node.default.as_ref().filter(|_| is_secret)?;
    let NodeValue::String(text) = &default.value.value else { return None };
    (!text.is_empty()).then(|| {
        Diagnostic::new(&RULE, default.span, format!("`{name}` has a secret as its default that everyone can read"))
            .fix(crate::Fix::replace("Make it empty", default.span, "\"\"").possible())
    })
}

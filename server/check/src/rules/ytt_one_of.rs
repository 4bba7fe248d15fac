use super::bounds;
use crate::at::At;
use crate::view::{Scalar, View};
use crate::{Diagnostic, Fix, Severity, Stage, suggest, words};
use lofting_diagnostic::rule;
use lofting_document::write::double_quoted;
use lofting_document::{Node, NodeValue};
use lofting_syntax::resolve::needs_quotes_in_flow;
use smol_str::{SmolStr, ToSmolStr};

rule! {
    /// # A value is not among the allowed ones
    ///
    /// ## What
    /// The schema lists what is allowed, and the value is something else. The type counts: `"1"` is not `1`.
    ///
    /// ## Why in ytt
    /// `one_of=` in `#@schema/validation` is the list. ytt refuses the final values.
    ///
    /// ## Why in JSON Schema
    /// `enum` or `const` is the list. Whatever reads the value refuses it, or ignores it.
    ///
    /// ## Example in ytt
    /// ```yaml
    /// #! schema
    /// #@schema/validation one_of=["debug", "info"]
    /// level: info
    /// #! values
    /// level: verbose
    /// ```
    ///
    /// ## Example in JSON Schema
    /// ```yaml
    /// # schema
    /// type: object
    /// properties:
    ///   level: {enum: [debug, info]}
    /// # values
    /// level: verbose
    /// ```
    ///
    /// ## How to fix
    /// Use one of the listed values.
    pub static RULE: Rule = Rule {
        code: "ytt/one-of",
        stage: Stage::Validation,
        severity: Severity::Error,
        shared: true,
    };
}

/// The allowed values, as languages other than ytt list them.
fn listed(shown: &[String]) -> String {
    match shown {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        several => format!("one of {}", several.join(", ")),
    }
}

/// How many allowed values a message lists.
const NAMED: usize = 8;

pub(crate) fn finding<V: View>(at: &At<'_>, value: V, allowed: &[Node], suggest: bool) -> Diagnostic {
    finding_of(at, value, allowed, &[], suggest)
}

/// Like [`finding`], where `others` may be given instead, in words.
pub(crate) fn finding_of<V: View>(
    at: &At<'_>,
    value: V,
    allowed: &[Node],
    others: &[String],
    suggest: bool,
) -> Diagnostic {
    let mut shown: Vec<String> = allowed.iter().take(NAMED).map(|value| words::spelled(at.notation(), value)).collect();
    let rest = allowed.len().saturating_sub(NAMED);
    if rest > 0 {
        shown.push(format!("{rest} more"));
    }
    shown.extend_from_slice(others);
    // What is not listed is written with an article, before which `one of` would be wrong.
    let of = if others.is_empty() { "one of " } else { "" };
    let choice = match shown.split_last() {
        None => "cannot be anything".to_owned(),
        Some((only, [])) => format!("should be {only}"),
        Some((last, first)) => format!("should be {of}{} or {last}", first.join(", ")),
    };
    let span = at.value_span(value);
    let message = format!("{} {choice}, but is {}", at.subject(), bounds::plain(at, value));
    let finding = Diagnostic::new(&RULE, span, message);
    let finding = if at.speaks_ytt() {
        finding.found("not one of allowed values", format!("one of {}", words::spelled_list(at.notation(), allowed)))
    } else {
        finding.found(bounds::plain(at, value), listed(&shown))
    };
    let written = |node: &Node| match &node.value {
        NodeValue::String(text) if needs_quotes_in_flow(at.profile(), text) => Some(double_quoted(text)),
        NodeValue::String(text) => Some(text.to_string()),
        NodeValue::Int(_) | NodeValue::Float(_) | NodeValue::Bool(_) | NodeValue::Null => {
            Some(words::spelled_bare(at.notation(), node))
        }
        _ => None,
    };
    let change = |node: &Node| {
        let title = format!("Change to {}", words::spelled(at.notation(), node));
        written(node).map(|text| Fix::replace(title, span, text).possible())
    };
    if span != value.span() {
        return finding;
    }
    let given = value.scalar().filter(|_| suggest).and_then(text_of_scalar);
    // The only value that is listed is not meant where something else may be.
    let is_open = |given: &str| match allowed {
        [only] if !others.is_empty() => text_of(only).is_none_or(|only| !suggest::is_slip(given, &only)),
        _ => false,
    };
    let given = given.filter(|given| !is_open(given));
    let near = given.as_deref().map(|given| meant(given, allowed)).unwrap_or_default();
    let finding = match near.as_slice() {
        [] => finding,
        several => {
            let names: Vec<String> = several.iter().map(|node| words::spelled(at.notation(), node)).collect();
            finding.help(format!("did you mean {}?", names.join(" or ")))
        }
    };
    // Of several that are equally near, none is more likely.
    let meant = if let [only] = near.as_slice() { Some(*only) } else { None };
    let likely = meant.and_then(change).map(|fix| Fix::new(fix.title, fix.edits));
    let is_certain = |given: &str| {
        let meant = meant.and_then(word);
        meant.is_some_and(|meant| suggest::is_only_meaning(given, meant, allowed.iter().filter_map(word)))
    };
    let likely = if given.as_deref().is_some_and(is_certain) { likely.map(Fix::sure) } else { likely };
    // Where something else may be given, a value that is not near is not meant.
    let is_closed = others.is_empty();
    let is_other = |node: &&Node| is_closed && meant.is_none_or(|meant| meant.value != node.value);
    let others = allowed.iter().take(SEARCHED).filter(is_other);
    let others: Vec<&Node> = match &given {
        Some(given) => suggest::nearest_first(given, others.map(|node| (node, text_of(node))), NAMED),
        None => others.take(NAMED).collect(),
    };
    let others = others.into_iter().filter_map(change);
    likely.into_iter().chain(others).fold(finding, Diagnostic::fix)
}

/// How many allowed values are compared with the written one. Of more, none is named as the nearest.
const SEARCHED: usize = 5_000;

/// How many allowed values are compared by nothing but their case.
const SPELLED: usize = 50_000;

/// How many allowed numbers are compared by their digits.
const NUMBERS: usize = 200;

/// How many values are named that are equally near.
const TIED: usize = 3;

/// The allowed value that was most likely meant: the only one, one with the same text and another type or case, a word
/// for the same boolean, or the nearest, of which there may be several.
fn meant<'n>(given: &str, allowed: &'n [Node]) -> Vec<&'n Node> {
    if let [only] = allowed {
        return vec![only];
    }
    let named = |name: &str| {
        let is_same = |node: &&Node| text_of(node).as_deref() == Some(name);
        let is_alike = |node: &&Node| text_of(node).is_some_and(|text| lowercase(&text).eq(lowercase(name)));
        let all = || allowed.iter().take(SPELLED);
        all().find(is_same).or_else(|| all().find(is_alike))
    };
    let boolean = match given.to_lowercase().as_str() {
        "yes" | "on" | "y" => Some("true"),
        "no" | "off" | "n" => Some("false"),
        _ => None,
    };
    if let Some(same) = named(given.trim()).or_else(|| boolean.and_then(named)) {
        return vec![same];
    }
    if allowed.len() > SEARCHED {
        return Vec::new();
    }
    let words = allowed.iter().filter_map(word);
    let numbers = allowed.iter().filter(|node| word(node).is_none()).filter_map(text_of);
    let numbers: Vec<SmolStr> = numbers.take(NUMBERS + 1).collect();
    let compared = numbers.get(..).filter(|numbers| numbers.len() <= NUMBERS).unwrap_or_default();
    let nearest = suggest::Nearest::of(given, words.chain(compared.iter().map(SmolStr::as_str)));
    match nearest.only(|_| true) {
        Some(only) => named(only).into_iter().collect(),
        None => nearest.names().take(TIED).filter_map(named).collect(),
    }
}

fn word(node: &Node) -> Option<&str> {
    match &node.value {
        NodeValue::String(text) => Some(text.as_str()),
        NodeValue::Bool(value) => Some(if *value { "true" } else { "false" }),
        _ => None,
    }
}

fn lowercase(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(char::to_lowercase)
}

fn text_of_scalar(scalar: Scalar) -> Option<SmolStr> {
    match scalar {
        Scalar::String(text) => Some(text),
        Scalar::Bool(value) => Some(value.to_smolstr()),
        Scalar::Int(value) => Some(value.to_smolstr()),
        Scalar::Float(_) | Scalar::Null => None,
    }
}

/// The text of a scalar that is compared with others. Short texts are not allocated.
fn text_of(node: &Node) -> Option<SmolStr> {
    match &node.value {
        NodeValue::String(text) => Some(text.clone()),
        NodeValue::Bool(value) => Some(value.to_smolstr()),
        NodeValue::Int(value) => Some(value.to_smolstr()),
        _ => None,
    }
}

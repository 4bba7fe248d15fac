use crate::at::At;
use crate::rules::renaming::Meant;
use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::{Certainty, Subject, rule};
use lofting_document::write::double_quoted;
use lofting_document::{Key, Span};
use lofting_schema::{Admits, MapShape};

rule! {
    /// # A key is not declared in the schema
    ///
    /// ## What
    /// The schema lists the keys a map may have, and this is not one of them. If it is most likely meant to be a required key
    /// that is missing, the message asks for that, and the missing key has no finding of its own.
    ///
    /// ## Why in ytt
    /// ytt refuses it. In a `#@data/values` document it reports the "number of matched nodes", because the document is merged
    /// onto the schema's defaults and there is nothing to merge with. Keys keep their type: the integer `1` is not the string
    /// `"1"`, and `y` is the boolean true.
    ///
    /// ## Why in JSON Schema
    /// The schema permits no other keys (`additionalProperties: false`, `unevaluatedProperties: false`). Usually the
    /// name is misspelt, so what is set has no effect. If there are alternatives (`anyOf`, `oneOf`) and none of them has a key
    /// of the map, each key is reported, and none that one of the alternatives would require.
    ///
    /// ## Example in ytt
    /// ```yaml
    /// #! schema
    /// service:
    ///   port: 80
    /// #! values
    /// service:
    ///   prot: 8080
    /// ```
    ///
    /// ## Example in JSON Schema
    /// ```yaml
    /// # schema
    /// type: object
    /// additionalProperties: false
    /// properties:
    ///   port: {type: integer}
    /// # values
    /// prot: 8080
    /// ```
    ///
    /// ## How to fix
    /// Correct the name, or declare the key in the schema.
    ///
    /// ## How to fix in ytt
    /// `#@overlay/match missing_ok=True` lets the merge pass, but the key must still be declared.
    pub static RULE: Rule = Rule {
        code: "ytt/undeclared-key",
        stage: Stage::Type,
        severity: Severity::Error,
        shared: true,
        certainty: Certainty::NeedsWholeSchema,
        subject: Subject::Key,
    };
}

/// `meant` is what is most likely meant by it; None as well if similar names are not to be searched for.
pub(crate) fn finding(at: &At<'_>, key: &Key, shape: &MapShape, declared: Span, meant: Option<&Meant>) -> Diagnostic {
    let holder = at.holder();
    let written = at.written(key);
    let message = match shape.keys.len() {
        0 if shape.patterns.is_empty() && shape.free.is_empty() => {
            format!("`{written}` {}: {holder} has no keys there", at.words().undeclared)
        }
        _ => format!("`{written}` {} of {holder}", at.words().undeclared),
    };
    let expected = if at.speaks_ytt() && shape.free.is_empty() { expected_by_ytt(shape) } else { expected(shape) };
    let finding =
        Diagnostic::new(&RULE, at.name, message).found(written, expected).related(declared, at.words().declared);
    // `y` and `on` are read as booleans, `1` as an integer: the schema declares the string.
    let raw = at.written(key);
    if key.as_str().is_none() && shape.by_key.contains_key(&Key::from(raw.as_str())) {
        return finding
            .help(format!("the schema declares the string `{raw}`, but this is the {}: put it in quotes", kind(key)))
            .fix(Fix::replace("Put the key in quotes", at.name, double_quoted(&raw)));
    }
    if let Some(other) = of_other_kind(key, shape) {
        return finding.help(format!(
            "the schema declares the {} `{}`, but this is the {}",
            kind(other),
            other,
            kind(key)
        ));
    }
    if key.as_str().is_none() {
        return match key {
            Key::Bool(value) => {
                finding.help(format!("this is read as the boolean {value}: put the key in quotes to make it a string"))
            }
            _ => finding,
        };
    }
    if raw.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric())) {
        let dash = Span { end: at.name.start + 1, ..at.name };
        return finding.help("if this is an item, write a space after `-`").fix(Fix::replace(
            "Write a space after `-`",
            dash,
            "- ",
        ));
    }
    match meant {
        Some(meant) => meant.explain(finding, at.name, at.profile()),
        None => help_with_keys(finding, shape),
    }
}

/// Keys that belong in the value of the empty key above them, with the lines that they and their values are on.
pub(crate) fn dedented(at: &At<'_>, holder: &str, above: Span, lines: &[Span]) -> Diagnostic {
    let starts = lines.iter().flat_map(|span| {
        let (start, text) = (span.range().start, at.text(*span).unwrap_or_default());
        // A value may end with the line break, and blank lines stay blank.
        let text = text.trim_end();
        let is_written =
            |(at, _): &(usize, &str)| !text.get(at + 1..).is_some_and(|rest| rest.starts_with(['\n', '\r']));
        let below: Vec<usize> = text.match_indices('\n').filter(is_written).map(|(at, _)| start + at + 1).collect();
        std::iter::once(start).chain(below)
    });
    let edits = starts.map(|start| (Span::new(at.name.file, start..start), "  ".to_owned())).collect();
    let written = at.text(at.name).unwrap_or_default();
    let message = format!("`{written}` belongs in `{holder}`, but is not indented below it");
    Diagnostic::new(&RULE, at.name, message)
        .related(above, "the key without a value")
        .help(format!("indent what belongs in `{holder}`"))
        .fix(Fix::new(format!("Indent it below `{holder}`"), edits))
}

/// The declared key with the same text and another type.
fn of_other_kind<'s>(key: &Key, shape: &'s MapShape) -> Option<&'s Key> {
    let text = key.to_string();
    let kinds = [
        (text == "null").then_some(Key::Null),
        text.parse().ok().map(Key::Bool),
        text.parse::<i128>().ok().map(Key::int),
        text.parse().ok().map(|number: f64| Key::Float(number.to_bits())),
    ];
    let read = kinds.into_iter().flatten().filter(|other| other.to_string() == text);
    let mut others: Vec<Key> = read.filter(|other| other != key).collect();
    if key.as_str().is_none() {
        others.push(Key::String(text.into()));
    }
    let places = others.iter().filter_map(|other| shape.by_key.get(other));
    Some(&shape.keys.get(*places.min()? as usize)?.key)
}

/// Lists the declared keys and the patterns of others, if there are only a few.
fn help_with_keys(finding: Diagnostic, shape: &MapShape) -> Diagnostic {
    if shape.keys.len() > NAMED || shape.patterns.len() > PATTERNS {
        return finding;
    }
    let keys: Vec<String> = shape.keys.iter().map(|declared| format!("`{}`", declared.key)).collect();
    let only = if shape.patterns.is_empty() { "only " } else { "" };
    let named = match keys.split_last() {
        None => None,
        Some((last, [])) => Some(format!("the {only}declared key is {last}")),
        Some((last, first)) => Some(format!("declared keys are {} and {last}", first.join(", "))),
    };
    match (named, matching(shape)) {
        (None, None) => finding,
        (Some(named), None) => finding.help(named),
        (None, Some(matching)) => finding.help(format!("each key has to match {matching}")),
        (Some(named), Some(matching)) => finding.help(format!("{named}; each other key has to match {matching}")),
    }
}

/// How many declared keys are named.
const NAMED: usize = 9;

/// How many patterns are shown.
const PATTERNS: usize = 3;

/// The declared keys and the patterns of keys, if there are only a few.
fn expected(shape: &MapShape) -> String {
    let mut names: Vec<String> = shape.keys.iter().map(|declared| format!("`{}`", declared.key)).collect();
    names.sort();
    let named = match names.as_slice() {
        [] => None,
        [only] => Some(format!("the key {only}")),
        several if several.len() <= NAMED => Some(format!("one of {}", several.join(", "))),
        _ => Some("a declared key".to_owned()),
    };
    match (named, matching(shape)) {
        (None, None) => "no keys".to_owned(),
        (Some(named), None) => named,
        (None, Some(matching)) => format!("a key that matches {matching}"),
        (Some(named), Some(matching)) => format!("{named}, or a key that matches {matching}"),
    }
}

/// What keys that are not declared have to match, if a map has patterns for them.
fn matching(shape: &MapShape) -> Option<String> {
    if shape.free.iter().any(|free| matches!(free.admits, Admits::Function(_))) {
        return Some("what the function of `allowed=` takes".to_owned());
    }
    let of_free = shape.free.iter().filter_map(|free| match &free.admits {
        Admits::Pattern(pattern) => Some(pattern),
        Admits::All | Admits::Function(_) => None,
    });
    let patterns = shape.patterns.iter().map(|(pattern, _)| pattern).chain(of_free);
    let patterns: Vec<String> = patterns.map(|pattern| format!("`{}`", pattern.source)).collect();
    match patterns.as_slice() {
        [] => None,
        few if few.len() <= PATTERNS => Some(few.join(" or ")),
        _ => Some("one of the patterns".to_owned()),
    }
}

/// ytt's words (docs/ytt.md 12.1).
fn expected_by_ytt(shape: &MapShape) -> String {
    match shape.keys.as_slice() {
        [only] => format!("a map item with the key named \"{}\"", only.key),
        keys if (2..10).contains(&keys.len()) => {
            let mut names: Vec<String> = keys.iter().map(|declared| declared.key.to_string()).collect();
            names.sort();
            format!("one of {{ {} }}", names.join(", "))
        }
        _ => "a key declared in map".to_string(),
    }
}

fn kind(key: &Key) -> &'static str {
    match key {
        Key::Null => "null",
        Key::Bool(_) => "boolean",
        Key::Int(_) => "integer",
        Key::Float(_) => "float",
        Key::String(_) | Key::Collection(_) => "string",
    }
}

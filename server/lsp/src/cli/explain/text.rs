//! What is known about a value, in lines.

use lofting::{Explanation, FinalValue, GivenValue, SchemaNode};
use serde_json::Value;

/// Keywords that describe other values: `lofting schema --outline` shows them.
const BELOW: [&str; 6] = ["properties", "items", "additionalProperties", "patternProperties", "anyOf", "required"];

pub(super) fn value(answer: &Explanation) -> String {
    let file = &answer.document.file;
    let place = answer
        .range
        .map_or_else(|| file.clone(), |range| format!("{file}:{}:{}", range.start.line, range.start.column));
    let mut text = match answer.path.as_deref() {
        Some(path) => format!("{} ({place})\n", if path.is_empty() { "the document" } else { path }),
        None => format!("{place}\n"),
    };
    if answer.schemas.is_empty() && answer.final_values.is_empty() {
        let words = answer.text.as_deref().unwrap_or("no schema says anything about it");
        return text + &words.lines().map(|line| format!("  {line}\n")).collect::<String>();
    }
    answer.schemas.iter().for_each(|node| text.push_str(&of_node(node)));
    answer.final_values.iter().for_each(|one| text.push_str(&of_final(one)));
    text
}

fn of_node(node: &SchemaNode) -> String {
    let mut text = format!("  type: {}{}\n", node.kind, if node.required { ", required" } else { "" });
    let keywords = node.schema.as_object().into_iter().flatten();
    for (keyword, value) in keywords.filter(|(keyword, _)| *keyword != "type" && !BELOW.contains(&keyword.as_str())) {
        text.push_str(&format!("  {keyword}: {}\n", shown(value)));
    }
    if let Some(declared) = &node.declared.declared {
        text.push_str(&format!("  declared in: {}:{}\n", declared.file, declared.range.start.line));
    }
    if let Some(words) = &node.declared.built_in {
        text.push_str(&format!("  declared in: {words}\n"));
    }
    text
}

fn of_final(one: &FinalValue) -> String {
    let set = one.set.iter().map(|set| format!(" in the input set {set}"));
    let with = one.with.iter().map(|file| format!(" with {file}"));
    let call: String = set.chain(with).collect();
    let mut text = format!("  final value{call}: {}\n", given(&one.last));
    one.replaces.iter().for_each(|value| text.push_str(&format!("    instead of: {}\n", given(value))));
    text
}

fn given(value: &GivenValue) -> String {
    let default = if value.origin == "default" { "default, " } else { "" };
    format!("{} ({default}{}:{})", shown(&value.value), value.place.file, value.place.range.start.line)
}

/// Text as it is, unless it looks like nothing or like another value; everything else as JSON.
fn shown(value: &Value) -> String {
    let is_plain = |text: &str| !text.trim().is_empty() && serde_json::from_str::<Value>(text).is_err();
    match value {
        Value::String(text) if is_plain(text) => text.trim_end().replace('\n', "\n    "),
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::shown;
    use serde_json::json;

    #[test]
    fn texts_are_told_from_other_values() {
        for (value, want) in [
            (json!("a b\nc\n"), "a b\n    c"),
            (json!(""), "\"\""),
            (json!(" "), "\" \""),
            (json!("80"), "\"80\""),
            (json!(80), "80"),
            (json!("null"), "\"null\""),
            (json!(null), "null"),
        ] {
            assert_eq!(shown(&value), want);
        }
    }
}

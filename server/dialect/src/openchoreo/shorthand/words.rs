//! The words of a definition, for colours.

use super::expression::{Core, parse};
use crate::inside::{TextWord, TextWordKind};

/// Types, markers and their values.
pub fn words(text: &str) -> Vec<TextWord> {
    let expression = parse(text);
    let mut words = Vec::new();
    for layer in &expression.layers {
        let written = text.get(layer.range.clone()).unwrap_or_default();
        let name = ["array", "map"].into_iter().find(|name| written.starts_with(name));
        words.extend(name.map(|name| (layer.range.start..layer.range.start + name.len(), TextWordKind::Type)));
    }
    if !matches!(expression.core, Core::TooDeep | Core::BrokenMap) && !expression.core_range.is_empty() {
        words.push((expression.core_range.clone(), TextWordKind::Type));
    }
    words.extend(expression.bar.map(|bar| (bar..bar + 1, TextWordKind::Operator)));
    for marker in &expression.markers {
        if !marker.key.is_empty() {
            words.push((marker.key.clone(), TextWordKind::Option));
        }
        let Some(value) = marker.value.clone().filter(|value| !value.is_empty()) else { continue };
        let written = text.get(value.clone()).unwrap_or_default();
        let kind = match written {
            "true" | "false" | "null" => TextWordKind::Keyword,
            _ if written.parse::<f64>().is_ok() => TextWordKind::Number,
            _ => TextWordKind::String,
        };
        words.push((value, kind));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::words;
    use crate::inside::check_words;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        check_words(words, text, expected);
    }

    #[test]
    fn types_and_markers() {
        check(
            "map<[]Port> | default=\"a b\" minItems=1 nullable=true",
            "Type map, Type Port, Operator |, Option default, String \"a b\", Option minItems, Number 1, Option nullable, Keyword true",
        );
        check("string", "Type string");
        check("array<integer> |", "Type array, Type integer, Operator |");
    }

    #[test]
    fn half_typed() {
        check("", "");
        check("|", "Operator |");
        check("map[", "");
        check("string | default", "Type string, Operator |, Option default");
        check("string | default= =\"", "Type string, Operator |, Option default, String \"");
    }
}

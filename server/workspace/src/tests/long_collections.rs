//! What a schema says about a long map or array as a whole is known after an edit as if the file was new, although most of
//! the collection is not looked at again.

use super::stored::Random;
use crate::fixture::Fixture;

/// How many lines a collection begins with: so many that the tree keeps groups of groups.
const LINES: usize = 700;

const OF_MAPS: [&str; 9] = [
    r#""required": ["k1", "k350", "k699"], "minProperties": 700, "maxProperties": 701"#,
    r#""dependentRequired": {"k1": ["k3"], "x": ["k2"]}, "additionalProperties": {"type": "string"}"#,
    r#""if": {"required": ["x"]}, "then": {"required": ["k5"]}, "else": {"maxProperties": 700}"#,
    r#""anyOf": [{"required": ["x", "k2"]}, {"required": ["k1", "k3", "k698"], "properties": {"k4": {"minLength": 2}}}]"#,
    r#""oneOf": [{"required": ["x"]}, {"required": ["k1"]}], "not": {"required": ["k2", "x"]}"#,
    r#""allOf": [{"properties": {"k1": {"type": "string"}}}], "patternProperties": {"^k": {}}, "unevaluatedProperties": false"#,
    r#""dependentSchemas": {"k2": {"required": ["k3"], "properties": {"k699": {"const": "v699"}}}}"#,
    r#""propertyNames": {"maxLength": 4}, "properties": {"k350": {"type": "string"}}, "required": ["k350"]"#,
    r#""oneOf": [{"additionalProperties": {"type": "integer"}}, {"additionalProperties": {"type": "string"}}]"#,
];

const OF_ARRAYS: [&str; 6] = [
    r#""minItems": 700, "maxItems": 701, "items": {"type": "string"}"#,
    r#""contains": {"const": "v1"}, "minContains": 1, "maxContains": 1"#,
    r#""prefixItems": [{"const": "v0"}, {"const": "v1"}, {"type": "string"}], "items": {"pattern": "^v"}"#,
    r#""anyOf": [{"prefixItems": [{"const": "x"}]}, {"prefixItems": [{"const": "v0"}], "items": {"pattern": "v"}}]"#,
    r#""if": {"minItems": 700}, "then": {"contains": {"const": "x"}}, "uniqueItems": true"#,
    r#""prefixItems": [{}], "unevaluatedItems": {"type": "string"}, "oneOf": [{"maxItems": 700}, {"minItems": 701}]"#,
];

const HEAD: &str = "# yaml-language-server: $schema=schema.json\n";

fn files(keywords: &str) -> String {
    format!("#- schema.json\n{{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", {keywords}}}\n")
}

/// Lines of an edit, which may be broken, or another kind of line.
const MAP_LINES: [&str; 9] =
    ["x: y\n", "k3: v\n", "k9", ": 1\n", "k5: 7\n", "  z: 1\n", "<<: {x: 1}\n", "long key: 1\n", ""];
const ARRAY_LINES: [&str; 8] = ["- x\n", "- v1\n", "- 3\n", "-", "-\n", "- [1]\n", "x: 1\n", ""];

fn edits_are_known(keywords: &str, line: impl Fn(usize) -> String, lines: &[&str], seed: u64) -> usize {
    let mut random = Random(seed);
    let mut text: String = HEAD.to_owned() + &(0..LINES).map(line).collect::<String>();
    let mut fixture = Fixture::scanned(&files(keywords));
    let file = fixture.open("a.yaml", &text);
    let mut findings = fixture.diagnostics("a.yaml").lines().count();
    for turn in 2..24 {
        let starts: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        // Often around the first and last lines, which are the ones that schemas speak about.
        let number = match random.below(3) {
            0 => random.below(8),
            1 => starts.len().saturating_sub(1 + random.below(4)),
            _ => random.below(starts.len()),
        };
        let start = starts[number.min(starts.len() - 1)];
        let end = starts.iter().copied().find(|at| *at > start).filter(|_| random.below(2) == 0).unwrap_or(start);
        let new = lines[random.below(lines.len())];
        text.replace_range(start..end, new);
        fixture.workspace.edit(file, turn, start..end, new);
        let mut fresh = Fixture::scanned(&files(keywords));
        fresh.open("a.yaml", &text);
        let found = fixture.diagnostics("a.yaml");
        assert_eq!(found, fresh.diagnostics("a.yaml"), "{keywords}, turn {turn}");
        findings += found.lines().count();
    }
    findings
}

#[test]
fn long_maps_are_known_as_new_ones() {
    for (seed, keywords) in OF_MAPS.into_iter().enumerate() {
        let line = |number| format!("k{number}: v{number}\n");
        assert!(edits_are_known(keywords, line, &MAP_LINES, seed as u64) > 20, "{keywords}");
    }
}

#[test]
fn long_arrays_are_known_as_new_ones() {
    for (seed, keywords) in OF_ARRAYS.into_iter().enumerate() {
        assert!(
            edits_are_known(keywords, |number| format!("- v{number}\n"), &ARRAY_LINES, seed as u64) > 20,
            "{keywords}"
        );
    }
}

//! Many clauses about one map find what few find: with many, each looks up its keys in an index.

use super::stored::Random;
use crate::fixture::Fixture;

/// What a schema says, and what a document has, at random.
struct Invented(Random);

impl Invented {
    fn new(seed: u64) -> Self {
        Invented(Random(seed))
    }

    fn key(&mut self) -> String {
        format!("k{}", self.0.below(40))
    }

    /// What a clause says about a value.
    fn value(&mut self, depth: u64) -> String {
        match self.0.below(if depth > 1 { 4 } else { 6 }) {
            0 => r#"{"type": "integer"}"#.to_owned(),
            1 => r#"{"enum": ["a", 1]}"#.to_owned(),
            2 => r#"{"type": "string", "minLength": 2}"#.to_owned(),
            3 => "{}".to_owned(),
            4 => r#"{"type": "object", "additionalProperties": false, "properties": {"x": {"type": "string"}}}"#
                .to_owned(),
            _ => self.clause(depth + 1),
        }
    }

    fn clause(&mut self, depth: u64) -> String {
        let (key, other) = (self.key(), self.key());
        match self.0.below(if depth > 2 { 7 } else { 12 }) {
            0 | 1 => {
                format!(r#"{{"properties": {{"{key}": {}, "{other}": {}}}}}"#, self.value(depth), self.value(depth))
            }
            2 => format!(r#"{{"required": ["{key}"]}}"#),
            3 => format!(r#"{{"dependentRequired": {{"{key}": ["{other}"]}}}}"#),
            4 => format!(
                r#"{{"if": {{"required": ["{key}"]}}, "then": {{"properties": {{"{other}": {}}}}}}}"#,
                self.value(depth)
            ),
            5 => format!(r#"{{"not": {{"required": ["{key}", "{other}"]}}}}"#),
            6 => format!(r#"{{"properties": {{"{key}": {}}}, "required": ["{other}"]}}"#, self.value(depth)),
            7 => format!(
                r#"{{"if": {}, "then": {}, "else": {}}}"#,
                self.clause(depth + 1),
                self.clause(depth + 1),
                self.clause(depth + 1)
            ),
            8 => format!(r#"{{"anyOf": [{}, {}]}}"#, self.clause(depth + 1), self.clause(depth + 1)),
            9 => format!(r#"{{"oneOf": [{}, {{"required": ["{key}", "x"]}}]}}"#, self.clause(depth + 1)),
            10 => format!(
                r#"{{"anyOf": [{{"additionalProperties": false, "properties": {{"{key}": {{}}}}}}, {}]}}"#,
                self.clause(depth + 1)
            ),
            _ => format!(r#"{{"dependentSchemas": {{"{key}": {}}}}}"#, self.clause(depth + 1)),
        }
    }

    fn values(&mut self) -> String {
        let given: Vec<usize> = (0..40).filter(|_| self.0.below(4) > 0).collect();
        given.into_iter().map(|number| format!("k{number}: {}\n", self.written())).collect()
    }

    fn written(&mut self) -> String {
        match self.0.below(5) {
            0 => "1".to_owned(),
            1 => "a".to_owned(),
            2 => "{x: 1, y: 2}".to_owned(),
            3 => format!("{{{}: a, {}: 1, z: {{}}}}", self.key(), self.key()),
            _ => "[1]".to_owned(),
        }
    }
}

fn found(clauses: &str, rest: &str, values: &str) -> Vec<String> {
    let text = format!(
        "#- schema.json\n{{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"type\": \"object\", \
         \"allOf\": [{clauses}]{rest}}}\n\
         #- a.yaml\n# yaml-language-server: $schema=schema.json\n{values}"
    );
    let mut found: Vec<String> = Fixture::scanned(&text).diagnostics("a.yaml").lines().map(str::to_owned).collect();
    found.sort();
    found
}

fn messages(found: &[String]) -> Vec<&str> {
    found.iter().map(|line| line.split("schema.json").next().unwrap_or_default()).collect()
}

#[test]
fn many_clauses_find_what_few_find() {
    let mut findings = 0;
    for seed in 0..60 {
        let mut invented = Invented::new(seed);
        let clauses: Vec<String> = (0..80).map(|_| invented.clause(0)).collect();
        let values = invented.values();
        let few: Vec<String> = clauses.chunks(4).map(|few| format!("{{\"allOf\": [{}]}}", few.join(", "))).collect();
        let rest = if seed % 3 == 0 { r#", "unevaluatedProperties": false"# } else { "" };
        let (many, few) = (found(&clauses.join(", "), rest, &values), found(&few.join(", "), rest, &values));
        assert_eq!(messages(&many), messages(&few), "{seed}");
        findings += many.len();
    }
    assert!(findings > 500, "{findings}");
}

/// Of a long map, parts are known by the hashes of their keys. Other keys say nothing where they are allowed.
#[test]
fn long_maps_find_what_short_ones_find() {
    let mut findings = 0;
    for seed in 0..60 {
        let mut invented = Invented::new(seed);
        let refuses_others = |clause: &String| clause.contains(r#"[{"additionalProperties""#);
        let clauses: Vec<String> =
            (0..30).map(|_| invented.clause(0)).filter(|clause| !refuses_others(clause)).collect();
        let values = invented.values();
        let others: String = (0..300).map(|number| format!("other{number}: {{}}\n")).collect();
        let (short, long) =
            (found(&clauses.join(", "), "", &values), found(&clauses.join(", "), "", &(values + &others)));
        assert_eq!(messages(&short), messages(&long), "{seed}");
        findings += short.len();
    }
    assert!(findings > 200, "{findings}");
}
